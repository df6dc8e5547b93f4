// SPDX-License-Identifier: MIT
// libFuzzer: notebook_fuzz -max_len=4096 NEW_INPUTS fuzz/corpus
// Whatever the bytes are: no crash, no sanitizer report, no exception; cells
// are numbered from 1 and reach the host as they are, a failure says why.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <nlohmann/json.hpp>

#include "grader/loader/notebook.hpp"

namespace {

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

// A parser that accepted the bytes has checked that texts are UTF-8.
void check_cells(const std::vector<grader::NotebookCell>& cells) {
  require(!cells.empty());
  const auto written = nlohmann::json::parse(grader::write_cells(cells));
  require(written.at("cells").size() == cells.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto& cell = written.at("cells").at(i);
    require(cells[i].number == static_cast<int>(i) + 1);
    require(cell.at("number") == cells[i].number);
    require(cell.at("source") == cells[i].source);
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto reading = grader::read_notebook(bytes);
  if (const auto* cells =
          std::get_if<std::vector<grader::NotebookCell>>(&reading)) {
    check_cells(*cells);
  } else {
    const auto& failure = std::get<grader::LoadFailure>(reading);
    require(failure.kind == "notebook" && !failure.detail.empty());
    require(failure.detail.size() < 600);
  }
  return 0;
}
