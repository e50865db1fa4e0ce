// SPDX-License-Identifier: MIT
// smsim bounds: each limit of a loop alone, beside the simulation.
#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/output_words.hpp"
#include "cli/request.hpp"
#include "smsim/report.hpp"

namespace smsim::cli {
namespace {

constexpr const char* kBoundsExamples =
    "Examples:\n"
    "  smsim bounds kernel.sass --warps 16\n"
    "  smsim bounds kernel.sass --arch hopper-gh100 --format json -o bounds.json\n"
    "\n"
    "A bound is what the loop would take if nothing but that one limit were there. The simulation\n"
    "is never below one; those within 2 % of it are the bottlenecks.";

struct BoundsWords {
  RequestWords request;
  OutputWords output;
};

std::string render(const Bounds& found, const OutputWords& words) {
  std::ostringstream out;
  if (words.format == "json") {
    write_json(out, found);
  } else if (words.format == "csv") {
    write_csv(out, found);
  } else {
    write_text(out, found, text_options(words));
  }
  return std::move(out).str();
}

int run(const BoundsWords& words) {
  const auto request = read_request(words.request);
  if (!request) return report(request.error());
  auto found = bounds(request->program, request->arch, request->options);
  if (!found) return report(found.error());
  found->simulated = with_notes(std::move(found->simulated), request->notes);
  return emit(render(*found, words.output), words.output.out);
}

}  // namespace

Command add_bounds(CLI::App& app) {
  auto words = std::make_shared<BoundsWords>();
  CLI::App* command =
      app.add_subcommand("bounds", "each limit of a loop alone, beside the simulation");
  command->footer(kBoundsExamples);
  add_request_options(*command, words->request);
  add_output_options(*command, words->output, {"text", "json", "csv"});
  return {command, [words] { return run(*words); }};
}

}  // namespace smsim::cli
