// SPDX-License-Identifier: MIT
// smsim predict: a file to cycles per iteration, as text, JSON or CSV.
#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/request.hpp"
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
  std::string format = "text";
  std::string out;
  std::string color = "auto";
};

Expected<Result> run(const PredictWords& words) {
  const auto request = read_request(words.request);
  if (!request) return tl::make_unexpected(request.error());
  return simulate(request->program, request->arch, request->options).map([&](Result result) {
    return with_notes(std::move(result), request->notes);
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
  const auto result = run(words);
  if (!result) return report(result.error());
  return emit(render(*result, words), words.out, words.request.file);
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
  add_request_options(*command, words->request);
  add_output_options(*command, *words);
  return {command, [words] { return predict(*words); }};
}

}  // namespace smsim::cli
