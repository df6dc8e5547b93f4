// SPDX-License-Identifier: MIT
// What the grader and a fork server say to each other, in packets
// (descriptor_passing.hpp). The server: "ready", once. The grader: words, with
// the files that a copy gets as stdout, stderr, channel and reports. The
// server: a pidfd of the new process, which ends it and all that is in its
// cell; or a text, why there is none.
#pragma once

#include <string>
#include <vector>

namespace grader {

// In the server; in a copy it is the channel.
constexpr int fork_channel = 3;
constexpr const char* fork_server_is_ready = "ready";

// Each ends with a NUL.
std::string join_words(const std::vector<std::string>& words);
std::vector<std::string> words_of(const std::string& text);

}  // namespace grader
