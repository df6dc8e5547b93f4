// SPDX-License-Identifier: MIT
// libFuzzer: unpack_fuzz -max_len=4096 NEW_INPUTS fuzz/corpus
// Whatever the bytes are: no crash, no sanitizer report, no exception; what is
// unpacked is within the limits, and its names lead nowhere else.
#include <cstdlib>
#include <string_view>

#include "grader/submission/clutter.hpp"
#include "grader/submission/unpack.hpp"

namespace {

constexpr grader::ReadLimits limits{.source = 4096,
                                    .library = 8192,
                                    .total = 16384,
                                    .files = 20,
                                    .entries = 50,
                                    .depth = 4,
                                    .unpacked = std::uint64_t{1} << 20U};

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

void check_name(const std::string& name) {
  require(!name.empty() && !grader::is_clutter(name));
  require(name.front() != '/' && name.back() != '/');
  const std::string framed = "/" + name + "/";
  require(framed.find("/../") == std::string::npos);
  require(framed.find("/./") == std::string::npos);
  require(framed.find("//") == std::string::npos);
  require(name.find('\\') == std::string::npos);
}

void check_files(const std::vector<grader::SourceFile>& files) {
  require(!files.empty() && files.size() <= limits.files);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    check_name(files[i].name);
    require(i == 0 || files[i - 1].name < files[i].name);
    require(files[i].bytes.size() <= limits.library);
    total += files[i].bytes.size();
  }
  require(total <= limits.total);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto unpacked = grader::unpack(bytes, limits);
  if (const auto* files =
          std::get_if<std::vector<grader::SourceFile>>(&unpacked)) {
    check_files(*files);
  } else {
    require(!std::get<grader::Problem>(unpacked).detail.empty());
  }
  return 0;
}
