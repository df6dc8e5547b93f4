// SPDX-License-Identifier: MIT
#include "grader/report/layout.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace grader {
namespace {

constexpr std::string_view dots = "...";

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// The blocks of Unicode's EastAsianWidth.txt that are wide throughout.
constexpr std::array<Range, 9> wide_blocks{{{0x1100, 0x115F},
                                            {0x2E80, 0x303E},
                                            {0x3041, 0xA4CF},
                                            {0xAC00, 0xD7A3},
                                            {0xF900, 0xFAFF},
                                            {0xFE30, 0xFE6F},
                                            {0xFF00, 0xFF60},
                                            {0x1F300, 0x1FAFF},
                                            {0x20000, 0x3FFFD}}};

constexpr std::array<Range, 5> combining_blocks{{{0x0300, 0x036F},
                                                 {0x1AB0, 0x1AFF},
                                                 {0x200B, 0x200D},
                                                 {0x20D0, 0x20FF},
                                                 {0xFE00, 0xFE0F}}};

template <std::size_t size>
bool contains(const std::array<Range, size>& blocks, std::uint32_t code) {
  return std::ranges::any_of(blocks, [code](const Range& block) {
    return block.first <= code && code <= block.last;
  });
}

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// Bytes of the character that starts at `position`.
std::size_t character_length(std::string_view text, std::size_t position) {
  std::size_t length = 1;
  while (position + length < text.size() &&
         is_continuation(text[position + length])) {
    ++length;
  }
  return length;
}

std::uint32_t code_point(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) {
    return first;
  }
  std::uint32_t code = first & (0x7FU >> character.size());
  for (const char byte : character.substr(1)) {
    code = (code << 6U) | (static_cast<unsigned char>(byte) & 0x3FU);
  }
  return code;
}

std::size_t character_width(std::string_view character) {
  const std::uint32_t code = code_point(character);
  if (contains(combining_blocks, code)) {
    return 0;
  }
  return contains(wide_blocks, code) ? 2 : 1;
}

// Bytes of the longest beginning that is at most `width` columns wide.
std::size_t fitting_prefix(std::string_view text, std::size_t width) {
  std::size_t position = 0;
  std::size_t used = 0;
  while (position < text.size()) {
    const std::size_t length = character_length(text, position);
    used += character_width(text.substr(position, length));
    if (used > width) {
      break;
    }
    position += length;
  }
  return position;
}

std::string_view fitting_suffix(std::string_view text, std::size_t width) {
  std::string_view suffix = text;
  while (display_width(suffix) > width) {
    suffix.remove_prefix(character_length(suffix, 0));
  }
  return suffix;
}

// Takes the next line off `rest`: up to the last space that fits.
std::string_view take_line(std::string_view& rest, std::size_t width) {
  const std::size_t fits = fitting_prefix(rest, width);
  if (fits == rest.size()) {
    return std::exchange(rest, {});
  }
  std::size_t end = fits;
  if (rest[fits] != ' ') {
    const std::size_t word = rest.find_first_not_of(' ');
    const std::size_t space = rest.substr(0, fits).rfind(' ');
    end = space == std::string_view::npos || space < word ? fits : space;
  }
  end = std::max<std::size_t>(end, character_length(rest, 0));
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return line;
}

// Bytes after which the code may go on in a new line: behind a comma and space
// inside brackets. Text in quotes does not count.
std::vector<std::size_t> break_places(std::string_view line) {
  std::vector<std::size_t> places;
  int depth = 0;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      quote = c == quote ? '\0' : quote;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ' ' && depth > 0 && i > 0 && line[i - 1] == ',') {
      places.push_back(i + 1);
    }
  }
  return places;
}

// The end of an escape sequence that starts at `position`.
std::size_t end_of_escape(std::string_view text, std::size_t position) {
  std::size_t end = position + 1;
  if (end == text.size()) {
    return end;
  }
  if (text[end] == '[') {
    ++end;
    while (end < text.size() && (text[end] < '@' || text[end] > '~')) {
      ++end;
    }
    return std::min(end + 1, text.size());
  }
  if (text[end] == ']') {
    end = text.find_first_of("\a\x1b", end);  // BEL, or ESC and a backslash
    if (end == std::string_view::npos) {
      return text.size();
    }
    return std::min(end + (text[end] == '\a' ? 1 : 2), text.size());
  }
  return end + 1;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    width += character_width(text.substr(i, length));
    i += length;
  }
  return width;
}

std::string shorten_middle(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) {
    return std::string(text);
  }
  if (width <= dots.size()) {
    return std::string(dots.substr(0, width));
  }
  const std::size_t kept = width - dots.size();
  const std::size_t head = kept / 2;
  return std::string(text.substr(0, fitting_prefix(text, head)))
      .append(dots)
      .append(fitting_suffix(text, kept - head));
}

std::string shorten_end(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) {
    return std::string(text);
  }
  const std::size_t kept = width - std::min(width, dots.size());
  return std::string(text.substr(0, fitting_prefix(text, kept))).append(dots);
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(text).append(width - std::min(width, used), ' ');
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(width - std::min(width, used), ' ').append(text);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t newline = text.find('\n');
    std::string_view paragraph = text.substr(0, newline);
    do {
      lines.emplace_back(take_line(paragraph, width));
    } while (!paragraph.empty());
    if (newline == std::string_view::npos) {
      return lines;
    }
    text.remove_prefix(newline + 1);
  }
}

std::vector<std::string> wrap_code(std::string_view line, std::size_t width) {
  constexpr std::string_view continuation = "    ";
  std::vector<std::string> lines;
  std::string current;
  std::size_t start = 0;
  std::vector<std::size_t> places = break_places(line);
  places.push_back(line.size());
  for (const std::size_t place : places) {
    const std::string_view piece = line.substr(start, place - start);
    const std::string_view end =
        piece.ends_with(' ') ? piece.substr(0, piece.size() - 1) : piece;
    if (start > 0 && display_width(current + std::string(end)) > width) {
      current.pop_back();  // the space behind the comma
      lines.push_back(std::exchange(current, std::string(continuation)));
    }
    current += piece;
    start = place;
  }
  lines.push_back(current);
  return lines;
}

std::string labelled(std::string_view label, std::string_view value,
                     const Columns& columns) {
  const std::size_t left = columns.indent + columns.label_width;
  std::string text;
  std::string margin =
      std::string(columns.indent, ' ') + pad_right(label, columns.label_width);
  for (const std::string& line : wrap(value, columns.width - left)) {
    text += margin + line + "\n";
    margin.assign(left, ' ');
  }
  return text;
}

std::string strip_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\x1b') {
      i = end_of_escape(text, i);
    } else {
      plain += text[i++];
    }
  }
  return plain;
}

}  // namespace grader
