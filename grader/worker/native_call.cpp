// SPDX-License-Identifier: MIT
#include "grader/worker/native_call.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <new>
#include <type_traits>

#include "include/attngrade.h"

namespace grader {
namespace {

using reference::Shape;

// Which of the signatures of attngrade.h.
enum class Signature { plain, masked, multi_head, grouped, none };

std::int64_t number(const Message& request, const char* key) {
  return std::strtoll(request.text(key).c_str(), nullptr, 10);
}

// Axes that a case does not have are 1 for C.
std::int64_t size_of(const Message& request, const char* key) {
  return std::max<std::int64_t>(number(request, key), 1);
}

Signature signature_of(const Message& request) {
  const std::string kind = request.text("kind");
  const std::string mask_mode = request.text("mask_mode");
  if (kind == "attention") {
    return mask_mode == "masked" ? Signature::masked : Signature::plain;
  }
  if (kind == "multi_head_attention" && mask_mode == "none") {
    return Signature::multi_head;
  }
  if (kind == "grouped_query_attention" && mask_mode == "none") {
    return Signature::grouped;
  }
  return Signature::none;
}

// A quiet NaN that no computation makes.
template <class Real>
Real canary() {
  if constexpr (std::is_same_v<Real, double>) {
    return std::bit_cast<double>(std::uint64_t{0x7FF8A77E57A77E57});
  } else {
    return std::bit_cast<float>(std::uint32_t{0x7FE0A77E});
  }
}

template <class Real>
bool is_canary(const Real& value) {
  // Bits, not numbers: a NaN is equal to none.
  using Bits = std::conditional_t<std::is_same_v<Real, double>, std::uint64_t,
                                  std::uint32_t>;
  return std::bit_cast<Bits>(value) == std::bit_cast<Bits>(canary<Real>());
}

template <class Real>
bool is_untouched(const std::vector<Real>& values) {
  return std::all_of(values.begin(), values.end(), is_canary<Real>);
}

std::size_t count(const Shape& shape) {
  std::size_t result = 1;
  for (const std::int64_t size : shape) {
    result *= static_cast<std::size_t>(size);
  }
  return result;
}

// In the case's own rank, as the grader expects them.
struct ResultShapes {
  Shape output;
  Shape weights;
};

ResultShapes result_shapes(const Message& request, Signature signature) {
  Shape output = request.arrays.at(0).shape;
  Shape weights(output.begin(), output.end() - 2);
  if (signature == Signature::multi_head) {
    weights.push_back(number(request, "n_heads"));
  } else {
    output.back() = number(request, "d_v");
  }
  weights.push_back(number(request, "n"));
  weights.push_back(number(request, "m"));
  return {output, weights};
}

// numpy.broadcast_to(mask, shape), flat.
std::vector<std::uint8_t> broadcast_mask(const MessageArray& mask,
                                         const Shape& shape) {
  std::vector<std::uint8_t> result(count(shape));
  for (std::size_t flat = 0; flat < result.size(); ++flat) {
    std::size_t rest = flat;
    std::size_t source = 0;
    std::size_t stride = 1;
    for (std::size_t i = 0; i < mask.shape.size(); ++i) {
      const auto size =
          static_cast<std::size_t>(shape.at(shape.size() - 1 - i));
      const auto own =
          static_cast<std::size_t>(mask.shape[mask.shape.size() - 1 - i]);
      source += (own == 1 ? 0 : rest % size) * stride;
      stride *= own;
      rest /= size;
    }
    result[flat] = mask.values.at(source) != 0.0 ? 1 : 0;
  }
  return result;
}

template <class Real>
struct Buffers {
  std::vector<std::vector<Real>> inputs;
  std::vector<std::uint8_t> mask;
  std::vector<Real> output;
  std::vector<Real> weights;
};

template <class Real>
Buffers<Real> make_buffers(const Message& request, const ResultShapes& shapes) {
  Buffers<Real> buffers;
  for (const MessageArray& array : request.arrays) {
    if (array.name == "mask") {
      buffers.mask = broadcast_mask(array, shapes.weights);
      continue;
    }
    std::vector<Real> values;
    for (const double value : array.values) {
      values.push_back(static_cast<Real>(value));
    }
    buffers.inputs.push_back(std::move(values));
  }
  buffers.output.assign(count(shapes.output), canary<Real>());
  buffers.weights.assign(count(shapes.weights), canary<Real>());
  return buffers;
}

template <class Real>
int invoke(void* function, Signature signature, const Message& request,
           Buffers<Real>& buffers, Real* weights) {
  using In = const Real*;
  const attention_shape shape{
      size_of(request, "batch"), size_of(request, "heads"),
      size_of(request, "n"),     size_of(request, "m"),
      size_of(request, "d_k"),   size_of(request, "d_v")};
  const multi_head_shape multi{size_of(request, "batch"), size_of(request, "n"),
                               size_of(request, "d_model"),
                               size_of(request, "n_heads")};
  const auto in = [&](std::size_t i) -> In {
    return buffers.inputs.at(i).data();
  };
  Real* output = buffers.output.data();
  switch (signature) {
    case Signature::plain:
      return reinterpret_cast<int (*)(In, In, In, attention_shape, Real*,
                                      Real*)>(function)(in(0), in(1), in(2),
                                                        shape, output, weights);
    case Signature::masked:
      return reinterpret_cast<int (*)(In, In, In, const std::uint8_t*,
                                      attention_shape, Real*, Real*)>(function)(
          in(0), in(1), in(2), buffers.mask.data(), shape, output, weights);
    case Signature::multi_head:
      return reinterpret_cast<int (*)(In, In, In, In, In, multi_head_shape,
                                      Real*, Real*)>(function)(
          in(0), in(1), in(2), in(3), in(4), multi, output, weights);
    case Signature::grouped:
      return reinterpret_cast<int (*)(In, In, In, attention_shape, std::int64_t,
                                      Real*, Real*)>(function)(
          in(0), in(1), in(2), shape, size_of(request, "kv_heads"), output,
          weights);
    case Signature::none:
      break;
  }
  return -1;
}

Message failure(const std::string& type, const std::string& text) {
  Message reply;
  reply.metadata = {{"status", "raised"},
                    {"type", type},
                    {"message", text},
                    {"traceback", ""}};
  return reply;
}

// Another order of summation is allowed, another answer is not.
template <class Real>
bool is_same(const std::vector<Real>& a, const std::vector<Real>& b) {
  const double allowed = std::is_same_v<Real, double> ? 1e-9 : 1e-4;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto x = static_cast<double>(a[i]);
    const auto y = static_cast<double>(b[i]);
    const bool is_equal =
        x == y || (std::isnan(x) && std::isnan(y)) ||
        std::fabs(x - y) <= allowed * std::max(1.0, std::fabs(x));
    if (!is_equal) {
      return false;
    }
  }
  return true;
}

template <class Real>
MessageArray as_array(const char* name, const Shape& shape,
                      const std::vector<Real>& values) {
  return {name, std::is_same_v<Real, double> ? "F64" : "F32", shape,
          std::vector<double>(values.begin(), values.end())};
}

template <class Real>
Message call_as(void* function, const Message& request) {
  const Signature signature = signature_of(request);
  const std::string name = request.text("callable");
  if (signature == Signature::none) {
    return failure("signature", "there is no C interface for this task");
  }
  const ResultShapes shapes = result_shapes(request, signature);
  const Buffers<Real> fresh = make_buffers<Real>(request, shapes);
  Buffers<Real> first = fresh;
  Buffers<Real> second = fresh;
  if (const int status =
          invoke(function, signature, request, first, first.weights.data())) {
    return failure("status", name + " returned " + std::to_string(status));
  }
  if (const int status =
          invoke<Real>(function, signature, request, second, nullptr)) {
    return failure("status", name + " returned " + std::to_string(status) +
                                 " when weights was NULL");
  }
  Message reply;
  const bool is_mutated =
      first.inputs != fresh.inputs || first.mask != fresh.mask ||
      second.inputs != fresh.inputs || second.mask != fresh.mask;
  reply.metadata = {{"status", "returned"},
                    {"mutated", is_mutated ? "1" : "0"},
                    {"same_without_weights",
                     is_same(first.output, second.output) ? "1" : "0"}};
  if (is_untouched(first.output)) {
    reply.metadata["problem"] = "returned 0 and wrote nothing to the output";
    return reply;
  }
  reply.arrays.push_back(as_array("output", shapes.output, first.output));
  if (!is_untouched(first.weights)) {
    reply.arrays.push_back(as_array("weights", shapes.weights, first.weights));
  }
  return reply;
}

}  // namespace

Message call_native(void* function, const Message& request) {
  try {
    return request.text("float32") == "1" ? call_as<float>(function, request)
                                          : call_as<double>(function, request);
  } catch (const std::bad_alloc&) {
    Message reply;
    reply.metadata = {{"status", "out-of-memory"}, {"detail", "bad_alloc"}};
    return reply;
  } catch (const std::exception& error) {
    return failure("C++ exception", error.what());
  } catch (...) {
    return failure("C++ exception", "not a std::exception");
  }
}

}  // namespace grader
