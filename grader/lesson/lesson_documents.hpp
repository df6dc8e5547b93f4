// SPDX-License-Identifier: MIT
// What the JSON documents and the scripts of all lessons have in common.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "grader/lesson/estimate.hpp"

namespace grader {

nlohmann::json to_json(const Estimate& estimate);

std::string document_of(const nlohmann::json& numbers);

// The script with other values in its line "d_k, n = 64, 16", which begins with
// the names.
std::string with_settings(std::string_view script, std::string_view names,
                          const std::vector<std::uint64_t>& values);

}  // namespace grader
