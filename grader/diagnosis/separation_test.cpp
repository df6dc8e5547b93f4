// SPDX-License-Identifier: MIT
#include "grader/diagnosis/separation.hpp"

#include "grader/fixture/task.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

Case smallest_case() {
  Case test_case;
  test_case.name = "toy";
  test_case.task = "attention";
  test_case.seed = 1;
  test_case.rank = 2;
  test_case.dimensions = {.n = 4, .m = 4, .d_k = 4, .d_v = 4};
  draw_inputs(test_case);
  test_case.expected = evaluate_reference(test_case);
  return test_case;
}

}  // namespace

TEST_CASE("every shipped case tells apart what it declares", "[separation]") {
  for (const Task& task :
       read_tasks(std::filesystem::path(PROJECT_SOURCE_DIR) / "fixtures")) {
    for (const auto& file : task.case_files) {
      const Case test_case = read_case(file);
      for (const auto& [first, second] : inseparable(test_case)) {
        INFO(task.name << " " << test_case.name << ": " << first << " = "
                       << second);
        CHECK(false);
      }
    }
  }
}

TEST_CASE("a square toy cannot tell a scale by keys from the right one",
          "[separation]") {
  Case toy = smallest_case();
  toy.separates = {"correct", "scale-by-sqrt-keys", "scale-missing"};
  const auto pairs = inseparable(toy);
  REQUIRE(pairs.size() == 1);
  CHECK(pairs.front() ==
        std::pair<std::string, std::string>("correct", "scale-by-sqrt-keys"));
}

TEST_CASE("an id without a formula is no reason to redraw a case",
          "[separation]") {
  Case toy = smallest_case();
  toy.separates = {"correct", "weights-transposed"};
  CHECK(separations_hold(toy));
}

}  // namespace grader
