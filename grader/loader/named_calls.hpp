// SPDX-License-Identifier: MIT
// Functions of libraries that a Python file names, as its syntax tree shows.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace grader {

struct NamedCall {
  std::string name;         // of those that are watched
  std::string place;        // "helpers.py, line 12", hostile text
  bool is_certain = false;  // each call of the function comes to it
};

// By the function of the submission that comes to them: "attention",
// "Attention.attend". "" has those of the whole file.
using NamedCalls = std::map<std::string, std::vector<NamedCall>>;

}  // namespace grader
