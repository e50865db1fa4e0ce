// SPDX-License-Identifier: MIT
// smsim graph: the dependences of a loop, with the critical cycle.
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

constexpr const char* kGraphExamples =
    "Examples:\n"
    "  smsim graph kernel.sass\n"
    "  smsim graph kernel.sass --format svg -o graph.svg\n"
    "  smsim graph kernel.sass --format dot --issue-order | dot -Tpdf -o graph.pdf\n"
    "\n"
    "An edge takes the producer's latency, as far as control words and barriers enforce it. The\n"
    "critical cycle is the one with most cycles an iteration: the loop-carried bound.";

struct GraphWords {
  RequestWords request;
  OutputWords output;
  GraphOptions options;
};

std::string render(const DependencyGraph& graph, const OutputWords& words) {
  std::ostringstream out;
  if (words.format == "json") {
    write_json(out, graph);
  } else if (words.format == "dot") {
    write_dot(out, graph);
  } else if (words.format == "svg") {
    write_svg(out, graph);
  } else {
    write_text(out, graph, text_options(words));
  }
  return std::move(out).str();
}

int run(const GraphWords& words) {
  const auto request = read_request(words.request);
  if (!request) return report(request.error());
  const auto graph =
      dependency_graph(request->program, request->arch, request->options, words.options);
  if (!graph) return report(graph.error());
  return emit(render(*graph, words.output), words.output.out);
}

}  // namespace

Command add_graph(CLI::App& app) {
  auto words = std::make_shared<GraphWords>();
  CLI::App* command =
      app.add_subcommand("graph", "the dependences of a loop, critical cycle marked");
  command->footer(kGraphExamples);
  add_request_options(*command, words->request);
  command->add_flag("--issue-order", words->options.issue_order,
                    "also from each instruction to the next: stall counts, branch, BAR.SYNC");
  add_output_options(*command, words->output, {"text", "dot", "svg", "json"});
  return {command, [words] { return run(*words); }};
}

}  // namespace smsim::cli
