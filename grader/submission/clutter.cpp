// SPDX-License-Identifier: MIT
#include "grader/submission/clutter.hpp"

#include <algorithm>
#include <array>

#include "grader/submission/forms.hpp"

namespace grader {
namespace {

constexpr std::array<std::string_view, 14> clutter_names = {
    "__MACOSX",   "__pycache__", "node_modules",  "venv",
    "env",        "virtualenv",  "site-packages", "build",
    "dist",       "Thumbs.db",   "desktop.ini",   "Icon\r",  // macOS: its name
    "CMakeFiles", "_deps"};

constexpr std::array<std::string_view, 4> clutter_endings = {
    ".pyc", ".pyo", ".egg-info", ".dist-info"};

bool is_clutter_part(std::string_view part) {
  return part.starts_with('.') || part.starts_with("cmake-build-") ||
         std::ranges::count(clutter_names, part) > 0 ||
         std::ranges::any_of(clutter_endings, [&](std::string_view ending) {
           return part.ends_with(ending);
         });
}

template <typename Predicate>
bool any_part(std::string_view name, Predicate predicate) {
  std::size_t start = 0;
  while (start <= name.size()) {
    const std::size_t end = std::min(name.find('/', start), name.size());
    if (predicate(name.substr(start, end - start))) {
      return true;
    }
    start = end + 1;
  }
  return false;
}

bool is_source(std::string_view file) {
  const Form form = form_of(file);
  return form == Form::python || form == Form::c || form == Form::cpp;
}

}  // namespace

bool is_clutter(std::string_view relative_name) {
  return any_part(relative_name, is_clutter_part);
}

bool is_test_file(std::string_view relative_name) {
  const std::size_t slash = relative_name.rfind('/');
  const bool is_below = slash != std::string_view::npos;
  const std::string_view file =
      is_below ? relative_name.substr(slash + 1) : relative_name;
  if (is_below &&
      any_part(relative_name.substr(0, slash), [](std::string_view folder) {
        return folder == "test" || folder == "tests";
      })) {
    return true;
  }
  if (file == "conftest.py" || file == "setup.py") {
    return true;
  }
  const std::string_view stem = file.substr(0, file.rfind('.'));
  return is_source(file) &&
         (stem == "test" || stem == "tests" || stem.starts_with("test_") ||
          stem.ends_with("_test"));
}

}  // namespace grader
