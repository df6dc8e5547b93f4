// SPDX-License-Identifier: MIT
// One submission from its bytes to its records.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "grader/loader/prepare.hpp"
#include "grader/report/record.hpp"
#include "grader/submission/discover.hpp"
#include "grader/task_book.hpp"
#include "grader/worker/worker.hpp"

namespace grader {

// What all submissions of a run share. Used from several threads.
class Grading {
 public:
  Grading(TaskBook& tasks, LoaderContext loader, MatchOptions match,
          Limits limits);

  // One record a task that the submission answers, at least one record.
  std::vector<Record> grade(Submission submission);

  // The same for a program that is ready to start.
  std::vector<Record> grade_program(const Program& program,
                                    const Record& blank);

 private:
  Record grade_match(Worker& worker, const Program& program, const Match& match,
                     const Record& blank);
  std::variant<LoadFailure, CannotGrade> judge(const LoadFailure& failure,
                                               const Program& program);
  std::optional<Match> with_numpy_arrays(const Program& program,
                                         const Match& match);
  std::optional<Record> with_tokens_before_heads(const Program& program,
                                                 const Match& match,
                                                 const Record& blank);
  std::optional<std::string> doubt_interpreter(const Program& program,
                                               const Match& match);
  std::string try_known_right(const Program& program, const Match& match);

  TaskBook& tasks_;
  LoaderContext loader_;
  MatchOptions match_;
  Limits limits_;
  std::mutex mutex_;
  // By interpreter, framework and task: why a right function comes out wrong
  // there, or "".
  std::map<std::string, std::string> doubts_;
};

}  // namespace grader
