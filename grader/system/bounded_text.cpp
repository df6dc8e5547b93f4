// SPDX-License-Identifier: MIT
#include "grader/system/bounded_text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <unistd.h>

namespace grader {

void BoundedText::append(std::string_view bytes) {
  total_ += bytes.size();
  const std::size_t to_head =
      std::min(bytes.size(), head_limit_ - head_.size());
  head_.append(bytes.substr(0, to_head));
  bytes.remove_prefix(to_head);
  if (bytes.size() > tail_limit_) {
    bytes.remove_prefix(bytes.size() - tail_limit_);
  }
  tail_.append(bytes);
  if (tail_.size() > 2 * tail_limit_) {
    tail_.erase(0, tail_.size() - tail_limit_);
  }
}

std::string BoundedText::text() const {
  const std::string_view tail = std::string_view(tail_).substr(
      tail_.size() > tail_limit_ ? tail_.size() - tail_limit_ : 0);
  const std::uint64_t kept = head_.size() + tail.size();
  std::string text = head_;
  if (total_ > kept) {
    text +=
        "\n[... " + std::to_string(total_ - kept) + " bytes left out ...]\n";
  }
  return text.append(tail);
}

DrainResult drain(int descriptor, BoundedText& text) {
  std::array<char, 4096> buffer{};
  // A writer that never stops must not keep the caller from its deadlines.
  for (int rounds = 0; rounds < 16; ++rounds) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count > 0) {
      text.append({buffer.data(), static_cast<std::size_t>(count)});
    } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
      return DrainResult::closed;
    } else if (errno == EAGAIN) {
      return DrainResult::open;
    }
  }
  return DrainResult::open;
}

}  // namespace grader
