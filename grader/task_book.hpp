// SPDX-License-Identifier: MIT
// The tasks of a run with their cases: the public ones with their golden
// numbers and, when grading, a fresh twin of each. Made on first use, shared by
// all threads, the same for every submission.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grader/diagnosis/explain.hpp"
#include "grader/diagnosis/score.hpp"
#include "grader/fixture/case.hpp"
#include "grader/fixture/class_form.hpp"
#include "grader/fixture/task.hpp"

namespace grader {

struct CaseSet {
  std::vector<Case> cases;
  std::vector<PreparedCase> prepared;  // of `cases`, in their order
};

class TaskBook {
 public:
  // `ranks` empty: those of the task. Throws Error on broken fixtures.
  TaskBook(const std::filesystem::path& fixtures, std::vector<int> ranks,
           bool use_twins, std::uint64_t seed);

  const std::vector<Task>& tasks() const { return tasks_; }

  const Task& task(const std::string& name) const {
    return *std::ranges::find(tasks_, name, &Task::name);
  }

  const Rubric& rubric(const std::string& task) const {
    return rubrics_.at(task);
  }

  // In lower precisions the inputs are rounded first and the reference uses the
  // rounded ones: the golden numbers are those of float64. Empty when no case
  // has a rank that is asked for. Throws Error.
  const CaseSet& cases(const std::string& task, DType precision);

  // The same for a class that builds its own projections. Cases that it cannot
  // take, or that would not tell apart what they are there for, are left out;
  // possibly all.
  const CaseSet& cases(const std::string& task, DType precision,
                       const ClassForm& form);

  // Three to five small public ones of one rank: enough to see which reading of
  // a class is right. Empty where none is left.
  const CaseSet& probes(const std::string& task, DType precision,
                        const ClassForm& form, int rank);

 private:
  // Of one precision; of a class's form, and of a probe's rank, or 0.
  using SetKey = std::tuple<std::string, DType, std::optional<ClassForm>, int>;

  const CaseSet& find_or_make(const SetKey& key);
  // These need the lock.
  const CaseSet& make_once(const SetKey& key);
  std::vector<Case> make_cases(const SetKey& key);
  const std::vector<Case>& public_cases(const std::string& task);
  std::vector<Case> adapted_cases(const std::string& task,
                                  const ClassForm& form);
  std::vector<Case> probe_cases(const std::string& task, const ClassForm& form,
                                int rank);

  std::vector<Task> tasks_;
  std::map<std::string, Rubric> rubrics_;  // by task
  std::vector<int> ranks_;
  bool use_twins_;
  std::uint64_t seed_;
  std::mutex mutex_;                                       // of what follows
  std::map<std::string, std::vector<Case>> public_cases_;  // by task
  std::map<SetKey, std::unique_ptr<CaseSet>> sets_;
};

}  // namespace grader
