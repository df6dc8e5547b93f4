// SPDX-License-Identifier: MIT
// What a host says of a class that builds its own projections: the key
// "module" of a callable, hostile.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "grader/loader/module_study.hpp"

namespace grader {

// Long lists are cut, texts are made one printable line. Throws
// nlohmann::json::exception or std::invalid_argument where a value is none of
// those that the protocol has.
ModuleStudy read_study(const nlohmann::json& value);

}  // namespace grader
