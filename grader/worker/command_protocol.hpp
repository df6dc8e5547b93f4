// SPDX-License-Identifier: MIT
// What the grader says to a command and what it understands of the answers; see
// docs/commands.md. Everything in an answer is hostile.
#pragma once

#include <cstdint>

#include "grader/worker/exchange.hpp"
#include "grader/worker/protocol.hpp"

namespace grader {

// `number` counts the calls of a submission, from 1 on.
Message command_request(const Match& match, const Call& call,
                        std::uint64_t number);

Outcome read_command_reply(const Message& reply);

// The reply, or how it went wrong: text on stdout is told from a broken message
// or a crash by what came in.
Outcome read_command_exchange(const Exchange& done);

}  // namespace grader
