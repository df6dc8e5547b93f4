// SPDX-License-Identifier: MIT
#include "grader/diagnosis/bilinear.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "grader/diagnosis/feature_map.hpp"
#include "grader/diagnosis/least_squares.hpp"
#include "grader/diagnosis/operands.hpp"

namespace grader {
namespace {

using reference::Tensor;

constexpr std::int64_t widest = 16;
constexpr double smallest_fitted_weight = 1e-5;

enum class Vectors { as_they_are, unit_length, standardised };

// What stands on one side of M.
struct Side {
  bool unprojected = false;
  Vectors vectors = Vectors::as_they_are;

  bool operator==(const Side&) const = default;
};

Tensor prepare_rows(Tensor tensor, Vectors vectors) {
  if (vectors == Vectors::as_they_are) {
    return tensor;
  }
  const auto d = static_cast<std::size_t>(tensor.size(-1));
  for (std::size_t start = 0; start < tensor.data.size(); start += d) {
    double mean = 0.0;
    if (vectors == Vectors::standardised) {
      for (std::size_t i = start; i < start + d; ++i) {
        mean += tensor.data[i] / static_cast<double>(d);
      }
    }
    double squares = 0.0;
    for (std::size_t i = start; i < start + d; ++i) {
      tensor.data[i] -= mean;
      squares += tensor.data[i] * tensor.data[i];
    }
    const double size = vectors == Vectors::standardised
                            ? std::sqrt(squares / static_cast<double>(d))
                            : std::sqrt(squares);
    for (std::size_t i = start; i < start + d; ++i) {
      tensor.data[i] /= size;
    }
  }
  return tensor;
}

// Queries and keys with the leading axes of the weights. Throw
// std::invalid_argument where there is no such side.
Tensor make_side(const Side& side, bool of_keys, const Case& test_case) {
  Formula formula;
  if (side.unprojected) {
    if (!is_projected(test_case.kind)) {
      throw std::invalid_argument("nothing is projected");
    }
    (of_keys ? formula.key : formula.query).source = Source::input;
  }
  Tensor operand = of_keys ? make_keys(formula, test_case)
                           : make_queries(formula, test_case);
  reference::Shape expected = test_case.expected.weights.shape;
  if (of_keys) {
    expected[expected.size() - 2] = expected.back();
  }
  expected.back() = test_case.dimensions.d_k;
  if (operand.shape != expected) {
    throw std::invalid_argument("of another shape");
  }
  return prepare_rows(std::move(operand), side.vectors);
}

// One allowed cell of a row: its key, and log W.
struct Cell {
  const double* key;
  double log_weight;
  double weight;
};

// Calls visit(query, cells) for each row with two cells to compare.
template <typename Visit>
void visit_rows(const Evidenced& evidenced, const Tensor& queries,
                const Tensor& keys, Visit visit) {
  const Tensor& weights = *evidenced.observation->weights;
  const std::optional<reference::Mask>& mask = evidenced.prepared->inputs.mask;
  const reference::Mask keep =
      mask ? reference::broadcast_to(*mask, weights.shape) : reference::Mask{};
  const auto n = static_cast<std::size_t>(weights.size(-2));
  const auto m = static_cast<std::size_t>(weights.size(-1));
  const auto d = static_cast<std::size_t>(queries.size(-1));
  std::vector<Cell> cells;
  for (std::size_t row = 0; row * m < weights.data.size(); ++row) {
    cells.clear();
    for (std::size_t j = 0; j < m; ++j) {
      const double weight = weights.data[row * m + j];
      const bool allowed = keep.data.empty() || keep.data[row * m + j] != 0;
      if (allowed && std::isfinite(weight) && weight > smallest_fitted_weight) {
        cells.push_back(
            {&keys.data[(row / n * m + j) * d], std::log(weight), weight});
      }
    }
    if (cells.size() > 1) {
      visit(&queries.data[row * d], cells);
    }
  }
}

// Means of log W and of the keys over a row, by W^2: an error of W is one of
// log W divided by W.
struct RowMeans {
  double log_weight = 0.0;
  std::vector<double> key;

  RowMeans(const std::vector<Cell>& cells, std::size_t d) : key(d) {
    double total = 0.0;
    for (const Cell& cell : cells) {
      total += cell.weight * cell.weight;
    }
    for (const Cell& cell : cells) {
      const double share = cell.weight * cell.weight / total;
      log_weight += share * cell.log_weight;
      for (std::size_t f = 0; f < d; ++f) {
        key[f] += share * cell.key[f];
      }
    }
  }
};

// Cases of the same sizes: one M.
using CaseGroup = std::vector<Evidenced>;

std::vector<CaseGroup> narrow_groups(const std::vector<Evidenced>& cases,
                                     DType precision) {
  std::vector<CaseGroup> groups;
  for (const Evidenced& evidenced : cases) {
    const Dimensions& dimensions = evidenced.test_case().dimensions;
    if (!is_silent(*evidenced.observation) ||
        !has_deciding_weights(*evidenced.observation) || dimensions.d_k < 2 ||
        dimensions.d_k > widest ||
        !is_informative(*evidenced.prepared, unit_roundoff(precision))) {
      continue;
    }
    const auto same = std::ranges::find_if(groups, [&](const CaseGroup& group) {
      return group.front().test_case().dimensions == dimensions;
    });
    if (same == groups.end()) {
      groups.push_back({evidenced});
    } else {
      same->push_back(evidenced);
    }
  }
  std::ranges::stable_sort(groups, {}, [](const CaseGroup& group) {
    return group.front().test_case().dimensions.d_k;
  });
  return groups;
}

struct Sides {
  Side query;
  Side key;

  // Normalised vectors lie in a narrower space, where M is not determined: only
  // multiples of the identity are tried.
  bool only_multiples() const {
    return query.vectors != Vectors::as_they_are ||
           key.vectors != Vectors::as_they_are;
  }
};

// What each cell of M adds to z, or q (k - mean) alone.
void make_row(const double* query, const double* key, const RowMeans& means,
              std::size_t d, std::vector<double>& row) {
  const bool sum_up = row.size() == 1;
  std::ranges::fill(row, 0.0);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) {
      if (!sum_up) {
        row[i * d + j] = query[i] * (key[j] - means.key[j]);
      } else if (i == j) {
        row[0] += query[i] * (key[i] - means.key[i]);
      }
    }
  }
}

Tensor make_matrix(const std::vector<double>& solution, std::int64_t width) {
  Tensor matrix({width, width});
  const auto d = static_cast<std::size_t>(width);
  for (std::size_t i = 0; i < d * d; ++i) {
    if (solution.size() > 1) {
      matrix.data[i] = solution[i];
    } else if (i % (d + 1) == 0) {
      matrix.data[i] = solution[0];
    }
  }
  return matrix;
}

// The largest |W - exp(q M k^T + constant of the row)|.
double error_of(const Tensor& matrix, const Evidenced& evidenced,
                const Tensor& queries, const Tensor& keys) {
  const auto d = static_cast<std::size_t>(matrix.size(-1));
  double worst = 0.0;
  visit_rows(evidenced, queries, keys,
             [&](const double* query, const std::vector<Cell>& cells) {
               const RowMeans means(cells, d);
               for (const Cell& cell : cells) {
                 double z = means.log_weight;
                 for (std::size_t i = 0; i < d * d; ++i) {
                   z += matrix.data[i] * query[i / d] *
                        (cell.key[i % d] - means.key[i % d]);
                 }
                 worst = std::max(worst, std::abs(std::exp(z) - cell.weight));
               }
             });
  return worst;
}

enum class MatrixFit { fits, does_not_fit, undetermined };

// Whether one M reproduces the weights of the group.
MatrixFit fit_group(const CaseGroup& group, const Sides& sides, DType precision,
                    Tensor& matrix) {
  const std::int64_t width = group.front().test_case().dimensions.d_k;
  const auto d = static_cast<std::size_t>(width);
  const std::size_t unknowns = sides.only_multiples() ? 1 : d * d;
  // Some thousands of weights determine 256 unknowns; all of them confirm.
  const double enough = 8.0 * static_cast<double>(unknowns);
  LeastSquares system(unknowns);
  std::vector<std::pair<Tensor, Tensor>> operands;
  std::vector<double> row(unknowns);
  for (const Evidenced& evidenced : group) {
    const Case& test_case = evidenced.test_case();
    operands.emplace_back(make_side(sides.query, false, test_case),
                          make_side(sides.key, true, test_case));
    const auto& [queries, keys] = operands.back();
    visit_rows(evidenced, queries, keys,
               [&](const double* query, const std::vector<Cell>& cells) {
                 if (system.degrees() > enough) {
                   return;
                 }
                 const RowMeans means(cells, d);
                 for (const Cell& cell : cells) {
                   make_row(query, cell.key, means, d, row);
                   system.add(row, cell.log_weight - means.log_weight,
                              cell.weight * cell.weight);
                 }
                 system.lose_a_degree();  // to the mean of the row
               });
  }
  const auto solution = system.degrees() < 1.5 * static_cast<double>(unknowns)
                            ? std::nullopt
                            : system.solve();
  if (!solution) {
    return MatrixFit::undetermined;
  }
  matrix = make_matrix(*solution, width);
  // Normal equations lose half of the digits.
  constexpr double slack = 64.0;
  constexpr double least = 1e-8;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const double limit = std::max(
        least, slack * derive_tolerance(group[i].prepared->basis.error_scale,
                                        unit_roundoff(precision))
                           .weights);
    const auto& [queries, keys] = operands[i];
    if (!(error_of(matrix, group[i], queries, keys) <= limit)) {
      return MatrixFit::does_not_fit;
    }
  }
  return MatrixFit::fits;
}

struct Found {
  std::vector<Tensor> matrices;  // one a group, of the narrowest cases first
  std::vector<int> group_sizes;  // cases of each
  int right_cases = 0;           // whose scores are a multiple of q k^T

  int cases() const {
    return std::accumulate(group_sizes.begin(), group_sizes.end(), 0);
  }
};

bool vanishes(const Tensor& matrix) {
  constexpr double nothing = 1e-8;
  return std::ranges::all_of(
      matrix.data, [](double value) { return std::abs(value) < nothing; });
}

// M of every group that determines one; nothing if one has none, or none but 0:
// uniform weights are linear in anything.
std::optional<Found> fit_groups(const std::vector<CaseGroup>& groups,
                                const Sides& sides, DType precision) {
  Found found;
  for (const CaseGroup& group : groups) {
    Tensor matrix;
    MatrixFit outcome = MatrixFit::undetermined;
    try {
      outcome = fit_group(group, sides, precision, matrix);
    } catch (const std::invalid_argument&) {
      continue;  // no such side in this case
    }
    if (outcome == MatrixFit::does_not_fit ||
        (outcome == MatrixFit::fits && vanishes(matrix))) {
      return std::nullopt;
    }
    if (outcome == MatrixFit::fits) {
      found.group_sizes.push_back(static_cast<int>(group.size()));
      found.matrices.push_back(std::move(matrix));
    }
  }
  return found.matrices.empty() ? std::nullopt : std::optional(found);
}

// Groups whose scores are a multiple of q k^T have nothing to describe.
void drop_right_groups(Found& found, DType precision) {
  Found wrong;
  for (std::size_t i = 0; i < found.matrices.size(); ++i) {
    const int cases = found.group_sizes[i];
    if (describe_features({found.matrices[i]}, precision).form ==
        FeatureForm::all) {
      wrong.right_cases += cases;
    } else {
      wrong.matrices.push_back(std::move(found.matrices[i]));
      wrong.group_sizes.push_back(cases);
    }
  }
  found = std::move(wrong);
}

// On which cases it was seen: nobody knows of the others.
std::string extent_text(const Found& found) {
  const auto width = [](const Tensor& matrix) {
    return std::to_string(matrix.size(-1));
  };
  const std::string narrowest = width(found.matrices.front());
  const std::string widest_one = width(found.matrices.back());
  std::string text = "seen where d_k is " + narrowest;
  if (widest_one != narrowest) {
    text += " to " + widest_one;
  }
  return found.right_cases == 0
             ? text
             : text + ", " + std::to_string(found.right_cases) +
                   " other cases have q k^T";
}

std::string side_text(const Side& side, bool of_keys) {
  const std::string name = of_keys ? "keys" : "queries";
  std::string text;
  if (side.unprojected) {
    text = "the " + name + " are x itself, " + (of_keys ? "w_k" : "w_q") +
           " is not applied";
  }
  switch (side.vectors) {
    case Vectors::as_they_are:
      break;
    case Vectors::unit_length:
      text += (text.empty() ? "the " + name + " are" : std::string(" and")) +
              " scaled to unit length";
      break;
    case Vectors::standardised:
      text += (text.empty() ? "the " + name + " are" : std::string(" and")) +
              " standardised (mean 0, variance 1)";
      break;
  }
  return text;
}

std::string join(std::vector<std::string> parts) {
  std::erase(parts, "");
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() ? "" : "; ") + part;
  }
  return text;
}

std::vector<Sides> all_sides() {
  std::vector<Side> each;
  for (const bool unprojected : {false, true}) {
    for (const Vectors vectors :
         {Vectors::as_they_are, Vectors::unit_length, Vectors::standardised}) {
      each.push_back({unprojected, vectors});
    }
  }
  std::vector<Sides> sides;
  for (const Side& query : each) {
    for (const Side& key : each) {
      sides.push_back({query, key});
    }
  }
  return sides;
}

}  // namespace

std::optional<BilinearForm> find_bilinear_form(
    const std::vector<Evidenced>& cases, DType precision) {
  const std::vector<CaseGroup> groups = narrow_groups(cases, precision);
  std::optional<BilinearForm> unnamed;
  for (const Sides& sides : all_sides()) {
    auto found = fit_groups(groups, sides, precision);
    if (!found) {
      continue;
    }
    const bool is_plain = sides.query == Side{} && sides.key == Side{};
    if (is_plain) {
      drop_right_groups(*found, precision);
      if (found->matrices.empty()) {
        return std::nullopt;
      }
    }
    const FeatureMap map = describe_features(found->matrices, precision);
    BilinearForm form{
        .text = join({side_text(sides.query, false), side_text(sides.key, true),
                      map.text, extent_text(*found)}),
        .matrix = found->matrices.front(),
        .cases = found->cases()};
    if (map.form != FeatureForm::other) {
      return form;
    }
    if (!unnamed) {
      unnamed = std::move(form);
    }
  }
  return unnamed;
}

}  // namespace grader
