// SPDX-License-Identifier: MIT
#include "grader/task_book.hpp"

#include <algorithm>

#include "grader/diagnosis/catalogue.hpp"
#include "grader/diagnosis/prediction.hpp"
#include "grader/diagnosis/separation.hpp"
#include "grader/fixture/golden.hpp"
#include "grader/system/error.hpp"

namespace grader {
namespace {

// Seeds of two twins must not meet when one of them is redrawn.
constexpr std::uint64_t seeds_of_one_twin = 1000;

void round_inputs(DType precision, Case& test_case) {
  test_case = rounded_arguments(test_case, precision);
  test_case.expected = evaluate_reference(test_case);
}

// A stale or mistyped golden number would be held against the candidates.
void demand_true_numbers(const Case& test_case) {
  for (const std::string& problem : verify_case(test_case)) {
    throw Error(Blame::usage, "cannot grade by case " + test_case.name +
                                  " of task " + test_case.task + ": " +
                                  problem +
                                  "; write its numbers anew with attngrade "
                                  "fixtures make");
  }
}

// What nobody can tell apart would be skipped in silence.
void demand_known_faults(const Case& test_case) {
  for (const std::string& id : test_case.separates) {
    if (id != "correct" && find_fault(id) == nullptr) {
      throw Error(Blame::usage,
                  "case " + test_case.name + " of task " + test_case.task +
                      ": \"separates\" names " + id +
                      ", which is no fault; attngrade faults lists them");
    }
  }
}

// The same recipe from the run's seed, redrawn until it tells apart what the
// case declares.
Case draw_twin(const Case& test_case, std::uint64_t first_seed) {
  for (std::uint64_t i = 0; i < seeds_of_one_twin; ++i) {
    Case twin = make_twin(test_case, first_seed + i);
    if (separations_hold(twin)) {
      return twin;
    }
  }
  throw Error(Blame::usage,
              "cannot draw a twin of case " + test_case.name + " of task " +
                  test_case.task + ": none of " +
                  std::to_string(seeds_of_one_twin) +
                  " seeds tells apart what the case declares in \"separates\"");
}

}  // namespace

TaskBook::TaskBook(const std::filesystem::path& fixtures,
                   std::vector<int> ranks, bool use_twins, std::uint64_t seed)
    : tasks_(read_tasks(fixtures)),
      ranks_(std::move(ranks)),
      use_twins_(use_twins),
      seed_(seed) {
  for (const Task& task : tasks_) {
    rubrics_.emplace(task.name, rubric_of(task));
  }
}

const CaseSet& TaskBook::cases(const std::string& task, DType precision) {
  const std::scoped_lock lock(mutex_);
  std::unique_ptr<CaseSet>& set = sets_[{task, precision}];
  if (!set) {
    auto made = std::make_unique<CaseSet>();
    made->cases = read_cases(*std::ranges::find(tasks_, task, &Task::name));
    if (precision != DType::float64) {
      for (Case& test_case : made->cases) {
        round_inputs(precision, test_case);
      }
    }
    made->prepared = prepare_cases(made->cases);
    set = std::move(made);
  }
  return *set;
}

std::vector<Case> TaskBook::read_cases(const Task& task) const {
  std::vector<Case> cases = grader::read_cases(task);
  std::ranges::for_each(cases, demand_true_numbers);
  std::ranges::for_each(cases, demand_known_faults);
  const std::vector<int>& ranks = ranks_.empty() ? task.ranks : ranks_;
  std::erase_if(cases, [&](const Case& test_case) {
    return std::ranges::find(ranks, test_case.rank) == ranks.end();
  });
  if (use_twins_) {
    add_twins(cases);
  }
  return cases;
}

void TaskBook::add_twins(std::vector<Case>& cases) const {
  const std::size_t count = cases.size();
  for (std::size_t i = 0; i < count; ++i) {
    cases.push_back(draw_twin(cases[i], seed_ + i * seeds_of_one_twin));
  }
}

}  // namespace grader
