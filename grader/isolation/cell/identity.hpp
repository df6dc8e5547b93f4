// SPDX-License-Identifier: MIT
// Who the submission is: an id without rights, inside and out.
#pragma once

#include <filesystem>
#include <sys/types.h>

namespace grader {

// Inside the cell's user namespace, user and group; the only ones there.
constexpr unsigned cell_id = 1000;

// By the keeper, from outside: `warden` has just been made. For root an
// unprivileged id stands behind cell_id, for anybody else their own.
void map_identity(pid_t warden);

// By the warden, once that is done. It keeps its capabilities in the cell.
void take_identity();

// Without a user namespace: root becomes nobody, anybody else stays who they
// are.
void give_up_root();
// Before that.
void give_to_inmate(const std::filesystem::path& folder);

// For good: none can be had again, by no program.
void drop_capabilities();

}  // namespace grader
