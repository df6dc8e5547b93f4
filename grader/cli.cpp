// SPDX-License-Identifier: MIT
#include "grader/cli.hpp"

#include <algorithm>
#include <charconv>
#include <iomanip>
#include <map>
#include <sstream>
#include <type_traits>
#include <vector>

#include <CLI/CLI.hpp>

#include "grader/commands.hpp"
#include "grader/system/text.hpp"

namespace grader {
namespace {

// An interpreter takes some of them itself; the kernel gives no more.
constexpr std::uint64_t least_processes = 16;
constexpr std::uint64_t most_processes = 32768;
constexpr std::int64_t most_width = 65536;  // of a demonstration's queries
constexpr std::uint64_t least_files = 64;
constexpr std::uint64_t most_files = 1048576;
// The stack of one thread, and as much to compute in.
constexpr std::uint64_t least_memory = std::uint64_t{16} << 20U;
constexpr std::uint64_t least_bytes = 4096;  // a page; a warning of a library
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 40U;

constexpr const char* exit_codes_help =
    "Exit codes\n"
    "  0 every submission is correct    3 the grader or its environment "
    "failed\n"
    "  1 at least one is not            4 no submission found\n"
    "  2 wrong use of the command       130 interrupted\n";

constexpr const char* grade_examples =
    "Examples\n"
    "  attngrade grade submissions/\n"
    "  attngrade grade dk.py --verbose\n"
    "  attngrade grade ana.zip\n"
    "  attngrade grade --as-one my_project/\n"
    "  attngrade grade submissions/ --junit results.xml --json results.json\n"
    "  attngrade grade ana.py --entry my_function --task causal_attention\n"
    "  attngrade grade --command 'node attention.js' --task attention\n";

constexpr const char* check_examples =
    "Examples\n"
    "  attngrade check attention.py\n"
    "  attngrade check attention.c --verbose\n"
    "  attngrade check attention.py --ranks 2\n";

constexpr const char* command_help =
    "Commands\n"
    "  --command grades a program that reads safetensors from stdin and "
    "writes\n"
    "  them to stdout (docs/commands.md). LINE is cut into words and quotes as "
    "a\n"
    "  shell would, but no shell is started: no variables, patterns or "
    "pipes.\n";

constexpr const char* faults_examples =
    "Examples\n"
    "  attngrade faults\n"
    "  attngrade faults scale-by-dk\n"
    "  attngrade faults --html faults.html\n";

constexpr const char* fixtures_examples =
    "Examples\n"
    "  attngrade fixtures verify\n"
    "  attngrade fixtures make\n"
    "  attngrade fixtures make my_cases/wide.json\n"
    "  attngrade fixtures audit --quiet\n"
    "  attngrade fixtures audit my_cases/*.json\n";

constexpr const char* new_examples =
    "Examples\n"
    "  attngrade new take_home\n"
    "  attngrade new take_home --task causal_attention --language python,c\n";

constexpr const char* demo_examples =
    "Examples\n"
    "  attngrade demo\n"
    "  attngrade demo --d-k 512 --n 64\n"
    "  attngrade demo training\n"
    "  attngrade demo heads --heads 16\n"
    "  attngrade demo transpose\n"
    "  attngrade demo --html scale.html --quiet\n"
    "  attngrade demo --script scale.py --json scale.json\n";

constexpr const char* selftest_examples =
    "Examples\n"
    "  attngrade selftest --task attention\n"
    "  attngrade selftest --dtype float16 --right-forms --seeds 200\n"
    "  attngrade selftest --pairs 1        # every pair of faults: minutes\n\n"
    "Exit codes\n"
    "  0 no right form is accused, no fault is misnamed\n"
    "  1 one is: the lines marked ACCUSED and MISNAMED\n"
    "  2 usage or configuration\n";

constexpr const char* audit_examples =
    "Examples\n"
    "  attngrade fixtures audit --quiet\n"
    "  attngrade fixtures audit attention --ranks 2\n"
    "  attngrade fixtures audit my_cases/*.json --json audit.json\n"
    "  attngrade fixtures audit toy.json --tolerance 1e-2 --output-only\n\n"
    "Exit codes\n"
    "  0 every fault shows, all are told apart but for inherent ties\n"
    "  1 a fault passes as correct, or two are not told apart\n"
    "  2 wrong use of the command, or a case that cannot be read\n";

constexpr const char* doctor_examples =
    "Examples\n"
    "  attngrade doctor\n"
    "  attngrade doctor --python .venv/bin/python\n";

CLI::Validator size_validator(std::uint64_t least) {
  return CLI::Validator(
      [least](std::string& text) -> std::string {
        const auto size = parse_size(text);
        if (!size) {
          return "expected a size such as 512M or 1G, not " + one_line(text);
        }
        if (*size < least || *size > most_bytes) {
          return "expected a size from " + size_text(least) + " to " +
                 size_text(most_bytes) + ", not " + one_line(text);
        }
        text = std::to_string(*size);
        return {};
      },
      "");
}

void add_paths(CLI::App& command, Options& options, const std::string& help) {
  command.add_option("PATH", options.paths, help)->type_name("");
  command
      .add_option("--command", options.command_line,
                  "A program instead of paths, with --task")
      ->type_name("LINE");
}

void add_as_one(CLI::App& command, Options& options) {
  command.add_flag("--as-one", options.as_one,
                   "A folder is one submission, not several");
}

void add_fixtures_option(CLI::App& command, Options& options) {
  command
      .add_option("--fixtures", options.fixtures,
                  "Folder with tasks/ and cases/")
      ->type_name("DIR");
}

void add_ranks(CLI::App& command, Options& options) {
  command
      .add_option_function<std::string>(
          "--ranks",
          [&options](const std::string& text) {
            const auto ranks = parse_ranks(text);
            if (!ranks) {
              throw CLI::ValidationError(
                  "--ranks",
                  "expected 2, 3 and 4 with commas, such as "
                  "2,3, not " +
                      one_line(text));
            }
            options.ranks = *ranks;
          },
          "Ranks of the inputs (default: the task's)")
      ->type_name("2,3,4");
}

void add_dtype(CLI::App& command, Options& options, const std::string& text) {
  command.add_option("--dtype", options.dtype, text)
      ->type_name("NAME")
      ->check(CLI::IsMember({"float64", "float32", "float16", "bfloat16"})
                  .description(""));
}

void add_selection(CLI::App& command, Options& options) {
  command
      .add_option("--task", options.task,
                  "Only this task (default: all it has functions of)")
      ->type_name("NAME");
  command
      .add_option("--entry", options.entry,
                  "Function to call (default: found by its name)")
      ->type_name("[FILE:]NAME");
  add_ranks(command, options);
  add_dtype(command, options,
            "Of the inputs: float64, float32, float16, bfloat16");
  command
      .add_option("--framework", options.framework,
                  "numpy, torch or jax (default: by what is used)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"numpy", "torch", "jax"}).description(""));
  command
      .add_option("--mask-convention", options.mask_convention,
                  "True in a mask: keep, hide; additive: 0 and -inf")
      ->type_name("WORD")
      ->check(CLI::IsMember({"keep", "hide", "additive"}).description(""));
}

// CLI11 would take 2^64 - 1 for a larger number, without a word.
std::string seed_problem(std::string& text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, seed);
  return failure == std::errc() && rest == end
             ? ""
             : "expected a whole number from 0 to 2^64 - 1, not " +
                   one_line(text);
}

// CLI::Range says "Value 0 not in range 0.100000 to 1000000.000000".
template <typename Number>
CLI::Validator between(Number least, Number most) {
  return {[least, most](std::string& text) {
            Number value{};
            if (CLI::detail::lexical_cast(text, value) && least <= value &&
                value <= most) {
              return std::string();
            }
            std::ostringstream problem;
            problem << std::setprecision(15) << "expected a "
                    << (std::is_integral_v<Number> ? "whole " : "")
                    << "number from " << least << " to " << most << ", not "
                    << one_line(text);
            return problem.str();
          },
          ""};
}

void add_limits(CLI::App& command, Options& options) {
  command
      .add_option("--time-limit", options.time_limit,
                  "CPU time of a submission, all calls (default: 10)")
      ->type_name("SECONDS")
      ->check(between(0.1, 1e6));
  command
      .add_option("--memory-limit", options.memory_limit,
                  "Memory above the interpreter's (default: 1G)")
      ->transform(size_validator(least_memory))
      ->type_name("SIZE");
  command
      .add_option("--output-limit", options.output_limit,
                  "What a submission may print (default: 16M)")
      ->transform(size_validator(least_bytes))
      ->type_name("SIZE");
  command
      .add_option("--process-limit", options.process_limit,
                  "Processes and threads; not at L0 (default: 512)")
      ->type_name("N")
      ->check(between(least_processes, most_processes));
  command
      .add_option("--file-limit", options.file_limit,
                  "Files open at a time (default: 256)")
      ->type_name("N")
      ->check(between(least_files, most_files));
  command
      .add_option("--disk-limit", options.disk_limit,
                  "What it may write; L0, L1: a file (default: 64M)")
      ->transform(size_validator(least_bytes))
      ->type_name("SIZE");
}

void add_execution(CLI::App& command, Options& options) {
  command
      .add_option("--python", options.python,
                  "Interpreter for Python (default: see doctor)")
      ->type_name("PATH");
  command
      .add_option("--fixtures", options.fixtures,
                  "Folder with tasks/ and cases/ (default: shipped)")
      ->type_name("DIR");
  command
      .add_option("--jobs,-j", options.jobs,
                  "Submissions at a time (default: processors)")
      ->type_name("N")
      ->check(between(1U, 4096U));
  add_limits(command, options);
  command
      .add_option("--isolation", options.isolation,
                  "auto: the best there is (check: none)")
      ->type_name("LEVEL")
      ->check(
          CLI::IsMember({"auto", "none", "L1", "L2", "L3"}).description(""));
  command
      .add_option("--lane", options.lane,
                  "fork: copies of a warm process; exec: fresh ones")
      ->type_name("LANE")
      ->check(CLI::IsMember({"auto", "exec", "fork"}).description(""));
  command
      .add_option("--require-isolation", options.require_isolation,
                  "Fail rather than grade below this level")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"none", "L1", "L2", "L3"}).description(""));
}

void add_reports(CLI::App& command, Options& options) {
  const std::map<std::string, ColorChoice> choices{
      {"auto", ColorChoice::automatic},
      {"always", ColorChoice::always},
      {"never", ColorChoice::never}};
  command
      .add_option("--json", options.json,
                  "Write the results as JSON (- = stdout)")
      ->type_name("FILE");
  command
      .add_option("--junit", options.junit,
                  "Write the results as JUnit XML (- = stdout)")
      ->type_name("FILE");
  command.add_flag("--quiet,-q", options.quiet, "No report for people");
  command.add_flag("--verbose,-v", options.verbose,
                   "Each submission in full: cases, what it printed");
  command
      .add_option_function<std::string>(
          "--color",
          [&options, choices](const std::string& name) {
            options.color = choices.at(name);
          },
          "auto, always or never")
      ->type_name("WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""));
  command.add_flag("--exit-zero", options.exit_zero,
                   "Exit with 0 where it would be 1");
}

// The subcommands of one App, each with the command that it stands for.
class Parser {
 public:
  Parser() {
    app_.name("attngrade");
    app_.set_version_flag("--version",
                          "attngrade " + std::string(tool_version()));
    app_.require_subcommand(1);
    app_.footer(std::string("Examples\n"
                            "  attngrade grade submissions/\n"
                            "  attngrade check attention.py\n"
                            "  attngrade faults scale-by-dk\n"
                            "  attngrade doctor\n\n") +
                exit_codes_help);
    add_grade();
    add_check();
    add_faults();
    add_fixtures();
    add_selftest();
    add_doctor();
    add_demo();
    add_new();
  }

  CommandLine parse(int argc, const char* const* argv) {
    if (const auto complaint = unknown_subcommand(argc, argv)) {
      return misuse(*complaint);
    }
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return {std::nullopt, exit_success, help(), ""};
    } catch (const CLI::CallForVersion&) {
      return {std::nullopt, exit_success, app_.version() + "\n", ""};
    } catch (const CLI::ParseError& error) {
      return misuse(one_line(error.what()) + suggestion(argc, argv));
    }
    options_.command = commands_.at(chosen());
    if (grades_nothing()) {
      return misuse("PATH is required, or a program with --command");
    }
    return {options_, exit_success, "", ""};
  }

 private:
  CLI::App* add(CLI::App& parent, const std::string& name, Command command,
                const std::string& about) {
    CLI::App* subcommand = parent.add_subcommand(name, about);
    commands_.emplace(subcommand, command);
    return subcommand;
  }

  void add_grade() {
    CLI::App* grade = add(app_, "grade", Command::grade,
                          "Grade submissions: verdict, fault and proof");
    add_paths(*grade, options_, "Files, archives, or folders of submissions");
    grade->add_flag("--recursive,-r", options_.recursive,
                    "Look into subfolders too");
    add_as_one(*grade, options_);
    add_selection(*grade, options_);
    grade
        ->add_option("--seed", options_.seed,
                     "Seed of the fresh cases (default: random)")
        ->type_name("N")
        ->check(CLI::Validator(seed_problem, ""));
    add_execution(*grade, options_);
    add_reports(*grade, options_);
    grade->footer(std::string(grade_examples) + "\n" + command_help + "\n" +
                  exit_codes_help);
  }

  void add_check() {
    CLI::App* check = add(app_, "check", Command::check,
                          "Check your own file on the public cases");
    add_paths(*check, options_, "Your file, or a folder with --as-one");
    add_as_one(*check, options_);
    add_selection(*check, options_);
    add_execution(*check, options_);
    add_reports(*check, options_);
    check->footer(std::string(check_examples) + "\n" + exit_codes_help);
  }

  void add_faults() {
    CLI::App* faults = add(app_, "faults", Command::faults,
                           "List the faults, or explain one of them");
    faults->add_option("ID", options_.fault, "Such as scale-by-dk")
        ->type_name("");
    faults
        ->add_option("--html", options_.html,
                     "Write a page, of all or of the one (- = stdout)")
        ->type_name("FILE");
    faults->footer(faults_examples);
  }

  void add_fixtures() {
    CLI::App* fixtures =
        app_.add_subcommand("fixtures", "Write, verify or audit the cases");
    fixtures->require_subcommand(1);
    fixtures->footer(fixtures_examples);
    CLI::App* make = add(*fixtures, "make", Command::fixtures_make,
                         "Write the cases of all tasks, or complete these");
    make->add_option("FILE", options_.files,
                     "Case files to complete (default: all cases)")
        ->type_name("");
    CLI::App* verify = add(*fixtures, "verify", Command::fixtures_verify,
                           "Confirm the golden numbers, also by numpy");
    verify
        ->add_option("--python", options_.python,
                     "Interpreter with numpy (default: first found)")
        ->type_name("PATH");
    for (CLI::App* command : {make, verify}) {
      add_fixtures_option(*command, options_);
      command->footer(fixtures_examples);
    }
    add_audit(*fixtures);
  }

  void add_audit(CLI::App& fixtures) {
    CLI::App* audit = add(fixtures, "audit", Command::fixtures_audit,
                          "Say which faults cases show and tell apart");
    audit
        ->add_option("TARGET", options_.files,
                     "Tasks, or case files (default: all tasks)")
        ->type_name("");
    add_fixtures_option(*audit, options_);
    add_ranks(*audit, options_);
    audit
        ->add_option("--tolerance", options_.tolerance,
                     "What your test compares with (default: float32's)")
        ->type_name("NUMBER")
        ->check(between(1e-300, 1e3));
    audit->add_flag("--output-only", options_.output_only,
                    "Compare outputs, never the weights");
    audit
        ->add_option("--json", options_.json,
                     "Write all distances as JSON (- = stdout)")
        ->type_name("FILE");
    audit->add_flag("--quiet,-q", options_.quiet, "Leave the matrix out");
    audit->footer(audit_examples);
  }

  void add_new() {
    CLI::App* make = add(app_, "new", Command::make_new,
                         "Write a take-home: instructions, stub, cases");
    make->add_option("FOLDER", options_.paths, "A new folder, or an empty one")
        ->type_name("")
        ->required()
        ->expected(1);
    make->add_option("--task", options_.task,
                     "What is asked (default: attention)")
        ->type_name("NAME");
    make->add_option("--language", options_.languages,
                     "python, notebook, c or cpp; several: a,b")
        ->type_name("NAME")
        ->delimiter(',')
        ->check(
            CLI::IsMember({"python", "notebook", "c", "cpp"}).description(""));
    add_fixtures_option(*make, options_);
    make->footer(new_examples);
  }

  void add_demo() {
    CLI::App* demo = add(app_, "demo", Command::demo,
                         "Show what dividing by sqrt(d_k) is for");
    demo->add_option("--d-k", options_.d_k,
                     "Width of a query and a key (default: 64)")
        ->type_name("N")
        ->check(between(std::int64_t{1}, most_width));
    add_draws(*demo);
    add_documents(*demo);
    demo->footer(demo_examples);
    add_training(*demo);
    CLI::App* heads = add(*demo, "heads", Command::demo_heads,
                          "Which width to divide by where there are heads");
    heads
        ->add_option("--d-model", options_.d_model,
                     "Width of all heads (default: 512)")
        ->type_name("N")
        ->check(between(std::int64_t{1}, most_width));
    heads->add_option("--heads", options_.heads, "How many (default: 8)")
        ->type_name("N")
        ->check(between(std::int64_t{1}, most_width));
    add_draws(*heads);
    add_documents(*heads);
    CLI::App* transpose = add(*demo, "transpose", Command::demo_transpose,
                              "K.T against swapping the last two axes");
    transpose
        ->add_option("--size", options_.size,
                     "Of batch, tokens and width alike (default: 4)")
        ->type_name("N")
        ->check(between(std::int64_t{2}, std::int64_t{6}));
    add_documents(*transpose);
  }

  void add_training(CLI::App& demo) {
    CLI::App* training = add(demo, "training", Command::demo_training,
                             "What training makes of a missing scale");
    training
        ->add_option("--d-k", options_.d_k,
                     "Width of a query and a key (default: 64)")
        ->type_name("N")
        ->check(between(std::int64_t{1}, std::int64_t{1024}));
    training
        ->add_option("--starts", options_.starts,
                     "How many are trained (default: 10)")
        ->type_name("N")
        ->check(between(std::int64_t{2}, std::int64_t{1000}));
    training
        ->add_option("--steps", options_.steps,
                     "Of gradient descent (default: 300)")
        ->type_name("N")
        ->check(between(std::int64_t{1}, std::int64_t{100000}));
    add_documents(*training);
  }

  void add_draws(CLI::App& demo) {
    demo.add_option("--n", options_.n, "Queries, and keys (default: 16)")
        ->type_name("N")
        ->check(between(std::int64_t{2}, std::int64_t{4096}));
    demo.add_option("--draws", options_.draws,
                    "How often all are drawn (default: 200)")
        ->type_name("N")
        ->check(between(std::int64_t{2}, std::int64_t{1000000}));
  }

  void add_documents(CLI::App& demo) {
    demo.add_option("--seed", options_.seed,
                    "Of the random numbers (default: 0)")
        ->type_name("N")
        ->check(CLI::Validator(seed_problem, ""));
    demo.add_option("--html", options_.html,
                    "Write a page with charts (- = stdout)")
        ->type_name("FILE");
    demo.add_option("--json", options_.json,
                    "Write the numbers as JSON (- = stdout)")
        ->type_name("FILE");
    demo.add_option("--script", options_.script,
                    "Write Python that gives the same numbers (- = stdout)")
        ->type_name("FILE");
    demo.add_flag("--quiet,-q", options_.quiet, "Nothing on the terminal");
  }

  void add_selftest() {
    CLI::App* selftest = add(app_, "selftest", Command::selftest,
                             "Play every fault, print what is said of it");
    selftest->add_option("--task", options_.task, "One task (default: all)")
        ->type_name("NAME");
    add_dtype(*selftest, options_,
              "float64, float32, float16 or bfloat16 (default: each)");
    selftest
        ->add_option("--seeds", options_.seeds,
                     "How many sets of fresh twins (default: 1)")
        ->type_name("N")
        ->check(between(1, 1000));
    selftest
        ->add_option("--seed", options_.seed, "The first of them (default: 1)")
        ->type_name("N")
        ->check(between(1, 1000000000));
    selftest
        ->add_option("--pairs", options_.double_step,
                     "Play every nth pair of faults, too (default: none)")
        ->type_name("N")
        ->check(between(1, 1000000));
    selftest
        ->add_flag("--right-forms", options_.right_forms_only,
                   "Play right forms only: nobody may be accused")
        ->excludes("--pairs");
    selftest
        ->add_option("--jobs,-j", options_.jobs,
                     "Threads (default: one a processor)")
        ->type_name("N");
    add_fixtures_option(*selftest, options_);
    add_ranks(*selftest, options_);
    selftest->footer(selftest_examples);
  }

  void add_doctor() {
    CLI::App* doctor = add(app_, "doctor", Command::doctor,
                           "Say what this machine has, and what is missing");
    doctor
        ->add_option("--python", options_.python,
                     "Interpreter to examine (default: all found)")
        ->type_name("PATH");
    add_fixtures_option(*doctor, options_);
    doctor->footer(doctor_examples);
  }

  // The innermost subcommand that was given.
  const CLI::App* chosen() const {
    const CLI::App* app = &app_;
    while (!app->get_subcommands().empty()) {
      app = app->get_subcommands().front();
    }
    return app;
  }

  bool grades_nothing() const {
    return (options_.command == Command::grade ||
            options_.command == Command::check) &&
           options_.paths.empty() && options_.command_line.empty();
  }

  std::string help() const { return chosen()->help(chosen_prefix()); }

  // "attngrade fixtures", before the name of `fixtures make`.
  std::string chosen_prefix() const {
    std::string prefix;
    for (const CLI::App* app = chosen()->get_parent(); app != nullptr;
         app = app->get_parent()) {
      prefix.insert(0, app->get_name() + (prefix.empty() ? "" : " "));
    }
    return prefix;
  }

  std::optional<std::string> unknown_subcommand(int argc,
                                                const char* const* argv) const {
    if (argc < 2 || argv[1][0] == '-') {
      return std::nullopt;
    }
    std::vector<std::string> names;
    for (const CLI::App* subcommand : app_.get_subcommands({})) {
      names.push_back(subcommand->get_name());
    }
    const std::string given = argv[1];
    if (std::ranges::count(names, given) > 0) {
      return std::nullopt;
    }
    std::string text = "there is no command " + one_line(given);
    if (const auto known = did_you_mean(given, names)) {
      text += "; did you mean " + *known + "?";
    }
    return text;
  }

  // "; did you mean --junit?" for the first option that nobody knows.
  std::string suggestion(int argc, const char* const* argv) const {
    std::vector<std::string> known{"--help"};
    for (const CLI::Option* option : chosen()->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        known.push_back("--" + name);
      }
    }
    for (int i = 1; i < argc; ++i) {
      const std::string argument = argv[i];
      const std::string name = argument.substr(0, argument.find('='));
      if (!name.starts_with("--") || std::ranges::count(known, name) > 0) {
        continue;
      }
      if (const auto near_miss = did_you_mean(name, known)) {
        return "; did you mean " + *near_miss + "?";
      }
    }
    return {};
  }

  CommandLine misuse(const std::string& complaint) const {
    const CLI::App* app = chosen();
    const std::string prefix = chosen_prefix();
    const std::string name =
        prefix.empty() ? app->get_name() : prefix + " " + app->get_name();
    return {std::nullopt, exit_usage, "",
            "attngrade: " + complaint + "\n  " + name +
                " --help shows how it is used\n"};
  }

  CLI::App app_{
      "attngrade grades attention implementations, and names the fault with "
      "proof."};
  Options options_;
  std::map<const CLI::App*, Command> commands_;
};

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  return Parser().parse(argc, argv);
}

}  // namespace grader
