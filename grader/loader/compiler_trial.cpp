// SPDX-License-Identifier: MIT
#include "grader/loader/compiler_trial.hpp"

#include <string>
#include <variant>
#include <vector>

#include "grader/loader/context.hpp"
#include "grader/loader/staging.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

// What a submission may count on: the interface, its language's headers, the
// mathematics library.
constexpr const char* right_c =
    "#include <attngrade.h>\n"
    "#include <math.h>\n"
    "#include <stdlib.h>\n"
    "int attention(const double *q, const double *k, const double *v,\n"
    "              attention_shape shape, double *output, double *weights) {\n"
    "  double *row = malloc(sizeof *row);\n"
    "  *row = exp(q[0] * k[0] / sqrt((double)shape.d_k));\n"
    "  output[0] = *row * v[0];\n"
    "  free(row);\n"
    "  return weights == NULL;\n"
    "}\n";

constexpr const char* right_cpp =
    "#include <attngrade.h>\n"
    "#include <cmath>\n"
    "#include <vector>\n"
    "int attention(const double *q, const double *k, const double *v,\n"
    "              attention_shape shape, double *output, double *weights) {\n"
    "  std::vector<double> row(2, std::sqrt(double(shape.d_k)));\n"
    "  row.push_back(std::exp(q[0] * k[0] / row[0]));\n"
    "  output[0] = row.back() * v[0];\n"
    "  return weights == nullptr;\n"
    "}\n";

std::string command_text(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + word;
  }
  return one_line(text, 200);
}

std::string way_out(SourceLanguage language, const LoaderContext& context) {
  const bool is_c = language == SourceLanguage::c;
  std::string text =
      std::string("Name another: ") + (is_c ? "CC=PATH" : "CXX=PATH");
  if (context.isolation.level != IsolationLevel::level0) {
    text += ". In a cell (" + to_string(context.isolation.level) +
            ") it sees /usr and the folders beside its own program, and may "
            "be no script around another one elsewhere (docs/isolation.md)";
  }
  return text;
}

std::optional<CannotGrade> try_compiler(SourceLanguage language,
                                        const LoaderContext& context) {
  const bool is_c = language == SourceLanguage::c;
  const std::string name = is_c ? "known_right.c" : "known_right.cpp";
  const Staging staging =
      stage({{name, is_c ? right_c : right_cpp}}, context.scratch);
  const Compilation compilation =
      compile(context.compilers, {.root = staging.root,
                                  .sources = {name},
                                  .header_folders = {},
                                  .library = staging.library,
                                  .scratch = staging.work,
                                  .include_folder = context.include_folder,
                                  .isolation = context.isolation});
  if (const auto* failure = std::get_if<LoadFailure>(&compilation)) {
    const auto& command = is_c ? context.compilers.c : context.compilers.cpp;
    return CannotGrade{
        "environment",
        std::string("the ") + (is_c ? "C" : "C++") + " compiler " +
            command_text(command) +
            " does not compile a source that is known to be right. " +
            way_out(language, context) + "\n" + failure->detail};
  }
  const auto* obstacle = std::get_if<CannotGrade>(&compilation);
  return obstacle == nullptr ? std::nullopt
                             : std::optional<CannotGrade>(*obstacle);
}

}  // namespace

std::optional<CannotGrade> CompilerTrials::obstacle(
    SourceLanguage language, const LoaderContext& context) {
  const std::scoped_lock lock(mutex_);
  const auto known = known_.find(language);
  return known != known_.end()
             ? known->second
             : known_[language] = try_compiler(language, context);
}

}  // namespace grader
