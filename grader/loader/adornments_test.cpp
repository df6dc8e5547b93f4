// SPDX-License-Identifier: MIT
#include "grader/loader/adornments.hpp"

#include "tests/catch.hpp"

namespace grader {
namespace {

TEST_CASE("words that say nothing of the formula are left out",
          "[adornments]") {
  CHECK(without_adornments("my_attention") == "attention");
  CHECK(without_adornments("NumpyAttention") == "attention");
  CHECK(without_adornments("flash_attention_forward") == "attention");
  CHECK(without_adornments("attention_v2") == "attention");
  CHECK(without_adornments("attention2") == "attention");
  CHECK(without_adornments("MySDPA") == "sdpa");
  CHECK(without_adornments("my_scaled_dot_product_attention") ==
        "scaleddotproductattention");
  CHECK(without_adornments("naive_causal_attention") == "causalattention");
}

TEST_CASE("a name without such words has no core", "[adornments]") {
  CHECK(without_adornments("attention").empty());
  CHECK(without_adornments("linear_attention").empty());
  CHECK(without_adornments("chunked_attention").empty());
  CHECK(without_adornments("myattention").empty());
  CHECK(without_adornments("").empty());
  CHECK(without_adornments("___").empty());
}

TEST_CASE("words that change the formula stay", "[adornments]") {
  CHECK(without_adornments("my_linear_attention") == "linearattention");
  CHECK(without_adornments("fast_local_attention") == "localattention");
  CHECK(without_adornments("my_broken_attention") == "brokenattention");
}

TEST_CASE("an oracle is not somebody's attention", "[adornments]") {
  CHECK(without_adornments("reference_attention").empty());
  CHECK(without_adornments("attention_ref").empty());
  CHECK(without_adornments("baseline_attention").empty());
}

TEST_CASE("nothing but such words is no name", "[adornments]") {
  CHECK(without_adornments("my_function").empty());
  CHECK(without_adornments("v2").empty());
}

TEST_CASE("hostile names are only read", "[adornments]") {
  CHECK(without_adornments("my_\xff\xfe\x1b[J") == "\xff\xfe\x1b[j");
  CHECK(without_adornments(std::string(100000, '_')).empty());
}

}  // namespace
}  // namespace grader
