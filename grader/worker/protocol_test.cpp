// SPDX-License-Identifier: MIT
#include "grader/worker/protocol.hpp"

#include <limits>

#include "grader/loader/adapter.hpp"
#include "tests/catch.hpp"

using namespace grader;

namespace {

Message reply(const std::map<std::string, std::string>& metadata) {
  Message message;
  message.metadata = metadata;
  return message;
}

Outcome call_outcome(const std::map<std::string, std::string>& metadata) {
  return read_call_reply(reply(metadata));
}

Call grouped_call() {
  Call call;
  call.dimensions.batch = 2;
  call.dimensions.heads = 6;
  call.dimensions.n = 7;
  call.dimensions.m = 11;
  call.dimensions.d_k = 15;
  call.dimensions.d_v = 19;
  return call;
}

}  // namespace

TEST_CASE("a call names its arguments in the order of the signature",
          "[protocol]") {
  Match match;
  match.callable.name = "mha";
  match.callable.is_class = true;
  match.keywords = {"inputs", "heads"};
  Call call;
  call.kind = Kind::multi_head_attention;
  call.mask_mode = MaskMode::masked;
  call.dimensions.heads = 3;
  call.arguments = {{"x", reference::Tensor({2, 3}, 0.5)}};
  call.mask = reference::Mask{{2}, {0, 1}};
  const Message request = call_request(match, call, 7);
  CHECK(request.text("op") == "call");
  CHECK(request.text("id") == "7");
  CHECK(request.text("callable") == "mha");
  CHECK(request.text("is_class") == "1");
  CHECK(request.text("arguments") == "x n_heads mask");
  CHECK(request.text("keywords") == "inputs heads");
  CHECK(request.text("n_heads") == "3");
  CHECK(request.find("x")->values == std::vector<double>(6, 0.5));
  CHECK(request.find("mask")->dtype == "BOOL");
  CHECK(request.find("mask")->values == std::vector<double>{0, 1});
}

TEST_CASE("a mask is passed in the convention that is asked for",
          "[protocol]") {
  Call call;
  call.mask = reference::Mask{{3}, {0, 1, 0}};
  Match match;
  const auto passed = [&](std::optional<MaskConvention> convention) {
    match.mask_convention = convention;
    return *call_request(match, call, 1).find("mask");
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  CHECK(passed({}).values == std::vector<double>{0, 1, 0});
  CHECK(passed(MaskConvention::keep).values == std::vector<double>{0, 1, 0});
  CHECK(passed(MaskConvention::hide).values == std::vector<double>{1, 0, 1});
  CHECK(passed(MaskConvention::hide).dtype == "BOOL");
  CHECK(passed(MaskConvention::additive).values ==
        std::vector<double>{-infinity, 0, -infinity});
  CHECK(passed(MaskConvention::additive).dtype == "F64");
  match.module = ModuleReading{};  // its host does so
  CHECK(passed(MaskConvention::hide).values == std::vector<double>{0, 1, 0});
}

TEST_CASE("a host is told what the task file says of classes", "[protocol]") {
  Program program;
  CHECK(load_request(program, 1).metadata.count("construct") == 0);
  program.construct = R"({"d_model":"C"})";
  program.parameters = R"({"a.weight":"w_q"})";
  CHECK(load_request(program, 1).text("construct") == program.construct);
  CHECK(load_request(program, 1).text("parameters") == program.parameters);
}

TEST_CASE("a call fills the widths that a function asks for", "[protocol]") {
  Match match;
  match.callable.name = "attention";
  match.filled = {{"d_k", Filling::key_width}, {"dim", Filling::key_width}};
  Call call;
  call.arguments = {{"q", reference::Tensor({2, 5})},
                    {"k", reference::Tensor({3, 5})},
                    {"v", reference::Tensor({3, 4})}};
  CHECK(call_request(match, call, 1).text("filled") == "d_k=5 dim=5");
  match.filled.clear();
  CHECK(call_request(match, call, 1).text("filled").empty());
}

TEST_CASE("a call of a module says how its conventions are read",
          "[protocol]") {
  Match match;
  CHECK(call_request(match, {}, 1).text("module").empty());
  match.module = ModuleReading{};
  CHECK(call_request(match, {}, 1).text("module") == "1");
  CHECK(call_request(match, {}, 1).text("reading").empty());
  match.module = {{"order", "kqv"}, {"mask_convention", "hide"}};
  CHECK(call_request(match, {}, 1).text("reading") ==
        "mask_convention=hide order=kqv");
}

TEST_CASE("wrong shapes that faults are known by are let through",
          "[protocol]") {
  const std::uint64_t largest = largest_result(grouped_call());
  CHECK(largest >= 2 * 6 * 7 * 2 * 6 * 11);  // np.dot: (B, H, n, B, H, m)
  CHECK(largest >= 2 * 6 * 19 * 19);
  CHECK(largest >= 2 * 7 * 6 * 6);  // between heads
  CHECK(largest < 1000 * 1000);
  CHECK(largest_result(Call{}) > 0);
}

TEST_CASE("answers to a call become outcomes", "[protocol]") {
  const Outcome raised = call_outcome({{"status", "raised"},
                                       {"type", "ValueError"},
                                       {"message", "m"},
                                       {"traceback", "t"}});
  CHECK(std::get<Raised>(raised).type == "ValueError");
  CHECK(std::get<Raised>(raised).message == "m");
  CHECK(std::get<Raised>(raised).traceback == "t");
  CHECK(std::get<OutOfMemory>(
            call_outcome({{"status", "out-of-memory"}, {"detail", "d"}}))
            .detail == "d");
  const Outcome returned = call_outcome({{"status", "returned"},
                                         {"mutated", "1"},
                                         {"problem", "returned None"},
                                         {"same_without_weights", "0"}});
  CHECK(std::get<Returned>(returned).input_mutated);
  CHECK(std::get<Returned>(returned).problem == "returned None");
  CHECK(std::get<Returned>(returned).same_without_weights == false);
}

TEST_CASE("answers that mean nothing are bad replies", "[protocol]") {
  CHECK(std::holds_alternative<BadReply>(call_outcome({})));
  CHECK(
      std::holds_alternative<BadReply>(call_outcome({{"status", "correct"}})));
  CHECK(std::holds_alternative<BadReply>(
      read_load_reply(reply({{"status", "returned"}}))));
}

TEST_CASE("only output and weights are names of results", "[protocol]") {
  Message message = reply({{"status", "returned"}});
  message.arrays = {{"weights", "F16", {1}, {1}},
                    {"result_0", "BF16", {}, {2}},
                    {"output", "I32", {0}, {}},
                    {"b", "BOOL", {1}, {1}}};
  const Outcome outcome = read_call_reply(message);
  const auto& results = std::get<Returned>(outcome).results;
  REQUIRE(results.size() == 4);
  CHECK(results[0].role == "weights");
  CHECK(results[0].dtype == DType::float16);
  CHECK(results[1].role.empty());
  CHECK(results[1].dtype == DType::bfloat16);
  CHECK(results[2].role == "output");
  CHECK(results[2].dtype == DType::integer);
  CHECK(results[3].dtype == DType::boolean);
}

TEST_CASE("a description that is not one is a bad reply", "[protocol]") {
  for (const std::string text :
       {"", "[", "[]", "{}", "{\"callables\": 3}", "{\"callables\": [{}]}",
        "{\"callables\": [3]}", "{\"callables\": [], \"remarks\": [1]}",
        R"({"callables": [{"name": "f", "line": "one", "is_class": false,
            "parameters": [], "takes_any": false, "calls": [],
            "problem": ""}]})"}) {
    INFO(text);
    CHECK(std::holds_alternative<BadReply>(
        read_load_reply(reply({{"status", "loaded"}, {"description", text}}))));
  }
  const auto good = read_load_reply(
      reply({{"status", "loaded"},
             {"description", "{\"callables\": [], \"remarks\": [\"why\"]}"}}));
  CHECK(std::get<Description>(std::get<LoadOutcome>(good).result).remarks ==
        std::vector<std::string>{"why"});
}

TEST_CASE("an adapter goes with the request to load", "[protocol]") {
  Program program;
  CHECK_FALSE(load_request(program, 1).metadata.contains("adapter"));
  program.adapter = std::make_shared<const Adapter>(
      Adapter{.file = {"/f/tasks/adapter.py", "adapter.py", "x = 1\n"}});
  const Message request = load_request(program, 1);
  CHECK(request.text("adapter") == "x = 1\n");
  CHECK(request.text("adapter_name") == "adapter.py");
  const auto loaded = read_load_reply(
      reply({{"status", "loaded"},
             {"description", R"({"callables": [], "asks_for": ["mix"]})"}}));
  CHECK(std::get<Description>(std::get<LoadOutcome>(loaded).result).asks_for ==
        std::vector<std::string>{"mix"});
}

TEST_CASE("what fails in an adapter is no doing of the submission",
          "[protocol]") {
  const Message complaint =
      reply({{"status", "load-failed"}, {"kind", "adapter"}, {"detail", "x"}});
  const auto forged = read_load_reply(complaint);
  CHECK(std::holds_alternative<LoadFailure>(
      std::get<LoadOutcome>(forged).result));
  const auto failed = read_load_reply(complaint, true);
  const auto& reason =
      std::get<CannotGrade>(std::get<LoadOutcome>(failed).result);
  CHECK(reason.kind == "environment");
  CHECK(reason.detail == "x");
  const auto raised = [](const std::string& adapter) {
    return std::get<Raised>(
        call_outcome({{"status", "raised"}, {"adapter", adapter}}));
  };
  CHECK(raised("adapter.py, line 3: KeyError").adapter ==
        "adapter.py, line 3: KeyError");
  CHECK(raised("").adapter.empty());
}

TEST_CASE("a class that builds its own projections has a study", "[protocol]") {
  const auto described = [](const std::string& module) {
    return read_load_reply(
        reply({{"status", "loaded"},
               {"description", R"({"callables": [{"name": "Head", "line": 3,
                   "is_class": true, "parameters": [], "takes_any": false,
                   "calls": [], "problem": "")" +
                                   module + "}]}"}}));
  };
  const auto callable = [](const std::variant<LoadOutcome, BadReply>& answer) {
    return std::get<Description>(std::get<LoadOutcome>(answer).result)
        .callables.at(0);
  };
  CHECK_FALSE(callable(described("")).module);
  CHECK_FALSE(callable(described(R"(, "module": null)")).module);
  const Callable head = callable(described(
      R"(, "module": {"problem": "why", "problem_kind": "unsupported"})"));
  REQUIRE(head.module);
  CHECK(head.module->problem == "why");
  for (const std::string module :
       {R"(, "module": 1)", R"(, "module": {"kind": "attention"})"}) {
    INFO(module);
    CHECK(std::holds_alternative<BadReply>(described(module)));
  }
}

TEST_CASE("calls of libraries come with the result", "[protocol]") {
  const auto calls = [](const std::string& text) {
    return std::get<Returned>(
               call_outcome({{"status", "returned"}, {"library_calls", text}}))
        .library_calls;
  };
  CHECK(
      calls(R"([["torch.softmax", "ana.py, line 3"], ["a.b", ""]])") ==
      std::vector<SeenCall>{{"torch.softmax", "ana.py, line 3"}, {"a.b", ""}});
  for (const std::string text : {"", "[", "{}", "3", "[3]", "[[]]", "[[1, 2]]",
                                 R"([["a"]])", R"([["a", null]])"}) {
    INFO(text);
    CHECK(calls(text).empty());
  }
  std::string many = "[";
  for (int i = 0; i < 50; ++i) {
    many += (i == 0 ? "" : ",") + std::string(R"(["a", ")") +
            std::string(5000, 'x') + R"("])";
  }
  CHECK(calls(many + "]").size() == 10);
  CHECK(calls(many + "]").front().place.size() == 300);
}

TEST_CASE("what is to be watched is told with the submission", "[protocol]") {
  Program program;
  CHECK(load_request(program, 1).text("watched").empty());
  program.watched = R"({"a.b":[]})";
  CHECK(load_request(program, 1).text("watched") == program.watched);
}
