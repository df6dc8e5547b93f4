// SPDX-License-Identifier: MIT
#include "grader/loader/extra_parameters.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "grader/loader/signature.hpp"

namespace grader {

namespace {

// As normalise() spells them.
constexpr auto key_widths = std::to_array<std::string_view>(
    {"dk", "dkey", "dimk", "keydim", "dimkey", "dqk", "keysize", "headdim",
     "dhead", "dimhead", "headsize", "dimperhead", "depth", "dh"});
constexpr auto model_widths = std::to_array<std::string_view>(
    {"dmodel", "dimmodel", "modeldim", "embeddim", "embdim", "embeddingdim",
     "dembed", "demb", "embedsize", "hiddendim", "hiddensize", "dmod"});
constexpr auto short_widths = std::to_array<std::string_view>(
    {"d", "dim", "dims", "dimension", "width", "size"});
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

}  // namespace

std::optional<Width> width_named(const std::string& parameter, Kind kind,
                                 bool all_named) {
  const std::string name = normalise(parameter);
  if (holds(key_widths, name) || (all_named && holds(short_widths, name))) {
    return Width::key;
  }
  if (holds(model_widths, name)) {
    return is_projected(kind) ? Width::model : Width::key;
  }
  return std::nullopt;
}

bool is_option(const std::string& parameter) {
  return holds(options, normalise(parameter));
}

std::int64_t width_of(Width width, Kind kind,
                      const std::vector<NamedTensor>& arguments,
                      const Dimensions& dimensions) {
  const auto last_axis = [&](std::size_t argument) {
    return arguments.at(argument).tensor.shape.back();
  };
  constexpr std::size_t x = 0;
  constexpr std::size_t k = 1;
  constexpr std::size_t w_k = 2;
  if (!is_projected(kind)) {
    return last_axis(k);
  }
  if (width == Width::model) {
    return last_axis(x);
  }
  return kind == Kind::multi_head_attention
             ? last_axis(x) / std::max<std::int64_t>(dimensions.heads, 1)
             : last_axis(w_k);
}

std::string width_text(Width width) {
  return width == Width::key ? "the width of a key" : "the width of x";
}

}  // namespace grader
