// SPDX-License-Identifier: MIT
#include "grader/system/fork_protocol.hpp"

namespace grader {

std::string join_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += word;
    text += '\0';
  }
  return text;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\0'); end != std::string::npos;
       end = text.find('\0', begin)) {
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

}  // namespace grader
