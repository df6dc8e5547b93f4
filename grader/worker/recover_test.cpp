// SPDX-License-Identifier: MIT
#include "grader/worker/recover.hpp"

#include "grader/fixture/adapt.hpp"
#include "grader/fixture/mask_shape.hpp"
#include "tests/catch.hpp"

namespace grader {
namespace {

Case with_mask(MaskAxes axes) {
  Case test_case;
  test_case.kind = Kind::multi_head_attention;
  test_case.mask_mode = MaskMode::masked;
  test_case.rank = 3;
  test_case.seed = 1;
  test_case.dimensions = {
      .batch = 2, .heads = 2, .n = 3, .m = 3, .d_k = 4, .d_v = 4, .d_model = 8};
  test_case.mask_recipe = MaskRecipe{.form = "full", .axes = axes};
  draw_adapted(test_case);
  return test_case;
}

// The entries of the mask put together again.
reference::Mask joined(const std::vector<RecoveryCall>& calls) {
  reference::Mask mask = *calls.front().call.mask;
  for (std::size_t i = 1; i < calls.size(); ++i) {
    const reference::Mask& next = *calls[i].call.mask;
    mask.data.insert(mask.data.end(), next.data.begin(), next.data.end());
    ++mask.shape.front();
  }
  return mask;
}

}  // namespace

TEST_CASE("a class gets the mask of the one entry that it is asked for",
          "[recover]") {
  for (const MaskAxes axes :
       {MaskAxes::batch_keys, MaskAxes::batch_one_keys,
        MaskAxes::batch_queries_keys, MaskAxes::batch_one_one_keys,
        MaskAxes::batch_one_queries_keys, MaskAxes::batch_heads_queries_keys,
        MaskAxes::batch_prefix}) {
    const Case test_case = with_mask(axes);
    const auto calls = recovery_calls(test_case);
    INFO(static_cast<int>(axes));
    REQUIRE(calls.size() == 2);
    CHECK(calls.front().call.mask->shape.front() == 1);
    CHECK(joined(calls).shape == test_case.mask->shape);
    CHECK(joined(calls).data == test_case.mask->data);
  }
}

TEST_CASE("a mask without a batch is every entry's", "[recover]") {
  const Case test_case = with_mask(MaskAxes::queries_keys);
  for (const RecoveryCall& recovery : recovery_calls(test_case)) {
    CHECK(recovery.call.mask->shape == test_case.mask->shape);
    CHECK(recovery.call.mask->data == test_case.mask->data);
  }
}

}  // namespace grader
