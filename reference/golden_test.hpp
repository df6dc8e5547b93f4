// SPDX-License-Identifier: MIT
// Test helper: the cases of testdata/attention_golden.txt, written by numpy.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/attention.hpp"
#include "reference/tensor.hpp"
#include "tests/catch.hpp"

namespace reference {

class Golden {
 public:
  // Throws std::invalid_argument if there is no such case.
  explicit Golden(const std::string& name) {
    std::ifstream file(PROJECT_SOURCE_DIR
                       "/reference/testdata/attention_golden.txt");
    std::string current;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string key;
      words >> key;
      if (key == "case") {
        words >> current;
      } else if (key != "#" && current == name) {
        arrays_.emplace(key, read_tensor(words));
      }
    }
    if (arrays_.empty()) {
      throw std::invalid_argument("no golden case " + name);
    }
  }

  const Tensor& operator[](const std::string& array) const {
    return arrays_.at(array);
  }

  Mask mask() const {
    const Tensor& tensor = arrays_.at("mask");
    return {tensor.shape, {tensor.data.begin(), tensor.data.end()}};
  }

 private:
  static Tensor read_tensor(std::istringstream& words) {
    std::size_t rank = 0;
    words >> rank;
    Shape shape(rank);
    for (auto& size : shape) {
      words >> size;
    }
    std::vector<double> values;
    for (double value = 0; words >> value;) {
      values.push_back(value);
    }
    return Tensor(shape, values);
  }

  std::map<std::string, Tensor> arrays_;
};

// Largest difference; NaN if any difference is, infinite if the shapes differ.
inline double max_difference(const Tensor& a, const Tensor& b) {
  if (a.shape != b.shape) {
    return std::numeric_limits<double>::infinity();
  }
  double largest = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    const double difference = std::abs(a.data[i] - b.data[i]);
    if (std::isnan(difference)) {
      return difference;
    }
    largest = std::max(largest, difference);
  }
  return largest;
}

inline void check_golden(const Attention& attention, const Golden& golden) {
  CHECK(max_difference(attention.weights, golden["weights"]) < 1e-14);
  CHECK(max_difference(attention.output, golden["output"]) < 1e-14);
}

}  // namespace reference
