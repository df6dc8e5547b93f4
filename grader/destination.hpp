// SPDX-License-Identifier: MIT
// Where one document goes: nowhere, to stdout, or into a file that is opened
// before the work begins.
#pragma once

#include <filesystem>
#include <iostream>
#include <optional>

#include "grader/output_file.hpp"

namespace grader {

class Destination {
 public:
  // Empty: nowhere; "-": stdout. Throws Error (usage) as OutputFile does.
  explicit Destination(const std::filesystem::path& path)
      : is_stdout_(path == "-") {
    if (!path.empty() && !is_stdout_) {
      file_.emplace(path);
    }
  }

  // `render` makes the document, where one is wanted.
  template <typename Render>
  void write(Render render) {
    if (is_stdout_) {
      std::cout << render() << std::flush;
    } else if (file_) {
      file_->commit(render());
    }
  }

 private:
  bool is_stdout_;
  std::optional<OutputFile> file_;
};

}  // namespace grader
