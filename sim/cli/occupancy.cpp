// SPDX-License-Identifier: MIT
// smsim occupancy: cycles and slots of a loop for every number of warps that an SM holds.
#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/output_words.hpp"
#include "cli/progress.hpp"
#include "cli/request.hpp"
#include "smsim/report.hpp"

namespace smsim::cli {
namespace {

constexpr const char* kOccupancyExamples =
    "Examples:\n"
    "  smsim occupancy kernel.sass\n"
    "  smsim occupancy kernel.sass --arch hopper-gh100 --format svg -o warps.svg\n"
    "\n"
    "Registers and shared memory may allow fewer warps than an SM holds: this shows what each\n"
    "number would do. The knee is the fewest warps that do 95 % of the most work.";

struct OccupancyWords {
  RequestWords request;
  OutputWords output;
};

std::string render(const Occupancy& curve, const OutputWords& words) {
  std::ostringstream out;
  if (words.format == "json")
    write_json(out, curve);
  else if (words.format == "csv")
    write_csv(out, curve);
  else if (words.format == "svg")
    write_svg(out, curve);
  else
    write_text(out, curve, text_options(words));
  return std::move(out).str();
}

/// Many warps may take seconds each where their rhythm does not repeat.
Expected<Occupancy> simulate_curve(const Request& request, int most) {
  Progress progress(0, static_cast<std::uint64_t>(most), Progress::Elsewhere::lines);
  return occupancy(request.program, request.arch, request.options, most,
                   [&](std::size_t done) { progress.show(done); });
}

int show_occupancy(const OccupancyWords& words) {
  const auto request = read_request(words.request);
  if (!request) return report(request.error());
  const bool given = words.request.command->count("--warps") > 0;
  const int most = given ? words.request.warps : request->arch.max_warps;
  if (most < 1 || most > request->arch.max_warps)
    return report(fail(ErrorKind::usage, fmt::format("--warps {}: an SM of {} holds 1 to {}", most,
                                                     request->arch.name, request->arch.max_warps))
                      .value());
  auto curve = simulate_curve(*request, most);
  if (!curve) return report(curve.error());
  Result& first = curve->points.front();
  first = with_notes(std::move(first), request->notes);
  return emit(render(*curve, words.output), words.output.out);
}

}  // namespace

Command add_occupancy(CLI::App& app) {
  auto words = std::make_shared<OccupancyWords>();
  CLI::App* command = app.add_subcommand(
      "occupancy", "a loop with every number of warps, and where more stop helping");
  command->footer(kOccupancyExamples);
  add_request_options(*command, words->request);
  words->request.any_warps = true;
  command->get_option("--warps")->description("the most; default: as many as an SM holds");
  add_output_options(*command, words->output, {"text", "json", "csv", "svg"});
  return {command, [words] { return show_occupancy(*words); }};
}

}  // namespace smsim::cli
