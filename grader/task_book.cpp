// SPDX-License-Identifier: MIT
#include "grader/task_book.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "grader/diagnosis/catalogue.hpp"
#include "grader/diagnosis/prediction.hpp"
#include "grader/diagnosis/separation.hpp"
#include "grader/fixture/adapt.hpp"
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
    // A small --seed can meet that of the public case.
    if (twin.seed != test_case.seed && separations_hold(twin)) {
      return twin;
    }
  }
  throw Error(Blame::usage,
              "cannot draw a twin of case " + test_case.name + " of task " +
                  test_case.task + ": none of " +
                  std::to_string(seeds_of_one_twin) +
                  " seeds tells apart what the case declares in \"separates\"");
}

void add_twins(std::uint64_t first_seed, std::vector<Case>& cases) {
  const std::size_t count = cases.size();
  for (std::size_t i = 0; i < count; ++i) {
    cases.push_back(draw_twin(cases[i], first_seed + i * seeds_of_one_twin));
  }
}

// The first case of each rank once more, last of all, with new values that look
// like the old ones.
void add_look_alikes(std::uint64_t seed, std::vector<Case>& cases) {
  std::set<int> ranks;
  const std::size_t count = cases.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (ranks.insert(cases[i].rank).second) {
      cases.push_back(
          make_look_alike(cases[i], seed + cases.size() * seeds_of_one_twin));
    }
  }
}

bool is_look_alike(const Case& test_case) {
  return test_case.name.ends_with("~again");
}

// In the numbers of all arguments; 2^24 of them are 128 MiB.
constexpr std::int64_t heavy_case = 1 << 17;
constexpr std::int64_t heaviest_set = 1 << 24;

// A class's own sizes may leave a case without what it is there for. Another
// seed helps against bad luck only; to see it takes longer than a heavy case is
// worth.
constexpr std::uint64_t seeds_of_adapted = 16;

bool draw_separated(Case& recipe) {
  if (is_drawn(recipe)) {
    return true;
  }
  if (recipe.form->d_model != 0 || recipe.form->heads != 0) {
    forget_equal_scales(recipe);
  }
  for (std::uint64_t i = 0; i < seeds_of_adapted; ++i, ++recipe.seed) {
    draw_adapted(recipe);
    if (count_numbers(recipe) > heavy_case || separations_hold(recipe)) {
      return true;
    }
  }
  return false;
}

bool is_heavy(const std::vector<Case>& recipes) {
  return std::ranges::any_of(recipes, [](const Case& recipe) {
    return count_numbers(recipe) > heavy_case;
  });
}

// Where a class fixes a large width every case costs as much as a whole set
// does otherwise: the public ones of the highest rank have to do, those first
// that separate most.
std::vector<Case> lightened(std::vector<Case> recipes) {
  const int highest = std::ranges::max(recipes, {}, &Case::rank).rank;
  std::erase_if(recipes, [highest](const Case& recipe) {
    return !recipe.is_public || recipe.rank != highest;
  });
  std::ranges::stable_sort(recipes, std::greater{}, [](const Case& recipe) {
    return recipe.separates.size();
  });
  std::int64_t room = heaviest_set;
  std::erase_if(recipes, [&room](const Case& recipe) {
    room -= count_numbers(recipe);
    return room < 0;
  });
  return recipes;
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
  return find_or_make({task, precision, std::nullopt, 0});
}

const CaseSet& TaskBook::cases(const std::string& task, DType precision,
                               const ClassForm& form) {
  return find_or_make({task, precision, form, 0});
}

const CaseSet& TaskBook::probes(const std::string& task, DType precision,
                                const ClassForm& form, int rank) {
  return find_or_make({task, precision, form, rank});
}

const CaseSet& TaskBook::find_or_make(const SetKey& key) {
  const std::scoped_lock lock(mutex_);
  return make_once(key);
}

const CaseSet& TaskBook::make_once(const SetKey& key) {
  std::unique_ptr<CaseSet>& set = sets_[key];
  if (!set) {
    auto made = std::make_unique<CaseSet>();
    made->cases = make_cases(key);
    made->prepared = prepare_cases(made->cases);
    set = std::move(made);
  }
  return *set;
}

std::vector<Case> TaskBook::make_cases(const SetKey& key) {
  const auto& [task, precision, form, rank] = key;
  std::vector<Case> cases;
  if (form) {
    cases =
        rank == 0 ? adapted_cases(task, *form) : probe_cases(task, *form, rank);
  } else {
    cases = public_cases(task);
    if (use_twins_) {
      add_twins(seed_, cases);
      add_look_alikes(seed_, cases);
    }
  }
  if (precision != DType::float64) {
    for (Case& test_case : cases) {
      round_inputs(precision, test_case);
    }
  }
  return cases;
}

const std::vector<Case>& TaskBook::public_cases(const std::string& task) {
  const auto known = public_cases_.find(task);
  if (known != public_cases_.end()) {
    return known->second;
  }
  const Task& found = *std::ranges::find(tasks_, task, &Task::name);
  std::vector<Case> cases = read_cases(found);
  std::ranges::for_each(cases, demand_true_numbers);
  std::ranges::for_each(cases, demand_known_faults);
  const std::vector<int>& ranks = ranks_.empty() ? found.ranks : ranks_;
  std::erase_if(cases, [&](const Case& test_case) {
    return std::ranges::find(ranks, test_case.rank) == ranks.end();
  });
  return public_cases_[task] = std::move(cases);
}

// Twins are recipes of their own: they start from other seeds.
std::vector<Case> TaskBook::adapted_cases(const std::string& task,
                                          const ClassForm& form) {
  const CaseSet& base = make_once({task, DType::float64, std::nullopt, 0});
  // Drawn anew from their recipes, those that look alike would do so no more.
  std::vector<Case> drawn = base.cases;
  std::erase_if(drawn, is_look_alike);
  std::vector<Case> recipes = adapted_recipes(drawn, form);
  if (is_heavy(recipes)) {
    recipes = lightened(std::move(recipes));
  }
  std::vector<Case> cases;
  for (Case& recipe : recipes) {
    if (draw_separated(recipe)) {
      cases.push_back(std::move(recipe));
    }
  }
  return cases;
}

std::vector<Case> TaskBook::probe_cases(const std::string& task,
                                        const ClassForm& form, int rank) {
  std::vector<Case> recipes = adapted_recipes(public_cases(task), form);
  std::vector<Case> probes;
  for (const std::size_t i : choose_probes(recipes, rank)) {
    probes.push_back(std::move(recipes[i]));
    if (!is_drawn(probes.back())) {
      draw_adapted(probes.back());
    }
  }
  return probes;
}

}  // namespace grader
