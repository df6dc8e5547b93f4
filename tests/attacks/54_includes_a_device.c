// SPDX-License-Identifier: MIT
#include "/dev/zero"
