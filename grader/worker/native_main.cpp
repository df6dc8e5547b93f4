// SPDX-License-Identifier: MIT
#include "grader/worker/native_host.hpp"

int main() {
  return grader::run_native_host();
}
