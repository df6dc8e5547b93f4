// SPDX-License-Identifier: MIT
// One safetensors message: a little-endian uint64 header length, a JSON header
// and raw little-endian data (https://github.com/huggingface/safetensors).
// Bytes that come back from a submission are hostile: parsing never throws on
// them and allocates no more than a small multiple of their number.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/tensor.hpp"

namespace grader {

struct MessageArray {
  std::string name;
  std::string dtype;  // the format's spelling: F64 F32 F16 BF16 I64 ... BOOL
  reference::Shape shape;
  std::vector<double> values;  // row-major, widened; exact but for 64-bit
                               // integers beyond 2^53
};

struct Message {
  std::map<std::string, std::string> metadata;
  std::vector<MessageArray> arrays;  // in the order of their data

  // The value of a metadata entry, or empty.
  std::string text(const std::string& key) const;
  const MessageArray* find(const std::string& name) const;
};

struct MessageLimits {
  std::uint64_t header = 64 * 1024;  // bytes of JSON
  std::uint64_t total = 0;           // bytes of the whole message
  std::size_t arrays = 16;
};

// dtype F64, F32 and BOOL are written; others are the caller's bug (assert).
std::string write_message(const Message& message);

// How long the message is that begins with `bytes`; absent while there are too
// few bytes to know; a text when it breaks the format or the limits.
std::variant<std::optional<std::uint64_t>, std::string> message_size(
    std::string_view bytes, const MessageLimits& limits);

// The whole message, or why it is none.
std::variant<Message, std::string> parse_message(std::string_view bytes,
                                                 const MessageLimits& limits);

// Exact.
double widen_float16(std::uint16_t bits);
double widen_bfloat16(std::uint16_t bits);

}  // namespace grader
