// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iostream>
#include <list>

#include "grader/commands.hpp"
#include "grader/fixture/case_file.hpp"
#include "grader/fixture/mask_shape.hpp"
#include "grader/output_file.hpp"
#include "grader/report/audit_json.hpp"
#include "grader/report/audit_matrix.hpp"
#include "grader/report/audit_text.hpp"
#include "grader/system/error.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

// Cases of one task, kind and mask mode.
struct CaseGroup {
  std::string name;
  std::vector<Case> cases;
};

// A list, since audits point to the cases.
using CaseGroups = std::list<CaseGroup>;

bool is_case_file(const std::filesystem::path& target) {
  return target.extension() == ".json";
}

const Task& find_task(const std::vector<Task>& tasks, const std::string& name) {
  const auto found = std::ranges::find(tasks, name, &Task::name);
  if (found != tasks.end()) {
    return *found;
  }
  std::vector<std::string> names;
  names.reserve(tasks.size());
  for (const Task& task : tasks) {
    names.push_back(task.name);
  }
  const auto suggestion = did_you_mean(name, names);
  throw Error(Blame::usage,
              "cannot audit " + one_line(name) + ": there is no such task" +
                  (suggestion ? "; did you mean " + *suggestion + "?"
                              : "; a case file ends in .json"));
}

// Only the recipe counts: golden numbers need not be there yet.
void add_case_file(const std::filesystem::path& file, CaseGroups& groups) {
  Case test_case = read_case_recipe(file);
  draw_with_next_good_seed(test_case);
  test_case.expected = evaluate_reference(test_case);
  const auto belongs = [&](const CaseGroup& group) {
    const Case& first = group.cases.front();
    return first.task == test_case.task && first.kind == test_case.kind &&
           first.mask_mode == test_case.mask_mode;
  };
  auto group = std::ranges::find_if(groups, belongs);
  if (group == groups.end()) {
    group = groups.insert(groups.end(), {test_case.task, {}});
  }
  group->cases.push_back(std::move(test_case));
}

void add_tasks(const Options& options, CaseGroups& groups) {
  const std::vector<Task> tasks =
      read_tasks(find_data(options.fixtures).fixtures);
  for (const std::filesystem::path& target : options.files) {
    if (!is_case_file(target)) {
      const Task& task = find_task(tasks, target.string());
      groups.push_back({task.name, read_cases(task)});
    }
  }
  if (options.files.empty()) {
    for (const Task& task : tasks) {
      groups.push_back({task.name, read_cases(task)});
    }
  }
}

void drop_other_ranks(const std::vector<int>& ranks, CaseGroups& groups) {
  if (ranks.empty()) {
    return;
  }
  for (CaseGroup& group : groups) {
    std::erase_if(group.cases, [&](const Case& test_case) {
      return std::ranges::find(ranks, test_case.rank) == ranks.end();
    });
  }
  std::erase_if(groups,
                [](const CaseGroup& group) { return group.cases.empty(); });
}

CaseGroups read_groups(const Options& options) {
  CaseGroups groups;
  for (const std::filesystem::path& target : options.files) {
    if (is_case_file(target)) {
      add_case_file(target, groups);
    }
  }
  if (!std::ranges::all_of(options.files, is_case_file) ||
      options.files.empty()) {
    add_tasks(options, groups);
  }
  drop_other_ranks(options.ranks, groups);
  if (groups.empty()) {
    throw Error(Blame::usage,
                "cannot audit: no case has one of the ranks in --ranks");
  }
  return groups;
}

void print_audits(const std::vector<AuditedTask>& tasks,
                  const Options& options) {
  std::ostream& stream = options.json == "-" ? std::cerr : std::cout;
  if (!options.quiet) {
    stream << audit_legend(tasks.front().audit.rule) << "\n";
  }
  bool is_first = true;
  for (const AuditedTask& task : tasks) {
    stream << (is_first ? "" : "\n") << render_audit(task, !options.quiet);
    is_first = false;
  }
  if (tasks.size() > 1) {
    stream << "\n" << render_audit_summary(tasks);
  }
}

}  // namespace

int run_fixtures_audit(const Options& options) {
  std::optional<OutputFile> file;
  if (!options.json.empty() && options.json != "-") {
    file.emplace(options.json);
  }
  const CaseGroups groups = read_groups(options);
  const AuditRule rule{.tolerance = options.tolerance,
                       .output_only = options.output_only};
  std::vector<AuditedTask> tasks;
  for (const CaseGroup& group : groups) {
    tasks.push_back({group.name, audit_cases(group.cases, rule)});
  }
  print_audits(tasks, options);
  if (file) {
    file->commit(render_audit_json(tasks));
  } else if (options.json == "-") {
    std::cout << render_audit_json(tasks) << std::flush;
  }
  const bool has_finding = std::ranges::any_of(
      tasks,
      [](const AuditedTask& task) { return !findings_of(task.audit).empty(); });
  return has_finding ? exit_finding : exit_success;
}

}  // namespace grader
