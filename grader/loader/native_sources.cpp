// SPDX-License-Identifier: MIT
#include "grader/loader/native_sources.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "grader/submission/clutter.hpp"
#include "grader/submission/forms.hpp"
#include "grader/system/text.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

bool is_header(const std::string& name) {
  constexpr std::array<std::string_view, 8> endings = {
      ".h", ".hpp", ".hh", ".hxx", ".h++", ".inl", ".inc", ".tpp"};
  std::string ending = fs::path(name).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return std::ranges::count(endings, ending) > 0;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Walks over a text and stops at directives: `#` as the first token of a line,
// not in a comment or a literal. A line that ends in a backslash goes on.
class Directives {
 public:
  explicit Directives(std::string_view text) : text_(text) {}

  // What stands behind the next `#`.
  std::optional<std::string_view> next() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_here("//") || is_here("/*")) {
        pass_comment();
      } else if (c == '\n') {
        is_line_start_ = true;
        ++at_;
      } else if (is_blank(c)) {
        ++at_;
      } else if (c == '#' && is_line_start_) {
        is_line_start_ = false;
        return text_.substr(++at_);
      } else {
        is_line_start_ = false;
        pass_token();
      }
    }
    return std::nullopt;
  }

 private:
  static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
  }

  bool is_here(std::string_view word) const {
    return text_.substr(at_).starts_with(word);
  }

  char previous() const { return at_ == 0 ? '\0' : text_[at_ - 1]; }

  void go_to(std::size_t found, std::size_t further) {
    at_ = found == std::string_view::npos ? text_.size() : found + further;
  }

  void pass_comment() {
    if (is_here("/*")) {
      go_to(text_.find("*/", at_ + 2), 2);
    } else {
      pass_until('\n');
    }
  }

  void pass_token() {
    const char c = text_[at_];
    if (c == '"' && previous() == 'R') {
      pass_raw_string();
    } else if (c == '"' || (c == '\'' && !is_word(previous()))) {  // not 1'000
      ++at_;
      pass_until(c);
      at_ += at_ < text_.size() && text_[at_] == c ? 1U : 0U;
    } else {
      pass_character();
    }
  }

  // To that character or the end of the line.
  void pass_until(char end) {
    while (at_ < text_.size() && text_[at_] != end && text_[at_] != '\n') {
      pass_character();
    }
  }

  // With what a backslash takes along.
  void pass_character() {
    if (is_here("\\\r\n")) {
      at_ += 3;
    } else {
      at_ = std::min(at_ + (text_[at_] == '\\' ? 2 : 1), text_.size());
    }
  }

  // R"delimiter( ... )delimiter", over any number of lines.
  void pass_raw_string() {
    constexpr std::size_t longest = 16;  // the language's limit
    const std::size_t length = text_.substr(at_ + 1, longest + 1).find('(');
    if (length == std::string_view::npos) {
      ++at_;
      return;
    }
    const std::string end =
        ")" + std::string(text_.substr(at_ + 1, length)) + "\"";
    go_to(text_.find(end, at_), end.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool is_line_start_ = true;
};

// X of each line `#include "X"`.
std::set<std::string_view> quoted_includes(std::string_view text) {
  constexpr std::string_view word = "include";
  constexpr std::string_view blanks = " \t";
  const auto without_blanks = [&](std::string_view rest) {
    return rest.substr(std::min(rest.find_first_not_of(blanks), rest.size()));
  };
  std::set<std::string_view> names;
  Directives directives(text);
  while (const auto directive = directives.next()) {
    std::string_view rest = without_blanks(*directive);
    if (!rest.starts_with(word)) {
      continue;
    }
    rest = without_blanks(rest.substr(word.size()));
    const std::size_t end = rest.find_first_of("\"\n", 1);
    if (rest.starts_with('"') && end != std::string_view::npos &&
        rest[end] == '"') {
      names.insert(rest.substr(1, end - 1));
    }
  }
  return names;
}

// Which sources are included by others. Files are known by their positions, for
// a hostile thousand of them can include each other in a million ways.
class Inclusions {
 public:
  explicit Inclusions(const std::vector<SourceFile>& files)
      : includes_(files.size()) {
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string& name = files[i].name;
      if (is_header(name)) {
        headers_.emplace(last_part(name), i);
      } else if (is_native_source(name)) {
        sources_.emplace(name, i);
      }
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (is_header(files[i].name) || is_native_source(files[i].name)) {
        note_includes(files[i], includes_[i]);
      }
    }
  }

  // Adds the names of the sources that `source` includes, by itself or by
  // headers, but for itself.
  void add_included(const std::string& source,
                    std::set<std::string>& included) const {
    std::vector<bool> is_seen(includes_.size(), false);
    std::vector<std::size_t> open{sources_.at(source)};
    while (!open.empty()) {
      const Includes& includes = includes_[open.back()];
      open.pop_back();
      for (const std::size_t header : includes.headers) {
        if (!is_seen[header]) {
          open.push_back(header);
        }
        is_seen[header] = true;
      }
      for (const std::size_t other : includes.sources) {
        is_seen[other] = true;
      }
    }
    for (const auto& [name, position] : sources_) {
      if (is_seen[position] && name != source) {
        included.insert(name);
      }
    }
  }

 private:
  struct Includes {
    std::set<std::size_t> headers;
    std::set<std::size_t> sources;
  };

  static std::string last_part(std::string_view name) {
    return std::string(name.substr(name.rfind('/') + 1));
  }

  void note_includes(const SourceFile& file, Includes& includes) const {
    const fs::path folder = fs::path(file.name).parent_path();
    std::set<std::string> last_parts;
    for (const std::string_view include : quoted_includes(file.bytes)) {
      // From the includer's own folder or from the top one.
      for (const fs::path& path : {folder / include, fs::path(include)}) {
        const auto found = sources_.find(path.lexically_normal().string());
        if (found != sources_.end()) {
          includes.sources.insert(found->second);
        }
      }
      last_parts.insert(last_part(include));
    }
    // Headers are searched for in many folders: any of that name.
    for (const std::string& part : last_parts) {
      const auto [first, last] = headers_.equal_range(part);
      for (auto header = first; header != last; ++header) {
        includes.headers.insert(header->second);
      }
    }
  }

  std::multimap<std::string, std::size_t> headers_;  // by their last part
  std::map<std::string, std::size_t> sources_;
  std::vector<Includes> includes_;
};

// X of each `X(`: functions that are defined or called, and keywords.
std::set<std::string_view> called_names(std::string_view text) {
  std::set<std::string_view> names;
  for (std::size_t at = text.find('('); at != std::string_view::npos;
       at = text.find('(', at + 1)) {
    std::size_t end = at;
    while (end > 0 && std::isspace(static_cast<unsigned char>(text[end - 1]))) {
      --end;
    }
    std::size_t start = end;
    while (start > 0 && is_word(text[start - 1])) {
      --start;
    }
    names.insert(text.substr(start, end - start));
  }
  return names;
}

bool has_main(std::string_view text) {
  return called_names(text).contains("main");
}

bool speaks_of_attention(const SourceFile& file) {
  constexpr std::array<std::string_view, 3> words = {"attention", "sdpa",
                                                     "mha"};
  return std::ranges::any_of(
      called_names(file.bytes), [&](std::string_view name) {
        return std::ranges::any_of(words, [&](std::string_view word) {
          return name.find(word) != std::string_view::npos;
        });
      });
}

// A test has a main of its own, or checks something.
bool is_test_by_name_alone(const SourceFile& file) {
  const auto names = called_names(file.bytes);
  return !names.contains("main") && !names.contains("assert");
}

using Files = std::vector<const SourceFile*>;

// What is compiled, but for what is included. A file called attention_test.c is
// the answer to a test, not a test, where nothing else can be the submission.
Files compiled_files(const std::vector<SourceFile>& files) {
  Files sources;
  Files tests;
  bool is_found = false;
  for (const SourceFile& file : files) {
    const bool is_test = is_test_file(file.name);
    const bool is_source = is_native_source(file.name);
    if (is_source) {
      (is_test ? tests : sources).push_back(&file);
    }
    is_found = is_found || (!is_test && (is_source || is_header(file.name)) &&
                            speaks_of_attention(file));
  }
  if (sources.empty()) {
    return tests;
  }
  if (!is_found && std::ranges::all_of(tests, [](const SourceFile* file) {
        return is_test_by_name_alone(*file);
      })) {
    std::ranges::copy_if(
        tests, std::back_inserter(sources),
        [](const SourceFile* file) { return speaks_of_attention(*file); });
  }
  return sources;
}

}  // namespace

bool is_c_source(const std::string& name) {
  return form_of(name) == Form::c;
}

bool is_native_source(const std::string& name) {
  const Form form = form_of(name);
  return form == Form::c || form == Form::cpp;
}

bool is_shared_library(const std::string& name) {
  return form_of(name) == Form::library;
}

bool is_native(const std::vector<SourceFile>& files) {
  return std::ranges::any_of(files, [](const SourceFile& file) {
    return is_native_source(file.name) || is_shared_library(file.name);
  });
}

std::vector<std::string> native_sources(const std::vector<SourceFile>& files) {
  const Files sources = compiled_files(files);
  // A source that another one includes is compiled as a part of that one.
  const Inclusions inclusions(files);
  std::set<std::string> included;
  for (const SourceFile* source : sources) {
    inclusions.add_included(source->name, included);
  }
  std::vector<std::string> names;
  std::vector<std::string> all;
  all.reserve(sources.size());
  for (const SourceFile* source : sources) {
    all.push_back(source->name);
    if (!included.contains(source->name)) {
      names.push_back(source->name);
    }
  }
  if (names.empty()) {
    names = all;  // they include each other: the compiler will say so
  }
  std::ranges::sort(names);
  return names;
}

std::string left_aside(const std::vector<SourceFile>& files,
                       const std::vector<std::string>& compiled) {
  constexpr std::size_t shown = 8;
  const Inclusions inclusions(files);
  std::set<std::string> included;
  for (const std::string& name : compiled) {
    inclusions.add_included(name, included);
  }
  std::string text;
  std::size_t count = 0;
  for (const SourceFile& file : files) {
    if (!is_native_source(file.name) ||
        std::ranges::count(compiled, file.name) > 0) {
      continue;
    }
    if (++count <= shown) {
      text += (text.empty() ? "" : ", ") + one_line(file.name) +
              (included.contains(file.name) ? " (another file includes it)"
                                            : " (a test, by its name)");
    }
  }
  return count <= shown
             ? text
             : text + ", and " + std::to_string(count - shown) + " more";
}

std::vector<std::string> header_folders(const std::vector<SourceFile>& files) {
  std::set<std::string> folders;
  for (const SourceFile& file : files) {
    const std::string folder = fs::path(file.name).parent_path().string();
    if (is_header(file.name) && !folder.empty()) {
      folders.insert(folder);
    }
  }
  std::vector<std::string> result = {"."};
  result.insert(result.end(), folders.begin(), folders.end());
  return result;
}

std::vector<std::string> with_main(const std::vector<SourceFile>& files,
                                   const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const SourceFile& file : files) {
    if (std::ranges::find(names, file.name) != names.end() &&
        has_main(file.bytes)) {
      found.push_back(file.name);
    }
  }
  return found;
}

}  // namespace grader
