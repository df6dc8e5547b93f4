// SPDX-License-Identifier: MIT
#include "grader/worker/description.hpp"

#include <map>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "grader/worker/study.hpp"

namespace grader {
namespace {

using nlohmann::json;

Parameter read_parameter(const json& value) {
  return {.name = value.at("name").get<std::string>(),
          .has_default = value.at("has_default").get<bool>(),
          .default_is_bool = value.at("default_is_bool").get<bool>(),
          .default_is_true = value.value("default_is_true", false),
          .default_width = value.value("default_width", std::int64_t{0}),
          .positional_only = value.value("positional_only", false),
          .keyword_only = value.at("keyword_only").get<bool>()};
}

Callable read_callable(const json& value) {
  Callable callable;
  callable.name = value.at("name").get<std::string>();
  callable.line = value.at("line").get<int>();
  callable.is_class = value.at("is_class").get<bool>();
  for (const json& parameter : value.value("constructor", json::array())) {
    callable.constructor.push_back(read_parameter(parameter));
  }
  for (const json& parameter : value.at("parameters")) {
    callable.parameters.push_back(read_parameter(parameter));
  }
  callable.takes_any = value.at("takes_any").get<bool>();
  callable.calls = value.at("calls").get<std::vector<std::string>>();
  callable.bases = value.value("bases", std::vector<std::string>());
  callable.problem = value.at("problem").get<std::string>();
  callable.heads_first = value.value("heads_first", false);
  callable.framework = parse_framework(value.value("framework", "numpy"))
                           .value_or(Framework::numpy);
  const auto module = value.find("module");
  if (module != value.end() && !module->is_null()) {
    callable.module = read_study(*module);
  }
  return callable;
}

// Of frameworks and types that are known; numpy has no default to be set.
DefaultDTypes read_default_dtypes(const json& value) {
  DefaultDTypes dtypes;
  for (const auto& [name, dtype] :
       value.get<std::map<std::string, std::string>>()) {
    const auto framework = parse_framework(name);
    const auto parsed = parse_dtype(dtype);
    if (framework && framework != Framework::numpy && parsed) {
      dtypes[*framework] = *parsed;
    }
  }
  return dtypes;
}

}  // namespace

std::variant<Description, std::string> parse_description(
    const std::string& text) {
  try {
    const json document = json::parse(text);
    Description description;
    for (const json& value : document.at("callables")) {
      description.callables.push_back(read_callable(value));
    }
    description.remarks = document.value("remarks", std::vector<std::string>());
    description.asks_for =
        document.value("asks_for", std::vector<std::string>());
    description.hints = document.value("hints", std::vector<std::string>());
    description.default_dtypes =
        read_default_dtypes(document.value("default_dtypes", json::object()));
    return description;
  } catch (const json::exception& error) {
    return std::string(error.what());
  } catch (const std::invalid_argument& error) {
    return std::string(error.what());
  }
}

}  // namespace grader
