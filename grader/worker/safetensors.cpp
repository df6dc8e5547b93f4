// SPDX-License-Identifier: MIT
#include "grader/worker/safetensors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

#include <nlohmann/json.hpp>

namespace grader {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little,
              "data is copied without swapping bytes");

constexpr std::size_t length_bytes = 8;
constexpr std::size_t max_rank = 8;
constexpr int max_nesting = 4;  // the format needs three levels

struct ElementType {
  std::string_view name;
  std::size_t size;
  double (*read)(const char* bytes);
};

template <class Number>
double read_number(const char* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return static_cast<double>(number);
}

template <double (*widen)(std::uint16_t)>
double read_half(const char* bytes) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  return widen(bits);
}

double read_boolean(const char* bytes) {
  return *bytes != 0 ? 1.0 : 0.0;
}

constexpr std::array<ElementType, 13> element_types{{
    {"F64", 8, read_number<double>},
    {"F32", 4, read_number<float>},
    {"F16", 2, read_half<widen_float16>},
    {"BF16", 2, read_half<widen_bfloat16>},
    {"I64", 8, read_number<std::int64_t>},
    {"I32", 4, read_number<std::int32_t>},
    {"I16", 2, read_number<std::int16_t>},
    {"I8", 1, read_number<std::int8_t>},
    {"U8", 1, read_number<std::uint8_t>},
    {"U16", 2, read_number<std::uint16_t>},
    {"U32", 4, read_number<std::uint32_t>},
    {"U64", 8, read_number<std::uint64_t>},
    {"BOOL", 1, read_boolean},
}};

const ElementType* find_type(std::string_view name) {
  const auto* const found =
      std::find_if(element_types.begin(), element_types.end(),
                   [&](const ElementType& type) { return type.name == name; });
  return found == element_types.end() ? nullptr : found;
}

// Where an array's data lies, counted from the end of the header.
struct Placed {
  MessageArray array;
  const ElementType* type = nullptr;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct Header {
  std::map<std::string, std::string> metadata;
  std::vector<Placed> arrays;  // sorted by begin, contiguous from 0
  std::uint64_t header_bytes = 0;
  std::uint64_t data_bytes = 0;
};

template <class Value>
using OrError = std::variant<Value, std::string>;

bool is_nested_too_deeply(std::string_view text) {
  int depth = 0;
  bool is_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_string) {
      i += c == '\\' ? 1 : 0;
      is_string = c != '"';
    } else if (c == '"') {
      is_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    }
    if (depth > max_nesting) {
      return true;
    }
  }
  return false;
}

std::optional<std::uint64_t> read_length(std::string_view bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) {
    return std::nullopt;
  }
  std::memcpy(&length, bytes.data(), sizeof length);
  return length;
}

// A number that JSON wrote as an integer of at least 0 and fits in int64.
std::optional<std::int64_t> as_size(const json& value) {
  if (!value.is_number_unsigned()) {
    return std::nullopt;
  }
  const auto number = value.get<std::uint64_t>();
  if (number > static_cast<std::uint64_t>(INT64_MAX)) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(number);
}

std::optional<reference::Shape> read_shape(const json& value) {
  if (!value.is_array() || value.size() > max_rank) {
    return std::nullopt;
  }
  reference::Shape shape;
  for (const json& entry : value) {
    const auto size = as_size(entry);
    if (!size) {
      return std::nullopt;
    }
    shape.push_back(*size);
  }
  return shape;
}

// Bytes of the data; absent on overflow.
std::optional<std::uint64_t> data_size(const reference::Shape& shape,
                                       std::size_t element_size) {
  std::uint64_t bytes = element_size;
  for (const std::int64_t size : shape) {
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size),
                               &bytes)) {
      return std::nullopt;
    }
  }
  return bytes;
}

OrError<Placed> read_entry(const std::string& name, const json& entry) {
  const std::string where = "array '" + name.substr(0, 40) + "': ";
  if (!entry.is_object() || entry.size() != 3 || !entry.contains("dtype") ||
      !entry.contains("shape") || !entry.contains("data_offsets")) {
    return where + "needs exactly dtype, shape and data_offsets";
  }
  Placed placed;
  placed.array.name = name;
  if (entry["dtype"].is_string()) {
    placed.array.dtype = entry["dtype"].get<std::string>();
  }
  placed.type = find_type(placed.array.dtype);
  if (placed.type == nullptr) {
    return where + "unknown dtype";
  }
  const auto shape = read_shape(entry["shape"]);
  if (!shape) {
    return where + "shape is not a list of at most 8 sizes";
  }
  placed.array.shape = *shape;
  const json& offsets = entry["data_offsets"];
  const bool is_pair = offsets.is_array() && offsets.size() == 2;
  const auto begin = is_pair ? as_size(offsets[0]) : std::nullopt;
  const auto end = is_pair ? as_size(offsets[1]) : std::nullopt;
  if (!begin || !end || *end < *begin) {
    return where + "data_offsets is not a begin and an end";
  }
  placed.begin = static_cast<std::uint64_t>(*begin);
  placed.end = static_cast<std::uint64_t>(*end);
  if (data_size(*shape, placed.type->size) != placed.end - placed.begin) {
    return where + "the shape does not fit the number of bytes";
  }
  return placed;
}

std::string read_metadata(const json& value, Header& header) {
  if (!value.is_object()) {
    return "__metadata__ is not an object";
  }
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) {
      return "__metadata__ holds something else than text";
    }
    header.metadata[key] = text.get<std::string>();
  }
  return {};
}

// Sorted, from 0 on, without holes or overlaps.
std::string check_placement(Header& header) {
  std::sort(header.arrays.begin(), header.arrays.end(),
            [](const Placed& a, const Placed& b) {
              return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
            });
  for (const Placed& placed : header.arrays) {
    if (placed.begin != header.data_bytes) {
      return "the data of the arrays overlap or leave holes";
    }
    header.data_bytes = placed.end;
  }
  return {};
}

std::string read_entries(const json& document, const MessageLimits& limits,
                         Header& header) {
  if (document.size() > limits.arrays + 1) {
    return "more than " + std::to_string(limits.arrays) + " arrays";
  }
  for (const auto& [name, entry] : document.items()) {
    if (name == "__metadata__") {
      if (std::string error = read_metadata(entry, header); !error.empty()) {
        return error;
      }
      continue;
    }
    OrError<Placed> placed = read_entry(name, entry);
    if (auto* error = std::get_if<std::string>(&placed)) {
      return std::move(*error);
    }
    header.arrays.push_back(std::move(std::get<Placed>(placed)));
  }
  return check_placement(header);
}

// Absent while the header is not complete.
OrError<std::optional<Header>> read_header(std::string_view bytes,
                                           const MessageLimits& limits) {
  const auto length = read_length(bytes);
  if (!length) {
    return std::nullopt;
  }
  if (*length < 2 || *length > limits.header) {
    return "a header of " + std::to_string(*length) +
           " bytes, allowed are 2.." + std::to_string(limits.header);
  }
  if (bytes.size() - length_bytes < *length) {
    return std::nullopt;
  }
  const std::string_view text = bytes.substr(length_bytes, *length);
  if (is_nested_too_deeply(text)) {
    return "the header is nested too deeply";
  }
  const json document = json::parse(text, nullptr, false);
  if (!document.is_object()) {
    return "the header is not a JSON object";
  }
  Header header;
  header.header_bytes = length_bytes + *length;
  if (std::string error = read_entries(document, limits, header);
      !error.empty()) {
    return error;
  }
  if (header.data_bytes > limits.total ||
      header.header_bytes > limits.total - header.data_bytes) {
    return "a message of more than " + std::to_string(limits.total) + " bytes";
  }
  return header;
}

void read_values(std::string_view data, Placed& placed) {
  const std::string_view own =
      data.substr(placed.begin, placed.end - placed.begin);
  placed.array.values.reserve(own.size() / placed.type->size);
  for (std::size_t at = 0; at < own.size(); at += placed.type->size) {
    placed.array.values.push_back(placed.type->read(own.data() + at));
  }
}

void append_data(const MessageArray& array, std::string& data) {
  if (array.dtype == "F64") {
    data.append(reinterpret_cast<const char*>(array.values.data()),
                array.values.size() * sizeof(double));
    return;
  }
  if (array.dtype == "F32") {
    const std::vector<float> narrow(array.values.begin(), array.values.end());
    data.append(reinterpret_cast<const char*>(narrow.data()),
                narrow.size() * sizeof(float));
    return;
  }
  assert(array.dtype == "BOOL");
  for (const double value : array.values) {
    data += value != 0.0 ? '\1' : '\0';
  }
}

}  // namespace

std::string Message::text(const std::string& key) const {
  const auto found = metadata.find(key);
  return found == metadata.end() ? std::string() : found->second;
}

const MessageArray* Message::find(const std::string& name) const {
  const auto found = std::find_if(
      arrays.begin(), arrays.end(),
      [&](const MessageArray& array) { return array.name == name; });
  return found == arrays.end() ? nullptr : &*found;
}

std::string write_message(const Message& message) {
  json header = json::object();
  if (!message.metadata.empty()) {
    header["__metadata__"] = message.metadata;
  }
  std::string data;
  for (const MessageArray& array : message.arrays) {
    const std::size_t begin = data.size();
    append_data(array, data);
    header[array.name] = {{"dtype", array.dtype},
                          {"shape", array.shape},
                          {"data_offsets", {begin, data.size()}}};
  }
  std::string text =
      header.dump(-1, ' ', false, json::error_handler_t::replace);
  // Data begin at a multiple of 8 bytes; spaces are what the format allows.
  text.append((length_bytes - text.size() % length_bytes) % length_bytes, ' ');
  const std::uint64_t length = text.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  return bytes.append(text).append(data);
}

std::variant<std::optional<std::uint64_t>, std::string> message_size(
    std::string_view bytes, const MessageLimits& limits) {
  OrError<std::optional<Header>> header = read_header(bytes, limits);
  if (auto* error = std::get_if<std::string>(&header)) {
    return std::move(*error);
  }
  const auto& complete = std::get<std::optional<Header>>(header);
  if (!complete) {
    return std::nullopt;
  }
  return std::optional(complete->header_bytes + complete->data_bytes);
}

std::variant<Message, std::string> parse_message(std::string_view bytes,
                                                 const MessageLimits& limits) {
  OrError<std::optional<Header>> read = read_header(bytes, limits);
  if (auto* error = std::get_if<std::string>(&read)) {
    return std::move(*error);
  }
  auto& header = std::get<std::optional<Header>>(read);
  if (!header || bytes.size() < header->header_bytes + header->data_bytes) {
    return "the message ends early";
  }
  if (bytes.size() > header->header_bytes + header->data_bytes) {
    return "bytes after the end of the message";
  }
  Message message;
  message.metadata = std::move(header->metadata);
  for (Placed& placed : header->arrays) {
    read_values(bytes.substr(header->header_bytes), placed);
    message.arrays.push_back(std::move(placed.array));
  }
  return message;
}

double widen_float16(std::uint16_t bits) {
  const int exponent = (bits >> 10U) & 0x1F;
  const double fraction = bits & 0x3FFU;
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  if (exponent == 0x1F) {
    return fraction == 0.0 ? sign * HUGE_VAL
                           : std::copysign(std::nan(""), sign);
  }
  if (exponent == 0) {
    return sign * std::ldexp(fraction, -24);
  }
  return sign * std::ldexp(1024.0 + fraction, exponent - 25);
}

double widen_bfloat16(std::uint16_t bits) {
  const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16U;
  return static_cast<double>(std::bit_cast<float>(wide));
}

}  // namespace grader
