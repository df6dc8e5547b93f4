// SPDX-License-Identifier: MIT
#include "grader/diagnosis/wording.hpp"

#include <algorithm>
#include <cmath>

#include "grader/diagnosis/catalogue.hpp"

namespace grader {
namespace {

std::string sentence_of(const std::string& fault) {
  const Fault* entry = find_fault(fault);
  return entry == nullptr ? fault : entry->sentence;
}

std::string title_of(const std::string& fault) {
  const Fault* entry = find_fault(fault);
  return entry == nullptr ? fault : entry->title;
}

bool is_broken(const std::vector<Property>& properties,
               const std::string& name) {
  return std::ranges::any_of(properties, [&](const Property& property) {
    return property.name == name && !property.holds;
  });
}

void add_rank(int rank, std::string& list) {
  list += (list.empty() ? "" : " and ") + std::to_string(rank) + "-D";
}

// " Right on 2-D input, wrong on 3-D and 4-D." where some supported rank is
// right.
std::string rank_remark(const std::map<int, FaultSet>& faults_by_rank) {
  std::string wrong;
  std::string right;
  for (const auto& [rank, faults] : faults_by_rank) {
    add_rank(rank, faults.empty() ? right : wrong);
  }
  if (right.empty() || wrong.empty()) {
    return "";
  }
  return " Right on " + right + " input, wrong on " + wrong + ".";
}

// Nobody should take the numbers that such a rank does give for right ones.
std::string declined_remark(const std::vector<int>& declined) {
  std::string ranks;
  for (const int rank : declined) {
    add_rank(rank, ranks);
  }
  return ranks.empty() ? ""
                       : " On " + ranks +
                             " input it raises unless sizes happen to agree: "
                             "not graded there.";
}

// ", right at d_k = 64 only" for 1/8.
std::string right_width_remark(double factor) {
  const double width = 1.0 / (factor * factor);
  const double whole = std::round(width);
  const bool is_right_somewhere =
      factor > 0.0 && whole >= 1.0 && std::abs(width - whole) <= 1e-6 * whole;
  return is_right_somewhere
             ? ", right at d_k = " +
                   std::to_string(static_cast<long long>(whole)) + " only"
             : "";
}

}  // namespace

std::string describe_faults(const FaultSet& faults) {
  if (faults.empty()) {
    return "the right answer";
  }
  std::string text;
  for (const std::string& fault : faults) {
    text += (text.empty() ? "" : "; and ") + title_of(fault);
  }
  return text;
}

std::string describe_classification(const Classification& classification) {
  if (classification.is_correct) {
    return "Every weight and output agrees with the reference." +
           declined_remark(classification.declined);
  }
  std::string text;
  const auto& params = classification.params;
  for (const std::string& fault : classification.faults) {
    const auto axes = fault == "keys-transposed-all-axes" ? params.find("axes")
                                                          : params.end();
    text += (text.empty() ? "" : " ") +
            (axes == params.end()
                 ? sentence_of(fault)
                 : "Axes " + axes->second +
                       " of the keys are exchanged, whatever the rank: not "
                       "always the last two.");
  }
  if (const auto law = params.find("law"); law != params.end()) {
    text += " Fitted: scores x " + law->second + ".";
  } else if (const auto factors = params.find("factors");
             factors != params.end()) {
    text += " It is no power of the sizes: " + factors->second + ".";
  } else if (const auto constant = params.find("constant");
             constant != params.end()) {
    text +=
        " The factor is " + constant->second +
        right_width_remark(classification.explanation.formula.scale.factor) +
        ".";
  }
  if (classification.explanation.formula.fill_form == Fill::nan_where_kept) {
    text += " Whatever loses every number looks the same.";
  }
  return text + rank_remark(classification.faults_by_rank) +
         declined_remark(classification.declined);
}

std::string guess_stage(const std::vector<Property>& properties) {
  if (is_broken(properties, "the same answer twice")) {
    return "repeatability";
  }
  if (is_broken(properties, "the same output with weights == NULL")) {
    return "the form without weights";
  }
  if (is_broken(properties, "hidden keys get weight 0")) {
    return "mask";
  }
  if (is_broken(properties, "rows sum to 1") ||
      is_broken(properties, "no weight is negative")) {
    return "softmax";
  }
  if (is_broken(properties, "output = weights @ v")) {
    return "weighted sum";
  }
  return "unknown";
}

std::string describe_unclassified(const Evidence& evidence) {
  std::string text =
      "The numbers are wrong, and no fault of the catalogue reproduces them.";
  if (evidence.stage != "unknown") {
    text += " The first stage that is off: " + evidence.stage + ".";
  }
  if (evidence.bilinear) {
    text += " The scores are linear in queries and keys: " +
            evidence.bilinear->text + ".";
  }
  return text;
}

}  // namespace grader
