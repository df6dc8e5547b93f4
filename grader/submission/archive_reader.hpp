// SPDX-License-Identifier: MIT
// libarchive over bytes in memory, kept on a short lead: zip, and tar as it is
// or packed once by gzip, bzip2 or xz. Nothing is written anywhere.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "grader/submission/submission.hpp"

namespace grader {

struct ArchiveEntry {
  std::optional<std::string> name;  // any bytes; absent: not to be made out
  mode_t mode = 0;                  // as st_mode
  bool is_hard_link = false;
  bool is_encrypted = false;
  std::string odd_method;  // what packed it, if that is not to be unpacked
};

class ArchiveReader {
 public:
  // `most_unpacked`: bytes that a packed tar file may become. The bytes must
  // outlive the reader.
  ArchiveReader(std::string_view archive, std::uint64_t most_unpacked);
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  // Nothing at the end, and where there is a problem.
  std::optional<ArchiveEntry> next();
  // Of the entry that next() found; up to `most` bytes.
  std::string read(std::uint64_t most);

  // Why it did not go on.
  const std::optional<Problem>& problem() const { return problem_; }

 private:
  struct Handles;

  void fail(const std::string& libarchive);

  std::unique_ptr<Handles> handles_;
  std::optional<Problem> problem_;
};

}  // namespace grader
