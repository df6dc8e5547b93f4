// SPDX-License-Identifier: MIT
#include "grader/example/snippet.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "grader/example/module_lines.hpp"
#include "grader/loader/extra_parameters.hpp"

namespace grader {
namespace {

using reference::Shape;

// The list of the entries from `first` on that the axes from `axis` on span.
template <typename Text>
std::string list_from(const Shape& shape, std::size_t axis, std::size_t first,
                      const Text& text) {
  if (axis == shape.size()) {
    return text(first);
  }
  std::size_t step = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) {
    step *= static_cast<std::size_t>(shape[i]);
  }
  std::string list;
  for (std::size_t i = 0; i < static_cast<std::size_t>(shape[axis]); ++i) {
    list += (i == 0 ? "" : ", ") +
            list_from(shape, axis + 1, first + i * step, text);
  }
  return "[" + list + "]";
}

// How a tensor and a mask of these names are written in a call.
struct Spelling {
  std::string before{};  // "t(", for t(q)
  std::string after{};
  std::string mask = "mask";
};

// The arguments in the order of the signature.
std::vector<std::string> argument_texts(const Case& input,
                                        const Spelling& spelling) {
  std::vector<std::string> texts;
  for (const NamedTensor& argument : input.arguments) {
    texts.push_back(spelling.before + argument.name + spelling.after);
  }
  if (input.kind == Kind::multi_head_attention) {
    texts.push_back(std::to_string(input.dimensions.heads));
  }
  if (input.mask) {
    texts.push_back(spelling.mask);
  }
  return texts;
}

using Named = std::pair<std::string, std::string>;  // a name, or "", and a text

// Everything that is passed, in the order in which it can be written: what has
// no name, or must not be passed by it, comes first.
std::vector<Named> passed(const Case& input, const Match& match,
                          const Spelling& spelling) {
  const std::vector<std::string> texts = argument_texts(input, spelling);
  std::vector<Named> all;
  all.reserve(texts.size() + match.filled.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    all.emplace_back(i < match.keywords.size() ? match.keywords[i] : "",
                     texts[i]);
  }
  for (const FilledParameter& one : match.filled) {
    all.emplace_back(one.name, value_text(one.filling, input.kind,
                                          input.arguments, input.dimensions));
  }
  auto place = std::ranges::find_if(
      all, [](const Named& one) { return !one.first.empty(); });
  for (const Parameter& parameter : match.callable.parameters) {
    const auto found = std::find_if(place, all.end(), [&](const Named& one) {
      return one.first == parameter.name;
    });
    if (parameter.positional_only && found != all.end()) {
      std::rotate(place, found, found + 1);
      place++->first.clear();
    }
  }
  return all;
}

std::string call_line(const Case& input, const Match& match,
                      const Spelling& spelling) {
  std::string list = match.adapter.empty() ? "" : "submission";
  for (const auto& [name, text] : passed(input, match, spelling)) {
    list += (list.empty() ? "" : ", ") + (name.empty() ? "" : name + "=");
    list += text;
  }
  const std::string made =
      match.callable.is_class
          ? "(" +
                filled_text(match.constructor, ", ", input.kind,
                            input.arguments, input.dimensions) +
                ")"
          : "";
  return match.callable.name + made + "(" + list + ")";
}

// A mask that keeps where True, as the function wants it.
std::string in_convention(const std::string& mask, const Match& match) {
  switch (match.mask_convention.value_or(MaskConvention::keep)) {
    case MaskConvention::keep:
      return mask;
    case MaskConvention::hide:
      return "~" + mask;
    case MaskConvention::additive:
      break;
  }
  const std::string library = match.framework == Framework::torch ? "torch"
                              : match.framework == Framework::jax ? "jnp"
                                                                  : "np";
  return library + ".where(" + mask + ", 0.0, -" + library + ".inf)";
}

// Nothing where the call of a module cannot be written down.
std::vector<std::string> call_lines(const Case& input, const Match& match,
                                    const Spelling& spelling) {
  if (match.module) {
    return module_lines(input, match, spelling.before, spelling.after);
  }
  Spelling as_passed = spelling;
  as_passed.mask = in_convention(spelling.mask, match);
  return {call_line(input, match, as_passed)};
}

// (B, H, n, d) as the function takes it.
std::string in_layout(const Case& input, const Match& match) {
  return match.tokens_first && input.rank == 4 ? ".swapaxes(1, 2)" : "";
}

struct Library {
  std::string import;
  std::string make;  // its function that takes nested lists
  std::string dtype;
};

Library library_of(const Match& match) {
  const std::string precision = to_string(match.precision);
  switch (match.framework) {
    case Framework::numpy:
      return {"import numpy as np", "np.array",
              match.precision == DType::float64 ? "float" : "np." + precision};
    case Framework::torch:
      return {"import torch", "torch.tensor", "torch." + precision};
    case Framework::jax:
      return {"import jax.numpy as jnp", "jnp.array", "jnp." + precision};
  }
  return {};
}

}  // namespace

std::string plain_number(double value) {
  // Without the sign: of NaN, which some libraries print, and of zero.
  if (std::isnan(value)) {
    return "nan";
  }
  if (value == 0.0) {
    return "0";
  }
  std::array<char, 40> buffer{};
  for (const int digits : {15, 17}) {
    std::snprintf(buffer.data(), buffer.size(), "%.*g", digits, value);
    if (std::strtod(buffer.data(), nullptr) == value) {
      break;
    }
  }
  return buffer.data();
}

std::string nested_list(const reference::Tensor& tensor) {
  return list_from(tensor.shape, 0, 0, [&tensor](std::size_t i) {
    return plain_number(tensor.data[i]);
  });
}

std::string nested_list(const reference::Mask& mask) {
  return list_from(mask.shape, 0, 0, [&mask](std::size_t i) {
    return std::string(mask.data[i] != 0 ? "True" : "False");
  });
}

std::vector<std::string> python_lines(const Case& input, const Match& match) {
  const Library library = library_of(match);
  std::vector<std::string> lines{library.import};
  for (const NamedTensor& argument : input.arguments) {
    lines.push_back(argument.name + " = " + library.make + "(" +
                    nested_list(argument.tensor) + ", dtype=" + library.dtype +
                    ")");
  }
  if (input.mask) {
    lines.push_back("mask = " + library.make + "(" + nested_list(*input.mask) +
                    ")");
  }
  std::ranges::copy(
      call_lines(input, match, {.after = in_layout(input, match)}),
      std::back_inserter(lines));
  return lines;
}

std::vector<std::string> call_on_arrays(const Case& input, const Match& match) {
  const Library library = library_of(match);
  const std::string layout = in_layout(input, match);
  if (match.framework == Framework::numpy &&
      match.precision == DType::float64) {
    return call_lines(input, match, {.after = layout});
  }
  std::vector<std::string> lines = call_lines(
      input, match,
      {.before = "t(",
       .after = ")",
       .mask = match.framework == Framework::numpy ? "mask"
                                                   : library.make + "(mask)"});
  if (!lines.empty()) {
    lines.insert(lines.begin(), "t = lambda a: " + library.make + "(a, dtype=" +
                                    library.dtype + ")" + layout);
  }
  return lines;
}

}  // namespace grader
