// SPDX-License-Identifier: MIT
#include "grader/loader/python_server.hpp"

#include "grader/loader/staging.hpp"

namespace grader {

ServerPlan python_server(const Interpreter& interpreter,
                         const std::filesystem::path& host,
                         const std::vector<std::string>& libraries, bool many,
                         const Isolation& isolation) {
  ServerPlan plan;
  plan.argv = {interpreter.executable.string(),
               "-s",
               "-B",
               (host / "fork_server.py").string(),
               isolation.fork_library.string(),
               many ? "many" : "one"};
  plan.argv.insert(plan.argv.end(), libraries.begin(), libraries.end());
  plan.environment = child_environment("/tmp", "/usr/bin:/bin");
  plan.shown = interpreter.places;
  plan.shown.insert(plan.shown.end(),
                    {host.parent_path(), isolation.fork_library});
  return plan;
}

void warm_up(const Interpreter& interpreter, const LoaderContext& context) {
  if (context.fork_servers != nullptr) {
    context.fork_servers->warm_up(
        python_server(interpreter, context.python_host, {}, context.is_for_many,
                      context.isolation));
  }
}

}  // namespace grader
