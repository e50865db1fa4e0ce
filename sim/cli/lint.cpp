// SPDX-License-Identifier: MIT
// smsim lint: where the control codes of a file are unsafe, and where they waste time.
#include "smsim/lint.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

#include "cli/choose.hpp"
#include "cli/command.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "smsim/read.hpp"

namespace smsim::cli {
namespace {

constexpr const char* kLintExamples =
    "Examples:\n"
    "  cuobjdump -sass app | smsim lint -\n"
    "  smsim lint gemm.sass --function sgemm --hints all\n"
    "  smsim lint gemm.cubin --format sarif -o gemm.sarif\n"
    "Exit codes: 0 safe, 1 unsafe.";

struct LintWords {
  std::string file;
  LintOptions options;
  std::string hints = "loops";
  std::string format = "text";
  std::string input_format;
  std::string output;
  bool rules = false;
};

std::string rule_list() {
  std::string text;
  for (const LintRule& rule : lint_rules())
    text += fmt::format("{:<20} {:<8} {}\n", rule.id, name_of(rule.level), rule.summary);
  return text;
}

LintHints hints_named(const std::string& word) {
  if (word == "none") return LintHints::none;
  return word == "all" ? LintHints::all : LintHints::loops;
}

int lint_file(const LintWords& words) {
  if (words.rules) return emit(rule_list(), words.output);
  if (words.file.empty())
    return report(
        fail(ErrorKind::usage, "FILE is required", {}, "`smsim lint --help` says more").value());
  const auto program = read_input(words.file, words.input_format, "");
  if (!program) return report(program.error());
  warn_of_other_code(*program, words.options.arch, words.options.function);
  LintOptions options = words.options;
  options.hints = hints_named(words.hints);
  const auto found = lint(*program, options);
  if (!found) return report(found.error());
  std::ostringstream out;
  if (words.format == "json")
    write_lint_json(out, *found);
  else if (words.format == "sarif")
    write_lint_sarif(out, *found);
  else
    write_lint_text(out, *found);
  const int written = emit(out.str(), words.output);
  if (written != 0) return written;
  return found->safe() ? 0 : 1;
}

}  // namespace

Command add_lint(CLI::App& app) {
  auto words = std::make_shared<LintWords>();
  CLI::App* command =
      app.add_subcommand("lint", "where control codes are unsafe, and where they waste time");
  command->footer(kLintExamples);
  command->add_option("FILE", words->file, "code, or - for standard input")->type_name("");
  command->add_option("--arch", words->options.arch, "config name, alias or path")
      ->type_name("ARCH");
  command->add_option("--function", words->options.function, "exact name or glob; default: all")
      ->type_name("NAME");
  command->add_option("--loop", words->options.loop, kOneLoopHelp)->type_name("LOOP");
  command->add_option("--hints", words->hints, "loops (default), all or none")
      ->check(CLI::IsMember({"none", "loops", "all"}))
      ->type_name("WHERE");
  command->add_option("--format", words->format, "text (default), json or sarif")
      ->check(CLI::IsMember({"text", "json", "sarif"}))
      ->type_name("FORMAT");
  command->add_flag("--rules", words->rules, "lists what is looked for");
  command->add_option("--input-format", words->input_format, kInputFormatHelp)->type_name("FORMAT");
  command->add_option("-o,--output", words->output, "file; default: standard output")
      ->type_name("FILE");
  return {command, [words] { return lint_file(*words); }};
}

}  // namespace smsim::cli
