// SPDX-License-Identifier: MIT
#include "grader/submission/limits.hpp"

namespace grader {

SizeLimit size_limit(Form form, const ReadLimits& limits) {
  switch (form) {
    case Form::python:
    case Form::c:
    case Form::cpp:
      return {limits.source, "a source file", "Make it smaller"};
    case Form::notebook:
      return {limits.notebook, "a notebook",
              "Clear its outputs and hand in again"};
    case Form::library:
      return {limits.library, "a shared library", "Make it smaller"};
    case Form::folder:
    case Form::archive:
    case Form::command:
    case Form::other:
      break;
  }
  return {limits.source, "a file", "Leave it out"};
}

}  // namespace grader
