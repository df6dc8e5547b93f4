// SPDX-License-Identifier: MIT
#include "grader/worker/native_host.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <optional>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "grader/worker/native_call.hpp"
#include "grader/worker/safetensors.hpp"

namespace grader {
namespace {

using nlohmann::json;

constexpr const char* known_symbols[] = {"attention",
                                         "masked_attention",
                                         "causal_attention",
                                         "multi_head_attention",
                                         "grouped_query_attention",
                                         "attention_f32",
                                         "masked_attention_f32",
                                         "causal_attention_f32",
                                         "multi_head_attention_f32",
                                         "grouped_query_attention_f32"};

// The grader is trusted here: its messages are as large as they are.
constexpr MessageLimits no_limits{std::uint64_t{1} << 30,
                                  std::uint64_t{1} << 40, 64};

class Channel {
 public:
  // Away from the numbers that a submission opens or closes by mistake.
  static std::optional<Channel> open() {
    const char* number = std::getenv("ATTNGRADE_CHANNEL");
    const int given = number == nullptr ? -1 : std::atoi(number);
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    const auto high =
        static_cast<int>(std::min<rlim_t>(200, limit.rlim_cur - 1));
    const int own = fcntl(given, F_DUPFD_CLOEXEC, high);
    if (own < 0) {
      return std::nullopt;
    }
    close(given);
    unsetenv("ATTNGRADE_CHANNEL");
    return Channel(own);
  }

  // Absent at the end of the stream.
  std::optional<Message> receive() const {
    std::string bytes;
    std::uint64_t header = 0;
    if (!read_more(bytes, sizeof header)) {
      return std::nullopt;
    }
    std::memcpy(&header, bytes.data(), sizeof header);
    if (!read_more(bytes, header)) {
      return std::nullopt;
    }
    const auto size = message_size(bytes, no_limits);
    const auto* known = std::get_if<std::optional<std::uint64_t>>(&size);
    if (known == nullptr || !*known ||
        !read_more(bytes, **known - bytes.size())) {
      return std::nullopt;
    }
    auto message = parse_message(bytes, no_limits);
    if (auto* complete = std::get_if<Message>(&message)) {
      return std::move(*complete);
    }
    return std::nullopt;
  }

  bool send(const Message& message) const {
    const std::string bytes = write_message(message);
    std::size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t count = ::send(number_, bytes.data() + sent,
                                   bytes.size() - sent, MSG_NOSIGNAL);
      if (count < 0 && errno != EINTR) {
        return false;
      }
      sent += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    return true;
  }

 private:
  explicit Channel(int number) : number_(number) {}

  bool read_more(std::string& bytes, std::uint64_t size) const {
    std::size_t done = bytes.size();
    bytes.resize(done + size);
    while (done < bytes.size()) {
      const ssize_t count =
          ::read(number_, bytes.data() + done, bytes.size() - done);
      if (count == 0 || (count < 0 && errno != EINTR)) {
        return false;
      }
      done += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    return true;
  }

  int number_;
};

Message status(const char* text) {
  Message message;
  message.metadata["status"] = text;
  return message;
}

json describe_symbol(const char* name) {
  return {{"name", name},
          {"line", 0},
          {"is_class", false},
          {"parameters", json::array()},
          {"takes_any", false},
          {"calls", json::array()},
          {"problem", std::string()}};
}

class Library {
 public:
  // Runs the submission's constructors. An empty path: the program itself.
  Message load(const std::string& path) {
    handle_ =
        dlopen(path.empty() ? nullptr : path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) {
      Message failed = status("load-failed");
      failed.metadata["kind"] = "link";
      failed.metadata["detail"] = dlerror();
      return failed;
    }
    json description{{"callables", json::array()}};
    for (const char* name : known_symbols) {
      if (dlsym(handle_, name) != nullptr) {
        description["callables"].push_back(describe_symbol(name));
      }
    }
    Message loaded = status("loaded");
    loaded.metadata["description"] = description.dump();
    return loaded;
  }

  Message call(const Message& request) const {
    const std::string name = request.text("callable");
    void* function =
        handle_ == nullptr ? nullptr : dlsym(handle_, name.c_str());
    if (function == nullptr) {
      Message missing = status("raised");
      missing.metadata["type"] = "symbol";
      missing.metadata["message"] = "there is no function " + name;
      return missing;
    }
    return call_native(function, request);
  }

 private:
  void* handle_ = nullptr;  // never closed: its code may still be needed
};

Message answer(Library& library, const Message& request) {
  return request.text("op") == "load" ? library.load(request.text("path"))
                                      : library.call(request);
}

}  // namespace

int run_native_host() {
  constexpr int no_channel = 2;
  const auto channel = Channel::open();
  if (!channel || !channel->send(status("ready"))) {
    return no_channel;
  }
  // What was printed must not be lost in a crash.
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Library library;
  while (const auto request = channel->receive()) {
    Message reply = answer(library, *request);
    reply.metadata["id"] = request->text("id");
    std::fflush(nullptr);
    if (!channel->send(reply)) {
      break;
    }
  }
  // Not by exit: destructors of the submission have no say any more.
  _exit(0);
}

}  // namespace grader
