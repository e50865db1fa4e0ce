// SPDX-License-Identifier: MIT
// The words that sub-commands on one loop share: which file, function and loop, on which device.
#include "cli/request.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <climits>

#include "cli/choose.hpp"
#include "cli/command.hpp"
#include "cli/input.hpp"
#include "cli/parser_words.hpp"
#include "cli/region.hpp"
#include "cli/words.hpp"
#include "core/nearest.hpp"

namespace smsim::cli {
namespace {

/// What only makes sense once the config is known.
Expected<Choice> fitting_arch(Choice choice, const SimulateOptions& options) {
  const Arch& arch = choice.arch;
  std::vector<std::string_view> pipes;
  for (const Pipe& pipe : arch.pipes) pipes.push_back(pipe.name);
  const std::string& unknown = options.unknown_pipe;
  if (!unknown.empty() && std::find(pipes.begin(), pipes.end(), unknown) == pipes.end()) {
    return fail(
        ErrorKind::usage,
        fmt::format("--unknown assume:{}: {} has no such pipe", unknown, arch.name), {},
        did_you_mean(unknown, pipes, fmt::format("its pipes are {}", fmt::join(pipes, ", "))));
  }
  return choice;
}

void add_source_options(CLI::App& app, RequestWords& words) {
  app.add_option("FILE", words.file, "disassembly, or - for standard input")
      ->required()
      ->type_name("");
  app.add_option("--arch", words.arch, "config, sm_NN or FILE.yaml; default: the file's own sm_NN")
      ->type_name("NAME");
  app.add_option("--function", words.function, "exact name or glob; default: the first with a loop")
      ->type_name("NAME");
  app.add_option("--loop", words.loop,
                 "N of `smsim loops`, 0xSTART[-0xEND], all (one pass); default: largest")
      ->type_name("LOOP");
  app.add_option("--lines", words.lines, "A-B: the largest loop in these lines of the file")
      ->type_name("LINES");
  app.add_option("--label", words.label, "the loop that begins at this label of the text")
      ->type_name("LABEL");
  app.add_option("--control", words.control, kControlHelp)->type_name("FILE");
  app.add_option("--input-format", words.input_format, kInputFormatHelp)->type_name("FORMAT");
}

/// A label, lines or markers in the text; --loop and --function come before markers.
Expected<Region> region_of(const Program& program, const RequestWords& words) {
  const int given =
      int{!words.label.empty()} + int{!words.lines.empty()} + int{!words.loop.empty()};
  if (given > 1) {
    return fail(ErrorKind::usage, "--loop, --lines and --label each name a loop: one is enough");
  }
  if (!words.label.empty()) return find_label(program, words.label, words.function);
  const bool chosen = !words.loop.empty() || !words.function.empty();
  if (words.lines.empty() && chosen) return Region{};
  return find_region(program, words.lines);
}

void add_model_options(CLI::App& app, RequestWords& words) {
  app.add_option("--warps", words.warps, "resident on the SM; default: 4")
      ->check(whole_number(INT_MIN, INT_MAX))  // the device says how many there can be
      ->type_name("W");
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

/// Lane strides of registers that hold no address would change nothing.
std::optional<Diagnostics> idle_lane_stride(const Request& request) {
  const auto& all = request.program.functions;
  const auto chosen = std::find_if(all.begin(), all.end(), [&](const Function& one) {
    return one.name == request.options.function;
  });
  for (const auto& [reg, bytes] : request.options.lane_stride_bytes) {
    const auto addresses = [r = reg](const Instruction& in) {
      return std::any_of(in.operands.begin(), in.operands.end(), [r](const Operand& one) {
        return one.kind == OperandKind::memory && one.index == r;
      });
    };
    if (chosen == all.end() ||
        std::any_of(chosen->instructions.begin(), chosen->instructions.end(), addresses))
      continue;
    return fail(ErrorKind::usage,
                fmt::format("--lane-stride R{}: no instruction of '{}' has its address in it", reg,
                            chosen->name),
                {}, "it takes the register in brackets, as R14 of [R14+0x80]")
        .value();
  }
  return std::nullopt;
}

/// A trace that is replayed says itself how many warps there are: those of its first thread block.
bool take_traced_warps(Request& request) {
  if (!request.options.loop.empty()) return false;
  for (const Function& one : request.program.functions) {
    if (one.name != request.options.function || !one.trace) continue;
    const auto& warps = one.trace->warps;
    const auto first = std::count_if(warps.begin(), warps.end(), [&](const WarpTrace& warp) {
      return warp.thread_block == warps.front().thread_block;
    });
    request.options.warps = std::min(static_cast<int>(first), request.arch.max_warps);
    return true;
  }
  return false;
}

}  // namespace

Expected<SimulateOptions> simulate_options(const RequestWords& words) {
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

void add_request_options(CLI::App& app, RequestWords& words) {
  words.command = &app;
  add_source_options(app, words);
  add_model_options(app, words);
}

Expected<Request> read_request(const RequestWords& words) {
  auto options = simulate_options(words);
  if (!options) return tl::make_unexpected(std::move(options.error()));
  const auto overrides = parse_overrides(words.overrides);
  if (!overrides) return tl::make_unexpected(overrides.error());
  auto program = read_input(words.file, words.input_format, words.control);
  if (!program) return tl::make_unexpected(std::move(program.error()));
  const auto region = region_of(*program, words);
  if (!region) return tl::make_unexpected(region.error());
  if (!region->loop.empty()) options->loop = region->loop;
  const std::string& function = region->function.empty() ? words.function : region->function;
  auto choice = choose(*program, words.arch, function, *overrides).and_then([&](Choice chosen) {
    return fitting_arch(std::move(chosen), *options);
  });
  if (!choice) return tl::make_unexpected(std::move(choice.error()));
  Request request{std::move(*program), std::move(choice->arch), std::move(*options),
                  std::move(choice->notes)};
  request.options.function = choice->function;
  if (auto idle = idle_lane_stride(request)) return tl::make_unexpected(std::move(*idle));
  if (const auto cut = cut_off(request.program)) request.notes.push_back(*cut);
  if (!region->note.empty()) request.notes.push_back(region->note);
  const bool default_warps = words.command->count("--warps") == 0;
  if (default_warps && !take_traced_warps(request) && !words.any_warps) {
    request.notes.push_back(
        fmt::format("{} warps are resident on the SM, the default of --warps", kDefaultWarps));
  }
  return request;
}

Result with_notes(Result result, const std::vector<std::string>& notes) {
  result.assumptions.insert(result.assumptions.begin(), notes.begin(), notes.end());
  return result;
}

}  // namespace smsim::cli
