// SPDX-License-Identifier: MIT
#include "grader/loader/extra_parameters.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "grader/loader/signature.hpp"

namespace grader {

namespace {

// As normalise() spells them. A query is as wide as a key.
constexpr auto key_widths = std::to_array<std::string_view>(
    {"dk",       "dkey",     "dimk",       "keydim",  "dimkey",
     "dqk",      "keysize",  "dq",         "dquery",  "dimq",
     "dimquery", "querydim", "querysize",  "headdim", "dhead",
     "dimhead",  "headsize", "dimperhead", "depth",   "dh"});
constexpr auto value_widths = std::to_array<std::string_view>(
    {"dv", "dvalue", "dimv", "valuedim", "dimvalue", "valuesize"});
constexpr auto model_widths = std::to_array<std::string_view>(
    {"dmodel", "dimmodel", "modeldim", "embeddim", "embdim", "embeddingdim",
     "dembed", "demb", "embedsize", "hiddendim", "hiddensize", "dmod"});
constexpr auto short_widths = std::to_array<std::string_view>(
    {"d", "dim", "dims", "dimension", "width", "size"});
constexpr auto numbers_of_heads = std::to_array<std::string_view>(
    {"nheads", "numheads", "nhead", "numhead", "heads", "head", "h", "nh",
     "headcount", "headnum", "headscount", "numberofheads", "numofheads",
     "attentionheads", "numattentionheads", "nattentionheads", "numattnheads"});
// What says evaluation, of switches that tell training from it.
constexpr auto off_in_evaluation =
    std::to_array<std::string_view>({"training", "train", "istraining",
                                     "istrain", "trainmode", "trainingmode"});
constexpr auto on_in_evaluation = std::to_array<std::string_view>(
    {"deterministic", "evalmode", "evaluation", "inference"});
// These may be the mask itself.
constexpr auto causal_masks = std::to_array<std::string_view>(
    {"causalmask", "causalmasking", "maskcausal", "causalattention"});
constexpr auto causal_switches = std::to_array<std::string_view>(
    {"causal", "iscausal", "usecausal", "usecausalmask", "causalmask",
     "applycausalmask", "applycausal", "withcausalmask", "causalmasking",
     "causalattention", "maskcausal"});
constexpr auto options = std::to_array<std::string_view>(
    {"scale",         "scaling",     "scalefactor", "scalingfactor",
     "temperature",   "temp",        "dropout",     "dropoutp",
     "dropoutrate",   "dropoutprob", "pdrop",       "training",
     "train",         "istraining",  "causal",      "iscausal",
     "nheads",        "numheads",    "nhead",       "heads",
     "returnweights", "needweights", "blocksize",   "chunksize"});

template <std::size_t Size>
bool holds(const std::array<std::string_view, Size>& names,
           const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_heads(const Parameter& parameter) {
  return holds(numbers_of_heads, normalise(parameter.name));
}

// One head leaves a width what it is.
bool are_several_heads(const Parameter& parameter) {
  return is_heads(parameter) &&
         (!parameter.has_default || parameter.default_width > 1);
}

bool is_of_model(const Parameter& parameter) {
  const std::string name = normalise(parameter.name);
  return holds(model_widths, name) || holds(short_widths, name);
}

// The value that a switch is to have, or nothing where it is none.
std::optional<bool> switch_value(const Parameter& parameter,
                                 MaskMode mask_mode) {
  const std::string name = normalise(parameter.name);
  if (holds(off_in_evaluation, name)) {
    return false;
  }
  if (holds(on_in_evaluation, name)) {
    return true;
  }
  if (!holds(causal_switches, name) ||
      (!parameter.has_default && holds(causal_masks, name))) {
    return std::nullopt;
  }
  return mask_mode == MaskMode::causal;
}

// What turns a switch to the task, `causal=True`, or to evaluation,
// `training=True`: nothing where its default does, or it is none.
std::optional<Filling> switch_named(const Parameter& parameter,
                                    MaskMode mask_mode) {
  if (parameter.has_default && !parameter.default_is_bool) {
    return std::nullopt;
  }
  const auto wanted = switch_value(parameter, mask_mode);
  if (!wanted ||
      (parameter.has_default && parameter.default_is_true == *wanted)) {
    return std::nullopt;
  }
  return *wanted ? Filling::on : Filling::off;
}

bool is_switch(Filling filling) {
  return filling == Filling::off || filling == Filling::on;
}

bool is_rate(const std::string& parameter) {
  const std::string name = normalise(parameter);
  return name == "p" || name.find("drop") != std::string::npos;
}

}  // namespace

std::optional<Filling> filling_named(const std::string& parameter, Kind kind,
                                     bool all_named) {
  const std::string name = normalise(parameter);
  if (holds(key_widths, name) || (all_named && holds(short_widths, name))) {
    return Filling::key_width;
  }
  if (holds(value_widths, name)) {
    return Filling::value_width;
  }
  if (holds(model_widths, name)) {
    return is_projected(kind) ? Filling::model_width : Filling::key_width;
  }
  return std::nullopt;
}

std::optional<Filling> example_named(const Parameter& parameter, Kind kind,
                                     bool all_named) {
  const std::string name = normalise(parameter.name);
  const bool is_short = holds(short_widths, name) || name == "depth";
  // Tensors have four axes at most: what is called a dimension and is less may
  // be one, `head_dim=1`. A short name may be many things.
  const std::int64_t smallest = is_short                                ? 8
                                : name.find("dim") != std::string::npos ? 4
                                                                        : 2;
  return parameter.default_width < smallest
             ? std::nullopt
             : filling_named(parameter.name, kind, all_named);
}

std::vector<FilledParameter> fill_beside(
    const std::vector<Parameter>& parameters, Kind kind, MaskMode mask_mode,
    bool all_named) {
  const auto width_of = [&](const Parameter& parameter) {
    return parameter.has_default
               ? example_named(parameter, kind, all_named)
               : filling_named(parameter.name, kind, all_named);
  };
  // d_k = d_model // num_heads: what is passed as the one is that of one head.
  const bool is_divided =
      std::ranges::any_of(parameters, are_several_heads) &&
      std::ranges::any_of(parameters, [&](const Parameter& parameter) {
        return is_of_model(parameter) && width_of(parameter);
      });
  const auto filling_of =
      [&](const Parameter& parameter) -> std::optional<Filling> {
    if (is_divided && are_several_heads(parameter)) {
      return Filling::one;
    }
    const auto width = width_of(parameter);
    return width ? width : switch_named(parameter, mask_mode);
  };
  std::vector<FilledParameter> filled;
  for (const Parameter& parameter : parameters) {
    if (const auto filling = filling_of(parameter)) {
      filled.push_back({parameter.name, *filling});
    }
  }
  return filled;
}

bool is_option(const std::string& parameter) {
  return holds(options, normalise(parameter));
}

std::int64_t filling_value(Filling filling, Kind kind,
                           const std::vector<NamedTensor>& arguments,
                           const Dimensions& dimensions) {
  const auto last_axis = [&](std::size_t argument) {
    return arguments.at(argument).tensor.shape.back();
  };
  constexpr std::size_t x = 0;
  constexpr std::size_t k = 1;
  constexpr std::size_t v = 2;
  constexpr std::size_t w_k = 2;
  constexpr std::size_t w_v = 3;
  if (filling == Filling::zero || filling == Filling::one) {
    return filling == Filling::one ? 1 : 0;
  }
  if (!is_projected(kind)) {
    return last_axis(filling == Filling::value_width ? v : k);
  }
  if (filling == Filling::model_width) {
    return last_axis(x);
  }
  return kind == Kind::multi_head_attention
             ? last_axis(x) / std::max<std::int64_t>(dimensions.heads, 1)
             : last_axis(filling == Filling::value_width ? w_v : w_k);
}

std::optional<std::vector<FilledParameter>> fill_constructor(
    const Callable& callable, Kind kind, MaskMode mask_mode) {
  std::vector<FilledParameter> filled =
      fill_beside(callable.constructor, kind, mask_mode, true);
  for (const Parameter& parameter : callable.constructor) {
    const bool is_filled =
        std::ranges::find(filled, parameter.name, &FilledParameter::name) !=
        filled.end();
    if (parameter.has_default || is_filled) {
      continue;
    }
    if (!is_rate(parameter.name)) {
      return std::nullopt;  // it needs that one
    }
    filled.push_back({parameter.name, Filling::zero});
  }
  return filled;
}

std::string value_text(Filling filling, Kind kind,
                       const std::vector<NamedTensor>& arguments,
                       const Dimensions& dimensions) {
  return is_switch(filling) ? filling_text(filling)
                            : std::to_string(filling_value(
                                  filling, kind, arguments, dimensions));
}

std::string filled_text(const std::vector<FilledParameter>& parameters,
                        std::string_view separator, Kind kind,
                        const std::vector<NamedTensor>& arguments,
                        const Dimensions& dimensions) {
  std::string text;
  for (const FilledParameter& parameter : parameters) {
    text += text.empty() ? "" : separator;
    text += parameter.name + "=" +
            value_text(parameter.filling, kind, arguments, dimensions);
  }
  return text;
}

std::string filling_text(Filling filling) {
  switch (filling) {
    case Filling::key_width:
      return "the width of a key";
    case Filling::value_width:
      return "the width of a value";
    case Filling::model_width:
      return "the width of x";
    case Filling::zero:
      return "0";
    case Filling::one:
      return "1";
    case Filling::off:
      return "False";
    case Filling::on:
      return "True";
  }
  return "";
}

}  // namespace grader
