// SPDX-License-Identifier: MIT
// Catch2 2 and 3 under one name.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>  // IWYU pragma: export
using Catch::Approx;
#else
#include <catch2/catch.hpp>  // IWYU pragma: export
#endif
