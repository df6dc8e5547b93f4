// SPDX-License-Identifier: MIT
#include "grader/worker/command_worker.hpp"

#include <thread>

#include "grader/worker/test_submission.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

// A program that answers as `body` says; it has request() -> bytes or None,
// reply(**{name: (shape, values)}) and say(bytes).
const std::string prelude = R"(
import json, struct, sys, time, os
def exactly(n):
    data = b''
    while len(data) < n:
        more = os.read(0, n - len(data))
        if not more:
            return None
        data += more
    return data
def request():
    head = exactly(8)
    if head is None:
        return None
    header = json.loads(exactly(struct.unpack('<Q', head)[0]))
    size = max(e['data_offsets'][1] for k, e in header.items()
               if k != '__metadata__')
    exactly(size)
    return header['__metadata__']
def say(data):
    while data:
        data = data[os.write(1, data):]
def reply(error=None, **tensors):
    header, data = {}, b''
    if error is not None:
        header['__metadata__'] = {'error': error}
    for name, (shape, values) in tensors.items():
        more = struct.pack('<%dd' % len(values), *values)
        header[name] = {'dtype': 'F64', 'shape': shape,
                        'data_offsets': [len(data), len(data) + len(more)]}
        data += more
    text = json.dumps(header).encode()
    return struct.pack('<Q', len(text)) + text + data
good = ([2, 4], [0.0] * 8)
)";

class Command {
 public:
  explicit Command(const std::string& body,
                   const Limits& limits = short_limits()) {
    Program program;
    program.language = Language::command;
    program.argv = {test_python(), "-S", "-E",
                    folder_.write("command.py", prelude + body).string()};
    program.environment = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8"};
    program.working_directory = folder_.path();
    worker_ = start_worker(program, limits);
    loaded_ = std::holds_alternative<Description>(worker_->load().result);
  }

  Outcome call() {
    Match match;
    match.task = "attention";
    return worker_->call(match, small_call());
  }
  Worker& worker() { return *worker_; }
  bool loaded() const { return loaded_; }

 private:
  TestFolder folder_;
  std::unique_ptr<Worker> worker_;
  bool loaded_ = false;
};

std::string bad_reply(const Outcome& outcome) {
  INFO(outcome_name(outcome));
  const auto* bad = std::get_if<BadReply>(&outcome);
  REQUIRE(bad != nullptr);
  return bad->why;
}

const std::string loop = "while request() is not None:\n    ";

TEST_CASE("one process answers call after call", "[command_worker]") {
  Command command(
      "pid = float(os.getpid())\n"
      "while True:\n"
      "    metadata = request()\n"
      "    if metadata is None: break\n"
      "    assert metadata['task'] == 'attention'\n"
      "    say(reply(output=([2], [float(metadata['call']), pid])))\n");
  REQUIRE(command.loaded());
  const auto first = returned(command.call()).results.at(0).values.data;
  const auto second = returned(command.call()).results.at(0).values.data;
  CHECK(first[0] == 1.0);
  CHECK(second[0] == 2.0);
  CHECK(first[1] == second[1]);
  CHECK(command.worker().cpu_seconds() > 0.0);
}

TEST_CASE("a program that answers once is started for each call",
          "[command_worker]") {
  Command command(
      "request()\nsay(reply(output=([1], [float(os.getpid())])))\n");
  const auto first = returned(command.call()).results.at(0).values.data;
  const auto second = returned(command.call()).results.at(0).values.data;
  CHECK(first != second);
}

TEST_CASE("an error in the reply is an exception of that call",
          "[command_worker]") {
  Command command(loop + "say(reply(error='no such shape'))\n");
  const Outcome outcome = command.call();
  CHECK(std::get<Raised>(outcome).message == "no such shape");
  CHECK(std::get<Raised>(command.call()).type == "error");
}

TEST_CASE("a program that ends without an answer has crashed",
          "[command_worker]") {
  const auto crashed = [](const std::string& body) {
    Command command(body);
    const Outcome outcome = command.call();
    INFO(body << outcome_name(outcome));
    return std::get<Crashed>(outcome);
  };
  CHECK(crashed("").exit_status == 0);
  CHECK(crashed("request()\nsys.exit(3)").exit_status == 3);
  CHECK(crashed("request()\nsay(reply(output=good)[:-1])").exit_status == 0);
  CHECK(crashed("request()\nos.kill(os.getpid(), 11)").signal == 11);
}

TEST_CASE("ending with a status after an answer is a crash of the next call",
          "[command_worker]") {
  Command command("request()\nsay(reply(output=good))\nsys.exit(1)\n");
  returned(command.call());
  CHECK(std::get<Crashed>(command.call()).exit_status == 1);
  returned(command.call());
}

TEST_CASE("print on stdout is named", "[command_worker]") {
  for (const char* body :
       {"print('Hello')\nsys.stdout.flush()\ntime.sleep(60)",
        "request()\nprint('Hello')", "print('Hello, world, this is long')",
        "request()\nprint('Hello', flush=True)\nsay(reply(output=good))\n"}) {
    Command command(body);
    INFO(body);
    CHECK(bad_reply(command.call()).find("it begins with 'Hello") !=
          std::string::npos);
  }
}

TEST_CASE("too much, too little and other bytes are bad replies",
          "[command_worker]") {
  const auto why = [](const std::string& body) {
    Command command(loop + body);
    return bad_reply(command.call());
  };
  CHECK(why("say(reply(output=([1000000], [0.0] * 1000000)))")
            .find("a message of more than") == 0);
  CHECK(why("say(b'\\xff' * 100)").find("a header of") == 0);
  CHECK(why("say(reply(output=good) + b'\\n')") ==
        "bytes after the end of the message");
  CHECK(why("say(struct.pack('<Q', 5) + b'[1,2]')") ==
        "the header is not a JSON object");
}

TEST_CASE("an answer that nobody asked for is none", "[command_worker]") {
  Command command(loop +
                  "say(reply(output=good))\n"
                  "    time.sleep(0.1)\n    say(reply(output=good))\n");
  returned(command.call());
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  CHECK(bad_reply(command.call()) == "an answer without a request");
}

TEST_CASE("hanging, computing and flooding end at their limits",
          "[command_worker]") {
  Command hanging("time.sleep(60)");
  CHECK(std::get<TimedOut>(hanging.call()).limit == TimeLimit::idle);
  Limits limits = short_limits();
  limits.cpu = std::chrono::duration<double>(0.3);
  Command computing("while True: pass", limits);
  CHECK(std::get<TimedOut>(computing.call()).limit == TimeLimit::cpu);
  CHECK(std::holds_alternative<NotRun>(computing.call()));
  Command flooding("while True: os.write(2, b'x' * 65536)");
  CHECK(std::get<LimitExceeded>(flooding.call()).what == "output");
  CHECK(flooding.worker().output().standard_error.starts_with("xxx"));
}

TEST_CASE("a program that never reads its requests is not waited for",
          "[command_worker]") {
  Command closing("os.close(0)\nos.close(1)\ntime.sleep(60)");
  CHECK(bad_reply(closing.call()) == "it closed the channel of its answers");
}

TEST_CASE("memory is bounded from the start", "[command_worker]") {
  Command command(
      "request()\n"
      "try:\n    x = bytearray(1 << 30)\n"
      "except MemoryError:\n    say(reply(error='memory'))\n");
  CHECK(std::get<Raised>(command.call()).message == "memory");
}

TEST_CASE("a program that cannot be started is the environment's matter",
          "[command_worker]") {
  const TestFolder folder;
  Program program;
  program.language = Language::command;
  program.argv = {folder.write("text.txt", "no program").string()};
  program.working_directory = folder.path();
  const auto worker = start_worker(program, short_limits());
  const LoadOutcome loaded = worker->load();
  const auto* obstacle = std::get_if<CannotGrade>(&loaded.result);
  REQUIRE(obstacle != nullptr);
  CHECK(obstacle->kind == "environment");
}

}  // namespace
}  // namespace grader
