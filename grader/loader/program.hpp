// SPDX-License-Identifier: MIT
// How a submission is started, and what is in it. The loader turns a file into
// a Program; the program, once running, describes itself; matching decides
// which of its functions answers which task.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "grader/fixture/dtype.hpp"
#include "grader/fixture/task.hpp"
#include "grader/isolation/confinement.hpp"
#include "grader/isolation/fork_servers.hpp"
#include "grader/loader/interpreter.hpp"
#include "grader/loader/module_study.hpp"
#include "grader/loader/named_calls.hpp"
#include "grader/submission/temporary_folder.hpp"
#include "grader/system/child.hpp"

namespace grader {

enum class Language { python, native, command };

struct Adapter;

// A host that has started already, before its first submission: it has read the
// files for the loader, and waits for what it is to load. Whoever takes the
// child leaves none.
struct WaitingHost {
  std::unique_ptr<Child> child;
  std::uint64_t baseline = 0;  // bytes of its address space at the start
};

// A process to start. It speaks the protocol of worker/protocol.md on the
// descriptor whose number is in the environment variable ATTNGRADE_CHANNEL; a
// command that of docs/commands.md on stdin and stdout.
struct Program {
  Language language = Language::python;
  std::vector<std::string> argv;         // argv[0] is an absolute path
  std::vector<std::string> environment;  // whole: nothing is inherited
  std::filesystem::path working_directory;
  Isolation isolation{};
  Confinement confinement{};
  // Warm processes that it can be a copy of; without a plan it is started.
  std::shared_ptr<ForkServers> fork_servers{};
  std::optional<ServerPlan> server{};
  std::shared_ptr<WaitingHost> waiting{};  // for its first process, or null
  std::filesystem::path submission;  // what the host is asked to load, or empty
  // Python: the top folder of the submission's files, and what runs it.
  std::filesystem::path root{};
  InterpreterPtr interpreter{};
  // Python: modules that the submission cannot run without, by its syntax tree.
  std::vector<std::string> imports{};
  // Likewise: it, or its adapter, mentions a graphics card or the like.
  bool mentions_device = false;
  // Times the limits on CPU and wall time: JAX compiles each operation for each
  // shape that it meets, which is not the candidate's doing.
  double time_factor = 1.0;
  // Native: names of the exported functions as the linker knows them.
  std::vector<std::string> symbols;
  // Native: sources that were not compiled, and why, for people; or empty.
  std::string left_aside{};
  // Python: what the task file says of classes, JSON objects; or empty.
  std::string construct{};
  std::string parameters{};
  // Python: functions of libraries whose calls are to be seen, a JSON object,
  // and where the file names them; names that are bound in it.
  std::string watched{};
  NamedCalls named_calls{};
  std::vector<std::string> definitions{};
  // Python: what calls the submission, or null.
  std::shared_ptr<const Adapter> adapter{};
  // Holds the two paths above; removed with the last copy of the program.
  std::shared_ptr<const TemporaryFolder> staging;
};

// The candidate's doing: cannot be read, parsed, compiled, imported.
struct LoadFailure {
  std::string kind;    // "syntax", "compile", "import", "no-function", ...
  std::string detail;  // for the candidate, several lines allowed
};

// The grader's or its environment's doing.
struct CannotGrade {
  std::string kind;  // "environment" or "unsupported"
  std::string detail;
  // What would have been graded, where that is known.
  std::string task{};
  std::string entry{};
};

struct Parameter {
  std::string name;
  bool has_default = false;
  bool default_is_bool = false;
  bool default_is_true = false;
  // The default where it may be an example of a width, a whole positive number;
  // else 0.
  std::int64_t default_width = 0;
  bool positional_only = false;
  bool keyword_only = false;
};

// Whose tensors a function computes with.
enum class Framework { numpy, torch, jax };

std::string to_string(Framework framework);
std::optional<Framework> parse_framework(std::string_view name);

// Something callable that the submission defines.
struct Callable {
  std::string name;       // "attention", "Attention.attend", "attention_f32"
  int line = 0;           // 0 = unknown
  bool is_class = false;  // constructed, then called by __call__/forward
  // What its constructor takes by keyword, of what could be filled in; where it
  // has matrices of its own switches only, and nothing if it needs more.
  std::vector<Parameter> constructor{};
  // Empty for native symbols, whose name is their signature.
  std::vector<Parameter> parameters;
  bool takes_any = false;            // *args or an unreadable signature
  std::vector<std::string> calls;    // names of other callables it refers to
  std::string problem;               // why it cannot be called, or empty
  std::vector<std::string> bases{};  // of a class: names of its base classes
  Framework framework = Framework::numpy;
  bool heads_first = false;  // its text says that the second axis is the heads
  // Of a class that builds its own projections.
  std::optional<ModuleStudy> module{};
};

// What tensors are of where the submission asks for no type, as it has set it:
// arguments of another type would not go with those that it makes itself.
using DefaultDTypes = std::map<Framework, DType>;

struct Description {
  std::vector<Callable> callables;
  std::vector<std::string> remarks{};  // on how it was loaded, for people
  std::vector<std::string> hints{};    // why a function may not be there
  DefaultDTypes default_dtypes{};
  // Names that an adapter looks up in the module of a submission.
  std::vector<std::string> asks_for{};
};

// What the grader passes beside the arguments of a task: a number that it
// knows, or a switch on or off. The model's width is C, where the task has
// one.
enum class Filling { key_width, value_width, model_width, zero, one, off, on };

// A parameter that the task does not have, and that has no default, or one that
// is somebody's example or would change the task: passed by keyword.
struct FilledParameter {
  std::string name;
  Filling filling = Filling::key_width;

  bool operator==(const FilledParameter&) const = default;
};

// One function of the submission that answers one task.
struct Match {
  std::string task;
  Callable callable;
  bool is_float32 = false;  // native _f32 symbol
  // The candidate's parameter names, one for each argument of the task in the
  // task's order, the mask last: pass all by keyword. Empty: pass by position.
  std::vector<std::string> keywords;
  std::vector<FilledParameter> filled{};  // beside the arguments of the task
  std::vector<FilledParameter> constructor{};  // likewise, of its class
  Framework framework = Framework::numpy;
  DefaultDTypes default_dtypes{};  // as in Description
  // Of the numbers that are passed: as asked for, else float64 for numpy and C,
  // the default of torch or JAX, float32 for _f32 symbols.
  DType precision = DType::float64;
  // Tensors of four axes are passed as (B, n, H, d), which matching cannot see.
  bool tokens_first = false;
  // Of a callable with a study: it is built for the sizes of each call and
  // given the weights of the task, and its conventions are read so.
  std::optional<ModuleReading> module{};
  ClassForm form{};  // of such a class: the cases that it is graded on
  std::vector<std::string> remarks{};  // what was chosen and why, for people
  // Of masks: as the task or the user fixes it. Without it a function keeps
  // where True, a class as it does.
  std::optional<MaskConvention> mask_convention{};
  std::string adapter{};  // the name of the file that the callable is in
};

struct MatchOptions {
  std::string entry;                     // --entry NAME, or empty
  std::string task;                      // --task NAME, or empty
  std::string file{};                    // --entry FILE:NAME, or empty
  std::optional<DType> dtype{};          // --dtype NAME
  std::optional<Framework> framework{};  // --framework NAME
  std::optional<MaskConvention> mask_convention{};  // --mask-convention
  // Any of these names makes a file the submission, not the names of tasks: an
  // adapter looks them up in it.
  std::vector<std::string> asked_for{};
};

// Contract, section 1: exact name before alias; the signature decides; of two
// functions for the same task the caller wins over the one it calls. Returns at
// least one match, or why there is none, with near-miss names. CannotGrade
// where the submission is of a form that cannot be graded (a class whose
// parameters cannot be told apart, say).
using Matching = std::variant<std::vector<Match>, LoadFailure, CannotGrade>;

// What is passed where nobody asks for a type.
DType usual_precision(const Match& match);

Matching match_tasks(const Description& description,
                     const std::vector<Task>& tasks, Language language,
                     const MatchOptions& options);

// Adds the exported functions of a native program to what its host reported:
// near misses, and names with C++ linkage, can only be seen in the file.
void add_symbols(Description& description,
                 const std::vector<std::string>& symbols);

}  // namespace grader
