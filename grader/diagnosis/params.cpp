// SPDX-License-Identifier: MIT
#include "grader/diagnosis/params.hpp"

#include <array>
#include <cstdio>

namespace grader {
namespace {

// Each returns nullptr where the fault's name says it all.

const char* describe(Scale scale) {
  if (scale == scales::by_half_dk) {
    return "divided by d_k / 2";
  }
  return scale == scales::times_half_dk ? "multiplied by d_k / 2" : nullptr;
}

const char* describe(Product product) {
  switch (product) {
    case Product::cosine_queries:
      return "only the queries have length 1";
    case Product::cosine_keys:
      return "only the keys have length 1";
    case Product::half_features:
      return "the first half of the columns";
    case Product::one_feature:
      return "the first column";
    case Product::all_but_one:
      return "all columns but the last";
    case Product::value_width:
      return "as many columns as the values have";
    case Product::multiple_of_two:
      return "columns in pairs, the last odd one left out";
    case Product::multiple_of_four:
      return "columns by fours, without the rest";
    case Product::multiple_of_eight:
      return "columns by eights, without the rest";
    case Product::multiple_of_sixteen:
      return "columns by sixteens, without the rest";
    case Product::at_most_eight:
      return "8 columns at most";
    case Product::at_most_sixteen:
      return "16 columns at most";
    case Product::at_most_thirty_two:
      return "32 columns at most";
    case Product::queries_keys:
    case Product::keys_all_axes:
    case Product::keys_leading_axes:
    case Product::keys_first_axes:
    case Product::keys_not_transposed:
    case Product::keys_queries:
    case Product::keys_reshaped:
    case Product::cosine:
      break;
  }
  return nullptr;
}

// Of the keys, by number.
const char* exchanged_axes(Product product) {
  switch (product) {
    case Product::keys_leading_axes:
      return "0 and 1";
    case Product::keys_first_axes:
      return "1 and 2";
    default:
      return nullptr;
  }
}

const char* describe(EntryMap map) {
  switch (map) {
    case EntryMap::own:
      break;
    case EntryMap::first_batch:
      return "batch entry 0";
    case EntryMap::next_batch:
      return "the next batch entry";
    case EntryMap::previous_batch:
      return "the previous batch entry";
    case EntryMap::reversed_batch:
      return "the batch in reverse order";
    case EntryMap::first_head:
      return "head 0";
    case EntryMap::next_head:
    case EntryMap::next_key_head:
      return "the next head";
    case EntryMap::previous_head:
    case EntryMap::previous_key_head:
      return "the previous head";
    case EntryMap::reversed_heads:
      return "the heads in reverse order";
    case EntryMap::sum:
      return "entry b + h in place of b * heads + h";
    case EntryMap::batch_only:
      return "entry b in place of b * heads + h";
    case EntryMap::heads_outer:
      return "entry h * batch + b in place of b * heads + h";
  }
  return nullptr;
}

const char* describe(HeadSplit split) {
  switch (split) {
    case HeadSplit::feature_major:
      return "head h takes columns h, h + H, ...";
    case HeadSplit::reversed:
      return "the last head first";
    case HeadSplit::rolled:
    case HeadSplit::rolled_back:
      return "the heads are shifted by one";
    case HeadSplit::first_columns:
      return "the first columns of each weight";
    case HeadSplit::first_block:
      return "the first rows and columns of each weight";
    case HeadSplit::by_columns:
    case HeadSplit::by_reshape:
    case HeadSplit::not_transposed:
      break;
  }
  return nullptr;
}

const char* describe(HeadMerge merge) {
  switch (merge) {
    case HeadMerge::feature_major:
      return "merged with head h on columns h, h + H, ...";
    case HeadMerge::reversed:
      return "merged with the last head first";
    case HeadMerge::rolled:
    case HeadMerge::rolled_back:
      return "merged with the heads shifted by one";
    case HeadMerge::averaged_once:
      return "their mean, through the first rows of w_o";
    case HeadMerge::averaged:
      return "their mean, repeated";
    case HeadMerge::maximum:
      return "their maximum, repeated";
    case HeadMerge::summed:
      return "their sum, repeated";
    case HeadMerge::batch_outer:
      return "with the axes of batch and heads exchanged";
    case HeadMerge::by_columns:
    case HeadMerge::by_reshape:
      break;
  }
  return nullptr;
}

const char* describe(Softmax softmax) {
  switch (softmax) {
    case Softmax::unnormalised_raw:
      return "exp(z), without the max shift";
    case Softmax::unnormalised:
      return "exp(z - max z)";
    case Softmax::missing_divided:
      return "z divided by its row sum";
    case Softmax::sigmoid:
    case Softmax::relu:
      return "not divided by the row sum";
    case Softmax::sigmoid_divided:
    case Softmax::relu_divided:
      return "divided by the row sum";
    case Softmax::plus_one_shifted:
      return "added after the max shift";
    case Softmax::l2_of_powers:
      return "exponentials divided by their Euclidean length";
    case Softmax::twice_masked:
      return "masked again in between";
    case Softmax::column_maxima:
      return "the maximum of the column";
    case Softmax::column_sums:
    case Softmax::column_sums_to_rows:
      return "the sum of the column";
    case Softmax::maxima_lose_axis:
      return "the maximum";
    case Softmax::both_lose_axis:
    case Softmax::both_to_columns:
      return "the maximum and the sum";
    case Softmax::global_max:
      return "one maximum for the whole tensor";
    case Softmax::matrix_max:
      return "one maximum for each matrix";
    default:
      break;
  }
  return nullptr;
}

const char* describe(Residual residual) {
  switch (residual) {
    case Residual::values:
      return "the values are added";
    case Residual::input_before_projection:
      return "the input is added before the projection";
    case Residual::none:
    case Residual::input:
      break;
  }
  return nullptr;
}

const char* describe(Storage storage) {
  switch (storage) {
    case Storage::exact:
      break;
    case Storage::output:
      return "the output";
    case Storage::weights:
      return "the weights";
    case Storage::scores:
      return "the scaled scores";
    case Storage::raw_scores:
      return "the scores";
  }
  return nullptr;
}

const char* describe_fill(Fill form) {
  switch (form) {
    case Fill::replaced:
      return "in place of the score";
    case Fill::replaced_then_scaled:
      return "in place of the score, then scaled";
    case Fill::added:
      return "added to the score";
    case Fill::added_then_scaled:
      return "added to the score, then scaled";
    default:
      break;
  }
  return nullptr;
}

const char* operand_name(Source source) {
  switch (source) {
    case Source::query:
      return "q";
    case Source::key:
      return "k";
    case Source::value:
      return "v";
    case Source::output:
      return "w_o";
    case Source::input:
      return "x";
  }
  return "";
}

bool is_usual(const Operand& operand, Source source) {
  return operand == Operand{.source = source};
}

// "q: x, k: x w_k^T": the operands that are not what they should be.
std::string describe_operands(const Formula& formula) {
  std::string text;
  const auto add = [&text](const char* name, const Operand& operand,
                           Source usual) {
    if (is_usual(operand, usual)) {
      return;
    }
    text += text.empty() ? "" : ", ";
    text += name;
    if (operand.source != usual) {
      text += std::string(" is ") + operand_name(operand.source);
    }
    text += operand.weight_transposed ? " with its weight transposed" : "";
    text += operand.activated ? " with ReLU" : "";
  };
  add("q", formula.query, Source::query);
  add("k", formula.key, Source::key);
  add("v", formula.value, Source::value);
  return text;
}

// "k, v: batch entry 0"
std::string describe_entries(const Formula& formula) {
  std::string names;
  const char* which = nullptr;
  const auto add = [&](const char* name, EntryMap map) {
    if (map != EntryMap::own) {
      names += (names.empty() ? "" : ", ") + std::string(name);
      which = describe(map);
    }
  };
  add("q", formula.queries_of);
  add("k", formula.keys_of);
  add("v", formula.values_of);
  return which == nullptr ? "" : names + ": " + which;
}

std::string describe_groups(const Formula& formula) {
  const bool keys = formula.key_groups != Grouping::repeat;
  const bool values = formula.value_groups != Grouping::repeat;
  if (keys == values) {
    return "";
  }
  return keys ? "the keys only" : "the values only";
}

}  // namespace

std::string number_text(double value, int digits) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*g", digits, value);
  return buffer.data();
}

std::map<std::string, std::string> describe_params(const Formula& formula) {
  std::map<std::string, std::string> params;
  const auto add = [&params](const char* key, const std::string& text) {
    if (!text.empty()) {
      params[key] = text;
    }
  };
  const auto add_words = [&add](const char* key, const char* words) {
    add(key, words == nullptr ? "" : words);
  };
  if (formula.epsilon > 0.0) {
    add("epsilon", number_text(formula.epsilon));
  }
  if (const char* how = describe_fill(formula.fill_form)) {
    // Read off the weights, or the one tried that fits the outputs: others may.
    add("fill",
        (formula.is_fitted ? "" : "about ") + number_text(formula.fill));
    add("filled", how);
  }
  if (formula.softmax == Softmax::constant_shift ||
      formula.softmax == Softmax::running_max) {
    add("shift", number_text(formula.shift));
  }
  if (formula.softmax == Softmax::over_matrix) {
    add("axis", "each matrix");
  } else if (formula.softmax == Softmax::over_all) {
    add("axis", "the whole tensor");
  }
  add("operands", describe_operands(formula));
  add("rows", describe_entries(formula));
  add("groups", describe_groups(formula));
  add_words("columns", describe(formula.product));
  add_words("axes", exchanged_axes(formula.product));
  add_words("heads", describe(formula.split));
  add_words("merge", describe(formula.merge));
  add_words("added", describe(formula.residual));
  add_words("stored", describe(formula.storage));
  add_words("variant", describe(formula.softmax));
  add_words("variant", describe(formula.scale));
  return params;
}

}  // namespace grader
