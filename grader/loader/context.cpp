// SPDX-License-Identifier: MIT
#include "grader/loader/context.hpp"

#include "grader/isolation/fork_servers.hpp"
#include "grader/loader/staging.hpp"

namespace grader {

LoaderContext make_loader_context(const LoaderSettings& settings) {
  LoaderContext context;
  context.python_host = settings.scratch / "host" / "attngrade_host";
  context.interpreters = std::make_shared<Interpreters>(
      settings.python, settings.closed, context.python_host);
  context.compilers = find_compilers();
  context.tasks = settings.tasks;
  context.match = settings.match;
  context.native_host = settings.native_host;
  context.include_folder = settings.include_folder;
  context.scratch = settings.scratch;
  context.isolation = settings.isolation;
  context.limits = settings.limits;
  context.is_for_many = settings.is_for_many;
  if (settings.may_fork && settings.isolation.level != IsolationLevel::level1) {
    context.fork_servers = std::make_shared<ForkServers>(
        settings.isolation, settings.scratch,
        CopyLimits{settings.limits.memory + settings.limits.disk,
                   settings.limits.processes});
  }
  make_folder(context.python_host.parent_path());
  make_folder(context.python_host);
  for (const SourceFile& file : settings.python_host) {
    const std::filesystem::path target = context.python_host / file.name;
    std::filesystem::create_directories(target.parent_path());
    write_file(target, file.bytes);
  }
  make_readable(context.python_host.parent_path());
  return context;
}

}  // namespace grader
