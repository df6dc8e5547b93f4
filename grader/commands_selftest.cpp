// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <mutex>
#include <thread>

#include "grader/commands.hpp"
#include "grader/diagnosis/self_test.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"
#include "grader/task_book.hpp"

namespace grader {
namespace {

constexpr std::array precisions = {DType::float64, DType::float32,
                                   DType::float16, DType::bfloat16};

// One task at one precision, with one seed of twins.
struct Job {
  std::string task;
  std::uint64_t seed;
  DType precision;
  Answers answers;
};

std::vector<std::string> chosen_tasks(const Options& options) {
  std::vector<std::string> names;
  for (const Task& task : read_tasks(find_data(options.fixtures).fixtures)) {
    if (options.task.empty() || task.name == options.task) {
      names.push_back(task.name);
    }
  }
  if (names.empty()) {
    throw Error(Blame::usage, "cannot test task " + one_line(options.task) +
                                  ": there is no such task");
  }
  return names;
}

std::vector<DType> chosen_precisions(const Options& options) {
  std::vector<DType> chosen;
  for (const DType precision : precisions) {
    if (options.dtype.empty() || options.dtype == to_string(precision)) {
      chosen.push_back(precision);
    }
  }
  return chosen;
}

std::vector<Job> list_jobs(const Options& options) {
  std::vector<Job> jobs;
  const std::uint64_t first = options.seed.value_or(1);
  const std::vector<DType> chosen = chosen_precisions(options);
  for (const std::string& task : chosen_tasks(options)) {
    for (std::uint64_t i = 0; i < options.seeds; ++i) {
      for (const DType precision : chosen) {
        const std::uint64_t seed = (first + i) * 1'000'000;
        jobs.push_back({task, seed, precision, Answers::output_and_weights});
        jobs.push_back({task, seed, precision, Answers::output_only});
      }
    }
  }
  return jobs;
}

SelfTestResult run(const Job& job, const Options& options) {
  TaskBook book(find_data(options.fixtures).fixtures, options.ranks, true,
                job.seed);
  const CaseSet& set = book.cases(job.task, DType::float64);
  if (set.prepared.empty()) {
    return {};  // a task without cases of the ranks
  }
  return run_self_test(set.prepared,
                       {.precision = job.precision,
                        .answers = job.answers,
                        .singles = !options.right_forms_only,
                        .doubles = options.double_step > 0,
                        .double_step = std::max(options.double_step, 1)});
}

using Totals = std::map<std::pair<std::string, std::string>, SelfTestResult>;

// Threads take the next job until none is left or one has failed.
class SelfTestRun {
 public:
  SelfTestRun(const std::vector<Job>& jobs, const Options& options)
      : jobs_(jobs), options_(options) {}

  void work() {
    while (const Job* job = next()) {
      try {
        add(*job, run(*job, options_));
      } catch (...) {
        const std::scoped_lock lock(mutex_);
        failure_ = std::current_exception();
      }
    }
  }

  const Totals& totals() const {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
    return totals_;
  }

 private:
  const Job* next() {
    const std::scoped_lock lock(mutex_);
    return failure_ || next_ == jobs_.size() ? nullptr : &jobs_[next_++];
  }

  void add(const Job& job, const SelfTestResult& result) {
    const std::scoped_lock lock(mutex_);
    totals_[{job.task, to_string(job.precision)}].add(result);
  }

  const std::vector<Job>& jobs_;
  const Options& options_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::exception_ptr failure_;
  Totals totals_;
};

Totals run_all(const std::vector<Job>& jobs, const Options& options) {
  SelfTestRun run(jobs, options);
  const unsigned count =
      options.jobs != 0 ? options.jobs
                        : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  threads.reserve(count);
  for (unsigned i = 0; i < count; ++i) {
    threads.emplace_back([&run] { run.work(); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  return run.totals();
}

int count_of(const std::map<Played, int>& counts, Played outcome) {
  const auto found = counts.find(outcome);
  return found == counts.end() ? 0 : found->second;
}

// "masked_attention               float64  singles"
std::string row_title(const std::string& task, const std::string& precision,
                      const char* what) {
  std::array<char, 80> title{};
  std::snprintf(title.data(), title.size(), "%-30s %-8s %-7s", task.c_str(),
                precision.c_str(), what);
  return title.data();
}

void print_row(const std::string& title, const std::map<Played, int>& counts) {
  if (counts.empty()) {
    return;
  }
  std::array<char, 80> numbers{};
  std::snprintf(
      numbers.data(), numbers.size(), "%6d%5d%6d%5d%5d%5d%5d",
      count_of(counts, Played::named), count_of(counts, Played::partly),
      count_of(counts, Played::unseen), count_of(counts, Played::undecided),
      count_of(counts, Played::missed), count_of(counts, Played::doubted),
      count_of(counts, Played::misnamed));
  std::cout << title << numbers.data() << "\n";
}

void print_forms(const std::string& title,
                 const std::map<Played, int>& counts) {
  std::cout << title << " " << count_of(counts, Played::right) << " right, "
            << count_of(counts, Played::accused) << " accused, "
            << count_of(counts, Played::undecided) << " open\n";
}

const char* word_of(Played outcome) {
  switch (outcome) {
    case Played::named:
      return "named";
    case Played::partly:
      return "partly named";
    case Played::unseen:
      return "unseen";
    case Played::undecided:
      return "undecided";
    case Played::misnamed:
      return "MISNAMED";
    case Played::doubted:
      return "in doubt";
    case Played::missed:
      return "MISSED";
    case Played::right:
      return "right";
    case Played::accused:
      return "ACCUSED";
  }
  return "";
}

// The worst first; the same confusion at many seeds is one line.
void print_confusions(const std::string& task, const SelfTestResult& result) {
  std::map<std::pair<int, std::string>, int> lines;
  for (const Confusion& confusion : result.confusions) {
    ++lines[{-static_cast<int>(confusion.outcome),
             std::string(word_of(confusion.outcome)) + ": " + confusion.played +
                 " -> " + confusion.answer + " [" + confusion.detail + "]"}];
  }
  for (const auto& [key, count] : lines) {
    std::cout << "  " << task << ", " << key.second
              << (count > 1 ? " x " + std::to_string(count) : "") << "\n";
  }
}

}  // namespace

int run_selftest(const Options& options) {
  const Totals totals = run_all(list_jobs(options), options);
  std::cout
      << "How often each was named; named in part (fewer faults give the "
         "same numbers);\nnot to be seen on any case; not explained; called "
         "correct; in half precision a tie\nof others; called another "
         "fault.\n\n"
      << row_title("task", "computes", "played")
      << "  named part unseen open miss  tie else\n";
  SelfTestResult all;
  for (const auto& [key, result] : totals) {
    print_row(row_title(key.first, key.second, "singles"), result.singles);
    print_row(row_title(key.first, key.second, "pairs"), result.doubles);
    print_forms(row_title(key.first, key.second, "right"), result.right_forms);
    all.add(result);
  }
  if (all.right_forms.empty()) {
    throw Error(Blame::usage,
                "cannot test anything: no case has one of the ranks that "
                "--ranks asks for");
  }
  std::cout << "\n";
  for (const auto& [key, result] : totals) {
    print_confusions(key.first, result);
  }
  std::cout << (all.is_clean()
                    ? "\nNo right form is accused, no fault is misnamed.\n"
                    : "\nThe diagnosis fails its own test.\n");
  return all.is_clean() ? exit_success : exit_finding;
}

}  // namespace grader
