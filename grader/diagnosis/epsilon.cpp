// SPDX-License-Identifier: MIT
#include "grader/diagnosis/epsilon.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "grader/diagnosis/slope.hpp"

namespace grader {
namespace {

using reference::Tensor;

// The denominators that people add an epsilon to, of one row of the right
// scores, and what the row sums to.
struct Row {
  double weights = 0.0;
  double allowed = 0.0;         // sum over allowed keys of exp(z - their max)
  double shifted_by_all = 0.0;  // the same, shifted by the max of all keys
  double share = 0.0;           // of all keys' exponentials
};

Row sum_row(const Tensor& weights, const Tensor& scores, double slope,
            const reference::Mask& keep, std::size_t start) {
  const auto m = static_cast<std::size_t>(weights.size(-1));
  const auto is_allowed = [&](std::size_t cell) {
    return keep.data.empty() || keep.data[cell] != 0;
  };
  double largest_allowed = -std::numeric_limits<double>::infinity();
  double largest = largest_allowed;
  for (std::size_t cell = start; cell < start + m; ++cell) {
    const double z = slope * scores.data[cell];
    largest = std::max(largest, z);
    if (is_allowed(cell)) {
      largest_allowed = std::max(largest_allowed, z);
    }
  }
  Row row;
  double all = 0.0;
  for (std::size_t cell = start; cell < start + m; ++cell) {
    const double z = slope * scores.data[cell];
    row.weights += weights.data[cell];
    all += std::exp(z - largest);
    if (is_allowed(cell)) {
      row.allowed += std::exp(z - largest_allowed);
      row.shifted_by_all += std::exp(z - largest);
    }
  }
  row.share = row.shifted_by_all / all;
  return row;
}

void add_rows(const Evidenced& evidenced, double slope,
              std::vector<Row>& rows) {
  const Tensor& weights = *evidenced.observation->weights;
  const FormulaInputs& inputs = evidenced.prepared->inputs;
  const Tensor& scores = inputs.right_scores();
  const std::optional<reference::Mask>& mask = inputs.mask;
  const reference::Mask keep =
      mask ? reference::broadcast_to(*mask, scores.shape) : reference::Mask{};
  const auto& ignored = evidenced.prepared->basis.ignored.weights;
  const auto m = static_cast<std::size_t>(weights.size(-1));
  for (std::size_t i = 0; i * m < weights.data.size(); ++i) {
    if (ignored.empty() || ignored[i] == 0) {
      rows.push_back(sum_row(weights, scores, slope, keep, i * m));
    }
  }
}

// 1e-9, 2.5e-7: two digits, where the fit is that close to them. A row that
// keeps a share of 1e-9 only feels the ninth digit of the epsilon.
double as_people_write(double epsilon, double uncertainty) {
  const double unit = std::pow(10.0, std::floor(std::log10(epsilon)) - 1.0);
  const double rounded = std::round(epsilon / unit) * unit;
  const double close = std::max(1e-3 * epsilon, uncertainty);
  return std::abs(rounded - epsilon) <= close ? rounded : epsilon;
}

// The one epsilon of sum(W) = S / (S + epsilon) for a denominator S.
std::optional<double> fit_one(const std::vector<Row>& rows,
                              double Row::*denominator, double u) {
  constexpr std::size_t fewest = 8;
  // A row that has nearly vanished says nothing of a small epsilon.
  constexpr double least = 0.5;
  std::vector<double> estimates;
  for (const Row& row : rows) {
    if (row.weights > least) {
      estimates.push_back(row.*denominator * (1.0 / row.weights - 1.0));
    }
  }
  if (estimates.size() < fewest) {
    return std::nullopt;
  }
  const auto middle =
      estimates.begin() + static_cast<std::ptrdiff_t>(estimates.size() / 2);
  std::ranges::nth_element(estimates, middle);
  const double median = *middle;
  // Sums of m weights are known to m u.
  const double visible = 64.0 * u;
  const bool one_value = std::ranges::all_of(estimates, [&](double estimate) {
    return std::abs(estimate - median) <= visible + 1e-3 * std::abs(median);
  });
  return one_value && median >= 4.0 * u
             ? std::optional<double>(as_people_write(median, 8.0 * u))
             : std::nullopt;
}

// What has become of a denominator S: W sums to S / (S + epsilon), or to
// S / max(S, epsilon).
enum class Denominator { sum, least };

// The one epsilon that rows show which have clearly lost of their sum.
std::optional<double> fit_lost(const std::vector<Row>& rows,
                               double Row::*denominator, Denominator form) {
  constexpr double whole = 1.0 - 1e-3;
  constexpr double vanished = 1e-290;  // below, digits are lost
  constexpr double close = 1e-3;
  std::optional<double> epsilon;
  for (const Row& row : rows) {
    if (!(row.weights > vanished) || !(row.*denominator > vanished) ||
        row.weights > whole) {
      continue;
    }
    const double lost = form == Denominator::sum ? 1.0 - row.weights : 1.0;
    const double estimate = row.*denominator / row.weights * lost;
    if (epsilon && std::abs(estimate / *epsilon - 1.0) > close) {
      return std::nullopt;
    }
    epsilon = epsilon.value_or(estimate);
  }
  // A least sum of 1 is no division at all: that has a name of its own.
  return epsilon && is_harmless(*epsilon)
             ? std::optional(as_people_write(*epsilon, 0.0))
             : std::nullopt;
}

// What rows of a late mask show that underflow nearly took.
std::vector<Formula> lost_rows_forms(const std::vector<Row>& rows) {
  std::vector<Formula> forms;
  for (const bool on_shares : {false, true}) {
    for (const Denominator form : {Denominator::sum, Denominator::least}) {
      if (const auto epsilon = fit_lost(
              rows, on_shares ? &Row::share : &Row::shifted_by_all, form)) {
        forms.push_back({.softmax = Softmax::renormalised_mask,
                         .epsilon = *epsilon,
                         .epsilon_on_shares = on_shares,
                         .epsilon_is_least = form == Denominator::least,
                         .is_fitted = true});
      }
    }
  }
  return forms;
}

// Every row sums to 1 (or is NaN): there is nothing to look for.
bool rows_are_whole(const std::vector<Evidenced>& cases, double u) {
  return std::ranges::all_of(cases, [u](const Evidenced& evidenced) {
    if (!has_deciding_weights(*evidenced.observation)) {
      return true;
    }
    const Tensor& weights = *evidenced.observation->weights;
    const auto m = static_cast<std::size_t>(weights.size(-1));
    for (std::size_t start = 0; start < weights.data.size(); start += m) {
      double sum = 0.0;
      for (std::size_t cell = start; cell < start + m; ++cell) {
        sum += weights.data[cell];
      }
      if (std::abs(sum - 1.0) > 4.0 * u && sum != 0.0) {
        return false;
      }
    }
    return true;
  });
}

struct Rows {
  std::vector<Row> measured;  // of cases that show their scale
  // And of those too saturated to show it, at the right one: loud cases, where
  // a late mask loses rows.
  std::vector<Row> all;
};

Rows collect_rows(const std::vector<Evidenced>& cases, double u) {
  Rows rows;
  std::vector<Row> saturated;
  for (const Evidenced& evidenced : cases) {
    const std::optional<Slope>& slope = evidenced.slope;
    if (!is_informative(*evidenced.prepared, u) ||
        !has_deciding_weights(*evidenced.observation)) {
      continue;
    }
    if (!slope) {
      add_rows(
          evidenced,
          scale_factor(scales::by_sqrt_dk, evidenced.test_case().dimensions),
          saturated);
    } else if (slope->r2 > 1.0 - 1e-6) {
      // A per-row factor leaves the slope alone and R^2 at 1.
      add_rows(evidenced, slope->value, rows.measured);
    }
  }
  rows.all = rows.measured;
  rows.all.insert(rows.all.end(), saturated.begin(), saturated.end());
  return rows;
}

std::vector<Formula> usual_forms(const std::vector<Row>& rows, bool has_mask,
                                 double u) {
  const Softmax late =
      has_mask ? Softmax::renormalised_mask : Softmax::over_keys;
  std::vector<Formula> forms;
  if (const auto epsilon = fit_one(rows, &Row::allowed, u)) {
    forms.push_back({.epsilon = *epsilon, .is_fitted = true});
  }
  if (const auto epsilon = fit_one(rows, &Row::shifted_by_all, u)) {
    forms.push_back({.softmax = late, .epsilon = *epsilon, .is_fitted = true});
  }
  if (const auto epsilon = fit_one(rows, &Row::share, u)) {
    forms.push_back({.softmax = late,
                     .epsilon = *epsilon,
                     .epsilon_on_shares = true,
                     .is_fitted = true});
  }
  return forms;
}

// Smallest first; the powers of two are numpy's finfo.
constexpr std::array written_epsilons = {
    1e-38, 1e-30, 1e-20,   0x1p-52, 1e-16, 1e-15, 1e-12, 1e-10, 1e-9, 1e-8,
    5e-8,  1e-7,  0x1p-23, 1e-6,    1e-5,  1e-4,  1e-3,  1e-2,  1.0};

// The form with the epsilon in each place where it makes a difference.
void add_forms(Formula form, double epsilon, std::vector<Formula>& result) {
  form.epsilon = epsilon;
  form.is_fitted = true;
  result.push_back(form);
  if (form.softmax != Softmax::renormalised_mask) {
    return;
  }
  form.epsilon_on_shares = true;
  result.push_back(form);
  if (is_harmless(epsilon)) {
    form.epsilon_is_least = true;
    result.push_back(form);
    form.epsilon_on_shares = false;
    result.push_back(form);
  }
}

}  // namespace

std::vector<Formula> fit_epsilons(const std::vector<Evidenced>& cases,
                                  DType precision) {
  const double u = unit_roundoff(precision);
  if (rows_are_whole(cases, u)) {
    return {};
  }
  const Rows rows = collect_rows(cases, u);
  const bool has_mask = cases.front().prepared->inputs.mask.has_value();
  std::vector<Formula> forms = usual_forms(rows.measured, has_mask, u);
  if (has_mask) {
    std::vector<Formula> lost = lost_rows_forms(rows.measured);
    if (lost.empty()) {
      lost = lost_rows_forms(rows.all);
    }
    forms.insert(forms.end(), lost.begin(), lost.end());
  }
  return forms;
}

std::vector<Formula> usual_epsilons(const std::vector<Formula>& forms) {
  std::vector<Formula> result;
  for (const double epsilon : written_epsilons) {
    for (const Formula& form : forms) {
      add_forms(form, epsilon, result);
    }
  }
  return result;
}

}  // namespace grader
