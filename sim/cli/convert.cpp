// SPDX-License-Identifier: MIT
// smsim convert: code in the notation of another assembler.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "program/named.hpp"
#include "smsim/arch.hpp"
#include "smsim/read.hpp"

namespace smsim::cli {
namespace {

constexpr const char* kConvertExamples =
    "Examples:\n"
    "  smsim convert kernel.cubin --to cuasm\n"
    "  smsim convert gemm.sass --to yaml --function sgemm -o sgemm.yaml";

struct ConvertWords {
  std::string file;
  std::string arch;
  std::string to;
  std::string function;
  std::string input_format;
  std::string control;
  std::string output;
};

/// Functions whose input does not say for which architecture they are get the one of --arch.
std::optional<Diagnostics> name_architecture(const std::string& name, Program& program) {
  if (name.empty()) return std::nullopt;
  const auto arch = load_arch(name);
  if (!arch) return arch.error();
  for (Function& one : program.functions)
    if (one.sm == 0) one.sm = arch->compute_capabilities.front();
  return std::nullopt;
}

int convert(const ConvertWords& words) {
  auto program = read_input(words.file, words.input_format, words.control);
  if (!program) return report(program.error());
  std::vector<Function> chosen;
  for (const Function* one : program::functions_named(*program, words.function))
    chosen.push_back(*one);
  if (chosen.empty()) return report(program::no_function_named(*program, words.function).value());
  program->functions = std::move(chosen);
  if (const auto failed = name_architecture(words.arch, *program)) return report(*failed);
  const auto text = write_program(*program, words.to);
  return text ? emit(*text, words.output) : report(text.error());
}

}  // namespace

Command add_convert(CLI::App& app) {
  auto words = std::make_shared<ConvertWords>();
  CLI::App* command = app.add_subcommand(
      "convert", "code as text for an assembler: with control words, labels and reuse flags");
  command->footer(kConvertExamples);
  command->add_option("FILE", words->file, "code, or - for standard input")
      ->required()
      ->type_name("");
  command->add_option("--to", words->to, "cuasm, maxas, turingas, kepleras or yaml")
      ->required()
      ->type_name("NOTATION");
  command
      ->add_option("--arch", words->arch,
                   "device of code that does not say its own, as sm_90 or a config's name")
      ->type_name("NAME");
  command->add_option("--function", words->function, "exact name or glob; default: all")
      ->type_name("NAME");
  command->add_option("--control", words->control, kControlHelp)->type_name("FILE");
  command->add_option("--input-format", words->input_format, kInputFormatHelp)->type_name("FORMAT");
  command->add_option("-o,--output", words->output, "file; default: standard output")
      ->type_name("FILE");
  return {command, [words] { return convert(*words); }};
}

}  // namespace smsim::cli
