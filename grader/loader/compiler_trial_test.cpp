// SPDX-License-Identifier: MIT
#include "grader/loader/compiler_trial.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "grader/loader/context.hpp"
#include "grader/loader/prepare.hpp"
#include "grader/submission/temporary_folder.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

// Compilers that are scripts: what they are called with is in `calls`.
struct Workshop {
  TemporaryFolder folder{temporary_root(), "attngrade-test"};
  LoaderContext context;
  fs::path calls = folder.path() / "calls";

  Workshop() {
    context.compilers = find_compilers();
    context.include_folder = std::string(PROJECT_SOURCE_DIR) + "/include";
    context.native_host = "/opt/native_host";
    context.scratch = folder.path();
  }

  std::vector<std::string> script(const std::string& text) const {
    const fs::path path = folder.path() / "compiler";
    std::ofstream(path) << "#!/bin/sh\necho \"$@\" >> " << calls.string()
                        << "\n"
                        << text << "\n";
    fs::permissions(path, fs::perms::owner_all);
    return {path.string()};
  }

  Preparation hand_in(const std::string& name, const std::string& bytes) {
    Submission submission;
    submission.file = name;
    submission.form = name.ends_with(".c") ? Form::c : Form::cpp;
    submission.files = {{name, bytes}};
    return prepare(submission, context);
  }

  std::size_t number_of_calls() const {
    std::ifstream file(calls);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
};

constexpr const char* right_source = "int attention(void) { return 0; }\n";
constexpr const char* wrong_source = "int attention(void) { return x; }\n";

TEST_CASE("a compiler that works leaves a failure with the candidate",
          "[compiler_trial]") {
  Workshop shop;
  for (const char* name : {"a.c", "a.cpp"}) {
    CHECK(std::holds_alternative<Program>(shop.hand_in(name, right_source)));
    const Preparation preparation = shop.hand_in(name, wrong_source);
    REQUIRE(std::holds_alternative<LoadFailure>(preparation));
    CHECK(std::get<LoadFailure>(preparation).kind == "compile");
  }
}

TEST_CASE(
    "a compiler that lacks a part of itself is nobody's fault but the "
    "environment's",
    "[compiler_trial]") {
  Workshop shop;
  shop.context.compilers.c = shop.script(
      "echo \"gcc: fatal error: cannot execute 'cc1'\" >&2; exit 1");
  for (const char* source : {right_source, wrong_source}) {
    const Preparation preparation = shop.hand_in("a.c", source);
    REQUIRE(std::holds_alternative<CannotGrade>(preparation));
    const auto& reason = std::get<CannotGrade>(preparation);
    CHECK(reason.kind == "environment");
    for (const std::string& part :
         {shop.context.compilers.c.front(), std::string("cannot execute 'cc1'"),
          std::string("CC=PATH")}) {
      INFO(reason.detail);
      CHECK(reason.detail.find(part) != std::string::npos);
    }
  }
  // That of the other language is another one.
  CHECK(
      std::holds_alternative<LoadFailure>(shop.hand_in("a.cpp", wrong_source)));
}

TEST_CASE("each compiler is tried once, whoever asks at the same time",
          "[compiler_trial]") {
  Workshop shop;
  shop.context.compilers.c = shop.script("exit 1");
  {
    constexpr int number = 4;
    std::vector<std::jthread> askers;
    askers.reserve(number);
    for (int i = 0; i < number; ++i) {
      askers.emplace_back([&] {
        shop.context.compiler_trials->obstacle(SourceLanguage::c, shop.context);
      });
    }
  }
  CHECK(shop.number_of_calls() == 1);
}

TEST_CASE("a source that compiles needs no trial", "[compiler_trial]") {
  Workshop shop;
  const std::string compiler = find_compilers().c.front();
  shop.context.compilers.c = shop.script("exec " + compiler + " \"$@\"");
  CHECK(std::holds_alternative<Program>(shop.hand_in("a.c", right_source)));
  CHECK(shop.number_of_calls() == 1);
  CHECK(std::holds_alternative<LoadFailure>(shop.hand_in("a.c", wrong_source)));
  CHECK(std::holds_alternative<LoadFailure>(shop.hand_in("a.c", wrong_source)));
  CHECK(shop.number_of_calls() == 4);
}

TEST_CASE("a compiler that the machine kills for want of memory is run again",
          "[compiler_trial]") {
  for (const int deaths : {1, 2}) {
    Workshop shop;
    const std::string compiler = find_compilers().c.front();
    const std::string counters = (shop.folder.path() / "counters").string();
    std::ofstream(counters) << "oom_kill 0\n";
    shop.context.isolation.counters = counters;
    // As gcc says it of the programs that it starts.
    std::string text = "n=$(wc -l < ";
    text.append(shop.calls.string()).append(")\nif [ $n -le ");
    text.append(std::to_string(deaths)).append(" ]; then echo oom_kill $n > ");
    text.append(counters);
    text.append(
        "; echo 'Killed signal terminated program cc1' >&2; exit 1; fi");
    text.append("\nexec ").append(compiler).append(" \"$@\"");
    shop.context.compilers.c = shop.script(text);
    const Preparation preparation = shop.hand_in("a.c", right_source);
    CHECK(std::holds_alternative<Program>(preparation) == (deaths == 1));
    CHECK(std::holds_alternative<CannotGrade>(preparation) == (deaths == 2));
  }
}

TEST_CASE("without the header of the interface no source is at fault",
          "[compiler_trial]") {
  Workshop shop;
  shop.context.include_folder = shop.folder.path();
  const Preparation preparation = shop.hand_in("a.c", wrong_source);
  REQUIRE(std::holds_alternative<CannotGrade>(preparation));
  CHECK(std::get<CannotGrade>(preparation).detail.find("attngrade.h") !=
        std::string::npos);
}

TEST_CASE(
    "a message that only looks like the compiler's trouble excuses nobody",
    "[compiler_trial]") {
  Workshop shop;
  CHECK(std::holds_alternative<LoadFailure>(shop.hand_in(
      "a.c", "#error fatal error: cannot execute 'cc1': no such file\n")));
}

}  // namespace
}  // namespace grader
