// SPDX-License-Identifier: MIT
// The tasks of a run with their cases: the public ones with their golden
// numbers and, when grading, a fresh twin of each. Made on first use, shared by
// all threads, the same for every submission.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "grader/diagnosis/explain.hpp"
#include "grader/diagnosis/score.hpp"
#include "grader/fixture/case.hpp"
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

  const Rubric& rubric(const std::string& task) const {
    return rubrics_.at(task);
  }

  // In lower precisions the inputs are rounded first and the reference uses the
  // rounded ones: the golden numbers are those of float64. Empty when no case
  // has a rank that is asked for. Throws Error.
  const CaseSet& cases(const std::string& task, DType precision);

 private:
  std::vector<Case> read_cases(const Task& task) const;
  void add_twins(std::vector<Case>& cases) const;

  std::vector<Task> tasks_;
  std::map<std::string, Rubric> rubrics_;  // by task
  std::vector<int> ranks_;
  bool use_twins_;
  std::uint64_t seed_;
  std::mutex mutex_;
  std::map<std::pair<std::string, DType>, std::unique_ptr<CaseSet>> sets_;
};

}  // namespace grader
