// SPDX-License-Identifier: MIT
// For the tests of the worker: small submissions in a folder of their own, run
// under short limits.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <stdlib.h>
#include <string>
#include <utility>

#include "grader/worker/hosts.hpp"
#include "grader/worker/worker.hpp"
#include "tests/catch.hpp"

namespace grader {

class TestFolder {
 public:
  TestFolder() {
    std::string name = "/tmp/attngrade_worker_test_XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~TestFolder() { std::filesystem::remove_all(path_); }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name,
                              const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline std::string test_python() {
  const char* chosen = getenv("ATTNGRADE_PYTHON");
  return chosen != nullptr ? chosen : ATTNGRADE_PYTHON;
}

inline Program python_program(const TestFolder& folder,
                              const std::filesystem::path& submission) {
  Program program;
  const auto host = folder.path() / "host" / "attngrade_host";
  std::filesystem::create_directories(host);
  for (const HostFile& file : python_host_files()) {
    const auto target = host / file.name;
    std::filesystem::create_directories(target.parent_path());
    std::ofstream(target, std::ios::binary) << file.text;
  }
  program.argv = {test_python(), "-I", "-B", (host / "start.py").string()};
  program.environment = {"PATH=/usr/bin:/bin", "OPENBLAS_NUM_THREADS=1",
                         "LANG=C.UTF-8"};
  program.working_directory = folder.path();
  program.submission = submission;
  program.root = submission.parent_path();
  return program;
}

inline Limits short_limits() {
  Limits limits;
  limits.cpu = std::chrono::duration<double>(3.0);
  limits.wall = std::chrono::duration<double>(9.0);
  limits.idle = std::chrono::duration<double>(1.0);
  limits.memory = std::uint64_t{256} << 20;
  limits.output = std::uint64_t{1} << 20;
  return limits;
}

// A submission in Python that has been loaded.
class PythonSubmission {
 public:
  explicit PythonSubmission(const std::string& source,
                            const Limits& limits = short_limits(),
                            const std::string& file = "candidate.py")
      : worker_(start_worker(
            python_program(folder_, folder_.write(file, source)), limits)),
        loaded_(worker_->load()) {}

  Worker& worker() { return *worker_; }
  const TestFolder& folder() const { return folder_; }
  const LoadOutcome& loaded() const { return loaded_; }
  const Description& description() const {
    return std::get<Description>(loaded_.result);
  }
  LoadFailure failure() const { return std::get<LoadFailure>(loaded_.result); }

  // The callable of that name, as it described itself.
  Match match(const std::string& name) const {
    Match match;
    for (const Callable& callable : description().callables) {
      if (callable.name == name) {
        match.callable = callable;
      }
    }
    return match;
  }

  Outcome call(const Call& call, const std::string& name = "attention") {
    return worker_->call(match(name), call);
  }

 private:
  TestFolder folder_;
  std::unique_ptr<Worker> worker_;
  LoadOutcome loaded_;
};

// attention(q, k, v) on 2 queries and 3 keys, d_k = 2, d_v = 4, all values k/8.
inline Call small_call() {
  Call call;
  call.label = "small";
  call.rank = 2;
  call.dimensions.n = 2;
  call.dimensions.m = 3;
  call.dimensions.d_k = 2;
  call.dimensions.d_v = 4;
  const auto counted = [](reference::Shape shape) {
    reference::Tensor tensor(std::move(shape));
    for (std::size_t i = 0; i < tensor.data.size(); ++i) {
      tensor.data[i] = static_cast<double>(i) / 8.0;
    }
    return tensor;
  };
  call.arguments = {
      {"q", counted({2, 2})}, {"k", counted({3, 2})}, {"v", counted({3, 4})}};
  return call;
}

inline Returned returned(const Outcome& outcome) {
  INFO(outcome_name(outcome));
  const auto* result = std::get_if<Returned>(&outcome);
  REQUIRE(result != nullptr);
  return *result;
}

}  // namespace grader
