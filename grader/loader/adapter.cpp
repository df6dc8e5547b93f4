// SPDX-License-Identifier: MIT
#include "grader/loader/adapter.hpp"

#include <utility>

#include "grader/loader/inspection.hpp"
#include "grader/loader/prepare_python.hpp"
#include "grader/loader/staging.hpp"
#include "grader/system/error.hpp"

namespace grader {

std::optional<AdapterFile> adapter_of(const std::vector<Task>& tasks,
                                      const std::string& wanted_task) {
  const Task* first = nullptr;
  for (const Task& task : tasks) {
    const bool is_wanted = wanted_task.empty() || wanted_task == task.name;
    if (!is_wanted || !task.adapter) {
      continue;
    }
    if (first == nullptr) {
      first = &task;
    } else if (task.adapter->path != first->adapter->path) {
      throw Error(Blame::usage,
                  "the tasks " + first->name + " and " + task.name +
                      " name different adapters, " +
                      first->adapter->path.string() + " and " +
                      task.adapter->path.string() +
                      ": put their functions into one file, or name one task "
                      "with --task");
    }
  }
  return first == nullptr ? std::nullopt : first->adapter;
}

Program adapter_alone(const AdapterFile& file, const LoaderContext& context) {
  const Staging staging = stage({{file.name, file.text}}, context.scratch);
  const auto inspected =
      inspect_files({.interpreter = *context.interpreters->choose({}),
                     .host = context.python_host,
                     .root = staging.root,
                     .scratch = staging.notes,
                     .names = {file.name},
                     .isolation = context.isolation});
  Adapter adapter{.file = file,
                  .imports = all_imports(inspected, file.name),
                  .mentions_device = mention_device(inspected, file.name)};
  Program program = make_python(staging, adapter.imports, context);
  program.adapter = std::make_shared<const Adapter>(std::move(adapter));
  return program;
}

}  // namespace grader
