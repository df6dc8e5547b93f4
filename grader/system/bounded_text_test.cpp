// SPDX-License-Identifier: MIT
#include "grader/system/bounded_text.hpp"

#include <array>
#include <fcntl.h>
#include <unistd.h>

#include "grader/system/file_descriptor.hpp"
#include "tests/catch.hpp"

using namespace grader;

TEST_CASE("a short text is kept as it is", "[bounded_text]") {
  BoundedText text(4, 4);
  text.append("abc");
  text.append("defgh");
  CHECK(text.text() == "abcdefgh");
  CHECK(text.total() == 8);
}

TEST_CASE("of a long text the first and last part are kept", "[bounded_text]") {
  BoundedText text(3, 2);
  for (int i = 0; i < 1000; ++i) {
    text.append("0123456789");
  }
  CHECK(text.text() == "012\n[... 9995 bytes left out ...]\n89");
  CHECK(text.total() == 10000);
}

TEST_CASE("a capacity of nothing keeps nothing", "[bounded_text]") {
  BoundedText text(0, 0);
  text.append("abc");
  CHECK(text.text() == "\n[... 3 bytes left out ...]\n");
}

TEST_CASE("draining takes what is there and sees the end", "[bounded_text]") {
  std::array<int, 2> ends{};
  REQUIRE(pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0);
  const FileDescriptor reader(ends[0]);
  FileDescriptor writer(ends[1]);
  BoundedText text(10, 10);
  CHECK(drain(reader.get(), text) == DrainResult::open);
  REQUIRE(write(writer.get(), "hello", 5) == 5);
  CHECK(drain(reader.get(), text) == DrainResult::open);
  CHECK(text.text() == "hello");
  writer.close();
  CHECK(drain(reader.get(), text) == DrainResult::closed);
}
