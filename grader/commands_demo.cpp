// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <iostream>

#include "grader/commands.hpp"
#include "grader/destination.hpp"
#include "grader/lesson/heads_lesson.hpp"
#include "grader/lesson/lesson_html.hpp"
#include "grader/lesson/lesson_text.hpp"
#include "grader/lesson/scale_lesson.hpp"
#include "grader/lesson/training_lesson.hpp"
#include "grader/lesson/transpose_lesson.hpp"
#include "grader/system/error.hpp"

namespace grader {
namespace {

// Numbers in the queries of the widest head, of 8 bytes; the keys are as many.
constexpr std::int64_t most_numbers = std::int64_t{1} << 24U;

std::size_t documents_on_stdout(const Options& options) {
  const std::array documents = {options.html, options.json, options.script};
  return static_cast<std::size_t>(std::ranges::count(documents, "-"));
}

void check_documents(const Options& options) {
  if (documents_on_stdout(options) > 1) {
    throw Error(Blame::usage,
                "cannot write two documents to stdout: of --html, --json and "
                "--script one may be -");
  }
}

// A row of scores is as long as there are keys.
void check_size(const Options& options, std::int64_t of_query) {
  const std::int64_t width = std::max(of_query, options.n);
  if (options.draws * options.n > most_numbers / width) {
    throw Error(Blame::usage,
                "cannot draw " + std::to_string(options.draws) + " times " +
                    std::to_string(options.n) + " queries of " +
                    std::to_string(width) +
                    " numbers: that is more than memory is kept for; lower "
                    "--draws, --n or the width");
  }
}

Lesson make_scale_lesson(const Options& options) {
  check_size(options, std::max(options.d_k, widest_of_study));
  return scale_lesson(study_scale({.d_k = options.d_k,
                                   .n = options.n,
                                   .draws = options.draws,
                                   .seed = options.seed.value_or(0)}));
}

Lesson make_heads_lesson(const Options& options) {
  check_size(options, options.d_model);
  if (options.d_model % options.heads != 0) {
    throw Error(Blame::usage,
                "cannot split a width of " + std::to_string(options.d_model) +
                    " into " + std::to_string(options.heads) +
                    " heads: --d-model must be a multiple of --heads");
  }
  return heads_lesson(study_heads({.d_model = options.d_model,
                                   .heads = options.heads,
                                   .n = options.n,
                                   .draws = options.draws,
                                   .seed = options.seed.value_or(0)}));
}

Lesson make_lesson(const Options& options) {
  switch (options.command) {
    case Command::demo_heads:
      return make_heads_lesson(options);
    case Command::demo_training:
      return training_lesson(
          study_training({.d_k = options.d_k,
                          .steps = options.steps,
                          .seeds = options.starts,
                          .seed = options.seed.value_or(0)}));
    case Command::demo_transpose:
      return transpose_lesson(study_transpose(
          {.size = options.size, .seed = options.seed.value_or(0)}));
    default:
      return make_scale_lesson(options);
  }
}

}  // namespace

int run_demo(const Options& options) {
  check_documents(options);
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
