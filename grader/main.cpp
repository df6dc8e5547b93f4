// SPDX-License-Identifier: MIT
#include <exception>
#include <iostream>

#include "grader/cli.hpp"
#include "grader/commands.hpp"
#include "grader/interrupt.hpp"
#include "grader/system/error.hpp"

int main(int argc, char** argv) {
  const grader::InterruptWatch watch;
  try {
    const grader::CommandLine line = grader::parse_command_line(argc, argv);
    if (!line.options) {
      std::cout << line.output;
      std::cerr << line.complaint;
      return line.exit_code;
    }
    return grader::run_command_line(*line.options);
  } catch (const grader::Interrupted& interrupted) {
    constexpr int signal_base = 128;
    return signal_base + interrupted.signal;
  } catch (const grader::Error& error) {
    std::cerr << "attngrade: " << error.what() << "\n";
    return error.blame() == grader::Blame::usage ? grader::exit_usage
                                                 : grader::exit_environment;
  } catch (const std::exception& error) {
    // A bug or exhausted memory: never a verdict.
    std::cerr << "attngrade: cannot go on: " << error.what() << "\n";
    return grader::exit_environment;
  }
}
