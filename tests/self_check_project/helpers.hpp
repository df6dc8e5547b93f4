// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

void softmax(double* row, std::int64_t count);
