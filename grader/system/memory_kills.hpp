// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace grader {

// The kernel's counters, and how many processes it has killed since its start
// for want of memory by these: its own, or a control group's. All of them,
// outside of a container too. Empty where it does not say.
constexpr const char* kernel_counters = "/proc/vmstat";

std::optional<std::uint64_t> memory_kills(
    const std::filesystem::path& counters);

}  // namespace grader
