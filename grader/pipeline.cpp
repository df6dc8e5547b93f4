// SPDX-License-Identifier: MIT
#include "grader/pipeline.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "grader/adapter_trial.hpp"
#include "grader/grading.hpp"
#include "grader/loader/python_server.hpp"
#include "grader/loader/staging.hpp"
#include "grader/report/wording.hpp"
#include "grader/submission/discover.hpp"
#include "grader/submission/temporary_folder.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"
#include "grader/task_book.hpp"
#include "grader/worker/hosts.hpp"

namespace grader {
namespace {

// Short enough to be typed again: --seed 123456.
std::uint64_t random_seed() {
  return std::random_device{}() % 1000000;
}

std::vector<SourceFile> python_host() {
  std::vector<SourceFile> files;
  for (const HostFile& file : python_host_files()) {
    files.push_back({std::string(file.name), std::string(file.text)});
  }
  return files;
}

LoaderContext make_loader(const Settings& settings,
                          const std::vector<Task>& tasks,
                          std::size_t submissions,
                          const std::filesystem::path& scratch) {
  std::vector<std::filesystem::path> closed = settings.paths;
  closed.push_back(settings.fixtures);
  return make_loader_context({.python = settings.python,
                              .tasks = tasks,
                              .match = settings.match,
                              .python_host = python_host(),
                              .native_host = settings.native_host,
                              .include_folder = settings.include_folder,
                              .scratch = scratch,
                              .closed = std::move(closed),
                              .isolation = settings.isolation.isolation,
                              .may_fork = settings.lane != "exec",
                              .limits = settings.limits,
                              .is_for_many = submissions > 1});
}

bool is_in_python(const Submission& submission) {
  return submission.form == Form::python || submission.form == Form::notebook;
}

// Warms up, if there is use for it, the one that is found. Without isolation
// the likely one before that: to a cell its folders must be known.
InterpreterPtr find_interpreter(const LoaderContext& loader,
                                const std::vector<Submission>& submissions) {
  const bool is_wanted = std::ranges::any_of(submissions, is_in_python);
  if (is_wanted && loader.isolation.level == IsolationLevel::level0) {
    Interpreter likely;
    likely.executable = loader.interpreters->likely();
    if (!likely.executable.empty()) {
      warm_up(likely, loader);
    }
  }
  InterpreterPtr found = loader.interpreters->choose({});
  if (is_wanted && found != nullptr) {
    warm_up(*found, loader);
  }
  return found;
}

// While the interpreter loads: of the task that is asked for, or of the one
// that most submissions are about.
void read_likely_cases(const Settings& settings, TaskBook& tasks) {
  const std::string task =
      settings.match.task.empty() ? "attention" : settings.match.task;
  if (std::ranges::count(tasks.tasks(), task, &Task::name) == 0) {
    return;
  }
  try {
    tasks.cases(task, DType::float64);
  } catch (const Error&) {
    return;  // met again by a submission that needs them
  }
}

Record grader_failed(const Submission& submission, const std::string& why) {
  Record record;
  record.file = submission.file;
  record.verdict = Verdict::not_graded;
  record.summary = why;
  record.cause = Cause{.kind = "environment",
                       .detail = why,
                       .phase = "grader",
                       .limit = "",
                       .option = ""};
  return record;
}

// A failure of the grader itself must not take the run with it, and is never
// the candidate's.
std::vector<Record> grade_safely(Grading& grading,
                                 const Submission& submission) {
  try {
    return grading.grade(submission);
  } catch (const Error& failure) {
    if (failure.blame() == Blame::usage) {
      throw;  // a broken task or case: no submission can be judged by it
    }
    return {grader_failed(submission, failure.what())};
  } catch (const std::exception& failure) {
    return {grader_failed(submission, failure.what())};
  }
}

// The results stand in the order of the submissions, whichever thread is first.
std::vector<std::vector<Record>> grade_all(
    Grading& grading, const std::vector<Submission>& submissions, unsigned jobs,
    const Progress& progress) {
  std::vector<std::vector<Record>> results(submissions.size());
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::size_t done = 0;
  std::exception_ptr stop;
  const auto finish = [&](std::size_t i) {
    results[i] = grade_safely(grading, submissions[i]);
    const std::scoped_lock lock(mutex);
    ++done;
    if (progress && !stop) {
      progress(done, submissions.size(), submissions[i].file);
    }
  };
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < submissions.size(); i = next++) {
        finish(i);
      }
    } catch (...) {
      const std::scoped_lock lock(mutex);
      stop = std::current_exception();
      next = submissions.size();
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < std::min<std::size_t>(jobs, results.size());
       ++i) {
    threads.emplace_back(work);
  }
  work();
  threads.clear();
  if (stop) {
    std::rethrow_exception(stop);
  }
  return results;
}

Discovery find_submissions(const Settings& settings) {
  if (settings.command.empty()) {
    return discover(settings.paths, {.recursive = settings.recursive,
                                     .as_one = settings.as_one});
  }
  Submission submission;
  submission.typed = settings.command;
  submission.file = settings.command;
  submission.form = Form::command;
  return {{submission}, {}};
}

Run start_run(const Settings& settings) {
  Run run;
  run.seed = settings.seed ? *settings.seed : random_seed();
  run.command = settings.use_twins ? "grade" : "check";
  run.isolation_level = to_string(settings.isolation.isolation.level);
  run.isolation_detail = settings.isolation.detail;
  return run;
}

// What became of --lane.
void describe_lane(const Settings& settings, ForkServers* servers, Run& run) {
  std::vector<std::string> obstacles;
  if (servers != nullptr) {
    obstacles = servers->obstacles();
  } else if (settings.lane != "exec") {
    obstacles = {"there are no fork servers at " + run.isolation_level};
  }
  run.lane = servers != nullptr && servers->has_copied() ? "fork" : "exec";
  run.lane_detail = join(obstacles, "; ");
  if (settings.lane == "fork" && !obstacles.empty()) {
    throw Error(Blame::environment,
                "cannot keep to --lane fork: " + run.lane_detail);
  }
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace

Run run_pipeline(const Settings& settings, const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  Run run = start_run(settings);
  TaskBook tasks(settings.fixtures, settings.ranks, settings.use_twins,
                 run.seed);
  const Discovery discovery = find_submissions(settings);
  for (const char* prefix : {"attngrade", "attngrade-probe"}) {
    remove_abandoned(temporary_root(), prefix);
  }
  const TemporaryFolder scratch(temporary_root(), "attngrade");
  let_pass(settings.isolation.isolation, scratch.path());
  LoaderContext loader = make_loader(
      settings, tasks.tasks(), discovery.submissions.size(), scratch.path());
  const InterpreterPtr interpreter =
      find_interpreter(loader, discovery.submissions);
  run.environment["python"] =
      interpreter == nullptr ? "none with numpy" : to_string(*interpreter);
  if (discovery.submissions.size() == 1 &&
      is_in_python(discovery.submissions.front())) {
    read_likely_cases(settings, tasks);
  }
  loader.adapter = try_adapter(tasks.tasks(), loader);
  const std::shared_ptr<ForkServers> servers = loader.fork_servers;
  Grading grading(tasks, std::move(loader), settings.match, settings.limits);
  run.submissions = discovery.submissions.size();
  run.passed_over = discovery.passed_over.size();
  for (std::vector<Record>& records :
       grade_all(grading, discovery.submissions, settings.jobs, progress)) {
    for (Record& record : records) {
      run.records.push_back(std::move(record));
    }
  }
  describe_lane(settings, servers.get(), run);
  run.seconds = seconds_since(start);
  return run;
}

Run check_program(const Program& program, const Settings& settings) {
  const auto start = std::chrono::steady_clock::now();
  Run run = start_run(settings);
  TaskBook tasks(settings.fixtures, settings.ranks, settings.use_twins,
                 run.seed);
  Grading grading(tasks, LoaderContext{}, settings.match, settings.limits);
  Record blank;
  blank.file = program.argv.front();
  run.submissions = 1;
  run.records = grading.grade_program(program, blank);
  run.seconds = seconds_since(start);
  return run;
}

}  // namespace grader
