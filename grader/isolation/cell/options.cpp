// SPDX-License-Identifier: MIT
#include "grader/isolation/cell/options.hpp"

#include <charconv>
#include <string_view>

#include "grader/system/error.hpp"

namespace grader {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw Error(Blame::usage, "cannot make a cell: " + why + "\n" + cell_usage);
}

class Words {
 public:
  explicit Words(const std::vector<std::string>& words)
      : next_(words.begin()), end_(words.end()) {}

  bool is_empty() const { return next_ == end_; }
  std::string take() { return *next_++; }
  std::string value_of(const std::string& option) {
    if (is_empty()) {
      refuse(option + " needs a value");
    }
    return take();
  }
  std::uint64_t number_of(const std::string& option) {
    const std::string text = value_of(option);
    std::uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, failure] = std::from_chars(text.data(), end, number);
    if (failure != std::errc() || rest != end) {
      refuse(option + " needs a number, not " + text);
    }
    return number;
  }

 private:
  std::vector<std::string>::const_iterator next_;
  std::vector<std::string>::const_iterator end_;
};

void take_option(const std::string& option, Words& words,
                 CellOptions& options) {
  if (option == "--show") {
    options.shown.emplace_back(words.value_of(option));
  } else if (option == "--hide") {
    options.hidden.emplace_back(words.value_of(option));
  } else if (option == "--work") {
    options.work = words.value_of(option);
  } else if (option == "--in") {
    options.folder = words.value_of(option);
  } else if (option == "--take") {
    options.taken = words.value_of(option);
  } else if (option == "--disk") {
    options.disk = words.number_of(option);
  } else if (option == "--files") {
    options.files = words.number_of(option);
  } else if (option == "--memory") {
    options.memory = words.number_of(option);
  } else if (option == "--limit") {
    const auto resource = static_cast<int>(words.number_of(option));
    const rlim_t soft = words.number_of(option);
    options.limits.push_back({resource, soft, words.number_of(option)});
  } else if (option == "--no-namespaces") {
    options.has_namespaces = false;
  } else if (option == "--programs") {
    options.may_start_programs = true;
  } else if (option == "--server") {
    options.is_server = true;
  } else if (option == "--copy") {
    options.is_copy = true;
  } else if (option == "--open") {
    options.is_confined = false;
  } else {
    refuse("there is no option " + option);
  }
}

}  // namespace

CellOptions parse_cell_options(const std::vector<std::string>& text) {
  CellOptions options;
  Words words(text);
  while (!words.is_empty()) {
    const std::string word = words.take();
    if (word == "--") {
      break;
    }
    take_option(word, words, options);
  }
  while (!words.is_empty()) {
    options.program.push_back(words.take());
  }
  const bool is_started = !options.is_copy;
  if (is_started &&
      (options.program.empty() || !options.program.front().starts_with('/'))) {
    refuse("a program is needed, with its absolute path");
  }
  if (!options.work.is_absolute()) {
    refuse("--work is needed, an absolute path");
  }
  if (options.folder.empty()) {
    options.folder = options.work;
  }
  return options;
}

}  // namespace grader
