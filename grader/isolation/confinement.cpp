// SPDX-License-Identifier: MIT
#include "grader/isolation/confinement.hpp"

#include <string>
#include <utility>

#include "grader/system/child.hpp"

namespace grader {
namespace {

using Words = std::vector<std::string>;

void add(Words& words, const char* option,
         const std::vector<std::filesystem::path>& paths) {
  for (const std::filesystem::path& path : paths) {
    words.insert(words.end(), {option, path.string()});
  }
}

// Beside those that the caller sets.
constexpr ResourceLimit own_limits[] = {
    {RLIMIT_CORE, 0, 0},
    {RLIMIT_MSGQUEUE, 0, 0},
    {RLIMIT_MEMLOCK, 0, 0},
};

void add_limit(Words& words, const ResourceLimit& limit) {
  words.insert(words.end(),
               {"--limit", std::to_string(limit.resource),
                std::to_string(limit.soft), std::to_string(limit.hard)});
}

void add_cell(Words& words, const SpawnRequest& request,
              const Isolation& isolation, const Confinement& confinement) {
  const std::string folder = request.working_directory.string();
  words.insert(
      words.end(),
      {"--work", confinement.work.empty() ? folder : confinement.work.string(),
       "--in", folder, "--disk", std::to_string(confinement.disk)});
  add(words, "--show", confinement.shown);
  add(words, "--hide", isolation.hidden);
  if (!confinement.taken.empty()) {
    add(words, "--take", {confinement.taken});
  }
  if (isolation.level == IsolationLevel::level3 && confinement.memory > 0) {
    words.insert(words.end(), {"--memory", std::to_string(confinement.memory)});
  }
  if (isolation.level == IsolationLevel::level1) {
    words.emplace_back("--no-namespaces");
  }
  if (confinement.may_start_programs) {
    words.emplace_back("--programs");
  }
  if (confinement.is_server) {
    words.emplace_back("--server");
  }
  // With nothing around it the user's other processes would count.
  if (isolation.level != IsolationLevel::level0) {
    for (const ResourceLimit& limit : own_limits) {
      add_limit(words, limit);
    }
    add_limit(words,
              {RLIMIT_NPROC, confinement.processes, confinement.processes});
  }
  for (const ResourceLimit& limit : request.limits) {
    add_limit(words, limit);
  }
}

SpawnRequest with_words(SpawnRequest request, Words words) {
  words.emplace_back("--");
  words.insert(words.end(), request.argv.begin(), request.argv.end());
  request.argv = std::move(words);
  request.limits.clear();
  request.is_kept = true;
  return request;
}

}  // namespace

SpawnRequest confine(SpawnRequest request, const Isolation& isolation,
                     const Confinement& confinement) {
  request.counters = isolation.counters;
  if (isolation.level == IsolationLevel::level0) {
    return request;
  }
  Words words = {isolation.keeper.string()};
  add_cell(words, request, isolation, confinement);
  return with_words(std::move(request), std::move(words));
}

SpawnRequest confine_copy(SpawnRequest request, const Isolation& isolation,
                          const Confinement& confinement) {
  request.counters = isolation.counters;
  Words words = {"--copy"};
  if (isolation.level == IsolationLevel::level0) {
    words.emplace_back("--open");
  }
  add_cell(words, request, isolation, confinement);
  return with_words(std::move(request), std::move(words));
}

}  // namespace grader
