// SPDX-License-Identifier: MIT
// smsim timeline: what each instruction of a few iterations does in each cycle.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <climits>
#include <iostream>
#include <memory>
#include <sstream>

#include "block/prepare.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/parser_words.hpp"
#include "cli/request.hpp"
#include "cli/words.hpp"
#include "smsim/report.hpp"

namespace smsim::cli {
namespace {

constexpr const char* kTimelineExamples =
    "Examples:\n"
    "  smsim timeline kernel.sass                        one iteration in the steady state\n"
    "  smsim timeline kernel.sass --iterations 1..2      the first two\n"
    "  smsim timeline kernel.sass --warps 8 --cycles 70  two warps a block, one panel\n"
    "  smsim timeline kernel.sass --format svg -o loop.svg    a picture\n"
    "  smsim timeline kernel.sass --format perfetto -o t.json   for ui.perfetto.dev\n"
    "\n"
    "A row an instruction, a column a cycle. Text and picture show processing block 0, --block\n"
    "picks another; the files for viewers hold all of them.";

struct TimelineWords {
  RequestWords request;
  std::string iterations;
  std::int64_t cycles = 0;
  std::string block = "0";
  std::string format = "text";
  std::string out;
  std::string color = "auto";
};

Expected<int> parse_block(const std::string& word, const Request& request) {
  const int blocks = std::min(request.options.warps, request.arch.processing_blocks);
  if (word == "all") return -1;
  for (int b = 0; b < blocks; ++b)
    if (word == std::to_string(b)) return b;
  return fail(ErrorKind::usage,
              fmt::format("--block '{}' is no processing block with a warp", word), {},
              fmt::format("0 to {}, or all", blocks - 1));
}

std::string written(const std::string& format, const Recording& recording,
                    const TimelineOptions& options) {
  std::ostringstream out;
  if (format == "svg")
    write_svg_timeline(out, recording, options);
  else if (format == "json")
    write_record_json(out, recording);
  else if (format == "konata")
    write_konata(out, recording);
  else if (format == "perfetto")
    write_trace_events(out, recording);
  else
    write_timeline(out, recording, options);
  return std::move(out).str();
}

Expected<std::string> render(const TimelineWords& words) {
  const auto window = parse_iterations(words.iterations, 1);
  if (!window) return tl::make_unexpected(window.error());
  const auto request = read_request(words.request);
  if (!request) return tl::make_unexpected(request.error());
  const auto block = parse_block(words.block, *request);
  if (!block) return tl::make_unexpected(block.error());
  const auto recording = record(request->program, request->arch, request->options, *window);
  if (!recording) return tl::make_unexpected(recording.error());
  for (const std::string& note : recording->result.assumptions)
    if (note == kTraceAsCode) std::cerr << "smsim: note: " << note << '\n';
  TimelineOptions options;
  options.color = wants_color(words.color, words.out);
  options.width = text_width(words.out);
  options.block = *block;
  options.cycles = words.cycles;
  return written(words.format, *recording, options);
}

int timeline(const TimelineWords& words) {
  const auto text = render(words);
  if (!text) return report(text.error());
  return emit(*text, words.out);
}

}  // namespace

Command add_timeline(CLI::App& app) {
  auto words = std::make_shared<TimelineWords>();
  CLI::App* command = app.add_subcommand("timeline", "what each instruction does in each cycle");
  command->footer(kTimelineExamples);
  add_request_options(*command, words->request);
  command
      ->add_option("--iterations", words->iterations,
                   "A..B or A, from 1; default: the first of the steady state")
      ->type_name("A..B");
  command->add_option("--cycles", words->cycles, "shows at most so many")
      ->check(whole_number(1, LONG_MAX))
      ->type_name("N");
  command->add_option("--block", words->block, "processing block, or all; default: 0")
      ->type_name("B");
  command
      ->add_option("--format", words->format,
                   "text (default), svg, konata, perfetto (trace events), json")
      ->check(CLI::IsMember({"text", "svg", "konata", "perfetto", "json"}))
      ->type_name("FORMAT");
  command->add_option("-o,--output", words->out, "writes a file, which appears whole or not at all")
      ->type_name("OUT");
  command
      ->add_option("--color", words->color, "auto (default), always or never; auto heeds NO_COLOR")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  return {command, [words] { return timeline(*words); }};
}

}  // namespace smsim::cli
