// SPDX-License-Identifier: MIT
// One sentence a person would say. The words of a fault are the catalogue's.
#pragma once

#include <string>
#include <vector>

#include "grader/diagnosis/classify.hpp"
#include "grader/diagnosis/diagnosis.hpp"

namespace grader {

// "divides by d_k instead of sqrt(d_k) and ..."; "the right answer" for none.
std::string describe_faults(const FaultSet& faults);

std::string describe_classification(const Classification& classification);

// "softmax", "mask", "weighted sum" or "unknown", from the broken properties.
std::string guess_stage(const std::vector<Property>& properties);

std::string describe_unclassified(const Evidence& evidence);

}  // namespace grader
