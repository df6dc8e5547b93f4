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

Parameter with_default(const std::string& name, std::int64_t width) {
  Parameter parameter;
  parameter.name = name;
  parameter.has_default = true;
  parameter.default_width = width;
  return parameter;
}

TEST_CASE("a default is an example of a width unless it may be an axis",
          "[extra_parameters]") {
  const auto filled = [](const std::string& name, std::int64_t width) {
    return example_named(with_default(name, width), Kind::attention, true)
        .has_value();
  };
  for (const std::string name : {"dim", "d", "depth", "size", "width"}) {
    CHECK(filled(name, 8));
    CHECK(filled(name, 64));
    for (const std::int64_t axis : {0, 1, 2, 3, 4, 7}) {
      CHECK_FALSE(filled(name, axis));
    }
  }
  for (const std::string name : {"head_dim", "dim_head", "embed_dim"}) {
    CHECK(filled(name, 4));
    CHECK_FALSE(filled(name, 3));
  }
  for (const std::string name : {"d_k", "d_head", "hidden_size"}) {
    CHECK(filled(name, 2));
    CHECK_FALSE(filled(name, 1));
  }
  CHECK_FALSE(filled("block", 64));
  CHECK_FALSE(example_named(with_default("dim", 64), Kind::attention, false));
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

TEST_CASE("numbers and switches are passed by name", "[extra_parameters]") {
  const std::vector<NamedTensor> plain = {
      tensor("q", {2, 7}), tensor("k", {3, 7}), tensor("v", {3, 5})};
  CHECK(filled_text({{"d_k", Filling::key_width},
                     {"causal", Filling::off},
                     {"is_causal", Filling::on}},
                    " ", Kind::attention, plain,
                    {}) == "d_k=7 causal=False is_causal=True");
}

}  // namespace
}  // namespace grader
