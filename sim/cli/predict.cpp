// SPDX-License-Identifier: MIT
// smsim predict: a file to cycles per iteration, as text, JSON or CSV.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <sstream>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/output_words.hpp"
#include "cli/request.hpp"
#include "report/layout.hpp"
#include "smsim/lint.hpp"
#include "smsim/report.hpp"

namespace smsim::cli {
namespace {

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
  RequestWords request;
  OutputWords output;
};

/// What a prediction does not see: code that runs as predicted and computes something else.
void note_unsafe(const Program& program, const Arch& arch, Result& result) {
  if (result.dependency_mode) return;
  const auto named = std::find_if(program.functions.begin(), program.functions.end(),
                                  [&](const Function& f) { return f.name == result.function; });
  if (named == program.functions.end()) return;
  const auto found = lint(*named, arch, LintHints::none);
  const auto unsafe = static_cast<std::size_t>(
      std::count_if(found.begin(), found.end(),
                    [](const LintFinding& finding) { return finding.level == LintLevel::error; }));
  if (unsafe == 0) return;
  result.assumptions.push_back(fmt::format(
      "`smsim lint` finds {} in this function whose control codes are unsafe: the hardware may "
      "compute something else there",
      report::counted(unsafe, "place")));
}

Expected<Result> run(const PredictWords& words) {
  const auto request = read_request(words.request);
  if (!request) return tl::make_unexpected(request.error());
  return simulate(request->program, request->arch, request->options).map([&](Result result) {
    note_unsafe(request->program, request->arch, result);
    return with_notes(std::move(result), request->notes);
  });
}

std::string render(const Result& result, const PredictWords& words) {
  std::ostringstream out;
  if (words.output.format == "json") {
    write_json(out, result);
  } else if (words.output.format == "csv") {
    write_csv(out, result);
  } else {
    write_text(out, result, text_options(words.output));
  }
  return std::move(out).str();
}

int predict(const PredictWords& words) {
  const auto result = run(words);
  if (!result) return report(result.error());
  return emit(render(*result, words), words.output.out);
}

}  // namespace

Command add_predict(CLI::App& app) {
  auto words = std::make_shared<PredictWords>();
  CLI::App* command = app.add_subcommand(
      "predict", "cycles per iteration of a loop, and where each issue slot went");
  command->footer(kPredictExamples);
  add_request_options(*command, words->request);
  add_output_options(*command, words->output, {"text", "json", "csv"});
  return {command, [words] { return predict(*words); }};
}

}  // namespace smsim::cli
