// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <map>
#include <thread>

#include "grader/commands.hpp"
#include "grader/diagnosis/self_test.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"
#include "grader/task_book.hpp"

namespace grader {
namespace {

struct Precision {
  DType dtype;
  const char* name;
};

constexpr std::array precisions = {Precision{DType::float64, "float64"},
                                   Precision{DType::float32, "float32"},
                                   Precision{DType::float16, "float16"},
                                   Precision{DType::bfloat16, "bfloat16"}};

// One task at one precision, with one seed of twins.
struct Job {
  std::string task;
  std::uint64_t seed;
  Precision precision;
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

std::vector<Job> list_jobs(const Options& options) {
  std::vector<Job> jobs;
  const std::uint64_t first = options.seed.value_or(1);
  for (const std::string& task : chosen_tasks(options)) {
    for (std::uint64_t seed = first; seed < first + options.seeds; ++seed) {
      for (const Precision& precision : precisions) {
        if (!options.dtype.empty() && options.dtype != precision.name) {
          continue;
        }
        for (const Answers answers :
             {Answers::output_and_weights, Answers::output_only}) {
          jobs.push_back({task, seed * 1'000'000, precision, answers});
        }
      }
    }
  }
  return jobs;
}

SelfTestResult run(const Job& job, const Options& options) {
  TaskBook book(find_data(options.fixtures).fixtures, options.ranks, true,
                job.seed);
  return run_self_test(book.cases(job.task, DType::float64).prepared,
                       {.precision = job.precision.dtype,
                        .answers = job.answers,
                        .doubles = options.double_step > 0,
                        .double_step = std::max(options.double_step, 1)});
}

using Totals = std::map<std::pair<std::string, std::string>, SelfTestResult>;

// Each thread takes the next job until none is left.
Totals run_all(const std::vector<Job>& jobs, const Options& options) {
  Totals totals;
  std::mutex mutex;
  std::size_t next = 0;
  std::exception_ptr failure;
  const auto work = [&] {
    for (;;) {
      std::size_t index = 0;
      {
        const std::scoped_lock lock(mutex);
        if (next == jobs.size() || failure) {
          return;
        }
        index = next++;
      }
      const Job& job = jobs[index];
      try {
        SelfTestResult result = run(job, options);
        const std::scoped_lock lock(mutex);
        totals[{job.task, job.precision.name}].add(result);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        failure = std::current_exception();
      }
    }
  };
  std::vector<std::thread> threads;
  const unsigned count =
      options.jobs != 0 ? options.jobs
                        : std::max(1U, std::thread::hardware_concurrency());
  threads.reserve(count);
  for (unsigned i = 0; i < count; ++i) {
    threads.emplace_back(work);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
  return totals;
}

int count_of(const std::map<Played, int>& counts, Played outcome) {
  const auto found = counts.find(outcome);
  return found == counts.end() ? 0 : found->second;
}

void print_row(const std::string& task, const std::string& what,
               const std::map<Played, int>& counts) {
  if (counts.empty()) {
    return;
  }
  std::array<char, 160> line{};
  std::snprintf(
      line.data(), line.size(), "%-33s %-9s %6d %6d %6d %6d %6d %6d",
      task.c_str(), what.c_str(), count_of(counts, Played::named),
      count_of(counts, Played::partly), count_of(counts, Played::unseen),
      count_of(counts, Played::undecided), count_of(counts, Played::missed),
      count_of(counts, Played::misnamed));
  std::cout << line.data() << "\n";
}

void print_forms(const std::string& task, const std::map<Played, int>& counts) {
  std::array<char, 160> line{};
  std::snprintf(line.data(), line.size(),
                "%-33s %-9s %6d right, %d accused, %d undecided", task.c_str(),
                "forms", count_of(counts, Played::right),
                count_of(counts, Played::accused),
                count_of(counts, Played::undecided));
  std::cout << line.data() << "\n";
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
  std::cout << "How often each was named, named in part (fewer faults give the "
               "same numbers),\nnot to be seen on these cases, undecided, "
               "missed or misnamed:\n\n"
            << "task, precision                              named   part "
               "unseen undec. missed misnamed\n";
  SelfTestResult all;
  for (const auto& [key, result] : totals) {
    const std::string title = key.first + " " + key.second;
    print_row(title, "singles", result.singles);
    print_row(title, "pairs", result.doubles);
    print_forms(title, result.right_forms);
    all.add(result);
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
