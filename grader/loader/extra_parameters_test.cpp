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
    CHECK(filling_named(name, Kind::attention, false) == Filling::key_width);
    CHECK(filling_named(name, Kind::multi_head_attention, false) ==
          Filling::key_width);
  }
  for (const std::string name : {"d_model", "embed_dim", "hidden_size"}) {
    CHECK(filling_named(name, Kind::attention, false) == Filling::key_width);
    CHECK(filling_named(name, Kind::self_attention, false) ==
          Filling::model_width);
  }
  CHECK(filling_named("d_q", Kind::attention, false) == Filling::key_width);
  CHECK(filling_named("d_v", Kind::attention, false) == Filling::value_width);
  for (const std::string name : {"scale", "mask", "q", ""}) {
    CHECK(!filling_named(name, Kind::attention, true));
  }
}

TEST_CASE("a short name is a width only beside known names",
          "[extra_parameters]") {
  CHECK(filling_named("dim", Kind::attention, true) == Filling::key_width);
  CHECK(!filling_named("dim", Kind::attention, false));
  CHECK(!filling_named("d", Kind::self_attention, false));
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
  CHECK(filling_value(Filling::key_width, Kind::attention, plain, {}) == 7);
  CHECK(filling_value(Filling::value_width, Kind::attention, plain, {}) == 5);
  const std::vector<NamedTensor> projected = {
      tensor("x", {2, 12}), tensor("w_q", {12, 7}), tensor("w_k", {12, 7}),
      tensor("w_v", {12, 5})};
  CHECK(filling_value(Filling::key_width, Kind::self_attention, projected,
                      {}) == 7);
  CHECK(filling_value(Filling::model_width, Kind::self_attention, projected,
                      {}) == 12);
  CHECK(filling_value(Filling::value_width, Kind::self_attention, projected,
                      {}) == 5);
  Dimensions dimensions;
  dimensions.heads = 3;
  CHECK(filling_value(Filling::key_width, Kind::multi_head_attention, projected,
                      dimensions) == 4);
  CHECK(filling_value(Filling::model_width, Kind::multi_head_attention,
                      projected, dimensions) == 12);
}

}  // namespace
}  // namespace grader
