// SPDX-License-Identifier: MIT
#include "grader/submission/forms.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace grader {
namespace {

struct KnownEnding {
  std::string_view ending;  // lower case
  Form form;
};

constexpr std::array known_endings = {
    KnownEnding{".py", Form::python},
    KnownEnding{".ipynb", Form::notebook},
    KnownEnding{".c", Form::c},
    KnownEnding{".cpp", Form::cpp},
    KnownEnding{".cc", Form::cpp},
    KnownEnding{".cxx", Form::cpp},
    KnownEnding{".so", Form::library},
    KnownEnding{".zip", Form::archive},
    KnownEnding{".tar", Form::archive},
    KnownEnding{".tar.gz", Form::archive},
    KnownEnding{".tgz", Form::archive},
    KnownEnding{".tar.bz2", Form::archive},
    KnownEnding{".tar.xz", Form::archive},
};

// Archives that are not unpacked, but are none the less.
constexpr std::array<std::string_view, 8> other_archives = {
    ".tbz2", ".txz", ".tar.zst", ".7z", ".rar", ".whl", ".egg", ".jar"};

std::string lower_case(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return lower;
}

}  // namespace

const std::string_view supported_forms =
    ".py, .ipynb, .c, .cpp and .so files, folders of them, and archives (.zip, "
    ".tar, .tar.gz, .tgz, .tar.bz2, .tar.xz)";

Form form_of(std::string_view name) {
  const std::string lower = lower_case(name);
  const auto* found = std::ranges::find_if(
      known_endings,
      [&](const KnownEnding& known) { return lower.ends_with(known.ending); });
  return found == known_endings.end() ? Form::other : found->form;
}

bool is_candidate(std::string_view name) {
  switch (form_of(name)) {
    case Form::python:
    case Form::notebook:
    case Form::c:
    case Form::cpp:
    case Form::library:
      return true;
    case Form::folder:
    case Form::command:
    case Form::archive:
    case Form::other:
      break;
  }
  return false;
}

bool is_archive(std::string_view name) {
  const std::string lower = lower_case(name);
  return form_of(name) == Form::archive ||
         std::ranges::any_of(other_archives, [&](std::string_view ending) {
           return lower.ends_with(ending);
         });
}

}  // namespace grader
