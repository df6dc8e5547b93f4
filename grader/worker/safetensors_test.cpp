// SPDX-License-Identifier: MIT
#include "grader/worker/safetensors.hpp"

#include <cmath>
#include <cstring>

#include "tests/catch.hpp"

using namespace grader;

namespace {

constexpr MessageLimits limits{1024, 4096, 4};

std::string message(const std::string& header, const std::string& data = "") {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

std::string error_of(const std::string& bytes) {
  const auto parsed = parse_message(bytes, limits);
  const auto* error = std::get_if<std::string>(&parsed);
  return error == nullptr ? "none" : *error;
}

Message parsed(const std::string& bytes) {
  INFO(error_of(bytes));
  const auto result = parse_message(bytes, limits);
  REQUIRE(std::holds_alternative<Message>(result));
  return std::get<Message>(result);
}

std::string array(const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return "{\"a\":{\"dtype\":" + dtype + ",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}}";
}

std::vector<double> values_of(const std::string& dtype, const std::string& data,
                              std::size_t element_size) {
  const std::string shape =
      "[" + std::to_string(data.size() / element_size) + "]";
  const std::string offsets = "[0," + std::to_string(data.size()) + "]";
  return parsed(message(array("\"" + dtype + "\"", shape, offsets), data))
      .arrays.at(0)
      .values;
}

}  // namespace

TEST_CASE("a message comes back as it was written", "[safetensors]") {
  Message written;
  written.metadata = {{"op", "call"},
                      {"name",
                       "gr\xC3\xB6\xC3\x9F"
                       "e\n\"\\"}};
  written.arrays = {{"q", "F64", {2, 1, 2}, {1.5, -0.0, HUGE_VAL, 4e-320}},
                    {"mask", "BOOL", {3}, {1, 0, 1}},
                    {"single", "F32", {1}, {0.25}},
                    {"none", "F64", {0, 7}, {}},
                    {"scalar", "F64", {}, {7}}};
  const std::string bytes = write_message(written);
  const auto result = parse_message(bytes, {1024, 4096, 5});
  REQUIRE(std::holds_alternative<Message>(result));
  const auto& read = std::get<Message>(result);
  CHECK(read.metadata == written.metadata);
  for (const MessageArray& expected : written.arrays) {
    const MessageArray* found = read.find(expected.name);
    REQUIRE(found != nullptr);
    CHECK(found->dtype == expected.dtype);
    CHECK(found->shape == expected.shape);
    CHECK(found->values == expected.values);
  }
  CHECK(read.text("op") == "call");
  CHECK(read.text("nothing").empty());
}

TEST_CASE("arrays come in the order of their data", "[safetensors]") {
  const Message read =
      parsed(message(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},)"
                     R"("b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
                     "\x07\x08"));
  CHECK(read.arrays.at(0).name == "b");
  CHECK(read.arrays.at(1).values == std::vector<double>{8});
}

TEST_CASE("every type is widened exactly", "[safetensors]") {
  CHECK(values_of("I8", "\xFF\x7F", 1) == std::vector<double>{-1, 127});
  CHECK(values_of("U8", "\xFF", 1) == std::vector<double>{255});
  CHECK(values_of("I16", "\xFE\xFF", 2) == std::vector<double>{-2});
  CHECK(values_of("U16", "\xFE\xFF", 2) == std::vector<double>{65534});
  CHECK(values_of("I32", "\xFD\xFF\xFF\xFF", 4) == std::vector<double>{-3});
  CHECK(values_of("U32", "\xFF\xFF\xFF\xFF", 4) ==
        std::vector<double>{4294967295.0});
  CHECK(values_of("I64", std::string(8, '\xFF'), 8) == std::vector<double>{-1});
  CHECK(values_of("U64", std::string(8, '\xFF'), 8) ==
        std::vector<double>{18446744073709551616.0});
  CHECK(values_of("F32", std::string("\0\0\xC0\x3F", 4), 4) ==
        std::vector<double>{1.5});
  CHECK(values_of("BOOL", std::string("\x00\x01\x02", 3), 1) ==
        std::vector<double>{0, 1, 1});
}

TEST_CASE("half precision is widened exactly", "[safetensors]") {
  CHECK(widen_float16(0x3C00) == 1.0);
  CHECK(widen_float16(0xC000) == -2.0);
  CHECK(widen_float16(0x7BFF) == 65504.0);
  CHECK(widen_float16(0x0001) == std::ldexp(1.0, -24));
  CHECK(widen_float16(0x0400) == std::ldexp(1.0, -14));
  CHECK(widen_float16(0x7C00) == HUGE_VAL);
  CHECK(widen_float16(0xFC00) == -HUGE_VAL);
  CHECK(std::isnan(widen_float16(0x7E00)));
  CHECK(std::signbit(widen_float16(0x8000)));
  CHECK(widen_bfloat16(0x3F80) == 1.0);
  CHECK(widen_bfloat16(0xC2F7) == -123.5);
  CHECK(std::isnan(widen_bfloat16(0x7FC0)));
}

TEST_CASE("headers that break the format are refused", "[safetensors]") {
  for (const std::string header :
       {"", "x", "[]", "3", "{\"a\":3}", "{\"a\":{}}", "{\"a\":[]}",
        "{\"__metadata__\":3}", "{\"__metadata__\":{\"a\":3}}",
        "{\"__metadata__\":{\"a\":\"\xFF\"}}", "{\"a\":null}", "{} {}"}) {
    INFO(header);
    CHECK(error_of(message(header)) != "none");
  }
}

TEST_CASE("arrays that break the format are refused", "[safetensors]") {
  const auto refused = [](const std::string& dtype, const std::string& shape,
                          const std::string& offsets) {
    INFO(dtype << " " << shape << " " << offsets);
    CHECK(error_of(message(array(dtype, shape, offsets),
                           std::string(16, 'x'))) != "none");
  };
  REQUIRE(error_of(message(array("\"F64\"", "[2]", "[0,16]"),
                           std::string(16, 'x'))) == "none");
  refused("\"F65\"", "[2]", "[0,16]");
  refused("\"\"", "[2]", "[0,16]");
  refused("64", "[2]", "[0,16]");
  refused("\"F64\"", "[3]", "[0,16]");
  refused("\"F64\"", "[-2]", "[0,16]");
  refused("\"F64\"", "[2.0]", "[0,16]");
  refused("\"F64\"", "[\"2\"]", "[0,16]");
  refused("\"F64\"", "2", "[0,16]");
  refused("\"F64\"", "[9223372036854775808]", "[0,16]");
  refused("\"F64\"", "[4611686018427387904,4,2]", "[0,16]");
  refused("\"F64\"", "[1,1,1,1,1,1,1,1,2]", "[0,16]");
  refused("\"F64\"", "[2]", "[16,0]");
  refused("\"F64\"", "[2]", "[8,24]");
  refused("\"F64\"", "[2]", "[-16,0]");
  refused("\"F64\"", "[2]", "[0]");
  refused("\"F64\"", "[2]", "[0,16,32]");
  refused("\"F64\"", "[2]", "[0,18446744073709551615]");
  refused("\"F64\"", "[1]", "[0,8]");  // bytes left over
}

TEST_CASE("overlapping and scattered data are refused", "[safetensors]") {
  const auto two = [](const std::string& first, const std::string& second) {
    return error_of(message(
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":" + first +
            "},\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":" +
            second + "}}",
        "1234"));
  };
  CHECK(two("[0,2]", "[2,4]") == "none");
  CHECK(two("[0,2]", "[0,2]") != "none");
  CHECK(two("[0,2]", "[1,3]") != "none");
  CHECK(two("[1,3]", "[3,5]") != "none");
  CHECK(two("[0,2]", "[3,5]") != "none");
}

TEST_CASE("the limits hold before anything is allocated", "[safetensors]") {
  const auto size_error = [](const std::string& bytes) {
    const auto size = message_size(bytes, limits);
    return std::holds_alternative<std::string>(size);
  };
  CHECK(size_error(std::string(8, '\xFF')));
  CHECK(size_error(std::string("\x01\x04\0\0\0\0\0\0", 8)));
  CHECK(size_error(message(array("\"U8\"", "[4096]", "[0,4096]"))));
  CHECK(size_error(message("{" + std::string(2000, ' ') + "}")));
  CHECK(error_of(message(std::string(500, '[') + std::string(500, ']'))) ==
        "the header is nested too deeply");
  CHECK(error_of(message("{\"a\":\"[[[[[[[[\\\"[[[[\"}")) !=
        "the header is nested too deeply");
  CHECK(error_of(message(R"({"a":1,"b":2,"c":3,"d":4,"e":5,"f":6})")) ==
        "more than 4 arrays");
}

TEST_CASE("a message that is cut anywhere is not complete", "[safetensors]") {
  Message written;
  written.arrays = {{"q", "F64", {2}, {1, 2}}};
  const std::string bytes = write_message(written);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CHECK(error_of(bytes.substr(0, length)) == "the message ends early");
  }
  CHECK(error_of(bytes) == "none");
  CHECK(error_of(bytes + "x") == "bytes after the end of the message");
}
