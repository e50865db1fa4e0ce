// SPDX-License-Identifier: MIT
// One loop of a suite to its predicted cycles for each number of warps that was measured.
#include "validate/predict_row.hpp"

#include <fmt/format.h>

#include <exception>

#include "smsim/read.hpp"
#include "smsim/simulate.hpp"
#include "validate/published_kernel.hpp"

namespace smsim::validate {
namespace {

/// The first error in one line: `3:5: unknown opcode ...`, the place being inside the row's
/// listing.
std::string one_line(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity != Severity::error) continue;
    if (diagnostic.where.line == 0) return diagnostic.message;
    return fmt::format("{}:{}: {}", diagnostic.where.line, diagnostic.where.column,
                       diagnostic.message);
  }
  return "failed without saying why";
}

/// The body `copies` times, and a branch back.
std::string looped(const std::string& body, int copies) {
  std::string text = ".L_measured:\n";
  for (int i = 0; i < copies; ++i) text.append(body).append("\n");
  return text + "    [B------:R-:W-:-:S05] @P0 BRA `(.L_measured) ;\n";
}

SimulateOptions options_of(const SuiteLoop& loop, int warps) {
  SimulateOptions options;
  options.loop = loop.timed ? "all" : loop.loop;
  options.warps = warps;
  options.lane_stride_bytes = loop.lane_stride_bytes;
  options.allow_unset_waits = true;  // a listing is a part of its kernel
  return options;
}

Expected<double> cycles(const Program& program, const Arch& arch, const SuiteLoop& loop,
                        int warps) {
  return simulate(program, arch, options_of(loop, warps)).map([](const Result& result) {
    return result.cycles_per_iteration;
  });
}

std::vector<Prediction> all_failed(const SuiteLoop& loop, const std::string& why) {
  return std::vector<Prediction>(loop.runs.size(), Prediction{std::nullopt, std::nullopt, why});
}

Prediction prediction(const Expected<double>& cycles) {
  return cycles ? Prediction{*cycles, std::nullopt, ""}
                : Prediction{std::nullopt, std::nullopt, one_line(cycles.error())};
}

/// Where counter and branch are not part of the figure: what a second copy of the body adds to a
/// loop of one.
std::vector<Prediction> predict_bare_body(const SuiteLoop& loop, const Arch& arch) {
  const auto once = read_program_text(looped(loop.code, 1), loop.id);
  if (!once) return all_failed(loop, one_line(once.error()));
  const auto twice = read_program_text(looped(loop.code, 2), loop.id);
  if (!twice) return all_failed(loop, one_line(twice.error()));
  std::vector<Prediction> result;
  for (const Measurement& run : loop.runs) {
    const auto one = cycles(*once, arch, loop, run.warps);
    const auto two = cycles(*twice, arch, loop, run.warps);
    result.push_back(!one || !two ? prediction(one ? two : one)
                                  : Prediction{*two - *one, std::nullopt, ""});
  }
  return result;
}

/// The same of a body whose own kernel is known.
std::vector<Prediction> predict_published(const SuiteLoop& loop, const Arch& arch) {
  std::vector<Prediction> result;
  for (const Measurement& run : loop.runs)
    result.push_back(
        prediction(published_figure(loop.code, loop.id, arch, options_of(loop, run.warps))));
  return result;
}

/// Adds the time stamps; a failure of theirs is one of the row.
void add_stamps(const Program& program, const Arch& arch, const SuiteLoop& loop, int warps,
                Prediction& row) {
  if (loop.stamps.empty() || !row.cycles) return;
  const auto stamps = predict_stamps(program, arch, options_of(loop, warps), loop.stamps);
  if (stamps) {
    row.stamps = nearest_record(loop.stamps, *stamps);
  } else {
    row = {std::nullopt, std::nullopt, one_line(stamps.error())};
  }
}

std::vector<Prediction> predict_loop(const SuiteLoop& loop, const Arch& arch) {
  const auto program = read_program_text(loop.code, loop.id);
  if (!program) return all_failed(loop, one_line(program.error()));
  std::vector<Prediction> result;
  for (const Measurement& run : loop.runs) {
    result.push_back(prediction(
        loop.timed ? predict_part(*program, arch, options_of(loop, run.warps), *loop.timed)
                   : cycles(*program, arch, loop, run.warps)));
    add_stamps(*program, arch, loop, run.warps, result.back());
  }
  return result;
}

}  // namespace

std::vector<Prediction> predict_runs(const SuiteLoop& loop, const Expected<Arch>& arch) {
  if (!arch) return all_failed(loop, one_line(arch.error()));
  try {
    if (loop.in_published_kernel) return predict_published(loop, *arch);
    return loop.is_bare_body ? predict_bare_body(loop, *arch) : predict_loop(loop, *arch);
  } catch (const std::exception& error) {
    return all_failed(loop, fmt::format("internal error: {}", error.what()));
  }
}

}  // namespace smsim::validate
