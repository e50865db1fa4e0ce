// SPDX-License-Identifier: MIT
// smsim predict: a file to cycles per iteration, as text, JSON or CSV.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

#include "cli/choose.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/words.hpp"
#include "core/nearest.hpp"
#include "smsim/read.hpp"
#include "smsim/report.hpp"

namespace smsim::cli {
namespace {

constexpr int kDefaultWarps = 4;

constexpr const char* kPredictExamples =
    "Examples:\n"
    "  smsim predict kernel.sass\n"
    "  cuobjdump -sass app | smsim predict - --function 'sgemm*' --warps 16\n"
    "  smsim predict kernel.sass --arch hopper-gh100 --set register_file.banks=4\n"
    "  smsim predict kernel.sass --loop 0x220-0x2f0 --branch 0x250=taken --format json -o "
    "out.json\n"
    "  smsim predict snippet.sass --arch sm_90 --lane-stride R14=16\n"
    "\n"
    "FILE is what cuobjdump -sass or nvdisasm -hex prints, or code with bracketed control words,\n"
    "also compressed with gzip, xz or zstd. Warp w runs on processing block w mod 4.";

struct PredictWords {
  std::string file;
  std::string arch;
  std::string function;
  std::string loop;
  int warps = kDefaultWarps;
  std::vector<std::string> overrides;
  std::vector<std::string> branches;
  std::vector<std::string> lane_strides;
  std::string unknown;
  bool allow_unset_waits = false;
  std::string format = "text";
  std::string out;
  std::string color = "auto";
  bool warps_given = false;
};

/// The words with a grammar, parsed before anything is read.
Expected<SimulateOptions> simulate_options(const PredictWords& words) {
  SimulateOptions options;
  options.loop = words.loop;
  options.warps = words.warps;
  auto branches = parse_branches(words.branches);
  if (!branches) return tl::make_unexpected(branches.error());
  auto strides = parse_lane_strides(words.lane_strides);
  if (!strides) return tl::make_unexpected(strides.error());
  auto unknown = parse_unknown(words.unknown);
  if (!unknown) return tl::make_unexpected(unknown.error());
  options.branches = std::move(*branches);
  options.lane_stride_bytes = std::move(*strides);
  options.unknown_pipe = std::move(*unknown);
  options.allow_unset_waits = words.allow_unset_waits;
  return options;
}

/// What only makes sense once the config is known.
Expected<Choice> fitting_arch(Choice choice, const SimulateOptions& options) {
  const Arch& arch = choice.arch;
  std::vector<std::string_view> pipes;
  for (const Pipe& pipe : arch.pipes) pipes.push_back(pipe.name);
  const std::string& unknown = options.unknown_pipe;
  if (!unknown.empty() && std::find(pipes.begin(), pipes.end(), unknown) == pipes.end()) {
    const std::string near = nearest_name(unknown, pipes);
    return fail(ErrorKind::usage,
                fmt::format("--unknown assume:{}: {} has no such pipe", unknown, arch.name), {},
                near.empty() ? fmt::format("its pipes are {}", fmt::join(pipes, ", "))
                             : fmt::format("did you mean '{}'?", near));
  }
  return choice;
}

Expected<Result> run(const PredictWords& words, SimulateOptions options) {
  const auto overrides = parse_overrides(words.overrides);
  if (!overrides) return tl::make_unexpected(overrides.error());
  auto program = read_program(words.file);
  if (!program) return tl::make_unexpected(std::move(program.error()));
  const auto choice =
      choose(*program, words.arch, words.function, *overrides).and_then([&](Choice chosen) {
        return fitting_arch(std::move(chosen), options);
      });
  if (!choice) return tl::make_unexpected(choice.error());
  std::vector<std::string> notes = choice->notes;
  if (!words.warps_given) {
    notes.push_back(
        fmt::format("{} warps are resident on the SM, the default of --warps", kDefaultWarps));
  }
  options.function = choice->function;
  return simulate(*program, choice->arch, options).map([&](Result result) {
    result.assumptions.insert(result.assumptions.begin(), notes.begin(), notes.end());
    return result;
  });
}

std::string render(const Result& result, const PredictWords& words) {
  std::ostringstream out;
  if (words.format == "json") {
    write_json(out, result);
  } else if (words.format == "csv") {
    write_csv(out, result);
  } else {
    write_text(out, result, {wants_color(words.color, words.out), text_width(words.out)});
  }
  return std::move(out).str();
}

int predict(const PredictWords& words) {
  auto options = simulate_options(words);
  if (!options) return report(options.error());
  const auto result = run(words, std::move(*options));
  if (!result) return report(result.error());
  return emit(render(*result, words), words.out, words.file);
}

void add_source_options(CLI::App& app, PredictWords& words) {
  app.add_option("FILE", words.file, "disassembly, or - for standard input")
      ->required()
      ->type_name("");
  app.add_option("--arch", words.arch, "config, sm_NN or FILE.yaml; default: the file's own sm_NN")
      ->type_name("NAME");
  app.add_option("--function", words.function, "exact name or glob; default: the first with a loop")
      ->type_name("NAME");
  app.add_option("--loop", words.loop,
                 "N of `smsim loops`, 0xSTART-0xEND, or all (one pass); default: largest")
      ->type_name("LOOP");
}

void add_model_options(CLI::App& app, PredictWords& words) {
  app.add_option("--warps", words.warps, "resident on the SM; default: 4")->type_name("W");
  app.add_option("--set", words.overrides, "changes a number of the config (repeatable)")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  app.add_option("--branch", words.branches, "0xADDR=taken or 0xADDR=not (repeatable)")
      ->allow_extra_args(false)
      ->type_name("BRANCH");
  app.add_option("--lane-stride", words.lane_strides,
                 "R14=16: bytes between two lanes' addresses (repeatable)")
      ->allow_extra_args(false)
      ->type_name("REG=BYTES");
  app.add_option("--unknown", words.unknown,
                 "runs opcodes that the model does not know on that pipe")
      ->type_name("assume:PIPE");
  app.add_flag("--allow-unset-waits", words.allow_unset_waits,
               "a wait on a barrier that nothing sets goes on at once, as in hardware");
}

void add_output_options(CLI::App& app, PredictWords& words) {
  app.add_option("--format", words.format, "text (default), json or csv")
      ->check(CLI::IsMember({"text", "json", "csv"}))
      ->type_name("FORMAT");
  app.add_option("-o,--output", words.out, "writes a file, which appears whole or not at all")
      ->type_name("OUT");
  app.add_option("--color", words.color, "auto (default), always or never; auto heeds NO_COLOR")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
}

}  // namespace

Command add_predict(CLI::App& app) {
  auto words = std::make_shared<PredictWords>();
  CLI::App* command = app.add_subcommand(
      "predict", "cycles per iteration of a loop, and where each issue slot went");
  command->footer(kPredictExamples);
  add_source_options(*command, *words);
  add_model_options(*command, *words);
  add_output_options(*command, *words);
  return {command, [words, command] {
            words->warps_given = command->count("--warps") != 0;
            return predict(*words);
          }};
}

}  // namespace smsim::cli
