// SPDX-License-Identifier: MIT
#include "/etc/passwd"
