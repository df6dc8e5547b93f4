// SPDX-License-Identifier: MIT
// What a process wrote, however much it was: the first and the last part are
// kept, the bytes between are counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace grader {

class BoundedText {
 public:
  BoundedText(std::size_t head_limit, std::size_t tail_limit)
      : head_limit_(head_limit), tail_limit_(tail_limit) {}

  void append(std::string_view bytes);

  // All bytes ever appended.
  std::uint64_t total() const { return total_; }

  // "first[... 123 bytes left out ...]last"; raw bytes, not made printable.
  std::string text() const;

 private:
  std::size_t head_limit_;
  std::size_t tail_limit_;
  std::uint64_t total_ = 0;
  std::string head_;
  std::string tail_;  // up to twice tail_limit_, so that few bytes are moved
};

enum class DrainResult { open, closed };

// Appends what can be read from a non-blocking descriptor without waiting.
DrainResult drain(int descriptor, BoundedText& text);

}  // namespace grader
