// SPDX-License-Identifier: MIT
#include "grader/loader/adapter.hpp"

#include "grader/loader/test_tasks.hpp"
#include "grader/system/error.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

Task with_adapter(const std::string& name, const std::string& path) {
  Task task;
  task.name = name;
  task.adapter = AdapterFile{path, path.substr(path.rfind('/') + 1), ""};
  return task;
}

Task plain_task(const std::string& name) {
  Task task;
  task.name = name;
  return task;
}

std::string found_adapter(const std::vector<Task>& tasks,
                          const std::string& wanted = "") {
  const auto found = adapter_of(tasks, wanted);
  return found ? found->path.string() : "none";
}

TEST_CASE("the adapter of one task is that of the run", "[adapter]") {
  CHECK(found_adapter({plain_task("a")}) == "none");
  CHECK(found_adapter({plain_task("a"), with_adapter("b", "/x.py")}) ==
        "/x.py");
  CHECK(found_adapter({with_adapter("a", "/x.py"),
                       with_adapter("b", "/x.py")}) == "/x.py");
}

TEST_CASE("the adapter of a task that is not wanted is left alone",
          "[adapter]") {
  const std::vector<Task> tasks = {with_adapter("a", "/x.py"),
                                   with_adapter("b", "/y.py"), plain_task("c")};
  CHECK(found_adapter(tasks, "a") == "/x.py");
  CHECK(found_adapter(tasks, "b") == "/y.py");
  CHECK(found_adapter(tasks, "c") == "none");
}

TEST_CASE("two adapters at once are refused, and named", "[adapter]") {
  try {
    adapter_of({with_adapter("a", "/x.py"), with_adapter("b", "/y.py")}, "");
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(error.blame() == Blame::usage);
    const std::string text = error.what();
    for (const char* part : {"tasks a and b", "/x.py", "/y.py", "--task"}) {
      CHECK(text.find(part) != std::string::npos);
    }
  }
}

}  // namespace
}  // namespace grader
