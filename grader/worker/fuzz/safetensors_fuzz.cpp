// SPDX-License-Identifier: MIT
// libFuzzer: safetensors_fuzz -max_len=4096 NEW_INPUTS fuzz/corpus
// Whatever the bytes are: no crash, no sanitizer report, no exception; what is
// accepted is consistent.
#include <cstdlib>
#include <string_view>

#include "grader/worker/safetensors.hpp"

namespace {

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

void check_array(const grader::MessageArray& array) {
  std::uint64_t count = 1;
  for (const std::int64_t size : array.shape) {
    require(size >= 0);
    count *= static_cast<std::uint64_t>(size);
  }
  require(count == array.values.size());
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const grader::MessageLimits limits{2048, 4096, 4};
  const auto announced = grader::message_size(bytes, limits);
  const auto parsed = grader::parse_message(bytes, limits);
  if (const auto* message = std::get_if<grader::Message>(&parsed)) {
    const auto* known = std::get_if<std::optional<std::uint64_t>>(&announced);
    require(known != nullptr && *known == size);
    for (const grader::MessageArray& array : message->arrays) {
      check_array(array);
    }
  }
  return 0;
}
