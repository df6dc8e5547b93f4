// SPDX-License-Identifier: MIT
#include "grader/class_reading.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "grader/diagnosis/diagnosis.hpp"
#include "grader/system/text.hpp"
#include "grader/worker/observe.hpp"

namespace grader {
namespace {

constexpr std::size_t most_readings = 320;
// Of readings that are not right, so many are asked what is wrong.
constexpr std::size_t most_diagnosed = 30;

// One reading on the cases of one form, and what came of it.
struct Trial {
  ModuleReading words{};
  ClassForm form{};
  Diagnosis diagnosis{};
  bool any_call_came_back = false;
  bool any_returned = false;     // with a result of the right shape
  bool returns_weights = false;  // in the shape that they must have
  std::string complaint{};       // of the first exception, one line

  bool is_right() const { return diagnosis.verdict == Verdict::correct; }
  bool is_explained() const { return diagnosis.verdict == Verdict::faulty; }
};

using Trials = std::vector<Trial>;

// Right, then wrong in the simplest explained way, then the usual one.
int rank_of(const Trial& trial) {
  constexpr int unexplained = 10;
  if (trial.is_right()) {
    return 0;
  }
  if (trial.is_explained()) {
    return static_cast<int>(trial.diagnosis.faults.size());
  }
  return trial.any_returned ? unexplained : unexplained + 1;
}

const Trial& best_of(const Trials& trials) {
  return *std::ranges::min_element(trials, {}, rank_of);
}

std::string task_name(Kind kind, MaskMode mode) {
  const std::string prefix =
      mode == MaskMode::none ? "" : to_string(mode) + "_";
  return prefix + to_string(kind);
}

MaskMode mode_of(const std::string& task) {
  return task.starts_with("masked_")   ? MaskMode::masked
         : task.starts_with("causal_") ? MaskMode::causal
                                       : MaskMode::none;
}

// Every combination of the options, those that leave the usual in fewest steps
// first; the layout is none of them.
std::vector<ModuleReading> readings_of(const ModuleStudy& study,
                                       const ModuleReading& given) {
  std::vector<std::pair<std::size_t, ModuleReading>> found = {{0, given}};
  for (const Convention& convention : study.conventions) {
    if (convention.name == "layout") {
      continue;
    }
    std::vector<std::pair<std::size_t, ModuleReading>> extended;
    for (const auto& [steps, words] : found) {
      for (std::size_t i = 0; i < convention.options.size(); ++i) {
        ModuleReading more = words;
        if (i > 0) {
          more[convention.name] = convention.options[i].word;
        }
        extended.emplace_back(steps + i, std::move(more));
      }
    }
    found = std::move(extended);
  }
  std::ranges::stable_sort(found, {},
                           [](const auto& one) { return one.first; });
  found.resize(std::min(found.size(), most_readings));
  std::vector<ModuleReading> readings;
  readings.reserve(found.size());
  for (auto& [steps, words] : found) {
    readings.push_back(std::move(words));
  }
  return readings;
}

// The richest first: a class that is wrong is judged on one of them.
std::vector<MaskAxes> mask_axes_of(Kind kind, const std::string& form) {
  if (form == "lengths") {
    return {MaskAxes::batch_prefix};
  }
  std::vector<MaskAxes> axes;
  if (kind == Kind::multi_head_attention) {
    axes = {MaskAxes::batch_heads_queries_keys,
            MaskAxes::batch_one_queries_keys};
  }
  axes.insert(axes.end(),
              {MaskAxes::batch_queries_keys, MaskAxes::queries_keys});
  if (kind == Kind::multi_head_attention) {
    axes.push_back(MaskAxes::batch_one_one_keys);
  }
  axes.insert(axes.end(), {MaskAxes::batch_one_keys, MaskAxes::batch_keys});
  return axes;
}

struct MaskSpelling {
  std::string form;
  std::string convention;
};

// What a mask may be, the usual first, as far as nobody has said.
std::vector<MaskSpelling> mask_forms_of(const ModuleStudy& study,
                                        const ModuleReading& given) {
  std::vector<MaskSpelling> forms;
  const auto allows = [&](const char* name, const std::string& word) {
    const auto found = given.find(name);
    return found == given.end() || found->second == word;
  };
  const bool is_never_additive =
      given.contains("mask_convention") && !given.contains("mask_form");
  for (const std::string& form : study.mask_forms) {
    if (!allows("mask_form", form) ||
        (form == "additive" && is_never_additive)) {
      continue;
    }
    for (const char* convention : {"keep", "hide"}) {
      const bool is_one = form == "additive" || form == "lengths";
      if (allows("mask_convention", convention) &&
          !(is_one && convention == std::string("hide"))) {
        forms.push_back({form, convention});
      }
    }
  }
  return forms;
}

// "w_q", or ["w_k", "w_v"] of "w_k w_v", as the task file has it.
std::string as_json(const std::string& holds) {
  std::string text = "\"";
  for (const char letter : holds) {
    text += letter == ' ' ? "\", \"" : std::string(1, letter);
  }
  text += '"';
  return holds.find(' ') == std::string::npos ? text : "[" + text + "]";
}

// Near enough that a thorough look is worth its time.
bool is_near(const reference::Tensor& actual,
             const reference::Tensor& expected) {
  constexpr double near = 0.02;
  double largest = 0.0;
  double worst = 0.0;
  for (std::size_t i = 0; i < expected.data.size(); ++i) {
    if (std::isfinite(expected.data[i])) {
      largest = std::max(largest, std::abs(expected.data[i]));
      worst = std::max(worst, std::abs(actual.data[i] - expected.data[i]));
    }
  }
  return worst <= near * largest;
}

class Search {
 public:
  Search(Worker& worker, TaskBook& tasks, const Match& match)
      : worker_(worker),
        tasks_(tasks),
        match_(match),
        study_(*match.callable.module),
        mode_(mode_of(match.task)),
        readings_(readings_of(study_, *match.module)) {
    form_.widths = study_.widths;
    form_.d_model = study_.d_model;
    form_.heads = study_.heads;
    form_.raw_parameters = study_.raw_parameters;
  }

  std::variant<ClassReading, CannotGrade> run() {
    const bool takes_none = mode_ != MaskMode::masked || study_.takes_no_mask;
    std::vector<ModuleReading> bases = readings_;
    if (takes_none) {
      const auto found = search_without_mask();
      if (const auto* reason = std::get_if<CannotGrade>(&found)) {
        return *reason;
      }
      bases = {std::get<ModuleReading>(found)};
    }
    if (mode_ != MaskMode::masked) {
      return chosen(bases.front(), form_);
    }
    form_.also_causal = study_.causal == Causality::always;
    return search_masks(bases);
  }

 private:
  // The task without a mask that the class does, on which its parameters are
  // told: a causal class is read as one.
  std::string unmasked_task() const {
    if (mode_ != MaskMode::masked) {
      return match_.task;
    }
    return task_name(*study_.kind, study_.causal == Causality::always
                                       ? MaskMode::causal
                                       : MaskMode::none);
  }

  Match read_as(const ModuleReading& words) const {
    Match match = match_;
    match.module = words;
    return match;
  }

  std::optional<Trial> look(const ModuleReading& words, const ClassForm& form,
                            const std::string& task, int rank) {
    const CaseSet& set = tasks_.probes(task, match_.precision, form, rank);
    if (set.cases.empty()) {
      return std::nullopt;
    }
    Observations observations = observe(worker_, read_as(words), set.cases);
    // What a class remembers is asked once it can be read: no other reading of
    // it would mend that.
    observations.same_answer_twice.reset();
    Trial trial{.words = words, .form = form};
    for (const CaseObservation& one : observations.cases) {
      const bool came_back = std::holds_alternative<Returned>(one.outcome);
      trial.any_call_came_back = trial.any_call_came_back || came_back;
      trial.any_returned =
          trial.any_returned || (came_back && one.shape_problem.empty());
      trial.returns_weights = trial.returns_weights ||
                              one.weights_source == WeightsSource::returned;
      const auto* raised = std::get_if<Raised>(&one.outcome);
      if (raised != nullptr && trial.complaint.empty()) {
        trial.complaint = raised->type + ": " + one_line(raised->message, 200);
      }
    }
    trial.diagnosis = diagnose(observations, set.prepared, match_.precision);
    return trial;
  }

  // One call tells most readings that are wrong from the one that is right.
  bool may_be_right(const ModuleReading& words, const ClassForm& form,
                    const std::string& task) {
    const CaseSet& set = tasks_.probes(task, match_.precision, form, rank_);
    if (set.cases.empty()) {
      return false;
    }
    const Case& probe = set.cases.front();
    const Outcome outcome = worker_.call(read_as(words), make_call(probe));
    const auto* returned = std::get_if<Returned>(&outcome);
    return returned != nullptr &&
           std::ranges::any_of(
               returned->results, [&](const ResultArray& result) {
                 const reference::Tensor& expected = probe.expected.output;
                 return result.values.shape == expected.shape &&
                        is_near(result.values, expected);
               });
  }

  std::optional<Trial> right(const ModuleReading& words, const ClassForm& form,
                             const std::string& task) {
    if (may_be_right(words, form, task)) {
      auto trial = look(words, form, task, rank_);
      if (trial && trial->is_right()) {
        return trial;
      }
    }
    return std::nullopt;
  }

  // The rank that the class takes: three axes, else two.
  void settle_rank() {
    for (const int rank : {3, 2}) {
      const CaseSet& set =
          tasks_.probes(unmasked_task(), match_.precision, form_, rank);
      for (const Case& probe : set.cases) {
        const Outcome outcome =
            worker_.call(read_as(readings_.front()), make_call(probe));
        if (std::holds_alternative<Returned>(outcome)) {
          rank_ = rank;
          return;
        }
      }
    }
  }

  std::variant<ModuleReading, CannotGrade> search_without_mask() {
    settle_rank();
    const std::string task = unmasked_task();
    for (const char* layout : {"batch-first", "sequence-first"}) {
      for (ModuleReading words : readings_) {
        if (layout == std::string("sequence-first")) {
          words["layout"] = layout;
        }
        if (right(words, form_, task)) {
          return words;
        }
      }
      if (rank_ != 3) {
        break;  // two axes have no batch
      }
    }
    return most_plausible(task);
  }

  // Nothing is right: what explains most simply what is wrong.
  std::variant<ModuleReading, CannotGrade> most_plausible(
      const std::string& task) {
    Trials trials;
    for (const ModuleReading& words : readings_) {
      if (trials.size() == most_diagnosed) {
        break;
      }
      auto trial = look(words, form_, task, rank_);
      if (!trial) {
        return readings_.front();
      }
      trials.push_back(std::move(*trial));
      // A class whose roles are known does not become another by reading it in
      // a stranger way; but which of two is the query may be open.
      if (study_.settled && rank_of(trials.back()) == 1) {
        if (auto other = look_exchanged(trials.back(), task)) {
          trials.push_back(std::move(*other));
          return ambiguous(trials);
        }
        break;
      }
    }
    if (!best_of(trials).is_explained()) {
      if (const auto words = explained_with_sequence_first(task)) {
        return *words;
      }
    }
    if (!study_.settled && !agree(trials)) {
      return ambiguous(trials);
    }
    base_faults_ = best_of(trials).diagnosis.faults;
    return best_of(trials).words;
  }

  // With queries and keys exchanged, where nothing tells them apart, a single
  // fault of another name: the softmax runs over the queries, or the weights
  // are transposed.
  std::optional<Trial> look_exchanged(const Trial& usual,
                                      const std::string& task) {
    ModuleReading words = usual.words;
    const auto roles =
        std::ranges::find(study_.conventions, "roles", &Convention::name);
    if (roles == study_.conventions.end() || roles->options.size() < 2 ||
        words.contains("roles")) {
      return std::nullopt;
    }
    words["roles"] = roles->options.at(1).word;
    auto other = look(words, form_, task, rank_);
    const bool is_other = other && rank_of(*other) == 1 &&
                          other->diagnosis.faults != usual.diagnosis.faults;
    return is_other ? std::move(other) : std::nullopt;
  }

  // Faults are named in (n, B, C) only where the weights have its shape.
  std::optional<ModuleReading> explained_with_sequence_first(
      const std::string& task) {
    ModuleReading words = readings_.front();
    words["layout"] = "sequence-first";
    const auto trial =
        rank_ == 3 ? look(words, form_, task, rank_) : std::nullopt;
    if (trial && trial->is_explained() && trial->returns_weights) {
      base_faults_ = trial->diagnosis.faults;
      return words;
    }
    return std::nullopt;
  }

  // Where the roles were guessed every reading that explains anything must say
  // the same.
  static bool agree(const Trials& trials) {
    const Trial* first = nullptr;
    for (const Trial& trial : trials) {
      if (!trial.is_explained()) {
        continue;
      }
      if (first != nullptr &&
          first->diagnosis.faults != trial.diagnosis.faults) {
        return false;
      }
      first = &trial;
    }
    return first != nullptr;
  }

  CannotGrade ambiguous(const Trials& trials) const {
    const bool is_any_explained =
        std::ranges::any_of(trials, &Trial::is_explained);
    std::string lines;
    for (const ModuleParameter& parameter : study_.parameters) {
      lines += (lines.empty() ? "\"" : ", \"") + one_line(parameter.name, 60) +
               "\": " + as_json(parameter.holds);
    }
    return {"unsupported",
            std::string("its parameters could not be told apart: ") +
                (is_any_explained ? "different guesses are different faults"
                                  : "no guess is right") +
                "; say in the task file which is which: \"parameters\": {" +
                lines + "}. Else an adapter can call it (docs/adapters.md)"};
  }

  ModuleReading with_mask(ModuleReading words, const MaskSpelling& mask) const {
    words["mask_form"] = mask.form;
    words["mask_convention"] = mask.convention;
    if (words.contains("layout")) {
      words["mask_layout"] = mask_layout_;
    }
    return words;
  }

  ClassForm with_axes(MaskAxes axes) const {
    ClassForm form = form_;
    form.masks = {axes};
    return form;
  }

  std::variant<ClassReading, CannotGrade> search_masks(
      const std::vector<ModuleReading>& bases) {
    const std::vector<MaskSpelling> forms =
        mask_forms_of(study_, *match_.module);
    for (const ModuleReading& base : bases) {
      for (const char* layout : {"batch-first", "batch-last"}) {
        mask_layout_ = layout;
        for (const MaskSpelling& mask : forms) {
          if (auto reading = right_masks(with_mask(base, mask), mask)) {
            return *reading;
          }
        }
        if (!base.contains("layout")) {
          break;
        }
      }
    }
    mask_layout_ = "batch-first";
    return most_plausible_masks(bases, forms);
  }

  // Every shape in which it is right.
  std::optional<ClassReading> right_masks(const ModuleReading& words,
                                          const MaskSpelling& mask) {
    ClassForm form = form_;
    for (const MaskAxes axes : mask_axes_of(*study_.kind, mask.form)) {
      if (right(words, with_axes(axes), match_.task)) {
        form.masks.push_back(axes);
      }
    }
    return form.masks.empty() ? std::nullopt
                              : std::optional(chosen(words, form));
  }

  // Tries the shapes of one form and convention until one is explained. True
  // where nothing simpler can come: the faults are those without a mask.
  bool look_at_masks(const ModuleReading& base, const MaskSpelling& mask,
                     Trials& trials, std::string& complaint) {
    const ModuleReading words = with_mask(base, mask);
    for (const MaskAxes axes : mask_axes_of(*study_.kind, mask.form)) {
      if (trials.size() == most_diagnosed) {
        return false;
      }
      auto trial = look(words, with_axes(axes), match_.task, rank_);
      if (trial && trial->any_returned) {
        trials.push_back(std::move(*trial));
        if (trials.back().is_explained()) {
          return trials.back().diagnosis.faults == base_faults_;
        }
      } else if (trial && complaint.empty()) {
        complaint = trial->complaint;
      }
    }
    return false;
  }

  std::variant<ClassReading, CannotGrade> most_plausible_masks(
      const std::vector<ModuleReading>& bases,
      const std::vector<MaskSpelling>& forms) {
    Trials trials;
    std::string complaint;
    for (const ModuleReading& base : bases) {
      for (const MaskSpelling& mask : forms) {
        if (look_at_masks(base, mask, trials, complaint)) {
          return chosen(trials.back().words, trials.back().form);
        }
      }
      if (!trials.empty()) {
        break;
      }
    }
    if (trials.empty()) {
      return CannotGrade{
          "unsupported",
          "none of the masks (n,m), (B,m), (B,n,m), (B,1,1,m), (B,H,n,m) is "
          "taken" +
              (complaint.empty() ? "" : ": " + complaint)};
    }
    return chosen(best_of(trials).words, best_of(trials).form);
  }

  ClassReading chosen(const ModuleReading& words, const ClassForm& form) {
    ClassReading reading{words, form, {}, study_.notes};
    reading.form.ranks = ranks_with(words, form);
    const auto is = [&](const char* name, const char* word) {
      const auto found = words.find(name);
      return found != words.end() && found->second == word;
    };
    if (is("mask_form", "additive")) {
      reading.notes.emplace_back("mask-convention");
      reading.remarks.emplace_back(
          "its mask is added to the scores: 0 where a key may be seen, -inf "
          "elsewhere");
    } else if (is("mask_convention", "hide")) {
      reading.notes.emplace_back("mask-convention");
      reading.remarks.emplace_back("its mask hides where it is True");
    }
    std::ranges::copy(unusual_readings(study_, words),
                      std::back_inserter(reading.remarks));
    return reading;
  }

  // A class takes one rank or more: what it does not take shows by an error, by
  // another shape, or by numbers that are wrong in another way than on the
  // usual one.
  std::vector<int> ranks_with(const ModuleReading& words,
                              const ClassForm& form) {
    std::vector<int> ranks = {2, 3};
    if (study_.kind == Kind::self_attention) {
      ranks.push_back(4);
    }
    const auto usual = look(words, form, match_.task, rank_);
    std::erase_if(ranks, [&](int rank) {
      if (!usual || rank == rank_) {
        return false;
      }
      ClassForm of_rank = form;
      of_rank.ranks = {rank};
      const auto trial = look(words, of_rank, match_.task, rank);
      return trial && trial->any_call_came_back &&
             (trial->diagnosis.verdict != usual->diagnosis.verdict ||
              trial->diagnosis.faults != usual->diagnosis.faults);
    });
    return ranks;
  }

  Worker& worker_;
  TaskBook& tasks_;
  const Match& match_;
  const ModuleStudy& study_;
  MaskMode mode_;
  std::vector<ModuleReading> readings_;
  ClassForm form_;
  std::vector<std::string> base_faults_;  // without a mask
  std::string mask_layout_ = "batch-first";
  int rank_ = 3;
};

}  // namespace

std::variant<ClassReading, CannotGrade> find_reading(Worker& worker,
                                                     TaskBook& tasks,
                                                     const Match& match) {
  return Search(worker, tasks, match).run();
}

}  // namespace grader
