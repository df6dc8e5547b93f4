// SPDX-License-Identifier: MIT
#include <signal.h>

#include "grader/system/command.hpp"
#include "grader/worker/test_submission.hpp"
#include "tests/catch.hpp"

using namespace grader;

namespace {

// A C or C++ submission, compiled and loaded.
class NativeSubmission {
 public:
  explicit NativeSubmission(const std::string& body,
                            const std::string& language = "c") {
    const auto source =
        folder_.write("candidate." + language,
                      "#include <attngrade.h>\n#include <math.h>\n"
                      "#include <stdlib.h>\n#include <stdio.h>\n" +
                          body);
    const auto library = folder_.path() / "candidate.so";
    const CommandResult compiled = run_command(
        {language == "c" ? ATTNGRADE_C_COMPILER : ATTNGRADE_CXX_COMPILER,
         "-shared", "-fPIC", "-O1", "-I",
         std::string(PROJECT_SOURCE_DIR) + "/include", source.string(), "-o",
         library.string()},
        {"PATH=/usr/bin:/bin"}, folder_.path());
    INFO(compiled.standard_error);
    REQUIRE(compiled.succeeded());
    worker_ = start(library);
    loaded_ = worker_->load();
  }

  std::unique_ptr<Worker> start(const std::filesystem::path& library) const {
    Program program;
    program.language = Language::native;
    program.argv = {ATTNGRADE_NATIVE_HOST};
    program.working_directory = folder_.path();
    program.submission = library;
    return start_worker(program, short_limits());
  }

  const LoadOutcome& loaded() const { return loaded_; }
  Worker& worker() { return *worker_; }
  const TestFolder& folder() const { return folder_; }

  Outcome call(const Call& call, const std::string& name = "attention") {
    Match match;
    match.callable.name = name;
    match.is_float32 = name.find("_f32") != std::string::npos;
    return worker_->call(match, call);
  }

 private:
  TestFolder folder_;
  std::unique_ptr<Worker> worker_;
  LoadOutcome loaded_;
};

// attention() with the given statements; o and w are its buffers.
std::string function(const std::string& statements,
                     const std::string& name = "attention",
                     const std::string& real = "double") {
  const std::string in = "const " + real + " *";
  return "int " + name + "(" + in + "q, " + in + "k, " + in +
         "v, attention_shape s, " + real + " *o, " + real + " *w) {" +
         "(void)q; (void)k; (void)v; (void)s; (void)o; (void)w;" + statements +
         "}\n";
}

const std::string fill_both =
    "for (int i = 0; i < s.batch * s.heads * s.n_q * s.d_v; ++i) o[i] = i;"
    "if (w) for (int i = 0; i < s.n_q * s.n_k; ++i) w[i] = -i; return 0;";

}  // namespace

TEST_CASE("a C function returns output and weights", "[native_host]") {
  NativeSubmission submission(function(fill_both));
  const Returned result = returned(submission.call(small_call()));
  REQUIRE(result.results.size() == 2);
  CHECK(result.results[0].role == "output");
  CHECK(result.results[0].dtype == DType::float64);
  CHECK(result.results[0].values ==
        reference::Tensor({2, 4}, {0, 1, 2, 3, 4, 5, 6, 7}));
  CHECK(result.results[1].role == "weights");
  CHECK(result.results[1].values ==
        reference::Tensor({2, 3}, {0, -1, -2, -3, -4, -5}));
  CHECK(result.same_without_weights == true);
  CHECK_FALSE(result.input_mutated);
}

TEST_CASE("weights that were not written are not returned", "[native_host]") {
  NativeSubmission submission(
      function("for (int i = 0; i < 8; ++i) o[i] = 1;"
               "return 0;"));
  const Returned result = returned(submission.call(small_call()));
  REQUIRE(result.results.size() == 1);
  CHECK(result.results[0].role == "output");
}

TEST_CASE("an output that was not written is no result", "[native_host]") {
  NativeSubmission submission(function("return 0;"));
  const Returned result = returned(submission.call(small_call()));
  CHECK(result.results.empty());
  CHECK(result.problem == "returned 0 and wrote nothing to the output");
}

TEST_CASE("a return value other than 0 is an error of the call",
          "[native_host]") {
  const auto message_of = [](const std::string& statements) {
    NativeSubmission submission(function(statements));
    const Outcome outcome = submission.call(small_call());
    const auto* raised = std::get_if<Raised>(&outcome);
    REQUIRE(raised != nullptr);
    CHECK(raised->type == "status");
    return raised->message;
  };
  CHECK(message_of("return 3;") == "attention returned 3");
  CHECK(message_of("return w ? 0 : -1;") ==
        "attention returned -1 when weights was NULL");
}

TEST_CASE("two forms that differ are told apart", "[native_host]") {
  NativeSubmission submission(
      function("for (int i = 0; i < 8; ++i) o[i] = w ? 1 : 2; return 0;"));
  CHECK(returned(submission.call(small_call())).same_without_weights == false);
}

TEST_CASE("changed inputs are noticed", "[native_host]") {
  NativeSubmission submission(
      function("((double *)q)[0] = 9; o[0] = 1; return 0;"));
  CHECK(returned(submission.call(small_call())).input_mutated);
}

TEST_CASE("float functions get and return floats", "[native_host]") {
  NativeSubmission submission(
      function("for (int i = 0; i < 8; ++i) o[i] = 1.0f / 3; return 0;",
               "attention_f32", "float"));
  const Returned result =
      returned(submission.call(small_call(), "attention_f32"));
  CHECK(result.results.at(0).dtype == DType::float32);
  CHECK(result.results.at(0).values.data[0] ==
        static_cast<double>(1.0F / 3.0F));
}

TEST_CASE("a mask is handed over in full", "[native_host]") {
  NativeSubmission submission(
      "int masked_attention(const double *q, const double *k, const double *v,"
      " const uint8_t *mask, attention_shape s, double *o, double *w) {"
      " (void)q; (void)k; (void)v; (void)o; o[0] = 1;"
      " if (w) for (int i = 0; i < s.batch * s.n_q * s.n_k; ++i)"
      "   w[i] = mask[i];"
      " return 0; }");
  Call call = small_call();
  call.mask_mode = MaskMode::masked;
  call.rank = 3;
  call.dimensions.batch = 2;
  for (NamedTensor& argument : call.arguments) {
    reference::Shape shape = argument.tensor.shape;
    shape.insert(shape.begin(), 2);
    argument.tensor = reference::broadcast_to(argument.tensor, shape);
  }
  call.mask = reference::Mask{{2, 1, 3}, {1, 1, 0, 1, 0, 0}};
  const Returned result = returned(submission.call(call, "masked_attention"));
  CHECK(result.results.at(1).values ==
        reference::Tensor({2, 2, 3}, {1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0}));
}

TEST_CASE("multi-head and grouped queries get their own shapes",
          "[native_host]") {
  NativeSubmission submission(
      "int multi_head_attention(const double *x, const double *w_q,"
      " const double *w_k, const double *w_v, const double *w_o,"
      " multi_head_shape s, double *o, double *w) {"
      " (void)x; (void)w_q; (void)w_k; (void)w_v; (void)w; o[0] = w_o[0];"
      " o[1] = s.batch; o[2] = s.n; o[3] = s.d_model; o[4] = s.n_heads;"
      " return 0; }\n"
      "int grouped_query_attention(const double *q, const double *k,"
      " const double *v, attention_shape s, int64_t kv_heads, double *o,"
      " double *w) { (void)q; (void)k; (void)v; (void)w;"
      " o[0] = s.heads; o[1] = kv_heads; return 0; }\n");
  Call call;
  call.kind = Kind::multi_head_attention;
  call.rank = 2;
  call.dimensions.heads = 2;
  call.dimensions.n = 3;
  call.dimensions.m = 3;
  call.dimensions.d_model = 4;
  call.arguments = {{"x", reference::Tensor({3, 4})}};
  for (const char* name : {"w_q", "w_k", "w_v", "w_o"}) {
    call.arguments.push_back({name, reference::Tensor({4, 4}, 7.0)});
  }
  const auto multi =
      returned(submission.call(call, "multi_head_attention")).results.at(0);
  CHECK(multi.values.shape == reference::Shape{3, 4});
  CHECK(std::vector<double>(multi.values.data.begin(),
                            multi.values.data.begin() + 5) ==
        std::vector<double>{7, 1, 3, 4, 2});

  Call grouped = small_call();
  grouped.kind = Kind::grouped_query_attention;
  grouped.dimensions.heads = 6;
  grouped.dimensions.kv_heads = 2;
  const auto group =
      returned(submission.call(grouped, "grouped_query_attention"))
          .results.at(0);
  CHECK(group.values.data[0] == 6.0);
  CHECK(group.values.data[1] == 2.0);
}

TEST_CASE("a description lists the functions of the interface",
          "[native_host]") {
  NativeSubmission submission(function(fill_both) +
                              function("return 0;", "causal_attention") +
                              function("return 0;", "my_helper"));
  const auto& description = std::get<Description>(submission.loaded().result);
  REQUIRE(description.callables.size() == 2);
  CHECK(description.callables[0].name == "attention");
  CHECK(description.callables[1].name == "causal_attention");
}

TEST_CASE("a library that cannot be loaded says why", "[native_host]") {
  NativeSubmission submission(function(fill_both));
  const auto detail_of = [&](const std::filesystem::path& library) {
    const LoadOutcome outcome = submission.start(library)->load();
    const auto* failure = std::get_if<LoadFailure>(&outcome.result);
    REQUIRE(failure != nullptr);
    CHECK(failure->kind == "link");
    return failure->detail;
  };
  CHECK(detail_of("/no/such.so").find("No such file") != std::string::npos);
  CHECK(detail_of(submission.folder().write("text.so", "hello"))
            .find("too short") != std::string::npos);
  NativeSubmission undefined("double missing(void);\n" +
                             function("o[0] = 1; return 0;") +
                             "static double (*p)(void) = 0;\n"
                             "double use(void) { return p ? p() : 0; }\n");
  CHECK(std::holds_alternative<Description>(undefined.loaded().result));
}

TEST_CASE("an undefined symbol is a load failure", "[native_host]") {
  NativeSubmission submission("double missing_helper(void);\n" +
                              function("o[0] = missing_helper(); return 0;"));
  const auto* failure = std::get_if<LoadFailure>(&submission.loaded().result);
  REQUIRE(failure != nullptr);
  CHECK(failure->detail.find("missing_helper") != std::string::npos);
}

TEST_CASE("crashes, early exits and exceptions of native code are outcomes",
          "[native_host]") {
  const auto crash = [](const std::string& statements) {
    NativeSubmission submission(function(statements));
    const Outcome outcome = submission.call(small_call());
    INFO(statements << ": " << outcome_name(outcome));
    const auto* crashed = std::get_if<Crashed>(&outcome);
    REQUIRE(crashed != nullptr);
    return *crashed;
  };
  CHECK(crash("*(volatile int *)8 = 1; return 0;").signal == SIGSEGV);
  CHECK(crash("abort();").signal == SIGABRT);
  CHECK(crash("exit(0);").signal == 0);
  CHECK(crash("w[0] = 1; o[0] = 1; return 0;").signal == SIGSEGV);

  NativeSubmission throwing(
      "#include <stdexcept>\n" + function("throw std::runtime_error(\"oh\");"),
      "cpp");
  const Outcome outcome = throwing.call(small_call());
  const auto* raised = std::get_if<Raised>(&outcome);
  REQUIRE(raised != nullptr);
  CHECK(raised->message == "oh");

  NativeSubmission greedy(
      "#include <new>\n" +
          function(
              "for (;;) { volatile char *p = new char[1 << 20]; p[0] = 1; }"),
      "cpp");
  CHECK(std::holds_alternative<OutOfMemory>(greedy.call(small_call())));
}

TEST_CASE("what native code prints is captured", "[native_host]") {
  NativeSubmission submission(
      function("printf(\"hello\"); o[0] = 1; return 0;"));
  returned(submission.call(small_call()));
  CHECK(submission.worker().output().standard_output == "hellohello");
}
