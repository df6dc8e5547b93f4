// SPDX-License-Identifier: MIT
// One submission from its bytes to its records.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "grader/loader/judge.hpp"
#include "grader/loader/prepare.hpp"
#include "grader/report/record.hpp"
#include "grader/submission/discover.hpp"
#include "grader/task_book.hpp"
#include "grader/witness.hpp"
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
  std::vector<Record> grade_matches(std::unique_ptr<Worker> worker,
                                    const Program& program,
                                    const std::vector<Match>& matches,
                                    const Record& run_by);
  Record grade_match(Worker& worker, const Program& program, const Match& match,
                     const Record& blank);
  Match with_telling_precision(const Match& match, Language language,
                               std::vector<std::string>& remarks);
  std::variant<LoadFailure, CannotGrade> judge(const LoadFailure& failure,
                                               const Program& program);
  TryModule module_trial(const Program& program) const;
  std::optional<CannotGrade> doubt(const Program& program, const Match& match);
  void note_adapter(const Program& program, Record& record) const;
  std::optional<Record> stopped_by_machine(const Worker& worker,
                                           const Observations& observations,
                                           const Program& program,
                                           const Match& match,
                                           const Record& blank);
  std::optional<Record> without_answers(const Worker& worker,
                                        const Observations& observations,
                                        const Program& program,
                                        const Match& match,
                                        const Record& blank);
  std::optional<Match> with_other_arrays(const Program& program,
                                         const Match& match);
  std::optional<Record> with_tokens_before_heads(const Program& program,
                                                 const Match& match,
                                                 const Record& blank);

  TaskBook& tasks_;
  Witness witness_;
  LoaderContext loader_;
  MatchOptions match_;
  Limits limits_;
};

}  // namespace grader
