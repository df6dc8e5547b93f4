// SPDX-License-Identifier: MIT
// What a candidate's required parameter beside those of the task stands for,
// told by its name: a width, which the grader knows and passes, as in
// attention(q, k, v, d_k), or an option, which it can only leave alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/fixture/case.hpp"
#include "grader/loader/program.hpp"

namespace grader {

// Without projections the width of the model is that of a key. all_named: the
// tensors of the task were all found by their names; only then can a name as
// short as `d` be believed.
std::optional<Filling> filling_named(const std::string& parameter, Kind kind,
                                     bool all_named);

// The same for a parameter with a default, `d_k=64`, that is somebody's
// example: nothing where it may be an axis, `dim=-1`, or is too small to say.
std::optional<Filling> example_named(const Parameter& parameter, Kind kind,
                                     bool all_named);

// What is passed of the parameters that no argument of the task has. Beside a
// width of the model the heads are one, `d_model=512, num_heads=8`, for what is
// passed is the width of one head.
std::vector<FilledParameter> fill_beside(
    const std::vector<Parameter>& parameters, Kind kind, MaskMode mask_mode,
    bool all_named);

// What the constructor of a class is given: as fill_beside, or no dropout.
// Nothing where it needs something else.
std::optional<std::vector<FilledParameter>> fill_constructor(
    const Callable& callable, Kind kind, MaskMode mask_mode);

// A scale, a flag, a rate or a number of heads is never a tensor or a mask.
bool is_option(const std::string& parameter);

// The number that is passed, from the tensors of one call; none of a switch.
std::int64_t filling_value(Filling filling, Kind kind,
                           const std::vector<NamedTensor>& arguments,
                           const Dimensions& dimensions);

// The same, or what a switch is set to, as Python writes it: "16", "False".
std::string value_text(Filling filling, Kind kind,
                       const std::vector<NamedTensor>& arguments,
                       const Dimensions& dimensions);

// "d_k=16, dropout=0"
std::string filled_text(const std::vector<FilledParameter>& parameters,
                        std::string_view separator, Kind kind,
                        const std::vector<NamedTensor>& arguments,
                        const Dimensions& dimensions);

// "the width of a key", for people
std::string filling_text(Filling filling);

}  // namespace grader
