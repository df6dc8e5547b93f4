// SPDX-License-Identifier: MIT
#include "grader/submission/gathering.hpp"

#include <algorithm>
#include <utility>

#include "grader/submission/entry.hpp"
#include "grader/submission/forms.hpp"
#include "grader/system/text.hpp"

namespace grader {

std::optional<Problem> Gathering::look_at(std::string_view name) {
  if (++entries_ <= limits_.entries) {
    return std::nullopt;
  }
  return rejected_entry(name, "more than " + std::to_string(limits_.entries) +
                                  " files and folders. Hand in the code only");
}

std::optional<Problem> Gathering::check_depth(std::string_view name) const {
  const auto folders = static_cast<std::size_t>(std::ranges::count(name, '/'));
  if (folders <= limits_.depth) {
    return std::nullopt;
  }
  return rejected_entry(name, "more than " + std::to_string(limits_.depth) +
                                  " folders deep. Move the code further up");
}

void Gathering::ignore(std::string_view name) {
  if (ignored_.empty()) {
    ignored_ = name;
  }
}

std::uint64_t Gathering::most_bytes(std::string_view name) const {
  return std::min(size_limit(form_of(name), limits_).bytes,
                  limits_.total - bytes_) +
         1;
}

std::optional<Problem> Gathering::add(SourceFile file) {
  if (files_.size() == limits_.files) {
    return rejected_entry(
        file.name, "more than " + std::to_string(limits_.files) +
                       " files. Leave out what the function does not need");
  }
  if (auto problem = check_depth(file.name)) {
    return problem;
  }
  const SizeLimit limit = size_limit(form_of(file.name), limits_);
  if (file.bytes.size() > limit.bytes) {
    return rejected_entry(file.name, "more than " + size_text(limit.bytes) +
                                         ", the limit for " +
                                         std::string(limit.of) + ". " +
                                         std::string(limit.next_step));
  }
  if (file.bytes.size() > limits_.total - bytes_) {
    return rejected_entry(file.name,
                          "with it the files are more than " +
                              size_text(limits_.total) +
                              ". Leave out what the function does not need");
  }
  bytes_ += file.bytes.size();
  files_.push_back(std::move(file));
  return std::nullopt;
}

FilesOrProblem Gathering::finish() {
  if (files_.empty()) {
    return Problem{ProblemKind::empty,
                   ignored_.empty()
                       ? "holds no file"
                       : "holds no file, apart from what is ignored (" +
                             one_line(ignored_) + ")"};
  }
  std::ranges::sort(files_, {}, &SourceFile::name);
  return std::move(files_);
}

}  // namespace grader
