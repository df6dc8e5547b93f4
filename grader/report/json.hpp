// SPDX-License-Identifier: MIT
// A run as one JSON document, "attngrade/1": schema.json, docs/json.md. A
// number that JSON cannot hold (NaN, infinity) is null. Bytes that are not
// UTF-8 become U+FFFD, long texts keep their beginning and their end.
#pragma once

#include <string>

#include "grader/report/record.hpp"

namespace grader {

std::string render_json(const Run& run);

}  // namespace grader
