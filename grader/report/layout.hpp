// SPDX-License-Identifier: MIT
// Lines of text for a terminal: how wide, where to break, what to leave out.
// All take valid UTF-8 (see printable()) and count columns, not bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

// Columns: 2 for East Asian wide characters and emoji, 0 for combining marks.
std::size_t display_width(std::string_view text);

// Cut in the middle, with "..." in the cut, to at most `width` columns.
std::string shorten_middle(std::string_view text, std::size_t width);

// Cut at the end, with "..." in place of what is lost.
std::string shorten_end(std::string_view text, std::size_t width);

// Filled up with spaces.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

// Broken at spaces; words longer than a line are broken anywhere. Newlines in
// the text are kept. At least one line.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

// Python code broken after a comma inside brackets, where the language allows
// it; a line without such a place stays as long as it is.
std::vector<std::string> wrap_code(std::string_view line, std::size_t width);

// "label      value that may be long and goes on" with a hanging indent at
// `indent` + `label_width` columns; `width` in all.
struct Columns {
  std::size_t indent = 2;
  std::size_t label_width = 24;
  std::size_t width = 80;
};
std::string labelled(std::string_view label, std::string_view value,
                     const Columns& columns);

// Colours and other escape sequences (ECMA-48 CSI and OSC) taken out.
std::string strip_escapes(std::string_view text);

}  // namespace grader
