// SPDX-License-Identifier: MIT
#include "grader/worker/study.hpp"

#include <stdexcept>

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"

using namespace grader;
using nlohmann::json;

namespace {

json good_study() {
  return json::parse(R"({
    "kind": "multi_head_attention", "problem": "", "problem_kind": "",
    "widths": "free", "d_model": 384, "heads": 0, "causal": "switch",
    "mask": "optional", "mask_forms": ["bool", "additive"],
    "filled": "d_model = C, num_heads = H",
    "parameters": [
      {"name": "q_proj.weight", "holds": "w_q", "by": "data flow",
       "orientation": "out-in"}],
    "settled": true,
    "conventions": [{"name": "order", "options": [
      {"word": "qkv", "says": ""}, {"word": "kqv", "says": "holds k, q, v"}]}],
    "remarks": ["dropout = 0"]})");
}

json with(const std::string& key, const json& value) {
  json study = good_study();
  study[key] = value;
  return study;
}

json option(const std::string& word) {
  return {{"word", word}, {"says", ""}};
}

json convention(const json& options) {
  return json::array({{{"name", "order"}, {"options", options}}});
}

bool is_rejected(const json& value) {
  try {
    read_study(value);
    return false;
  } catch (const json::exception&) {
    return true;
  } catch (const std::invalid_argument&) {
    return true;
  }
}

}  // namespace

TEST_CASE("a study says what a class computes and how it is read", "[study]") {
  const ModuleStudy study = read_study(good_study());
  CHECK(study.kind == Kind::multi_head_attention);
  CHECK(study.widths == Widths::free);
  CHECK(study.d_model == 384);
  CHECK(study.heads == 0);
  CHECK(study.causal == Causality::by_switch);
  CHECK(study.mask == MaskUse::optional);
  CHECK(study.mask_forms == std::vector<std::string>{"bool", "additive"});
  CHECK(study.filled == "d_model = C, num_heads = H");
  CHECK(study.parameters ==
        std::vector<ModuleParameter>{
            {"q_proj.weight", "w_q", "data flow", "out-in"}});
  CHECK(study.settled);
  CHECK(study.remarks == std::vector<std::string>{"dropout = 0"});
  CHECK(unusual_readings(study, {}).empty());
  CHECK(unusual_readings(study, {{"order", "qkv"}}).empty());
  CHECK(unusual_readings(study, {{"order", "kqv"}}) ==
        std::vector<std::string>{"holds k, q, v"});
  CHECK(unusual_readings(study, {{"order", "vkq"}, {"layout", "x"}}).empty());
}

TEST_CASE("a study with a problem says nothing else", "[study]") {
  const ModuleStudy study =
      read_study({{"problem", "needs \x1b[1m`n_blocks`\n"},
                  {"problem_kind", "constructor"}});
  CHECK_FALSE(study.kind);
  CHECK(study.problem == "needs \\x1b[1m`n_blocks` ");
  CHECK(study.problem_kind == "constructor");
  CHECK(is_rejected({{"problem", "why"}}));
  CHECK(is_rejected({{"problem", "why"}, {"problem_kind", "candidate"}}));
  CHECK(is_rejected({{"problem", "why"}, {"problem_kind", 1}}));
}

TEST_CASE("a study that the protocol does not have is rejected", "[study]") {
  for (const json& value : {json(), json(1), json("module"), json::array(),
                            json::object(), json::array({good_study()})}) {
    INFO(value.dump());
    CHECK(is_rejected(value));
  }
  const std::vector<std::pair<std::string, std::vector<json>>> wrong = {
      {"kind", {"", "attention", "grouped_query_attention", nullptr, 1}},
      {"problem", {1, json::array(), nullptr}},
      {"widths", {"", "none", 3}},
      {"d_model", {-1, 65537, 1e300, "8", 18446744073709551615U, 8.5}},
      {"heads", {-1, 65537, true, nullptr}},
      {"causal", {"", "sometimes", false}},
      {"mask", {"", "maybe", false}},
      {"mask_forms", {"bool", json::array({"bits"}), json::array({1})}},
      {"filled", {1, json::array()}},
      {"parameters",
       {"", json::array({1}), json::array({json::object()}),
        json::array({{{"name", "w"}, {"holds", "w_q"}, {"by", "guess"}}}),
        json::array({{{"name", 1}, {"holds", "w_q"}, {"by", "name"}}}),
        json::array({{{"name", "w"},
                      {"holds", "w_q"},
                      {"by", "name"},
                      {"orientation", "sideways"}}})}},
      {"settled", {"yes", 1, nullptr}},
      {"conventions",
       {json::object(), json::array({1}), convention(json::array()),
        convention(json::array({option("")})),
        convention(json::array({option("a b")})),
        convention(json::array({option("a=b")})),
        convention(json::array({option("QKV")})),
        convention(json::array({option("q\n")})),
        convention(json::array({option(std::string(41, 'q'))}))}},
      {"remarks", {"", json::array({1})}}};
  for (const auto& [key, values] : wrong) {
    for (const json& value : values) {
      INFO(key << ": " << value.dump());
      CHECK(is_rejected(with(key, value)));
    }
  }
}

TEST_CASE("long lists and texts of a study are cut", "[study]") {
  const auto many = [](const json& value) {
    return json(std::vector<json>(1000, value));
  };
  json value = good_study();
  value["filled"] = std::string(100000, 'x');
  value["remarks"] = many(std::string(100000, 'y'));
  value["mask_forms"] = many("bool");
  value["parameters"] =
      many({{"name", std::string(1000, 'w')}, {"holds", "w_q"}, {"by", "use"}});
  value["conventions"] =
      many({{"name", std::string(40, 'a')},
            {"options", many(option(std::string(40, 'b')))}});
  const ModuleStudy study = read_study(value);
  CHECK(study.filled.size() <= 600);
  CHECK(study.remarks.size() == 12);
  CHECK(study.remarks.front().size() <= 600);
  CHECK(study.mask_forms.size() == 4);
  CHECK(study.parameters.size() == 64);
  CHECK(study.parameters.front().name.size() <= 80);
  CHECK(study.conventions.size() == 12);
  CHECK(study.conventions.front().options.size() == 40);
}
