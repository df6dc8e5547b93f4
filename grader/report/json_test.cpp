// SPDX-License-Identifier: MIT
#include "grader/report/json.hpp"

#include <limits>

#include <nlohmann/json.hpp>

#include "grader/report/sample_records.hpp"
#include "tests/catch.hpp"

using grader::Run;
using nlohmann::json;

namespace {

json parsed(const Run& run) {
  return json::parse(grader::render_json(run));
}

json only_record(const grader::Record& record) {
  Run run;
  run.records = {record};
  return parsed(run).at("submissions").at(0);
}

}  // namespace

TEST_CASE("the document names its schema, tool, seed and isolation", "[json]") {
  const json document = parsed(grader::sample_run());
  CHECK(document.at("schema") == "attngrade/1");
  CHECK(document.at("tool").at("name") == "attngrade");
  CHECK(document.at("tool").at("version") == "0.1.0");
  CHECK(document.at("seed") == 7);
  CHECK(document.at("isolation").at("level") == "L0");
  CHECK(document.at("environment").is_object());
  CHECK(document.at("totals").at("passed_over") == 2);
  CHECK(document.at("submissions").size() == 5);
}

TEST_CASE("the document is written as one", "[json]") {
  Run empty;
  for (const Run& run : {grader::sample_run(), empty}) {
    const std::string text = grader::render_json(run);
    CHECK(nlohmann::ordered_json::parse(text).dump(2) + "\n" == text);
  }
}

TEST_CASE("a faulty record has the fields of the contract", "[json]") {
  const json record = only_record(grader::divided_by_dk_record());
  CHECK(record.at("file") == "dk.py");
  CHECK(record.at("task") == "attention");
  CHECK(record.at("entry") == "attention");
  CHECK(record.at("verdict") == "faulty");
  CHECK(record.at("faults") == json::array({"scale-by-dk"}));
  CHECK(record.at("ties").dump() == R"([["scale-twice"]])");
  CHECK(record.at("certainty") == "proven");
  CHECK(record.at("ranks") == json::array({2, 3, 4}));
  CHECK(record.at("faults_by_rank").at("3").at(0) == "scale-by-dk");
  CHECK(record.at("score") == 0.5);
  CHECK(record.at("max_score") == 1.0);
  CHECK(record.at("score_if_mended") == 1.0);
  CHECK(record.at("cause").is_null());
  const json& evidence = record.at("evidence");
  CHECK(evidence.at("scale_law").at("exponents").at("d_k") == -1.0);
  CHECK(evidence.at("hypothesis_error") == 4.4e-16);
  CHECK(evidence.at("runner_up").at("error") == 0.021);
  CHECK(record.at("cases").at(0).at("case") == "r2_plain");
  CHECK(record.at("cases").at(0).at("passed") == false);
}

TEST_CASE("the record says where the weights of a module were put", "[json]") {
  const json parameters =
      only_record(grader::module_record()).at("evidence").at("parameters");
  CHECK(parameters.size() == 2);
  CHECK(parameters.at(0).dump() ==
        R"({"by":"name","holds":"w_k w_q w_v","parameter":"c_attn.weight"})");
  CHECK(only_record(grader::correct_record())
            .at("evidence")
            .at("parameters")
            .empty());
}

TEST_CASE("the record names the adapter, if there is one", "[json]") {
  grader::Record record = grader::correct_record();
  CHECK(only_record(record).at("adapter").is_null());
  record.adapter = grader::UsedAdapter{"adapter.py", std::string(64, 'a')};
  CHECK(only_record(record).at("adapter").dump() ==
        R"({"name":"adapter.py","sha256":")" + std::string(64, 'a') + "\"}");
}

TEST_CASE("the smallest failing example is nested lists of numbers", "[json]") {
  grader::Record faulty = grader::divided_by_dk_record();
  faulty.smallest_example->mask = reference::Mask{{2}, {1, 0}};
  faulty.smallest_example->actual.data[1] =
      std::numeric_limits<double>::quiet_NaN();
  const json example = only_record(faulty).at("smallest_failing_example");
  CHECK(example.at("arguments").at("q").dump() == "[[1.0,0.0],[0.0,1.0]]");
  CHECK(example.at("mask").dump() == "[true,false]");
  CHECK(example.at("n_heads").is_null());
  CHECK(example.at("what") == "weights");
  CHECK(example.at("row").dump() == "[0]");
  CHECK(example.at("expected").at(1).at(1) == 0.67);
  CHECK(example.at("actual").dump() == "[[0.622,null],[0.378,0.622]]");
  CHECK(example.at("reproduction").at(4) == "attention(q, k, v)");
  CHECK(only_record(grader::correct_record())
            .at("smallest_failing_example")
            .is_null());
}

TEST_CASE("what is neither correct nor faulty has a cause", "[json]") {
  grader::Record record = grader::crashed_record();
  CHECK(only_record(record).at("cause").at("kind") == "signal");
  record.cause.reset();
  CHECK(only_record(record).at("cause").at("kind") == "crashed");
}

TEST_CASE("a file without a function of any task has the task null", "[json]") {
  CHECK(only_record(grader::not_graded_record()).at("task").is_null());
}

TEST_CASE("calls of a library stand with their place and what they are",
          "[json]") {
  grader::Record record = grader::correct_record();
  CHECK(only_record(record).at("library_calls").empty());
  record.library_calls = {{"torch.softmax", "line 3", true, "note"},
                          {"torch.softmax", "", false, "unseen"}};
  const json calls = only_record(record).at("library_calls");
  CHECK(calls.at(0) == json{{"name", "torch.softmax"},
                            {"place", "line 3"},
                            {"seen", true},
                            {"judged", "note"}});
  CHECK(calls.at(1).at("place").is_null());
}

TEST_CASE("NaN and infinity are null", "[json]") {
  grader::Record record = grader::divided_by_dk_record();
  record.cases[0].max_error = std::numeric_limits<double>::infinity();
  record.exhibit->actual[0] = std::numeric_limits<double>::quiet_NaN();
  const json rendered = only_record(record);
  CHECK(rendered.at("cases").at(0).at("max_error").is_null());
  CHECK(rendered.at("exhibit").at("actual").at(0).is_null());
}

TEST_CASE("hostile text is valid JSON and capped", "[json]") {
  const json record = only_record(grader::hostile_record());
  CHECK(record.at("stdout").get<std::string>().size() < 70000);
  CHECK(record.at("summary").get<std::string>() ==
        "<script>]]>\x01\xEF\xBF\xBD");
}
