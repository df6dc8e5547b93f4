// SPDX-License-Identifier: MIT
// What attngrade_add_self_check() makes of a candidate's own functions: a
// program that grades the functions linked into it. It is its own worker host,
// so a crash or a hang ends a child and not the check.
#pragma once

// The arguments of main, and the folder with tasks/ and cases/. Returns the
// exit code of `attngrade check`.
extern "C" int attngrade_self_check(int argc, char** argv,
                                    const char* fixtures);
