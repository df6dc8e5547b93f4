// SPDX-License-Identifier: MIT
#include "grader/report/evidence_text.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "grader/report/number_text.hpp"
#include "grader/report/wording.hpp"
#include "grader/system/text.hpp"

namespace grader {

std::string ties_text(const Record& record) {
  if (record.ties.empty()) {
    return {};
  }
  std::vector<std::string> sets;
  for (const std::vector<std::string>& tie : record.ties) {
    sets.push_back(join(tie, " + "));
  }
  return join(sets, ", ") + (sets.size() == 1 ? " gives" : " give") +
         " the same numbers; only the source tells them apart";
}

std::string parameters_text(const Record& record) {
  constexpr std::size_t shown = 12;
  constexpr std::size_t longest_name = 60;
  const auto& parameters = record.parameters;
  std::string text;
  for (std::size_t i = 0; i < std::min(parameters.size(), shown); ++i) {
    const ModuleParameter& one = parameters[i];
    const bool is_first = i == 0 || parameters[i - 1].by != one.by;
    const bool is_last = i + 1 == parameters.size() || i + 1 == shown ||
                         parameters[i + 1].by != one.by;
    const bool is_fused = one.holds.find(' ') != std::string::npos;
    const std::string holds = one_line(one.holds, longest_name);
    text += i == 0 ? "" : is_first ? "; " : ", ";
    text += one_line(one.name, longest_name) + " = ";
    text += is_fused ? "(" + holds + ")" : holds;
    text += is_last ? " (by " + one_line(one.by, longest_name) + ")" : "";
  }
  return parameters.size() <= shown
             ? text
             : text + " and " + std::to_string(parameters.size() - shown) +
                   " more";
}

std::string scale_law_text(const ScaleLaw& law) {
  std::string text = "scores x " + law_text(law);
  if (law.exponent_error > 0.0) {
    text += " (+-" + significant(law.exponent_error, 1) + ")";
  }
  return text + ", expected d_k^-0.500 (" + std::to_string(law.cases) +
         " cases)";
}

std::string hypothesis_text(const Evidence& evidence) {
  if (!evidence.hypothesis_error) {
    return {};
  }
  std::string text = "made on purpose, the same numbers: error " +
                     significant(*evidence.hypothesis_error);
  if (evidence.hypothesis_limit) {
    text += ", limit " + significant(*evidence.hypothesis_limit);
  }
  return text;
}

std::string runner_up_text(const Evidence& evidence) {
  if (!evidence.runner_up) {
    return {};
  }
  const RunnerUp& runner_up = *evidence.runner_up;
  std::string text = one_line(runner_up.text);
  if (text.empty()) {
    text = runner_up.faults.empty() ? "correct" : join(runner_up.faults, " + ");
  }
  return text + ": error " + significant(runner_up.error);
}

std::string params_text(const Evidence& evidence) {
  std::vector<std::string> params;
  for (const auto& [name, value] : evidence.params) {
    if (name == "law") {
      continue;  // shown as the scale law
    }
    params.push_back(name + " = " + one_line(value, 60));
  }
  return join(params, ", ");
}

// Only where ranks have different faults, say "3-D: scale-by-heads; 4-D: ...";
// that some rank is right stands in the summary.
std::string ranks_text(const Record& record) {
  std::vector<std::string> parts;
  std::set<std::vector<std::string>> different;
  for (const auto& [rank, faults] : record.faults_by_rank) {
    if (!faults.empty()) {
      different.insert(faults);
    }
    parts.push_back(std::to_string(rank) +
                    "-D: " + (faults.empty() ? "right" : join(faults, " + ")));
  }
  return different.size() > 1 ? join(parts, "; ") : std::string();
}

// The first error of each rank.
std::string declined_text(const Record& record) {
  if (std::ranges::count(record.notes, "rank-declined") == 0) {
    return {};
  }
  std::map<int, std::string> declined;
  for (const CaseResult& result : record.cases) {
    if (std::ranges::count(record.ranks, result.rank) == 0) {
      declined.emplace(result.rank,
                       result.detail.empty() ? result.outcome : result.detail);
    }
  }
  std::vector<std::string> parts;
  parts.reserve(declined.size());
  for (const auto& [rank, why] : declined) {
    parts.push_back(std::to_string(rank) + "-D (" + one_line(why, 80) + ")");
  }
  return join(parts, ", ");
}

std::string broken_properties(const Evidence& evidence) {
  std::vector<std::string> broken;
  for (const Property& property : evidence.properties) {
    if (!property.holds) {
      broken.push_back(property.name + " (" +
                       (property.detail.empty()
                            ? "off by " + significant(property.worst)
                            : one_line(property.detail)) +
                       ")");
    }
  }
  return join(broken, "; ");
}

std::string margin_text(const Record& record) {
  std::size_t judged = 0;
  double worst = 0.0;
  for (const CaseResult& result : record.cases) {
    if (result.passed && result.max_error && result.tolerance) {
      ++judged;
      worst = std::max(worst, *result.max_error / *result.tolerance);
    }
  }
  if (judged == 0) {
    return {};
  }
  return "largest error " + significant(worst) + " of its limit, over " +
         std::to_string(judged) + " cases";
}

}  // namespace grader
