// SPDX-License-Identifier: MIT
#include "grader/loader/native_sources.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>
#include <string_view>

#include "grader/submission/clutter.hpp"

namespace grader {

namespace fs = std::filesystem;

namespace {

std::string extension(const std::string& name) {
  std::string text = fs::path(name).extension().string();
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

template <std::size_t Count>
bool is_one_of(std::string_view text,
               const std::array<std::string_view, Count>& known) {
  return std::ranges::find(known, text) != known.end();
}

bool is_header(const std::string& name) {
  constexpr std::array<std::string_view, 7> endings = {
      ".h", ".hpp", ".hh", ".hxx", ".inl", ".inc", ".tpp"};
  return is_one_of(extension(name), endings);
}

// X of each line `#include "X"`.
std::vector<std::string> quoted_includes(std::string_view text) {
  std::vector<std::string> names;
  constexpr std::string_view word = "include";
  const auto skip_blanks = [&](std::size_t at) {
    return std::min(text.find_first_not_of(" \t", at), text.size());
  };
  for (std::size_t at = text.find('#'); at != std::string_view::npos;
       at = text.find('#', at + 1)) {
    const std::size_t directive = skip_blanks(at + 1);
    if (!text.substr(directive).starts_with(word)) {
      continue;
    }
    const std::size_t quote = skip_blanks(directive + word.size());
    if (!text.substr(quote).starts_with('"')) {
      continue;
    }
    const std::size_t end = text.find_first_of("\"\n", quote + 1);
    if (end != std::string_view::npos && text[end] == '"') {
      names.emplace_back(text.substr(quote + 1, end - quote - 1));
    }
  }
  return names;
}

// What a file includes, from its own folder or from the top one.
void add_included(const SourceFile& includer, std::set<std::string>& included) {
  const fs::path folder = fs::path(includer.name).parent_path();
  for (const std::string& include : quoted_includes(includer.bytes)) {
    for (const fs::path& path : {folder / include, fs::path(include)}) {
      const std::string name = path.lexically_normal().string();
      if (name != includer.name) {
        included.insert(name);
      }
    }
  }
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool has_main(std::string_view text) {
  constexpr std::string_view word = "main";
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t", at + word.size());
    if ((at == 0 || !is_word(text[at - 1])) && next < text.size() &&
        text[next] == '(') {
      return true;
    }
  }
  return false;
}

}  // namespace

bool is_c_source(const std::string& name) {
  return extension(name) == ".c";
}

bool is_native_source(const std::string& name) {
  constexpr std::array<std::string_view, 4> endings = {".c", ".cpp", ".cc",
                                                       ".cxx"};
  return is_one_of(extension(name), endings);
}

bool is_shared_library(const std::string& name) {
  return extension(name) == ".so";
}

bool is_native(const std::vector<SourceFile>& files) {
  return std::ranges::any_of(files, [](const SourceFile& file) {
    return is_native_source(file.name) || is_shared_library(file.name);
  });
}

std::vector<std::string> native_sources(const std::vector<SourceFile>& files) {
  std::vector<const SourceFile*> sources;
  std::vector<const SourceFile*> tests;
  for (const SourceFile& file : files) {
    if (is_native_source(file.name)) {
      (is_test_file(file.name) ? tests : sources).push_back(&file);
    }
  }
  if (sources.empty()) {
    sources = tests;
  }
  // A source that another one includes is compiled as a part of that one.
  std::set<std::string> included;
  for (const SourceFile* source : sources) {
    add_included(*source, included);
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
