// SPDX-License-Identifier: MIT
#include "reference/random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "reference/ziggurat_tables.hpp"
#include "tests/catch.hpp"

namespace {

using reference::Random;

struct Line {
  std::string kind;
  std::uint64_t seed = 0;
  std::vector<std::string> words;
};

// Lines of one kind of random_golden.txt; make_random_golden.py says what they
// hold.
std::vector<Line> golden(const std::string& kind) {
  std::ifstream file(PROJECT_SOURCE_DIR
                     "/reference/testdata/random_golden.txt");
  std::vector<Line> lines;
  for (std::string text; std::getline(file, text);) {
    std::istringstream words(text);
    Line line;
    if (!(words >> line.kind >> line.seed) || line.kind != kind) {
      continue;
    }
    for (std::string word; words >> word;) {
      line.words.push_back(word);
    }
    lines.push_back(line);
  }
  return lines;
}

std::uint64_t fnv1a(const std::vector<double>& draws, std::uint64_t start) {
  std::uint64_t value = start;
  for (const double draw : draws) {
    const auto bits = std::bit_cast<std::uint64_t>(draw);
    for (int shift = 0; shift < 64; shift += 8) {
      value = (value ^ (bits >> shift & 0xff)) * 0x100000001b3;
    }
  }
  return value;
}

long count_tails(const std::vector<double>& draws) {
  return std::count_if(draws.begin(), draws.end(), [](double draw) {
    return std::abs(draw) > reference::ziggurat_edge;
  });
}

}  // namespace

TEST_CASE("raw draws are numpy's", "[random]") {
  const auto lines = golden("raw");
  REQUIRE(lines.size() == 6);
  for (const Line& line : lines) {
    CAPTURE(line.seed);
    Random random(line.seed);
    for (const std::string& word : line.words) {
      CHECK(random.next_uint64() == std::stoull(word));
    }
  }
}

TEST_CASE("normals and uniforms are numpy's", "[random]") {
  for (const Line& line : golden("normal")) {
    CAPTURE(line.seed);
    Random random(line.seed);
    for (const std::string& word : line.words) {
      CHECK(random.standard_normal() == std::stod(word));
    }
  }
  for (const Line& line : golden("uniform")) {
    CAPTURE(line.seed);
    Random random(line.seed);
    for (const std::string& word : line.words) {
      CHECK(random.random() == std::stod(word));
    }
  }
}

TEST_CASE("long runs are numpy's bit for bit, tails included", "[random]") {
  const auto lines = golden("checksum");
  REQUIRE(lines.size() >= 200);
  long all_tails = 0;
  for (const Line& line : lines) {
    CAPTURE(line.seed);
    Random random(line.seed);
    const auto normals = random.standard_normal({6000}).data;
    const auto uniforms = random.random({2000}).data;
    const long tails = count_tails(normals);
    all_tails += tails;
    CHECK(tails == std::stol(line.words.at(0)));
    CHECK(fnv1a(uniforms, fnv1a(normals, 0xcbf29ce484222325)) ==
          std::stoull(line.words.at(1), nullptr, 16));
  }
  CHECK(all_tails > 100);
}

TEST_CASE("arrays are filled in row-major order", "[random]") {
  Random one(7);
  Random other(7);
  const auto tensor = one.standard_normal({2, 3});
  CHECK(tensor.shape == reference::Shape{2, 3});
  for (const double value : tensor.data) {
    CHECK(value == other.standard_normal());
  }
  CHECK(one.random({0, 4}).data.empty());
  CHECK(one.random() == other.random());
}

TEST_CASE("uniforms are multiples of 2^-53 in [0, 1)", "[random]") {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const double draw = random.random();
    CHECK(draw >= 0.0);
    CHECK(draw < 1.0);
    CHECK(draw * 0x1p53 == std::floor(draw * 0x1p53));
  }
}
