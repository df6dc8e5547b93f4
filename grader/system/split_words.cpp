// SPDX-License-Identifier: MIT
#include "grader/system/split_words.hpp"

#include <utility>

namespace grader {

namespace {

constexpr std::string_view blanks = " \t\n";
// What a backslash escapes between double quotes (POSIX, XCU 2.2.3).
constexpr std::string_view escaped_in_quotes = "$`\"\\";

class Splitter {
 public:
  explicit Splitter(std::string_view line) : line_(line) {}

  std::optional<std::vector<std::string>> run() {
    bool is_complete = true;
    while (is_complete && at_ < line_.size()) {
      const char c = line_[at_++];
      if (blanks.find(c) != std::string_view::npos) {
        end_word();
      } else if (c == '\'') {
        is_complete = take_literally();
      } else if (c == '"') {
        is_complete = take_quoted();
      } else if (c == '\\') {
        is_complete = take_escaped();
      } else {
        word() += c;
      }
    }
    end_word();
    return is_complete ? std::optional(std::move(words_)) : std::nullopt;
  }

 private:
  std::string& word() { return word_ ? *word_ : word_.emplace(); }

  void end_word() {
    if (word_) {
      words_.push_back(std::move(*word_));
      word_.reset();
    }
  }

  bool take_literally() {
    const std::size_t end = line_.find('\'', at_);
    if (end == std::string_view::npos) {
      return false;
    }
    word() += line_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

  bool take_quoted() {
    word();  // "" is a word
    while (at_ < line_.size()) {
      char c = line_[at_++];
      if (c == '"') {
        return true;
      }
      const bool is_escape =
          c == '\\' && at_ < line_.size() &&
          escaped_in_quotes.find(line_[at_]) != std::string_view::npos;
      if (is_escape) {
        c = line_[at_++];
      }
      word() += c;
    }
    return false;
  }

  bool take_escaped() {
    if (at_ == line_.size()) {
      return false;
    }
    word() += line_[at_++];
    return true;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::optional<std::string> word_;  // absent between words
  std::vector<std::string> words_;
};

}  // namespace

std::optional<std::vector<std::string>> split_words(std::string_view line) {
  return Splitter(line).run();
}

}  // namespace grader
