// SPDX-License-Identifier: MIT
// smsim loops: the functions of a file and the loops in each, with addresses and instruction
// counts.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "report/document.hpp"
#include "report/layout.hpp"

namespace smsim::cli {
namespace {

using report::Json;

constexpr const char* kLoopsExamples =
    "Examples:\n"
    "  smsim loops kernel.sass\n"
    "  cuobjdump -sass app | smsim loops - --format json\n"
    "\n"
    "The number before a loop is what `smsim predict --loop` takes.";

struct LoopsWords {
  std::string file;
  std::string input_format;
  std::string control;
  std::string format = "text";
};

std::string function_text(const Function& function) {
  std::string text = fmt::format("\n{}", report::printable(function.name));
  if (function.sm != 0) text += fmt::format("  (sm_{})", function.sm);
  text += fmt::format("  {}\n", report::counted(function.instructions.size(), "instruction"));
  const std::vector<Loop> loops = find_loops(function);
  if (loops.empty()) return text + "     no loop\n";
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const std::string range = fmt::format("{}-{}", report::hex_address(loops[i].start),
                                          report::hex_address(loops[i].end));
    text += fmt::format("  {:>3}  {:<15}  {}{}\n", i, range,
                        report::counted(loops[i].instructions, "instruction"),
                        loops[i].innermost ? "" : ", holds another loop");
  }
  return text;
}

std::string text_of(const Program& program) {
  std::string text = fmt::format("{}: {}, {}\n", report::printable(program.source), program.format,
                                 report::counted(program.functions.size(), "function"));
  for (const Function& function : program.functions) text += function_text(function);
  return text;
}

Json function_json(const Function& function) {
  Json loops = Json::array();
  std::size_t index = 0;
  for (const Loop& loop : find_loops(function)) {
    loops.push_back({{"index", index++},
                     {"start", fmt::format("0x{:x}", loop.start)},
                     {"end", fmt::format("0x{:x}", loop.end)},
                     {"instructions", loop.instructions},
                     {"innermost", loop.innermost}});
  }
  return {{"name", function.name},
          {"sm", function.sm == 0 ? Json() : Json(function.sm)},
          {"instructions", function.instructions.size()},
          {"loops", std::move(loops)}};
}

std::string json_of(const Program& program) {
  Json functions = Json::array();
  for (const Function& function : program.functions) functions.push_back(function_json(function));
  const Json document = {{"schema_version", 1},
                         {"file", program.source},
                         {"format", program.format},
                         {"functions", std::move(functions)}};
  return report::document_text(document);
}

int list_loops(const LoopsWords& words) {
  const auto program = read_input(words.file, words.input_format, words.control);
  if (!program) return report(program.error());
  return emit(words.format == "json" ? json_of(*program) : text_of(*program), "");
}

}  // namespace

Command add_loops(CLI::App& app) {
  auto words = std::make_shared<LoopsWords>();
  CLI::App* command =
      app.add_subcommand("loops", "functions and loops of a file, with their addresses");
  command->footer(kLoopsExamples);
  command->add_option("FILE", words->file, "disassembly, or - for standard input")
      ->required()
      ->type_name("");
  command->add_option("--control", words->control, kControlHelp)->type_name("FILE");
  command->add_option("--input-format", words->input_format, kInputFormatHelp)->type_name("FORMAT");
  command->add_option("--format", words->format, "text (default) or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  return {command, [words] { return list_loops(*words); }};
}

}  // namespace smsim::cli
