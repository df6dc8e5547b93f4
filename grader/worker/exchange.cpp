// SPDX-License-Identifier: MIT
#include "grader/worker/exchange.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <optional>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "grader/system/write_quietly.hpp"

namespace grader {
namespace {

using Clock = std::chrono::steady_clock;
using Result = std::variant<Message, Outcome>;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The answer as it comes in; nothing beyond its own length is accepted.
class Inbox {
 public:
  explicit Inbox(const MessageLimits& limits) : limits_(limits) {}

  // Reads without waiting. False: the other end is closed.
  bool receive(int channel) {
    std::array<char, 16384> buffer{};
    while (!is_complete() && error_.empty()) {
      const ssize_t count = read(channel, buffer.data(), buffer.size());
      if (count > 0) {
        bytes_.append(buffer.data(), static_cast<std::size_t>(count));
        look_at_size();
      } else if (count == 0) {
        return false;
      } else if (errno != EINTR) {
        return errno == EAGAIN;
      }
    }
    return true;
  }

  std::string beginning() const {
    constexpr std::size_t longest = 80;
    return bytes_.substr(0, longest);
  }

  // Once the whole answer is there, or can no longer be one.
  std::optional<Result> result() const {
    if (!error_.empty()) {
      return Result(Outcome(BadReply{error_}));
    }
    if (!is_complete()) {
      return std::nullopt;
    }
    auto message = parse_message(bytes_, limits_);
    if (const auto* error = std::get_if<std::string>(&message)) {
      return Result(Outcome(BadReply{*error}));
    }
    return Result(std::move(std::get<Message>(message)));
  }

 private:
  bool is_complete() const { return size_ && bytes_.size() >= *size_; }

  void look_at_size() {
    if (size_) {
      return;
    }
    auto size = message_size(bytes_, limits_);
    if (const auto* error = std::get_if<std::string>(&size)) {
      error_ = *error;
    } else {
      size_ = std::get<std::optional<std::uint64_t>>(size);
    }
  }

  const MessageLimits& limits_;
  std::string bytes_;
  std::optional<std::uint64_t> size_;
  std::string error_;
};

class Conversation {
 public:
  Conversation(Child& child, std::string_view request,
               const MessageLimits& limits, Streams& streams)
      : child_(child), unsent_(request), inbox_(limits), streams_(streams) {}

  Exchange run(const Allowance& allowance) {
    cpu_ = cpu_at_start_;
    // A request is answered once: bytes before it are forged or left over.
    std::optional<Result> result;
    if (!unsent_.empty() && has_unasked_bytes()) {
      inbox_.receive(child_.replies());
      result = Outcome(BadReply{"an answer without a request"});
    }
    while (!result) {
      wait_for_news(allowance);
      result = look_around(allowance);
    }
    update_clocks();
    if (std::holds_alternative<Outcome>(*result)) {
      child_.end();
      drain_streams();
    }
    return {std::move(*result), inbox_.beginning(), cpu_ - cpu_at_start_,
            seconds_since(start_)};
  }

 private:
  bool has_unasked_bytes() const {
    int waiting = 0;  // bytes
    return ioctl(child_.replies(), FIONREAD, &waiting) == 0 && waiting > 0;
  }

  void wait_for_news(const Allowance& allowance) {
    // The clocks are looked at this often even when nothing happens.
    const double pause = std::clamp(allowance.idle / 20.0, 0.001, 0.05);
    const bool has_more = is_request_open_ && !unsent_.empty();
    std::array<pollfd, 5> events{{
        {has_more ? child_.requests() : -1, POLLOUT, 0},
        {is_reply_open_ ? child_.replies() : -1, POLLIN, 0},
        {is_output_open_ ? child_.standard_output() : -1, POLLIN, 0},
        {is_error_open_ ? child_.standard_error() : -1, POLLIN, 0},
        {child_.exit_event(), POLLIN, 0},
    }};
    poll(events.data(), events.size(),
         static_cast<int>(std::ceil(1000.0 * pause)));
  }

  // Exit is looked at first: what a process wrote before it ended is then
  // still read.
  std::optional<Result> look_around(const Allowance& allowance) {
    const bool has_exited = child_.has_exited();
    update_clocks();
    send_some();
    is_reply_open_ = is_reply_open_ && inbox_.receive(child_.replies());
    drain_streams();
    if (streams_.is_over_limit()) {
      return Outcome(LimitExceeded{"output", "--output-limit", streams_.limit});
    }
    if (auto result = inbox_.result()) {
      return result;
    }
    if (has_exited) {
      const Ending ending = child_.end();
      if (ending.is_out_of_memory) {
        return Outcome(OutOfMemory{
            "its processes and files together passed the limit of memory"});
      }
      if (ending.signal == SIGXFSZ) {
        return Outcome(
            LimitExceeded{"disk", "--disk-limit", allowance.file_size});
      }
      return Outcome(
          Crashed{ending.signal, ending.exit_status,
                  ending.signal == SIGKILL && ending.machine_lacked_memory});
    }
    return check_clocks(allowance);
  }

  void send_some() {
    while (is_request_open_ && !unsent_.empty()) {
      const ssize_t count = write_quietly(child_.requests(), unsent_);
      if (count > 0) {
        unsent_.remove_prefix(static_cast<std::size_t>(count));
      } else if (errno != EINTR) {
        is_request_open_ = errno == EAGAIN;
        return;
      }
    }
  }

  void drain_streams() {
    is_output_open_ =
        is_output_open_ && drain(child_.standard_output(),
                                 streams_.standard_output) == DrainResult::open;
    is_error_open_ = is_error_open_ &&
                     drain(child_.standard_error(), streams_.standard_error) ==
                         DrainResult::open;
  }

  void update_clocks() {
    const double now = child_.cpu_seconds().value_or(cpu_);
    if (now > cpu_) {
      cpu_ = now;
      last_progress_ = Clock::now();
    }
  }

  std::optional<Result> check_clocks(const Allowance& allowance) const {
    std::optional<TimedOut> timed_out;
    if (cpu_ - cpu_at_start_ >= allowance.cpu) {
      timed_out = TimedOut{TimeLimit::cpu, allowance.cpu};
    } else if (seconds_since(start_) >= allowance.wall) {
      timed_out = TimedOut{TimeLimit::wall, allowance.wall};
    } else if (seconds_since(last_progress_) >= allowance.idle) {
      timed_out = TimedOut{TimeLimit::idle, allowance.idle};
    }
    if (!timed_out) {
      return std::nullopt;
    }
    if (!is_reply_open_) {
      return Outcome(BadReply{"it closed the channel of its answers"});
    }
    return Outcome(*timed_out);
  }

  Child& child_;
  std::string_view unsent_;
  Inbox inbox_;
  Streams& streams_;
  bool is_request_open_ = true;
  bool is_reply_open_ = true;
  bool is_output_open_ = child_.standard_output() >= 0;
  bool is_error_open_ = true;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_progress_ = start_;
  double cpu_at_start_ = child_.cpu_seconds().value_or(0.0);
  double cpu_ = 0.0;
};

}  // namespace

Exchange exchange(Child& child, std::string_view request,
                  const MessageLimits& limits, const Allowance& allowance,
                  Streams& streams) {
  return Conversation(child, request, limits, streams).run(allowance);
}

}  // namespace grader
