// SPDX-License-Identifier: MIT
// smsim convert: code in the notation of another assembler.
#include <fmt/format.h>
#include <fnmatch.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "smsim/read.hpp"

namespace smsim::cli {
namespace {

constexpr const char* kConvertExamples =
    "Examples:\n"
    "  smsim convert kernel.cubin --to cuasm\n"
    "  smsim convert gemm.sass --to yaml --function sgemm -o sgemm.yaml";

struct ConvertWords {
  std::string file;
  std::string to;
  std::string function;
  std::string input_format;
  std::string control;
  std::string output;
};

int convert(const ConvertWords& words) {
  auto program = read_input(words.file, words.input_format, words.control);
  if (!program) return report(program.error());
  std::erase_if(program->functions, [&](const Function& function) {
    return !words.function.empty() && function.name != words.function &&
           ::fnmatch(words.function.c_str(), function.name.c_str(), 0) != 0;
  });
  if (program->functions.empty()) {
    return report(fail(ErrorKind::usage,
                       fmt::format("no function is named '{}' or matches it", words.function),
                       {program->source, 0, 0}, "`smsim loops` lists the functions of a file")
                      .value());
  }
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
  command->add_option("--function", words->function, "exact name or glob; default: all")
      ->type_name("NAME");
  command->add_option("--control", words->control, kControlHelp)->type_name("FILE");
  command->add_option("--input-format", words->input_format, kInputFormatHelp)->type_name("FORMAT");
  command->add_option("-o,--output", words->output, "file; default: standard output")
      ->type_name("FILE");
  return {command, [words] { return convert(*words); }};
}

}  // namespace smsim::cli
