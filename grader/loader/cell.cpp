// SPDX-License-Identifier: MIT
#include "grader/loader/cell.hpp"

#include <cerrno>
#include <cmath>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

#include "grader/system/error.hpp"

namespace grader {
namespace {

// Backstop for a grader that is killed or stopped: the real limit is watched by
// the grader, more finely and over all processes of a submission.
rlim_t cpu_backstop(const Limits& limits) {
  return static_cast<rlim_t>(
      std::ceil(2.0 * limits.cpu.count() + limits.start.count()) + 1.0);
}

// A command says nothing when its runtime is up, so its memory cannot be
// counted from there on; and runtimes such as V8 or Java's reserve gigabytes of
// address space. So what it may *write* to is bounded, with this much for the
// runtime.
constexpr rlim_t runtime_data = rlim_t{256} << 20;  // bytes; V8 takes 50 MiB
constexpr rlim_t library_data = rlim_t{1} << 30;    // bytes; torch, JAX

// Root in a container may not limit the process of another user, as which its
// submissions run where there are no namespaces.
bool is_limited_from_the_start(const Program& program) {
  return program.isolation.level == IsolationLevel::level1 && geteuid() == 0;
}

SpawnRequest cell_request(const Program& program, const Limits& limits) {
  SpawnRequest request;
  request.argv = program.argv;
  request.environment = program.environment;
  request.working_directory = program.working_directory;
  const rlim_t cpu = cpu_backstop(limits);
  request.limits = {{RLIMIT_CORE, 0, 0},
                    {RLIMIT_CPU, cpu, cpu},
                    {RLIMIT_FSIZE, limits.disk, limits.disk},
                    {RLIMIT_NOFILE, limits.files, limits.files}};
  if (program.language == Language::command) {
    request.channel = Channel::standard_streams;
    const rlim_t data = limits.memory + runtime_data;
    request.limits.push_back({RLIMIT_DATA, data, data});
    return request;
  }
  request.channel = Channel::socket;
  if (is_limited_from_the_start(program)) {
    const rlim_t data = limits.memory + library_data;
    request.limits.push_back({RLIMIT_DATA, data, data});
  }
  request.environment.emplace_back("ATTNGRADE_CHANNEL=3");
  return request;
}

Confinement cell_confinement(const Program& program, const Limits& limits) {
  Confinement confinement = program.confinement;
  confinement.processes = limits.processes;
  confinement.disk = limits.disk;
  confinement.memory = limits.memory + limits.disk + memory_of_runtime;
  return confinement;
}

}  // namespace

std::unique_ptr<Child> spawn_cell(const Program& program,
                                  const Limits& limits) {
  if (auto copy = spawn_copy(program, limits, {"serve"})) {
    return copy;
  }
  return std::make_unique<Child>(confine(cell_request(program, limits),
                                         program.isolation,
                                         cell_confinement(program, limits)));
}

std::unique_ptr<Child> spawn_copy(const Program& program, const Limits& limits,
                                  std::vector<std::string> words) {
  if (program.fork_servers == nullptr || !program.server) {
    return nullptr;
  }
  SpawnRequest request = cell_request(program, limits);
  request.argv = std::move(words);
  request.argv.emplace_back();
  request.argv.insert(request.argv.end(), request.environment.begin(),
                      request.environment.end());
  return program.fork_servers->copy(*program.server, request,
                                    cell_confinement(program, limits));
}

std::uint64_t address_space(const Child& child) {
  const std::string pid = std::to_string(child.pid());
  std::uint64_t pages = 0;
  std::ifstream statm("/proc/" + pid + "/statm");
  if (!(statm >> pages)) {
    throw Error(Blame::environment,
                "cannot read the memory size of process " + pid + " in /proc");
  }
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void limit_memory(const Child& child, const Program& program,
                  std::uint64_t baseline, std::uint64_t memory) {
  if (is_limited_from_the_start(program)) {
    return;
  }
  const rlim_t bytes = baseline + memory;
  const rlimit limit{bytes, bytes};
  if (prlimit(child.pid(), RLIMIT_AS, &limit, nullptr) != 0) {
    throw Error(Blame::environment,
                "cannot limit the memory of a submission" + errno_text(errno));
  }
}

}  // namespace grader
