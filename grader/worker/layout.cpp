// SPDX-License-Identifier: MIT
#include "grader/worker/layout.hpp"

namespace grader {
namespace {

reference::Tensor swap_middle_axes(const reference::Tensor& tensor) {
  return tensor.shape.size() == 4 ? reference::permute(tensor, {0, 2, 1, 3})
                                  : tensor;
}

}  // namespace

Call with_tokens_first(const Call& call) {
  Call swapped = call;
  for (NamedTensor& argument : swapped.arguments) {
    argument.tensor = swap_middle_axes(argument.tensor);
  }
  return swapped;
}

void bring_heads_first(const Call& call, Returned& returned) {
  const reference::Shape& q = call.arguments.at(0).tensor.shape;
  const reference::Shape& k = call.arguments.at(1).tensor.shape;
  const reference::Shape& v = call.arguments.at(2).tensor.shape;
  if (q.size() != 4) {
    return;
  }
  const reference::Shape output = {q[0], q[2], q[1], v.back()};
  const reference::Shape weights = {q[0], q[1], q[2], k.at(2)};
  for (ResultArray& result : returned.results) {
    const bool may_be_weights =
        result.values.shape == weights && &result != &returned.results.front();
    if (result.values.shape == output && result.role != "weights" &&
        (result.role == "output" || !may_be_weights)) {
      result.values = swap_middle_axes(result.values);
    }
  }
}

}  // namespace grader
