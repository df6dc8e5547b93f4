// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/isolation/fork_servers.hpp"
#include "grader/loader/context.hpp"
#include "grader/loader/interpreter.hpp"

namespace grader {

// An interpreter that has loaded the host, numpy and the libraries named, for
// one submission or `many`; a copy of it is told what
// worker/attngrade_host/fork_server.py says.
ServerPlan python_server(const Interpreter& interpreter,
                         const std::filesystem::path& host,
                         const std::vector<std::string>& libraries, bool many,
                         const Isolation& isolation);

// Starts the server that a first submission in numpy will want, so that it
// loads while the grader does other things.
void warm_up(const Interpreter& interpreter, const LoaderContext& context);

}  // namespace grader
