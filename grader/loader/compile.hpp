// SPDX-License-Identifier: MIT
// C and C++ submissions are compiled by the system's compiler, in a step and
// under limits of their own: a source can be a bomb too.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "grader/isolation/confinement.hpp"
#include "grader/loader/program.hpp"

namespace grader {

enum class SourceLanguage { c, cpp };

struct Compilers {
  // Program (absolute) and leading arguments ("ccache gcc"); empty: none found.
  std::vector<std::string> c;
  std::vector<std::string> cpp;
};

// $CC and $CXX, else cc and c++, else gcc/g++, else clang/clang++.
Compilers find_compilers();

struct CompileRequest {
  std::filesystem::path root;  // holds nothing but the submission
  // Below root, "/" between folders, at least one; .c is C, the rest C++.
  std::vector<std::string> sources;
  std::vector<std::string> header_folders;  // below root, "." is root
  std::filesystem::path library;            // to be written
  std::filesystem::path scratch;         // for the compiler's temporary files
  std::filesystem::path include_folder;  // of attngrade.h
  Isolation isolation{};
};

// Those of the sources that are of that language.
std::vector<std::string> sources_in(const CompileRequest& request,
                                    SourceLanguage language);

// monostate: the library was written. All sources become one library, C and C++
// mixed or not; each language has limits of its own. The compiler's message
// comes with paths shortened to the names in the submission.
using Compilation = std::variant<std::monostate, LoadFailure, CannotGrade>;

Compilation compile(const Compilers& compilers, const CompileRequest& request);

}  // namespace grader
