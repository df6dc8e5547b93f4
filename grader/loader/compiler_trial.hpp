// SPDX-License-Identifier: MIT
// Whose doing is it that a source does not compile? A compiler that works
// outside may lack, in a cell, what of it lies elsewhere.
#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "grader/loader/compile.hpp"

namespace grader {

struct LoaderContext;

// Tries each compiler once a run, on a source that is known to be right, as
// submissions are compiled. Used from several threads.
class CompilerTrials {
 public:
  // Why no source of that language can be compiled here, with the way out; or
  // nothing. Throws Error (environment) where not even that can be found out.
  std::optional<CannotGrade> obstacle(SourceLanguage language,
                                      const LoaderContext& context);

 private:
  std::mutex mutex_;
  std::map<SourceLanguage, std::optional<CannotGrade>> known_;
};

}  // namespace grader
