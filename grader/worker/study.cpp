// SPDX-License-Identifier: MIT
#include "grader/worker/study.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "grader/system/text.hpp"

namespace grader {
namespace {

using nlohmann::json;

constexpr std::size_t max_parameters = 64;
constexpr std::size_t max_conventions = 12;
constexpr std::size_t max_options = 40;
constexpr std::size_t max_remarks = 12;
constexpr std::size_t max_mask_forms = 4;
constexpr std::size_t max_name = 80;  // bytes
constexpr std::size_t max_word = 40;
// Of a problem: the line for the task file is in it.
constexpr std::size_t max_text = 600;
// Above any layer that is met, and no danger to the memory of the grader.
constexpr std::int64_t max_size = 1 << 16;

template <typename Value>
using Words = std::vector<std::pair<std::string_view, Value>>;

[[noreturn]] void reject(const std::string& key, const std::string& word) {
  throw std::invalid_argument("module: \"" + one_line(word, max_word) +
                              "\" is no value of \"" + key + "\"");
}

std::string read_text(const json& value, std::size_t max_bytes) {
  return one_line(value.get<std::string>(), max_bytes);
}

std::string text_at(const json& object, const std::string& key,
                    std::size_t max_bytes) {
  return object.contains(key) ? read_text(object.at(key), max_bytes) : "";
}

template <typename Value>
Value one_of(const json& object, const std::string& key,
             const Words<Value>& words) {
  const auto word = object.at(key).get<std::string>();
  const auto found = std::ranges::find(
      words, word, &std::pair<std::string_view, Value>::first);
  if (found == words.end()) {
    reject(key, word);
  }
  return found->second;
}

// A request names them between spaces and '='.
std::string word_at(const json& object, const std::string& key) {
  auto word = object.at(key).get<std::string>();
  const bool is_word = !word.empty() && word.size() <= max_word &&
                       std::ranges::all_of(word, [](char letter) {
                         return (letter >= 'a' && letter <= 'z') ||
                                (letter >= '0' && letter <= '9') ||
                                letter == '-' || letter == '_' || letter == ',';
                       });
  if (!is_word) {
    reject(key, word);
  }
  return word;
}

std::int64_t size_at(const json& object, const std::string& key) {
  const json value = object.value(key, json(0));
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0 ||
      value.get<std::int64_t>() > max_size) {
    reject(key, value.dump());
  }
  return value.get<std::int64_t>();
}

// At most `max_count` elements of a list, each read by `read`.
template <typename Read>
auto list_at(const json& object, const std::string& key, std::size_t max_count,
             const Read& read) {
  std::vector<decltype(read(object))> result;
  const auto found = object.find(key);
  if (found == object.end()) {
    return result;
  }
  if (!found->is_array()) {
    reject(key, found->dump());
  }
  const std::size_t count = std::min(found->size(), max_count);
  result.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back(read(found->at(i)));
  }
  return result;
}

ModuleParameter read_parameter(const json& value) {
  return {.name = read_text(value.at("name"), max_name),
          .holds = read_text(value.at("holds"), max_name),
          .by = one_of<std::string>(value, "by",
                                    {{"name", "name"},
                                     {"shape", "shape"},
                                     {"use", "use"},
                                     {"data flow", "data flow"},
                                     {"task", "task"}}),
          .orientation =
              value.contains("orientation")
                  ? one_of<std::string>(
                        value, "orientation",
                        {{"", ""}, {"out-in", "out-in"}, {"in-out", "in-out"}})
                  : ""};
}

ConventionOption read_option(const json& value) {
  return {.word = word_at(value, "word"),
          .says = text_at(value, "says", max_text)};
}

Convention read_convention(const json& value) {
  Convention convention{
      .name = word_at(value, "name"),
      .options = list_at(value, "options", max_options, read_option)};
  if (convention.options.empty()) {
    reject("options", convention.name);
  }
  return convention;
}

std::string read_remark(const json& value) {
  return read_text(value, max_text);
}

std::string read_mask_form(const json& value) {
  return one_of<std::string>({{"form", value}}, "form",
                             {{"bool", "bool"},
                              {"int", "int"},
                              {"additive", "additive"},
                              {"lengths", "lengths"}});
}

}  // namespace

Kind read_kind(const json& value) {
  return one_of<Kind>(value, "kind",
                      {{"multi_head_attention", Kind::multi_head_attention},
                       {"self_attention", Kind::self_attention}});
}

ModuleStudy read_study(const json& value) {
  ModuleStudy study;
  study.problem = text_at(value, "problem", max_text);
  if (!study.problem.empty()) {
    study.problem_kind = one_of<std::string>(value, "problem_kind",
                                             {{"constructor", "constructor"},
                                              {"unsupported", "unsupported"},
                                              {"environment", "environment"}});
    if (!value.value("kind", "").empty()) {
      study.kind = read_kind(value);
    }
    return study;  // nothing else of it means anything
  }
  study.kind = read_kind(value);
  study.widths = one_of<Widths>(value, "widths",
                                {{"free", Widths::free},
                                 {"values-as-keys", Widths::values_as_keys},
                                 {"all-equal", Widths::all_equal}});
  study.d_model = size_at(value, "d_model");
  study.heads = size_at(value, "heads");
  study.causal = one_of<Causality>(value, "causal",
                                   {{"never", Causality::never},
                                    {"always", Causality::always},
                                    {"switch", Causality::by_switch}});
  study.mask = one_of<MaskUse>(value, "mask",
                               {{"none", MaskUse::none},
                                {"optional", MaskUse::optional},
                                {"required", MaskUse::required}});
  study.mask_forms =
      list_at(value, "mask_forms", max_mask_forms, read_mask_form);
  study.filled = text_at(value, "filled", max_text);
  study.parameters =
      list_at(value, "parameters", max_parameters, read_parameter);
  study.settled = value.at("settled").get<bool>();
  study.takes_no_mask =
      value.value("takes_no_mask", study.mask != MaskUse::required);
  if (value.value("is_sublayer", false)) {
    study.notes.emplace_back("sublayer-included");
  }
  study.raw_parameters = value.value("raw_parameters", false);
  study.conventions =
      list_at(value, "conventions", max_conventions, read_convention);
  study.remarks = list_at(value, "remarks", max_remarks, read_remark);
  return study;
}

}  // namespace grader
