// SPDX-License-Identifier: MIT
#include "grader/report/json.hpp"

#include <nlohmann/json.hpp>

#include "grader/system/bounded_text.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

// Of one text that comes from a submission; half of it from each end.
constexpr std::size_t longest_text = std::size_t{64} << 10U;

std::string capped(const std::string& hostile) {
  BoundedText text(longest_text / 2, longest_text / 2);
  text.append(hostile);
  return text.text();
}

template <typename Value>
Json optional(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json capped_list(const std::vector<std::string>& hostile) {
  Json list = Json::array();
  for (const std::string& text : hostile) {
    list.push_back(capped(text));
  }
  return list;
}

// Empty text means "does not apply" in the record.
Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(capped(text));
}

template <typename Value>
Json by_rank(const std::map<int, Value>& values) {
  Json object = Json::object();
  for (const auto& [rank, value] : values) {
    object[std::to_string(rank)] = value;
  }
  return object;
}

Json to_json(const ScaleLaw& law) {
  return {{"constant", law.constant},
          {"exponents", law.exponents},
          {"exponent_error", law.exponent_error},
          {"r2", law.r2},
          {"cases", law.cases}};
}

Json to_json(const RunnerUp& runner_up) {
  return {{"faults", runner_up.faults},
          {"text", runner_up.text},
          {"error", runner_up.error}};
}

Json to_json(const Property& property) {
  return {{"name", property.name},
          {"holds", property.holds},
          {"worst", property.worst},
          {"detail", capped(property.detail)}};
}

Json to_json(const ModuleParameter& parameter) {
  return {{"parameter", parameter.name},
          {"holds", parameter.holds},
          {"by", parameter.by}};
}

Json to_json(const LibraryCall& call) {
  return {{"name", call.name},
          {"place", text_or_null(call.place)},
          {"seen", call.was_seen},
          {"judged", call.judged}};
}

Json to_json(const Cause& cause) {
  return {{"kind", cause.kind},
          {"detail", capped(cause.detail)},
          {"phase", text_or_null(cause.phase)},
          {"limit", text_or_null(cause.limit)},
          {"option", text_or_null(cause.option)}};
}

Json to_json(const CaseResult& result) {
  return {{"case", result.name},
          {"rank", result.rank},
          {"public", result.is_public},
          {"outcome", result.outcome},
          {"detail", text_or_null(result.detail)},
          {"max_error", optional(result.max_error)},
          {"tolerance", optional(result.tolerance)},
          {"passed", result.passed},
          {"excluded", optional(result.excluded)}};
}

Json to_json(const Exhibit& exhibit) {
  return {{"case", exhibit.case_name},    {"where", exhibit.where},
          {"what", exhibit.what},         {"expected", exhibit.expected},
          {"actual", exhibit.actual},     {"comment", exhibit.comment},
          {"reproduction", exhibit.numpy}};
}

// Nested lists, from the entry `first` on.
template <typename Text>
Json nested(const reference::Shape& shape, const Text& entry,
            std::size_t axis = 0, std::size_t first = 0) {
  if (axis == shape.size()) {
    return entry(first);
  }
  const reference::Shape inner(
      shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, shape.end());
  const auto step = static_cast<std::size_t>(reference::element_count(inner));
  Json array = Json::array();
  for (std::size_t i = 0; i < static_cast<std::size_t>(shape[axis]); ++i) {
    array.push_back(nested(shape, entry, axis + 1, first + i * step));
  }
  return array;
}

Json to_json(const reference::Tensor& tensor) {
  return nested(tensor.shape,
                [&tensor](std::size_t i) { return Json(tensor.data[i]); });
}

Json to_json(const reference::Mask& mask) {
  return nested(mask.shape,
                [&mask](std::size_t i) { return Json(mask.data[i] != 0); });
}

Json to_json(const SmallestExample& example) {
  Json arguments = Json::object();
  for (const NamedTensor& argument : example.arguments) {
    arguments[argument.name] = to_json(argument.tensor);
  }
  return {{"arguments", arguments},
          {"mask", example.mask ? to_json(*example.mask) : Json(nullptr)},
          {"n_heads", example.heads > 0 ? Json(example.heads) : Json(nullptr)},
          {"what", example.what},
          {"expected", to_json(example.expected)},
          {"actual", to_json(example.actual)},
          {"row", row_position(example.expected.shape, example.row)},
          {"error", example.error},
          {"worked", example.worked},
          {"reproduction", example.python}};
}

Json to_json(const BilinearForm& form) {
  return {{"text", form.text},
          {"matrix", to_json(form.matrix)},
          {"cases", form.cases}};
}

Json to_json(const UsedAdapter& adapter) {
  return {{"name", capped(adapter.name)}, {"sha256", adapter.sha256}};
}

Json to_json(const Record& record);

template <typename Value>
Json to_json(const std::optional<Value>& value) {
  return value ? to_json(*value) : Json(nullptr);
}

template <typename Value>
Json to_json(const std::vector<Value>& values) {
  Json array = Json::array();
  for (const Value& value : values) {
    array.push_back(to_json(value));
  }
  return array;
}

Json to_json(const Evidence& evidence,
             const std::vector<ModuleParameter>& parameters) {
  return {{"scale_law", to_json(evidence.scale_law)},
          {"bilinear", to_json(evidence.bilinear)},
          {"hypothesis_error", optional(evidence.hypothesis_error)},
          {"hypothesis_limit", optional(evidence.hypothesis_limit)},
          {"runner_up", to_json(evidence.runner_up)},
          {"properties", to_json(evidence.properties)},
          {"right", evidence.right},
          {"params", evidence.params},
          {"stage", text_or_null(evidence.stage)},
          {"weights_source", text_or_null(evidence.weights_source)},
          {"limitation", text_or_null(evidence.limitation)},
          {"parameters", to_json(parameters)}};
}

// The contract promises a cause for everything but correct and faulty.
std::optional<Cause> cause_of(const Record& record) {
  const bool needs_one =
      record.verdict != Verdict::correct && record.verdict != Verdict::faulty;
  if (record.cause || !needs_one) {
    return record.cause;
  }
  return Cause{to_string(record.verdict), record.summary, "", "", ""};
}

Json to_json(const Record& record) {
  return {{"file", capped(record.file)},
          {"sha256", text_or_null(record.sha256)},
          {"task", optional(record.task)},
          {"entry", text_or_null(record.entry)},
          {"verdict", to_string(record.verdict)},
          {"faults", record.faults},
          {"ties", record.ties},
          {"certainty", text_or_null(record.certainty)},
          {"notes", record.notes},
          {"ranks", record.ranks},
          {"faults_by_rank", by_rank(record.faults_by_rank)},
          {"summary", capped(record.summary)},
          {"score", record.score},
          {"max_score", record.max_score},
          {"score_if_mended", optional(record.score_if_mended)},
          {"cause", to_json(cause_of(record))},
          {"evidence", to_json(record.evidence, record.parameters)},
          {"cases", to_json(record.cases)},
          {"exhibit", to_json(record.exhibit)},
          {"smallest_failing_example", to_json(record.smallest_example)},
          {"remarks", capped_list(record.remarks)},
          {"adapter", to_json(record.adapter)},
          {"library_calls", to_json(record.library_calls)},
          {"called_with", text_or_null(record.called_with)},
          {"interpreter", text_or_null(record.interpreter)},
          {"stdout", capped(record.standard_output)},
          {"stderr", capped(record.standard_error)},
          {"seconds", record.seconds}};
}

std::string dumped(const Json& value) {
  constexpr int indent = 2;
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// As they stand in the document. One after the other: all of them as objects
// take four times what their text does.
std::string records_text(const std::vector<Record>& records) {
  constexpr std::string_view margin = "\n    ";
  std::string text;
  for (const Record& record : records) {
    text += text.empty() ? "" : ",";
    text += margin;
    for (const char c : dumped(to_json(record))) {
      if (c == '\n') {  // between values: in a text it is escaped
        text += margin;
      } else {
        text += c;
      }
    }
  }
  return text;
}

}  // namespace

std::string render_json(const Run& run) {
  const Json document = {{"schema", "attngrade/1"},
                         {"tool",
                          {{"name", "attngrade"},
                           {"version", run.tool_version},
                           {"command", run.command}}},
                         {"seed", run.seed},
                         {"isolation",
                          {{"level", run.isolation_level},
                           {"detail", run.isolation_detail},
                           {"lane", run.lane},
                           {"lane_detail", run.lane_detail}}},
                         {"environment", run.environment},
                         {"totals",
                          {{"submissions", run.submissions},
                           {"records", run.records.size()},
                           {"passed_over", run.passed_over},
                           {"seconds", run.seconds}}},
                         {"submissions", Json::array()}};
  std::string text = dumped(document) + "\n";
  if (!run.records.empty()) {
    constexpr std::string_view place = "\"submissions\": [";
    const std::size_t begin = text.find(place) + place.size();
    text.insert(begin, records_text(run.records) + "\n  ");
  }
  return text;
}

}  // namespace grader
