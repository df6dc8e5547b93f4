// SPDX-License-Identifier: MIT
#include "grader/worker/command_protocol.hpp"

#include <algorithm>
#include <string_view>

#include "grader/system/text.hpp"

namespace grader {

namespace {

constexpr const char* error_key = "error";

bool is_role(const MessageArray& array) {
  return array.name == "output" || array.name == "weights";
}

std::string no_result_text(const std::vector<MessageArray>& arrays) {
  std::string names;
  for (const MessageArray& array : arrays) {
    names += (names.empty() ? "" : ", ") + one_line(array.name, 40);
  }
  return names.empty() ? "answered with no tensor"
                       : "answered with no tensor called output or weights, "
                         "but with " +
                             names;
}

bool is_of_text(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x20 && byte != 0x7f) || c == '\t';
}

// The first line of what came in, where it reads like print or console.log: a
// message begins with a length, which has zeros by its second or third byte.
std::string text_instead_of_message(std::string_view beginning) {
  constexpr std::size_t length_bytes = 8;
  const auto end = std::ranges::find_if_not(beginning, is_of_text);
  const std::string_view line(beginning.begin(), end);
  const bool is_line = end != beginning.end() && (*end == '\n' || *end == '\r');
  const bool is_short = beginning.size() < length_bytes;
  const bool is_text =
      is_line || line.size() >= length_bytes ||
      (is_short && !line.empty() && line.size() == beginning.size());
  const std::string shown = is_text ? one_line(line, 60) : "";
  constexpr const char* invalid = "\xef\xbf\xbd";  // what it stands for there
  return shown.find(invalid) == std::string::npos ? shown : "";
}

}  // namespace

Message command_request(const Match& match, const Call& call,
                        std::uint64_t number) {
  Message message;
  message.metadata = {{"protocol", "1"},
                      {"task", match.task},
                      {"call", std::to_string(number)},
                      {"want_weights", call.wants_weights ? "1" : "0"}};
  if (call.kind == Kind::multi_head_attention) {
    message.metadata["n_heads"] = std::to_string(call.dimensions.heads);
  }
  message.arrays = request_arrays(match, call);
  return message;
}

Outcome read_command_reply(const Message& reply) {
  if (reply.metadata.contains(error_key)) {
    const std::string text = reply.text(error_key);
    return Raised{"error", one_line(text), text};
  }
  Message known = reply;
  std::erase_if(known.arrays,
                [](const MessageArray& array) { return !is_role(array); });
  known.metadata.clear();
  Returned returned = read_results(known);
  if (returned.results.empty()) {
    returned.problem = no_result_text(reply.arrays);
  }
  return returned;
}

Outcome read_command_exchange(const Exchange& done) {
  if (const auto* reply = std::get_if<Message>(&done.result)) {
    return read_command_reply(*reply);
  }
  const std::string text = text_instead_of_message(done.beginning);
  const auto& outcome = std::get<Outcome>(done.result);
  if (text.empty() || std::holds_alternative<LimitExceeded>(outcome)) {
    return outcome;
  }
  return BadReply{
      "what it wrote on stdout is no safetensors message (it begins with '" +
      text + "'): print to stderr"};
}

}  // namespace grader
