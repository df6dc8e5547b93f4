// SPDX-License-Identifier: MIT
// Text for people, made of text that is not to be trusted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

// The known word that `word` may be a misspelling of: at most two edits away,
// letter case apart.
std::optional<std::string> did_you_mean(std::string_view word,
                                        const std::vector<std::string>& known);

// Valid UTF-8 that moves no cursor and reorders no line: invalid bytes become
// U+FFFD; control characters (ESC and CR among them) and bidirectional controls
// are spelled out (\x1b, \u202e). Newline and tab are kept.
std::string printable(std::string_view hostile);

// The same text with `substitute` for each invalid byte: as long, valid UTF-8.
std::string as_utf8(std::string_view hostile, char substitute);

// printable() on one line: newlines and tabs become spaces; what is longer than
// `max_bytes` is cut, at a character, and ends in "...".
std::string one_line(std::string_view hostile, std::size_t max_bytes = 300);

// Without the newlines behind it; of a traceback this is what says it.
std::string last_line(std::string_view text);

// "8 MiB", or "100 bytes" where that would be a fraction.
std::string size_text(std::uint64_t bytes);

}  // namespace grader
