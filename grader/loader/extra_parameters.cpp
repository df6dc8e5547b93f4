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

std::optional<Filling> switch_named(const Parameter& parameter,
                                    MaskMode mask_mode) {
  const bool wants_causal = mask_mode == MaskMode::causal;
  if (!parameter.default_is_bool || parameter.default_is_true == wants_causal ||
      !holds(causal_switches, normalise(parameter.name))) {
    return std::nullopt;
  }
  return wants_causal ? Filling::on : Filling::off;
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
  if (filling == Filling::zero) {
    return 0;
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
    const Callable& callable, Kind kind) {
  std::vector<FilledParameter> filled;
  for (const std::string& name : callable.constructor) {
    if (is_rate(name) && !callable.problem.empty()) {
      filled.push_back({name, Filling::zero});
    } else if (const auto filling = filling_named(name, kind, true)) {
      filled.push_back({name, *filling});
    } else if (!callable.problem.empty()) {
      return std::nullopt;  // it needs that one
    }
  }
  return filled;
}

std::string filled_text(const std::vector<FilledParameter>& parameters,
                        std::string_view separator, Kind kind,
                        const std::vector<NamedTensor>& arguments,
                        const Dimensions& dimensions) {
  std::string text;
  for (const FilledParameter& parameter : parameters) {
    text += text.empty() ? "" : separator;
    text += parameter.name + "=";
    text += is_switch(parameter.filling)
                ? filling_text(parameter.filling)
                : std::to_string(filling_value(parameter.filling, kind,
                                               arguments, dimensions));
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
    case Filling::off:
      return "False";
    case Filling::on:
      return "True";
  }
  return "";
}

}  // namespace grader
