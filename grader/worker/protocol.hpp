// SPDX-License-Identifier: MIT
// What the grader says to a host and what it understands of the answers; see
// protocol.md. Everything in an answer is hostile.
#pragma once

#include <cstdint>
#include <string>

#include "grader/worker/safetensors.hpp"
#include "grader/worker/worker.hpp"

namespace grader {

// The first message of a host.
MessageLimits ready_limits();

Message load_request(const Program& program, std::uint64_t id);
MessageLimits load_reply_limits();
// BadReply: the message is no answer to load. A submission may say that an
// adapter failed; it is believed where there is one.
std::variant<LoadOutcome, BadReply> read_load_reply(const Message& reply,
                                                    bool has_adapter = false);

Message call_request(const Match& match, const Call& call, std::uint64_t id);

// No result of this call, however wrong its shape, is larger: it leaves room
// for np.dot's (B, n, B, m), scores between all heads, and weights by width.
std::uint64_t largest_result(const Call& call);
MessageLimits call_reply_limits(const Call& call);

Outcome read_call_reply(const Message& reply);

// Shared with other dialects: the tensors of a call by their names, and the
// results in an answer.
std::vector<MessageArray> request_arrays(const Match& match, const Call& call);
Returned read_results(const Message& reply);

}  // namespace grader
