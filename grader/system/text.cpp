// SPDX-License-Identifier: MIT
#include "grader/system/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace grader {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed =
          diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;  // 0: not valid UTF-8
};

// One character of the Unicode Standard, table 3-7: no overlong forms, no
// surrogates, nothing above U+10FFFF.
Character decode(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) {
    return {first, 1};
  }
  const std::size_t length = first >= 0xF0   ? 4
                             : first >= 0xE0 ? 3
                             : first >= 0xC2 ? 2
                                             : 0;
  if (length == 0 || first > 0xF4 || text.size() < length) {
    return {};
  }
  std::uint32_t code = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0U) != 0x80U) {
      return {};
    }
    code = (code << 6U) | (byte & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < smallest.at(length) || code > 0x10FFFF || is_surrogate) {
    return {};
  }
  return {code, length};
}

bool is_dangerous(std::uint32_t code) {
  const bool is_control = (code < 0x20 && code != '\n' && code != '\t') ||
                          (code >= 0x7F && code <= 0x9F) || code == 0x2028 ||
                          code == 0x2029;
  const bool is_bidirectional = (code >= 0x202A && code <= 0x202E) ||
                                (code >= 0x2066 && code <= 0x2069) ||
                                code == 0x200E || code == 0x200F ||
                                code == 0x061C;
  return is_control || is_bidirectional;
}

std::string spelled_out(std::uint32_t code) {
  constexpr std::string_view digits = "0123456789abcdef";
  const int width = code < 0x100 ? 2 : 4;
  std::string text = code < 0x100 ? "\\x" : "\\u";
  for (int shift = 4 * (width - 1); shift >= 0; shift -= 4) {
    text += digits[(code >> static_cast<unsigned>(shift)) & 0xFU];
  }
  return text;
}

}  // namespace

std::optional<std::string> did_you_mean(std::string_view word,
                                        const std::vector<std::string>& known) {
  constexpr std::size_t longest_word = 100;
  // Half of a short word is no misspelling of it.
  const std::size_t allowed = std::min<std::size_t>(2, word.size() / 2);
  std::optional<std::string> best;
  std::size_t best_distance = allowed + 1;
  if (word.size() > longest_word) {
    return best;
  }
  for (const std::string& candidate : known) {
    if (candidate.size() > longest_word) {
      continue;
    }
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string printable(std::string_view hostile) {
  std::string text;
  text.reserve(hostile.size());
  while (!hostile.empty()) {
    const Character character = decode(hostile);
    if (character.length == 0) {
      text += replacement;
      hostile.remove_prefix(1);
      continue;
    }
    if (is_dangerous(character.code)) {
      text += spelled_out(character.code);
    } else {
      text += hostile.substr(0, character.length);
    }
    hostile.remove_prefix(character.length);
  }
  return text;
}

std::string as_utf8(std::string_view hostile, char substitute) {
  std::string text(hostile);
  for (std::size_t at = 0; at < text.size();) {
    const Character character = decode(hostile.substr(at));
    if (character.length == 0) {
      text[at] = substitute;
    }
    at += std::max<std::size_t>(character.length, 1);
  }
  return text;
}

std::string one_line(std::string_view hostile, std::size_t max_bytes) {
  // A character grows to at most six bytes, so no more can be needed.
  std::string text = printable(hostile.substr(0, max_bytes + 4));
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::replace(text.begin(), text.end(), '\t', ' ');
  if (text.size() <= max_bytes) {
    return text;
  }
  constexpr std::string_view dots = "...";
  std::size_t end = max_bytes - std::min(max_bytes, dots.size());
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  return text.substr(0, end).append(dots);
}

std::string last_line(std::string_view text) {
  text = text.substr(0, text.find_last_not_of('\n') + 1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

std::string size_text(std::uint64_t bytes) {
  constexpr unsigned bits_of_a_mebibyte = 20;
  const std::uint64_t mebibytes = bytes >> bits_of_a_mebibyte;
  return mebibytes << bits_of_a_mebibyte == bytes
             ? std::to_string(mebibytes) + " MiB"
             : std::to_string(bytes) + " bytes";
}

}  // namespace grader
