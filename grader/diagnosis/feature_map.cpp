// SPDX-License-Identifier: MIT
#include "grader/diagnosis/feature_map.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "grader/comparison/tolerance.hpp"
#include "grader/diagnosis/params.hpp"

namespace grader {
namespace {

using reference::Tensor;

constexpr int shown_digits = 4;

// One matrix, its entries below the grain taken for 0.
class Features {
 public:
  Features(const Tensor& matrix, DType precision)
      : matrix_(matrix), d_(static_cast<std::size_t>(matrix.size(-1))) {
    for (const double value : matrix.data) {
      largest_ = std::max(largest_, std::abs(value));
    }
    grain_ = (is_half(precision)            ? 0.05
              : precision == DType::float32 ? 1e-3
                                            : 1e-5) *
             largest_;
  }

  std::size_t width() const { return d_; }

  // The factor that every entry has that is not 0, or nothing.
  std::optional<double> factor() const {
    std::optional<double> result;
    for (const double value : matrix_.data) {
      if (std::abs(value) <= grain_) {
        continue;
      }
      if (result && std::abs(value - *result) > grain_) {
        return std::nullopt;
      }
      result = result.value_or(value);
    }
    return result;
  }

  bool is_diagonal() const {
    for (std::size_t i = 0; i < d_; ++i) {
      for (std::size_t j = 0; j < d_; ++j) {
        if (i != j && has(i, j)) {
          return false;
        }
      }
    }
    return true;
  }

  // For each feature of the queries the one of the keys that it meets; empty if
  // this is no permutation.
  std::vector<std::size_t> permutation() const {
    std::vector<std::size_t> image;
    std::vector<bool> taken(d_, false);
    for (std::size_t i = 0; i < d_; ++i) {
      std::vector<std::size_t> met;
      for (std::size_t j = 0; j < d_; ++j) {
        if (has(i, j)) {
          met.push_back(j);
        }
      }
      if (met.size() != 1 || taken[met.front()]) {
        return {};
      }
      taken[met.front()] = true;
      image.push_back(met.front());
    }
    return image;
  }

  // Those on the diagonal, counted from 0.
  std::vector<std::size_t> entering() const {
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < d_; ++i) {
      if (has(i, i)) {
        result.push_back(i);
      }
    }
    return result;
  }

  double diagonal(std::size_t i) const { return matrix_.data[i * d_ + i]; }

 private:
  bool has(std::size_t i, std::size_t j) const {
    return std::abs(matrix_.data[i * d_ + j]) > grain_;
  }

  const Tensor& matrix_;
  std::size_t d_;
  double largest_ = 0.0;
  double grain_ = 0.0;
};

FeatureForm form_of(const Features& features) {
  const bool one_factor = features.factor().has_value();
  if (features.is_diagonal()) {
    if (!one_factor) {
      return FeatureForm::weighted;
    }
    return features.entering().size() == features.width() ? FeatureForm::all
                                                          : FeatureForm::some;
  }
  return one_factor && !features.permutation().empty() ? FeatureForm::permuted
                                                       : FeatureForm::other;
}

// "1 to 4" or "1, 3, 5", counted from 1.
std::string list_of(const std::vector<std::size_t>& features) {
  const bool run = features.size() > 2 &&
                   features.back() - features.front() + 1 == features.size();
  if (run) {
    return std::to_string(features.front() + 1) + " to " +
           std::to_string(features.back() + 1);
  }
  std::string text;
  for (const std::size_t feature : features) {
    text += (text.empty() ? "" : ", ") + std::to_string(feature + 1);
  }
  return text;
}

std::string permutation_text(const std::vector<std::size_t>& image) {
  const std::size_t d = image.size();
  const auto everywhere = [&](auto expected) {
    for (std::size_t i = 0; i < d; ++i) {
      if (image[i] != expected(i)) {
        return false;
      }
    }
    return true;
  };
  if (everywhere([d](std::size_t i) { return d - 1 - i; })) {
    return "the features of queries or keys are in reversed order";
  }
  const std::size_t shift = image.front();
  if (everywhere([d, shift](std::size_t i) { return (i + shift) % d; })) {
    const bool forth = 2 * shift <= d;
    return std::string("feature i of the queries meets feature i ") +
           (forth ? "+ " : "- ") + std::to_string(forth ? shift : d - shift) +
           " of the keys, modulo d_k";
  }
  std::string text =
      "features 1 to " + std::to_string(d) + " of the queries meet features ";
  for (std::size_t i = 0; i < d; ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(image[i] + 1);
  }
  return text + " of the keys";
}

std::string diagonal_text(const Features& features) {
  std::string text = "features 1 to " + std::to_string(features.width()) +
                     " enter with the factors ";
  for (std::size_t i = 0; i < features.width(); ++i) {
    text +=
        (i == 0 ? "" : ", ") + number_text(features.diagonal(i), shown_digits);
  }
  return text;
}

// Of all matrices: as a law of d_k if there is one.
std::string factor_text(const std::vector<Features>& all) {
  constexpr double near = 1e-3;
  const double first = *all.front().factor();
  const auto everywhere = [&](auto expected) {
    return std::ranges::all_of(all, [&](const Features& one) {
      const double wanted = expected(static_cast<double>(one.width()));
      return std::abs(*one.factor() / wanted - 1.0) < near;
    });
  };
  if (everywhere([](double d) { return 1.0 / std::sqrt(d); })) {
    return " (times 1/sqrt(d_k))";
  }
  if (everywhere([](double d) { return std::sqrt(d); })) {
    return " (times sqrt(d_k))";
  }
  if (everywhere([](double d) { return 1.0 / d; })) {
    return " (times 1/d_k)";
  }
  if (everywhere([first](double) { return first; })) {
    return " (times " + number_text(first, shown_digits) + ")";
  }
  const auto& narrowest = *std::ranges::min_element(all, {}, &Features::width);
  const auto& widest = *std::ranges::max_element(all, {}, &Features::width);
  const auto at = [](const Features& one) {
    return number_text(*one.factor(), shown_digits) +
           " at d_k = " + std::to_string(one.width());
  };
  return " (times " + at(narrowest) + ", " + at(widest) + ")";
}

}  // namespace

FeatureMap describe_features(const std::vector<Tensor>& matrices,
                             DType precision) {
  std::vector<Features> all;
  all.reserve(matrices.size());
  for (const Tensor& matrix : matrices) {
    all.emplace_back(matrix, precision);
  }
  const FeatureForm form = form_of(all.front());
  const Features& widest = *std::ranges::max_element(all, {}, &Features::width);
  const bool alike = std::ranges::all_of(
      all, [form](const Features& one) { return form_of(one) == form; });
  switch (alike ? form : FeatureForm::other) {
    case FeatureForm::all:
      return {form, "otherwise q k^T" + factor_text(all)};
    case FeatureForm::some:
      return {form, (widest.entering().size() == 1 ? "only feature "
                                                   : "only features ") +
                        list_of(widest.entering()) + " of " +
                        std::to_string(widest.width()) + " enter the scores" +
                        factor_text(all)};
    case FeatureForm::permuted:
      return {form, permutation_text(widest.permutation()) + factor_text(all)};
    case FeatureForm::weighted:
      return {form, diagonal_text(widest)};
    case FeatureForm::other:
      break;
  }
  return {FeatureForm::other,
          "features are mixed by a matrix that is no permutation"};
}

}  // namespace grader
