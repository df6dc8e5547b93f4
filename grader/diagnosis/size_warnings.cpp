// SPDX-License-Identifier: MIT
#include "grader/diagnosis/size_warnings.hpp"

#include <algorithm>
#include <cmath>

#include "grader/diagnosis/params.hpp"
#include "grader/fixture/words.hpp"

namespace grader {
namespace {

using Cases = std::vector<const Case*>;

// Sizes that a case of the kind chooses freely.
std::vector<Axis> chosen_axes(const Case& test_case) {
  std::vector<Axis> axes = free_axes(test_case.kind, test_case.rank);
  if (test_case.kind == Kind::multi_head_attention) {
    axes.push_back({"d_k", &Dimensions::d_k});
  }
  std::erase_if(axes, [&](const Axis& axis) {
    return test_case.mask_mode == MaskMode::causal && axis.name == "m";
  });
  return axes;
}

bool always_equal(const Axis& a, const Axis& b, const Cases& cases) {
  return std::ranges::all_of(cases, [&](const Case* test_case) {
    return test_case->dimensions.*a.size == test_case->dimensions.*b.size;
  });
}

void add_equal_sizes(const Cases& cases, std::vector<std::string>& warnings) {
  std::vector<Axis> axes = chosen_axes(*cases.front());
  while (!axes.empty()) {
    const Axis first = axes.front();
    std::string names;
    std::erase_if(axes, [&](const Axis& axis) {
      const bool is_equal = always_equal(first, axis, cases);
      if (is_equal) {
        names += (names.empty() ? "" : " = ") + axis.name;
      }
      return is_equal;
    });
    if (names != first.name) {
      warnings.push_back(names +
                         " in every case: what is read off one of them cannot "
                         "be told from the other");
    }
  }
}

void add_lonely_width(const Cases& cases, std::vector<std::string>& warnings) {
  const std::int64_t width = cases.front()->dimensions.d_k;
  if (std::ranges::all_of(cases, [&](const Case* test_case) {
        return test_case->dimensions.d_k == width;
      })) {
    warnings.push_back("d_k = " + std::to_string(width) +
                       " in every case: a constant " +
                       number_text(std::sqrt(static_cast<double>(width))) +
                       " cannot be told from sqrt(d_k)");
  }
}

}  // namespace

std::vector<std::string> size_warnings(const Cases& cases) {
  std::vector<std::string> warnings;
  add_equal_sizes(cases, warnings);
  add_lonely_width(cases, warnings);
  return warnings;
}

}  // namespace grader
