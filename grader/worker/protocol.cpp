// SPDX-License-Identifier: MIT
#include "grader/worker/protocol.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include <nlohmann/json.hpp>

#include "grader/loader/adapter.hpp"
#include "grader/loader/extra_parameters.hpp"
#include "grader/worker/description.hpp"

namespace grader {
namespace {

constexpr std::size_t max_results = 4;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

// As a host passes them: tensors, the number of heads, the mask.
std::vector<std::string> argument_names(const Call& call) {
  std::vector<std::string> names;
  for (const NamedTensor& argument : call.arguments) {
    names.push_back(argument.name);
  }
  if (call.kind == Kind::multi_head_attention) {
    names.emplace_back("n_heads");
  }
  if (call.mask) {
    names.emplace_back("mask");
  }
  return names;
}

// "d_k=16 d_model=64"
std::string numbers_for(const std::vector<FilledParameter>& parameters,
                        const Call& call) {
  return filled_text(parameters, " ", call.kind, call.arguments,
                     call.dimensions);
}

// "mask_convention=hide order=kqv"
std::string reading_text(const ModuleReading& reading) {
  std::vector<std::string> words;
  for (const auto& [convention, word] : reading) {
    words.push_back(convention);
    words.back().append("=").append(word);
  }
  return joined(words);
}

void add_dimensions(const Dimensions& dimensions,
                    std::map<std::string, std::string>& metadata) {
  metadata["batch"] = std::to_string(dimensions.batch);
  metadata["heads"] = std::to_string(dimensions.heads);
  metadata["n_heads"] = std::to_string(dimensions.heads);
  metadata["n"] = std::to_string(dimensions.n);
  metadata["m"] = std::to_string(dimensions.m);
  metadata["d_k"] = std::to_string(dimensions.d_k);
  metadata["d_v"] = std::to_string(dimensions.d_v);
  metadata["d_model"] = std::to_string(dimensions.d_model);
  metadata["kv_heads"] = std::to_string(dimensions.kv_heads);
}

MessageArray mask_array(const reference::Mask& mask,
                        MaskConvention convention) {
  MessageArray array{
      "mask", "BOOL", mask.shape, {mask.data.begin(), mask.data.end()}};
  if (convention == MaskConvention::keep) {
    return array;
  }
  const bool is_added = convention == MaskConvention::additive;
  array.dtype = is_added ? "F64" : "BOOL";
  for (double& value : array.values) {
    const bool is_hidden = value == 0.0;
    value = !is_hidden ? 0.0
            : is_added ? -std::numeric_limits<double>::infinity()
                       : 1.0;
  }
  return array;
}

DType to_dtype(std::string_view name) {
  if (name == "F64") {
    return DType::float64;
  }
  if (name == "F32") {
    return DType::float32;
  }
  if (name == "F16") {
    return DType::float16;
  }
  if (name == "BF16") {
    return DType::bfloat16;
  }
  return name == "BOOL" ? DType::boolean : DType::integer;
}

}  // namespace

MessageLimits ready_limits() {
  return {64 * 1024, 64 * 1024, 0};
}

Message load_request(const Program& program, std::uint64_t id) {
  Message message;
  message.metadata = {{"op", "load"},
                      {"id", std::to_string(id)},
                      {"path", program.submission.string()},
                      {"root", program.root.string()}};
  if (!program.construct.empty()) {
    message.metadata["construct"] = program.construct;
  }
  if (!program.parameters.empty()) {
    message.metadata["parameters"] = program.parameters;
  }
  if (!program.watched.empty()) {
    message.metadata["watched"] = program.watched;
  }
  if (program.adapter != nullptr) {
    message.metadata["adapter"] = program.adapter->file.text;
    message.metadata["adapter_name"] = program.adapter->file.name;
  }
  return message;
}

MessageLimits load_reply_limits() {
  constexpr std::uint64_t size = 1024 * 1024;
  return {size, size, 0};
}

std::variant<LoadOutcome, BadReply> read_load_reply(const Message& reply,
                                                    bool has_adapter) {
  const std::string status = reply.text("status");
  if (status == "loaded") {
    auto description = parse_description(reply.text("description"));
    if (const auto* error = std::get_if<std::string>(&description)) {
      return BadReply{"the description: " + *error};
    }
    return LoadOutcome{std::move(std::get<Description>(description))};
  }
  if (status == "load-failed") {
    LoadFailure failure{reply.text("kind"), reply.text("detail")};
    if (failure.kind == "adapter" && has_adapter) {
      return LoadOutcome{CannotGrade{"environment", failure.detail}};
    }
    return LoadOutcome{std::move(failure)};
  }
  if (status == "out-of-memory") {
    return LoadOutcome{Outcome(OutOfMemory{reply.text("detail")})};
  }
  return BadReply{"no answer to the request to load"};
}

Message call_request(const Match& match, const Call& call, std::uint64_t id) {
  Message message;
  message.metadata = {{"op", "call"},
                      {"id", std::to_string(id)},
                      {"callable", match.callable.name},
                      {"is_class", match.callable.is_class ? "1" : "0"},
                      {"arguments", joined(argument_names(call))},
                      {"keywords", joined(match.keywords)},
                      {"filled", numbers_for(match.filled, call)},
                      {"constructor", numbers_for(match.constructor, call)},
                      {"float32", match.is_float32 ? "1" : "0"},
                      {"framework", to_string(match.framework)},
                      {"dtype", to_string(match.precision)},
                      {"kind", to_string(call.kind)},
                      {"mask_mode", to_string(call.mask_mode)},
                      {"rank", std::to_string(call.rank)},
                      {"max_elements", std::to_string(largest_result(call))}};
  if (match.module) {
    message.metadata["module"] = "1";
    message.metadata["reading"] = reading_text(*match.module);
    message.metadata["same_object"] = call.same_object ? "1" : "0";
  }
  add_dimensions(call.dimensions, message.metadata);
  message.arrays = request_arrays(match, call);
  return message;
}

std::uint64_t largest_result(const Call& call) {
  constexpr std::uint64_t slack = 4096;
  const auto size = [](std::int64_t value) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 1));
  };
  const Dimensions& d = call.dimensions;
  const std::uint64_t leading = size(d.batch) * size(d.heads);
  const std::uint64_t widths = size(d.d_k) + size(d.d_v) + size(d.d_model);
  const std::uint64_t side = size(d.n) + size(d.m) + widths;
  return slack + 4 * (leading * leading * size(d.n) * size(d.m) +
                      leading * side * side);
}

MessageLimits call_reply_limits(const Call& call) {
  constexpr std::uint64_t header = 64 * 1024;
  return {header, header + max_results * 8 * largest_result(call), max_results};
}

std::vector<MessageArray> request_arrays(const Match& match, const Call& call) {
  std::vector<MessageArray> arrays;
  arrays.reserve(call.arguments.size() + 1);
  for (const NamedTensor& argument : call.arguments) {
    arrays.push_back(
        {argument.name, "F64", argument.tensor.shape, argument.tensor.data});
  }
  if (call.mask) {
    // A module is given its mask by the host, by its reading.
    arrays.push_back(mask_array(
        *call.mask,
        match.module ? MaskConvention::keep
                     : match.mask_convention.value_or(MaskConvention::keep)));
  }
  return arrays;
}

namespace {

// [["torch.softmax", "ana.py, line 12"]]; anything else is none.
std::vector<SeenCall> read_seen_calls(const std::string& text) {
  constexpr std::size_t most = 10;
  constexpr std::size_t longest = 300;  // bytes
  const auto document = nlohmann::json::parse(text, nullptr, false);
  std::vector<SeenCall> calls;
  for (const auto& one : document.is_array() ? document : nlohmann::json()) {
    if (one.is_array() && one.size() == 2 && one[0].is_string() &&
        one[1].is_string() && calls.size() < most) {
      calls.push_back({one[0].get<std::string>(),
                       one[1].get<std::string>().substr(0, longest)});
    }
  }
  return calls;
}

}  // namespace

Returned read_results(const Message& reply) {
  Returned returned;
  returned.input_mutated = reply.text("mutated") == "1";
  returned.problem = reply.text("problem");
  returned.library_calls = read_seen_calls(reply.text("library_calls"));
  const std::string same = reply.text("same_without_weights");
  if (!same.empty()) {
    returned.same_without_weights = same == "1";
  }
  for (const MessageArray& array : reply.arrays) {
    const bool is_role = array.name == "output" || array.name == "weights";
    returned.results.push_back({is_role ? array.name : "",
                                to_dtype(array.dtype),
                                {array.shape, array.values}});
  }
  return returned;
}

Outcome read_call_reply(const Message& reply) {
  const std::string status = reply.text("status");
  if (status == "returned") {
    return read_results(reply);
  }
  if (status == "raised") {
    return Raised{reply.text("type"), reply.text("message"),
                  reply.text("traceback"), reply.text("missing_device"),
                  reply.text("adapter")};
  }
  if (status == "out-of-memory") {
    return OutOfMemory{reply.text("detail")};
  }
  return BadReply{"no answer to the call"};
}

}  // namespace grader
