// SPDX-License-Identifier: MIT
#include "grader/report/audit_text.hpp"

#include <nlohmann/json.hpp>

#include "grader/report/audit_json.hpp"
#include "grader/report/layout.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

Case toy(const std::string& name, const Dimensions& dimensions) {
  Case test_case;
  test_case.name = name;
  test_case.task = "toy";
  test_case.seed = 7;
  test_case.rank = 2;
  test_case.dimensions = dimensions;
  draw_inputs(test_case);
  test_case.expected = evaluate_reference(test_case);
  return test_case;
}

std::vector<Case> square_toy() {
  return {toy("square", {.n = 4, .m = 4, .d_k = 4, .d_v = 4})};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an audit says what passes as correct and why", "[audit_text]") {
  const std::vector<Case> cases = square_toy();
  const std::string text = render_audit({"toy", audit_cases(cases, {})}, true);
  CHECK(contains(text, "toy: 1 case, "));
  CHECK(contains(text, "  Warning: n = m = d_k = d_v in every case"));
  CHECK(contains(text, "    scale-by-sqrt-keys\n        m = d_k in every"));
  CHECK(contains(text,
                 "    scale-by-dk = scale-twice\n"
                 "        the same calculation\n"));
  for (const std::string& line : wrap(text, 1000)) {
    CHECK(display_width(line) <= 80);
  }
}

TEST_CASE("the matrix has a row a fault and a column a case", "[audit_text]") {
  std::vector<Case> cases;
  for (int i = 0; i < 60; ++i) {
    cases.push_back(toy("one", {.n = 2, .m = 3, .d_k = 4, .d_v = 5}));
  }
  const std::string text = render_audit({"toy", audit_cases(cases, {})}, true);
  const std::string row = "  scale-missing                ";
  const std::size_t first = text.find(row);
  REQUIRE(first != std::string::npos);
  // More columns than a line holds go into a second block.
  CHECK(text.find(row, first + 1) != std::string::npos);
  CHECK(contains(text, "scores-transposed            !!!!!"));
  for (const std::string& line : wrap(text, 1000)) {
    CHECK(display_width(line) <= 80);
  }
}

TEST_CASE("the summary counts faults and pairs", "[audit_text]") {
  const std::vector<Case> cases = square_toy();
  const AuditedTask task{"toy", audit_cases(cases, {})};
  const std::string text = render_audit_summary({task});
  CHECK(contains(text, "cases  faults    pass   pairs   closest\n"));
  CHECK(contains(text, "\ntoy "));
}

TEST_CASE("the document of an audit has every distance", "[audit_text]") {
  const std::vector<Case> cases = square_toy();
  const AuditedTask task{"toy", audit_cases(cases, {})};
  const auto document = nlohmann::json::parse(render_audit_json({task}));
  CHECK(document["schema"] == "attngrade-audit/1");
  const auto& audit = document["tasks"][0];
  CHECK(audit["task"] == "toy");
  CHECK(audit["cases"] == nlohmann::json::array({"square"}));
  CHECK(audit["findings"] == findings_of(task.audit).size());
  for (const auto& form : audit["forms"]) {
    CHECK(form["distances"].size() == 1);
    if (form["fault"] == "scale-by-sqrt-keys") {
      CHECK(form["passes_as_correct"] == true);
      CHECK(form["distances"][0].get<double>() < 1.0);
    }
  }
}

}  // namespace grader
