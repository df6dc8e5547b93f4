// SPDX-License-Identifier: MIT
#include "grader/loader/extra_parameters.hpp"

#include "tests/catch.hpp"

namespace grader {
namespace {

NamedTensor tensor(const std::string& name, const reference::Shape& shape) {
  return {name, reference::Tensor(shape)};
}

TEST_CASE("a width is known by its name", "[extra_parameters]") {
  for (const std::string name : {"d_k", "dk", "D_K", "head_dim", "depth"}) {
    CHECK(width_named(name, Kind::attention, false) == Width::key);
    CHECK(width_named(name, Kind::multi_head_attention, false) == Width::key);
  }
  for (const std::string name : {"d_model", "embed_dim", "hidden_size"}) {
    CHECK(width_named(name, Kind::attention, false) == Width::key);
    CHECK(width_named(name, Kind::self_attention, false) == Width::model);
  }
  for (const std::string name : {"scale", "mask", "d_v", "q", ""}) {
    CHECK(!width_named(name, Kind::attention, true));
  }
}

TEST_CASE("a short name is a width only beside known names",
          "[extra_parameters]") {
  CHECK(width_named("dim", Kind::attention, true) == Width::key);
  CHECK(!width_named("dim", Kind::attention, false));
  CHECK(!width_named("d", Kind::self_attention, false));
}

TEST_CASE("options are no tensors", "[extra_parameters]") {
  CHECK(is_option("scale"));
  CHECK(is_option("is_causal"));
  CHECK(!is_option("mask"));
  CHECK(!is_option("what"));
}

TEST_CASE("widths come from the tensors of the call", "[extra_parameters]") {
  const std::vector<NamedTensor> plain = {
      tensor("q", {2, 7}), tensor("k", {3, 7}), tensor("v", {3, 5})};
  CHECK(width_of(Width::key, Kind::attention, plain, {}) == 7);
  const std::vector<NamedTensor> projected = {
      tensor("x", {2, 12}), tensor("w_q", {12, 7}), tensor("w_k", {12, 7}),
      tensor("w_v", {12, 5})};
  CHECK(width_of(Width::key, Kind::self_attention, projected, {}) == 7);
  CHECK(width_of(Width::model, Kind::self_attention, projected, {}) == 12);
  Dimensions dimensions;
  dimensions.heads = 3;
  CHECK(width_of(Width::key, Kind::multi_head_attention, projected,
                 dimensions) == 4);
  CHECK(width_of(Width::model, Kind::multi_head_attention, projected,
                 dimensions) == 12);
}

}  // namespace
}  // namespace grader
