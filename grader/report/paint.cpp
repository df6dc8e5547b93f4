// SPDX-License-Identifier: MIT
#include "grader/report/paint.hpp"

namespace grader {
namespace {

std::string_view start_of(Colour colour) {
  switch (colour) {
    case Colour::green:
      return "\x1b[32m";
    case Colour::red:
      return "\x1b[31m";
    case Colour::yellow:
      return "\x1b[33m";
    case Colour::bold:
      return "\x1b[1m";
  }
  return {};
}

}  // namespace

std::string paint(std::string_view text, Colour colour,
                  const TerminalStyle& style) {
  if (!style.color) {
    return std::string(text);
  }
  return std::string(start_of(colour)).append(text).append("\x1b[0m");
}

Colour colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::correct:
      return Colour::green;
    case Verdict::not_graded:
    case Verdict::unclassified:
      return Colour::yellow;
    case Verdict::faulty:
    case Verdict::bad_output:
    case Verdict::load_error:
    case Verdict::crashed:
    case Verdict::timed_out:
    case Verdict::out_of_memory:
    case Verdict::limit_exceeded:
    case Verdict::forbidden:
    case Verdict::rejected:
      return Colour::red;
  }
  return Colour::red;
}

}  // namespace grader
