// SPDX-License-Identifier: MIT
#include "grader/worker/command_protocol.hpp"

#include "grader/worker/test_submission.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

Match match_of(const std::string& task) {
  Match match;
  match.task = task;
  return match;
}

Exchange ended(Outcome outcome, std::string beginning) {
  return {std::move(outcome), std::move(beginning), 0.0, 0.0};
}

TEST_CASE("a request names its tensors and says what is wanted",
          "[command_protocol]") {
  const Message request =
      command_request(match_of("attention"), small_call(), 7);
  CHECK(request.metadata ==
        std::map<std::string, std::string>{{"protocol", "1"},
                                           {"task", "attention"},
                                           {"call", "7"},
                                           {"want_weights", "1"}});
  REQUIRE(request.arrays.size() == 3);
  CHECK(request.arrays[2].name == "v");
  CHECK(request.arrays[2].dtype == "F64");
  CHECK(request.arrays[2].shape == reference::Shape{3, 4});
}

TEST_CASE("heads and masks are told where the task has them",
          "[command_protocol]") {
  Call call = small_call();
  call.kind = Kind::multi_head_attention;
  call.dimensions.heads = 2;
  call.wants_weights = false;
  call.mask = reference::Mask{{3}, {1, 0, 1}};
  const Message request =
      command_request(match_of("masked_multi_head_attention"), call, 1);
  CHECK(request.text("n_heads") == "2");
  CHECK(request.text("want_weights") == "0");
  const MessageArray* mask = request.find("mask");
  REQUIRE(mask != nullptr);
  CHECK(mask->dtype == "BOOL");
  CHECK(mask->values == std::vector<double>{1, 0, 1});
}

TEST_CASE("a reply has output, weights or an error", "[command_protocol]") {
  Message reply;
  reply.arrays = {{"weights", "F32", {1}, {2}},
                  {"debug", "F64", {1}, {3}},
                  {"output", "F64", {1}, {4}}};
  const auto both = std::get<Returned>(read_command_reply(reply));
  REQUIRE(both.results.size() == 2);
  CHECK(both.results[0].role == "weights");
  CHECK(both.results[0].dtype == DType::float32);
  CHECK(both.results[1].role == "output");
  reply.metadata["error"] = "RangeError: no\n  at line 3\x1b[2J";
  const auto raised = std::get<Raised>(read_command_reply(reply));
  CHECK(raised.type == "error");
  CHECK(raised.message == "RangeError: no   at line 3\\x1b[2J");
}

TEST_CASE("a reply cannot say what only hosts say", "[command_protocol]") {
  Message reply;
  reply.metadata = {{"status", "returned"},
                    {"mutated", "1"},
                    {"problem", "mine"},
                    {"same_without_weights", "1"}};
  reply.arrays = {{"output", "F64", {1}, {4}}};
  const auto returned = std::get<Returned>(read_command_reply(reply));
  CHECK_FALSE(returned.input_mutated);
  CHECK(returned.problem.empty());
  CHECK_FALSE(returned.same_without_weights.has_value());
}

TEST_CASE("a reply without a result says what it has instead",
          "[command_protocol]") {
  Message reply;
  CHECK(std::get<Returned>(read_command_reply(reply)).problem ==
        "answered with no tensor");
  reply.arrays = {{"out", "F64", {1}, {2}}};
  CHECK(std::get<Returned>(read_command_reply(reply)).problem ==
        "answered with no tensor called output or weights, but with out");
}

TEST_CASE("text on stdout is called text", "[command_protocol]") {
  const auto why = [](const Outcome& outcome, const std::string& beginning) {
    const Outcome read = read_command_exchange(ended(outcome, beginning));
    const auto* bad = std::get_if<BadReply>(&read);
    return bad == nullptr ? outcome_name(read) : bad->why;
  };
  const Outcome broken = BadReply{"a header of 99 bytes"};
  CHECK(why(broken, "Hello, world\nmore") ==
        "what it wrote on stdout is no safetensors message (it begins with "
        "'Hello, world'): print to stderr");
  CHECK(why(broken, std::string("ok\n\x50\0\0\0\0\0\0\0", 11)).find("'ok'") !=
        std::string::npos);
  CHECK(why(Crashed{0, 0}, "hi\n").find("'hi'") != std::string::npos);
  CHECK(why(TimedOut{}, "hi").find("'hi'") != std::string::npos);
  CHECK(why(broken, "\xe2\x9c\x93 done\n").find("done") != std::string::npos);
}

TEST_CASE("what is no text keeps its own reason", "[command_protocol]") {
  const auto name = [](const Outcome& outcome, const std::string& beginning) {
    const Outcome read = read_command_exchange(ended(outcome, beginning));
    const auto* bad = std::get_if<BadReply>(&read);
    return bad == nullptr ? outcome_name(read) : bad->why;
  };
  const Outcome broken = BadReply{"the header is not a JSON object"};
  CHECK(name(broken, std::string("H\0\0\0\0\0\0\0{", 9)) ==
        "the header is not a JSON object");
  CHECK(name(Crashed{0, 1}, "") == "crashed");
  CHECK(name(TimedOut{}, std::string("P\0", 2)) == "timed-out");
  CHECK(name(LimitExceeded{}, "Hello, world") == "limit-exceeded");
}

}  // namespace
}  // namespace grader
