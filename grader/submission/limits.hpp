// SPDX-License-Identifier: MIT
// How much of a submission is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "grader/submission/submission.hpp"

namespace grader {

constexpr std::uint64_t source_size_limit = std::uint64_t{8} << 20;  // bytes
// Its outputs, which are most of it, are passed over.
constexpr std::uint64_t notebook_size_limit = std::uint64_t{64} << 20;  // bytes
constexpr std::uint64_t library_size_limit = std::uint64_t{64} << 20;   // bytes
constexpr std::uint64_t archive_size_limit = std::uint64_t{64} << 20;   // bytes

// Of folders and archives.
struct ReadLimits {
  std::uint64_t source = source_size_limit;       // bytes of any other file
  std::uint64_t notebook = notebook_size_limit;   // bytes of one notebook
  std::uint64_t library = library_size_limit;     // bytes of one library
  std::uint64_t total = std::uint64_t{64} << 20;  // bytes of all files kept
  std::size_t files = 1000;                       // that are kept
  std::size_t entries = 20000;                    // that are looked at
  std::size_t depth = 8;                          // folders above a file
  // Bytes that a packed tar file may become, what is ignored included.
  std::uint64_t unpacked = std::uint64_t{256} << 20;
};

struct SizeLimit {
  std::uint64_t bytes;
  std::string_view of;         // "a source file"
  std::string_view next_step;  // "Make it smaller"
};

// Of one file, by its form.
SizeLimit size_limit(Form form, const ReadLimits& limits);

}  // namespace grader
