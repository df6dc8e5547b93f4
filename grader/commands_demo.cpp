// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <iostream>

#include "grader/commands.hpp"
#include "grader/destination.hpp"
#include "grader/lesson/lesson_html.hpp"
#include "grader/lesson/lesson_text.hpp"
#include "grader/lesson/scale_lesson.hpp"
#include "grader/system/error.hpp"

namespace grader {
namespace {

// Numbers in the queries of the widest head, of 8 bytes; the keys are as many.
constexpr std::int64_t most_numbers = std::int64_t{1} << 24U;

std::size_t documents_on_stdout(const Options& options) {
  const std::array documents = {options.html, options.json, options.script};
  return static_cast<std::size_t>(std::ranges::count(documents, "-"));
}

void check_demo(const Options& options) {
  if (documents_on_stdout(options) > 1) {
    throw Error(Blame::usage,
                "cannot write two documents to stdout: of --html, --json and "
                "--script one may be -");
  }
  const std::int64_t width = std::max(options.d_k, widest_of_study);
  if (options.draws * options.n > most_numbers / width) {
    throw Error(Blame::usage,
                "cannot draw " + std::to_string(options.draws) + " times " +
                    std::to_string(options.n) + " queries of up to " +
                    std::to_string(width) +
                    " numbers: that is more than memory is kept for; lower "
                    "--draws, --n or --d-k");
  }
}

Lesson make_lesson(const Options& options) {
  return scale_lesson(study_scale({.d_k = options.d_k,
                                   .n = options.n,
                                   .draws = options.draws,
                                   .seed = options.seed.value_or(0)}));
}

}  // namespace

int run_demo(const Options& options) {
  check_demo(options);
  Destination html(options.html);
  Destination json(options.json);
  Destination script(options.script);
  const Lesson lesson = make_lesson(options);
  html.write([&lesson] { return render_html(lesson); });
  json.write([&lesson] { return lesson.json; });
  script.write([&lesson] { return lesson.script; });
  if (!options.quiet) {
    // A document on stdout is alone there.
    (documents_on_stdout(options) > 0 ? std::cerr : std::cout)
        << render_text(lesson) << std::flush;
  }
  return exit_success;
}

}  // namespace grader
