// SPDX-License-Identifier: MIT
#include "grader/task_book.hpp"

#include <algorithm>
#include <set>

#include "grader/comparison/compare.hpp"
#include "grader/diagnosis/separation.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

TaskBook shipped_book(bool use_twins) {
  return {
      std::filesystem::path(PROJECT_SOURCE_DIR) / "fixtures", {}, use_twins, 5};
}

std::set<std::string> public_names(const CaseSet& set, int most_rank) {
  std::set<std::string> names;
  for (const Case& test_case : set.cases) {
    if (test_case.is_public && test_case.rank <= most_rank) {
      names.insert(test_case.name);
    }
  }
  return names;
}

}  // namespace

TEST_CASE("every shipped case holds for classes of every widths",
          "[task_book]") {
  TaskBook book = shipped_book(false);
  for (const std::string task :
       {"self_attention", "masked_self_attention", "causal_self_attention",
        "multi_head_attention", "masked_multi_head_attention",
        "causal_multi_head_attention"}) {
    const auto all = public_names(book.cases(task, DType::float64), 3);
    for (const Widths widths :
         {Widths::free, Widths::values_as_keys, Widths::all_equal}) {
      INFO(task << " " << static_cast<int>(widths));
      const ClassForm form{.widths = widths};
      CHECK(public_names(book.cases(task, DType::float64, form), 3) == all);
    }
  }
}

TEST_CASE("every shipped case holds for every shape of mask", "[task_book]") {
  TaskBook book = shipped_book(false);
  const std::string task = "masked_multi_head_attention";
  const auto all = public_names(book.cases(task, DType::float64), 3);
  for (const MaskAxes axes :
       {MaskAxes::queries_keys, MaskAxes::batch_keys, MaskAxes::batch_one_keys,
        MaskAxes::batch_queries_keys, MaskAxes::batch_one_one_keys,
        MaskAxes::batch_one_queries_keys, MaskAxes::batch_heads_queries_keys}) {
    INFO(static_cast<int>(axes));
    const ClassForm form{.masks = {axes}};
    CHECK(public_names(book.cases(task, DType::float64, form), 3) == all);
  }
}

TEST_CASE("twins are adapted too, and hidden", "[task_book]") {
  TaskBook book = shipped_book(true);
  const CaseSet& set = book.cases("self_attention", DType::float64,
                                  {.widths = Widths::all_equal});
  const auto hidden = std::ranges::count(set.cases, false, &Case::is_public);
  CHECK(2 * hidden == std::ssize(set.cases));
  CHECK(set.prepared.size() == set.cases.size());
  for (const Case& test_case : set.cases) {
    CHECK(separations_hold(test_case));
    CHECK(test_case.is_public != test_case.name.ends_with("~twin"));
  }
}

TEST_CASE("a fresh case is never the public one again", "[task_book]") {
  const std::filesystem::path fixtures =
      std::filesystem::path(PROJECT_SOURCE_DIR) / "fixtures";
  TaskBook usual(fixtures, {}, false, 0);
  const Case first = usual.cases("attention", DType::float64).cases.front();
  TaskBook book(fixtures, {}, true, first.seed);
  for (const Case& one : book.cases("attention", DType::float64).cases) {
    INFO(one.name);
    CHECK((one.is_public || one.arguments.front().tensor.data !=
                                first.arguments.front().tensor.data));
  }
}

TEST_CASE("the first case of each rank comes last with new values",
          "[task_book]") {
  TaskBook book = shipped_book(true);
  for (const std::string task : {"masked_attention", "multi_head_attention"}) {
    INFO(task);
    const auto& cases = book.cases(task, DType::float32).cases;
    const Case& first = cases.front();
    const auto again =
        std::ranges::find(cases, first.name + "~again", &Case::name);
    REQUIRE(again != cases.end());
    CHECK_FALSE(again->is_public);
    CHECK(std::ranges::all_of(again, cases.end(), [](const Case& one) {
      return one.name.ends_with("~again");
    }));
    for (std::size_t i = 0; i < first.arguments.size(); ++i) {
      const auto& before = first.arguments[i].tensor.data;
      const auto& after = again->arguments[i].tensor.data;
      REQUIRE(after.size() == before.size());
      CHECK(after.front() == before.front());
      CHECK(after.back() == before.back());
      CHECK(after[before.size() / 2] != before[before.size() / 2]);
    }
    CHECK(max_error(again->expected.output,
                    evaluate_reference(*again).output) == 0.0);
  }
}

TEST_CASE("a set of a form is made once", "[task_book]") {
  TaskBook book = shipped_book(false);
  const ClassForm form{.widths = Widths::values_as_keys};
  const CaseSet& first = book.cases("self_attention", DType::float64, form);
  CHECK(&first == &book.cases("self_attention", DType::float64, form));
  CHECK(&first != &book.cases("self_attention", DType::float32, form));
  CHECK(&first != &book.cases("self_attention", DType::float64));
}

TEST_CASE("inputs of a form are rounded to the precision asked for",
          "[task_book]") {
  TaskBook book = shipped_book(false);
  const CaseSet& set = book.cases("self_attention", DType::float32,
                                  {.widths = Widths::all_equal});
  for (const NamedTensor& argument : set.cases.front().arguments) {
    for (const double value : argument.tensor.data) {
      CHECK(value == static_cast<double>(static_cast<float>(value)));
    }
  }
}

TEST_CASE("a class that fixes a large width gets few cases", "[task_book]") {
  TaskBook book = shipped_book(true);
  const CaseSet& set = book.cases("causal_multi_head_attention", DType::float64,
                                  {.d_model = 300});
  CHECK(set.cases.size() > 5);
  CHECK(set.cases.size() < 20);
  for (const Case& test_case : set.cases) {
    CHECK(test_case.rank == 3);
    CHECK(test_case.dimensions.d_model == 300);
  }
}

TEST_CASE("probes are a few public cases of one rank", "[task_book]") {
  TaskBook book = shipped_book(true);
  for (const int rank : {2, 3}) {
    const CaseSet& probes =
        book.probes("masked_multi_head_attention", DType::float64,
                    {.masks = {MaskAxes::batch_one_one_keys}}, rank);
    CHECK(probes.cases.size() >= 3);
    CHECK(probes.cases.size() <= 5);
    for (const Case& test_case : probes.cases) {
      CHECK(test_case.rank == rank);
      CHECK(test_case.is_public);
      CHECK(test_case.mask->shape.size() == static_cast<std::size_t>(rank + 1));
    }
  }
  CHECK(book.probes("self_attention", DType::float64, {.ranks = {3}}, 2)
            .cases.empty());
}

}  // namespace grader
