// SPDX-License-Identifier: MIT
// smsim report: one page that shows a loop's prediction, timeline, banks, bounds and occupancy.
#include "smsim/report.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/request.hpp"
#include "cli/words.hpp"

namespace smsim::cli {
namespace {

constexpr const char* kReportExamples =
    "Examples:\n"
    "  smsim report kernel.sass -o report.html\n"
    "  smsim report kernel.sass --warps 16 --iterations 1..3 -o report.html\n"
    "\n"
    "The page is one file, needs no network, and is light or dark as its reader is.";

struct ReportWords {
  RequestWords request;
  std::string iterations;
  std::string out;
};

Expected<std::string> page(const ReportWords& words) {
  const auto window = parse_iterations(words.iterations, 2);
  if (!window) return tl::make_unexpected(window.error());
  const auto request = read_request(words.request);
  if (!request) return tl::make_unexpected(request.error());
  auto made = make_report(request->program, request->arch, request->options, *window);
  if (!made) return tl::make_unexpected(made.error());
  made->recording.result = with_notes(std::move(made->recording.result), request->notes);
  std::ostringstream out;
  write_html(out, *made);
  return std::move(out).str();
}

int write_page(const ReportWords& words) {
  if (words.out.empty() && is_terminal(words.out))
    return report(fail(ErrorKind::usage, "report writes a page for a browser, not for a terminal",
                       {}, "add -o report.html; -o - prints it all the same")
                      .value());
  const auto text = page(words);
  if (!text) return report(text.error());
  return emit(*text, words.out);
}

}  // namespace

Command add_report(CLI::App& app) {
  auto words = std::make_shared<ReportWords>();
  CLI::App* command = app.add_subcommand("report", "a page with everything about a loop, as HTML");
  command->footer(kReportExamples);
  add_request_options(*command, words->request);
  command
      ->add_option("--iterations", words->iterations,
                   "A..B or A, from 1, of the timeline; default: two of the steady state")
      ->type_name("A..B");
  command->add_option("-o,--output", words->out, "writes a file, which appears whole or not at all")
      ->type_name("OUT");
  return {command, [words] { return write_page(*words); }};
}

}  // namespace smsim::cli
