// SPDX-License-Identifier: MIT
// smsim schedule: the smallest safe control codes for the given order of instructions.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <climits>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/choose.hpp"
#include "cli/command.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "cli/parser_words.hpp"
#include "cli/request.hpp"
#include "smsim/lint.hpp"
#include "smsim/read.hpp"

namespace smsim::cli {
namespace {

constexpr const char* kScheduleExamples =
    "Examples:\n"
    "  smsim schedule gemm.sass -o faster.sass\n"
    "  smsim schedule kernel.cubin --function 'gemm*' --to cuasm > gemm.cuasm\n"
    "  smsim schedule kernel.cubin --patch kernel.cubin -o faster.cubin\n"
    "The code goes to standard output or OUT, what changed to standard error or, with -o, to\n"
    "standard output.";

struct ScheduleWords {
  std::string file;
  std::string input_format;
  std::string to;
  std::string output;
  std::string patch;
  ScheduleOptions options;
};

/// The notation that the input is in, or the nearest that can be written.
std::string notation_of(const Program& program) {
  for (const char* own : {"maxas", "turingas", "kepleras", "yaml"})
    if (program.format == own) return own;
  return "cuasm";
}

std::string cycles(double value) {
  const bool whole = std::abs(value - std::round(value)) < 0.005;
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
}

std::string summary_of(const FunctionSchedule& one, int warps) {
  std::string text = fmt::format("{} on {}: {} of {} control codes are new", one.function, one.arch,
                                 one.changes.size(), one.instructions);
  if (one.errors > 0) text += fmt::format("; {} were unsafe", one.errors);
  text += '\n';
  for (const ScheduledLoop& loop : one.loops)
    text +=
        fmt::format("  loop 0x{:04x} to 0x{:04x}, {} warps: {} cycles per iteration, before {}\n",
                    loop.loop.start, loop.loop.end, warps, cycles(loop.after), cycles(loop.before));
  if (!one.note.empty()) text += fmt::format("  {}\n", one.note);
  return text;
}

Expected<std::string> rendered(const ScheduleWords& words, const Program& program,
                               const Schedule& done) {
  if (words.patch.empty())
    return write_program(done.program, words.to.empty() ? notation_of(program) : words.to);
  return read_bytes(words.patch).and_then([&](const std::string& bytes) {
    return patch_cubin(bytes, words.patch, program, done);
  });
}

std::optional<Diagnostics> misused(const ScheduleWords& words) {
  const auto wrong = [](std::string message, std::string hint) {
    return fail(ErrorKind::usage, std::move(message), {}, std::move(hint)).value();
  };
  if (!words.patch.empty() && (words.output.empty() || words.output == "-"))
    return wrong("--patch without a file to write to",
                 "name it with -o; CUBIN itself is not changed");
  if (!words.patch.empty() && !words.to.empty())
    return wrong("--to and --patch: one is for text, the other for a binary", "give one of them");
  if (!words.patch.empty()) return std::nullopt;
  return text_for_a_binary(words.output, "--patch CUBIN writes the control codes into a binary");
}

int schedule_file(const ScheduleWords& words) {
  if (const auto wrong = misused(words)) return report(*wrong);
  const auto program = read_input(words.file, words.input_format, "");
  if (!program) return report(program.error());
  warn_of_other_code(*program, words.options.arch, words.options.function);
  const auto done = schedule(*program, words.options);
  if (!done) return report(done.error());
  const auto text = rendered(words, *program, *done);
  if (!text) return report(text.error());
  const int written = emit(*text, words.output);
  if (written != 0) return written;
  std::string summary;
  for (const FunctionSchedule& one : done->functions)
    summary += summary_of(one, words.options.warps);
  if (words.output.empty() || words.output == "-") {
    std::cerr << summary;
    return 0;
  }
  return emit(summary, "");
}

}  // namespace

Command add_schedule(CLI::App& app) {
  auto words = std::make_shared<ScheduleWords>();
  CLI::App* command = app.add_subcommand(
      "schedule", "the smallest safe stall counts, waits and yields for the given order");
  command->footer(kScheduleExamples);
  command->add_option("FILE", words->file, "code, or - for standard input")
      ->required()
      ->type_name("");
  command->add_option("--arch", words->options.arch, "config name, alias or path")
      ->type_name("ARCH");
  command->add_option("--function", words->options.function, "exact name or glob; default: all")
      ->type_name("NAME");
  command->add_option("--loop", words->options.loop, kOneLoopHelp)->type_name("LOOP");
  command->add_option("--warps", words->options.warps, "of the prediction; default: 4")
      ->check(whole_number(1, INT_MAX))
      ->type_name("W");
  command
      ->add_option("--to", words->to, "cuasm, maxas, turingas, kepleras or yaml; default: as FILE")
      ->type_name("NOTATION");
  command
      ->add_option("--patch", words->patch, "writes this binary with the new control codes to OUT")
      ->type_name("CUBIN");
  command->add_option("--input-format", words->input_format, kInputFormatHelp)->type_name("FORMAT");
  command->add_option("-o,--output", words->output, "file; default: standard output")
      ->type_name("OUT");
  return {command, [words] { return schedule_file(*words); }};
}

}  // namespace smsim::cli
