// SPDX-License-Identifier: MIT
#include "grader/report/audit_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "grader/diagnosis/coincidence.hpp"
#include "grader/diagnosis/inherent_ties.hpp"
#include "grader/diagnosis/params.hpp"
#include "grader/diagnosis/size_warnings.hpp"

namespace grader {
namespace {

using Json = nlohmann::ordered_json;

Json distance_json(double distance) {
  return std::isfinite(distance) ? Json(distance) : Json("not-finite");
}

Json cell_json(const AuditCell& cell) {
  if (!cell.applies) {
    return nullptr;
  }
  return cell.is_loud ? Json("loud") : distance_json(cell.distance);
}

Json variant_json(const AuditedVariant& variant) {
  return {{"fault", variant.fault}, {"form", variant.number}};
}

Json row_json(const Audit& audit, std::size_t variant) {
  Json row = variant_json(audit.variants[variant]);
  row["params"] = describe_params(audit.variants[variant].formula);
  row["passes_as_correct"] = passes_as_correct(audit, variant);
  row["distances"] = Json::array();
  for (const AuditCell& cell : audit.cells[variant]) {
    row["distances"].push_back(cell_json(cell));
  }
  return row;
}

Json pair_json(const Audit& audit, const AuditPair& pair) {
  return {{"first", variant_json(audit.variants[pair.first])},
          {"second", variant_json(audit.variants[pair.second])},
          {"distance", distance_json(pair.distance)}};
}

Json tie_json(const Audit& audit, const AuditPair& tie) {
  const std::string inherent = inherent_reason(audit, tie);
  Json json = pair_json(audit, tie);
  json["inherent"] = !inherent.empty();
  json["reason"] = inherent.empty() ? coincidence(audit, tie) : inherent;
  return json;
}

Json closest_json(const Audit& audit) {
  if (!audit.closest) {
    return nullptr;
  }
  Json json = pair_json(audit, *audit.closest);
  json["case"] = audit.cases[audit.closest->case_index]->name;
  // Beyond this no larger distance was looked for.
  json["at_least"] = audit.closest->distance >= well_apart;
  return json;
}

Json task_json(const AuditedTask& task) {
  const Audit& audit = task.audit;
  Json json = {{"task", task.name},
               {"kind", to_string(audit.cases.front()->kind)},
               {"mask_mode", to_string(audit.cases.front()->mask_mode)},
               {"cases", Json::array()},
               {"forms", Json::array()},
               {"ties", Json::array()},
               {"findings", findings_of(audit).size()},
               {"closest", closest_json(audit)},
               {"warnings", size_warnings(audit.cases)}};
  for (const Case* test_case : audit.cases) {
    json["cases"].push_back(test_case->name);
  }
  for (std::size_t i = 1; i < audit.variants.size(); ++i) {
    json["forms"].push_back(row_json(audit, i));
  }
  for (const AuditPair& tie : audit.ties) {
    json["ties"].push_back(tie_json(audit, tie));
  }
  return json;
}

}  // namespace

std::string render_audit_json(const std::vector<AuditedTask>& tasks) {
  Json document = {{"schema", "attngrade-audit/1"}, {"tasks", Json::array()}};
  for (const AuditedTask& task : tasks) {
    document["tasks"].push_back(task_json(task));
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace grader
