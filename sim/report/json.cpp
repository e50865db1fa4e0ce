// SPDX-License-Identifier: MIT
// The JSON output: the same fields as the Result, under the names of docs/predict.schema.json.
#include <ostream>

#include "report/document.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

using report::Json;

Json loop_json(const Loop& loop) {
  return {{"start", report::json_address(loop.start)},
          {"end", report::json_address(loop.end)},
          {"instructions", loop.instructions}};
}

/// Reasons with slots only, and "selected" always.
Json slots_json(const Slots& slots) {
  Json result = Json::object();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto reason = static_cast<StallReason>(i);
    if (slots[i] != 0 || reason == StallReason::selected) {
      result[std::string(name_of(reason))] = slots[i];
    }
  }
  return result;
}

Json barrier_json(std::uint8_t barrier) { return barrier == kNoBarrier ? Json() : Json(barrier); }

/// In the generation's own terms: Kepler has no yield, barriers or reuse; from Volta on nothing
/// issues in pairs.
Json control_json(const ControlWord& control) {
  Json result = {{"stall", control.stall}};
  if (control.format != ControlFormat::volta) result["dual_issue"] = control.dual_issue();
  if (control.format == ControlFormat::kepler) {
    result["code"] = control.code;
    return result;
  }
  result["yield"] = control.yield;
  result["write_barrier"] = barrier_json(control.write_barrier);
  result["read_barrier"] = barrier_json(control.read_barrier);
  result["wait_mask"] = control.wait_mask;
  result["reuse"] = control.reuse;
  return result;
}

Json instructions_json(const Result& result) {
  Json rows = Json::array();
  for (const InstructionRow& row : result.instructions) {
    rows.push_back({{"address", report::json_address(row.address)},
                    {"text", row.text},
                    {"control", control_json(row.control)},
                    {"pipe", row.pipe},
                    {"slots", slots_json(row.slots)}});
  }
  return rows;
}

Json steady_state_json(const SteadyState& steady) {
  return {{"periodic", steady.periodic},
          {"period_iterations", steady.period_iterations},
          {"period_cycles", steady.period_cycles},
          {"iterations_simulated", steady.iterations_simulated},
          {"spread_cycles", steady.spread_cycles}};
}

Json other_loops_json(const Result& result) {
  Json loops = Json::array();
  for (const Loop& loop : result.other_loops) loops.push_back(loop_json(loop));
  return loops;
}

Json pipes_json(const Result& result) {
  Json pipes = Json::array();
  for (const PipeUse& pipe : result.pipes) {
    pipes.push_back({{"name", pipe.name}, {"busy", pipe.busy}});
  }
  return pipes;
}

Json banks_json(const Result& result) {
  Json banks = Json::array();
  for (const BankUse& bank : result.banks) {
    banks.push_back({{"bank", bank.bank},
                     {"reads_per_iteration", bank.reads_per_iteration},
                     {"busy", bank.busy}});
  }
  return banks;
}

}  // namespace

void write_json(std::ostream& out, const Result& result) {
  Json document = report::document_of(result.arch, result.function, result.is_loop, result.loop);
  document["other_loops"] = other_loops_json(result);
  document["warps"] = result.warps;
  document["processing_blocks"] = result.processing_blocks;
  document["cycles_per_iteration"] = result.cycles_per_iteration;
  document["warp_instructions_per_cycle"] = result.warp_instructions_per_cycle;
  document["steady_state"] = steady_state_json(result.steady_state);
  document["window"] = {{"cycles", result.window_cycles}, {"iterations", result.window_iterations}};
  document["slots"] = slots_json(result.slots);
  document["instructions"] = instructions_json(result);
  document["pipes"] = pipes_json(result);
  document["banks"] = banks_json(result);
  document["bottleneck"] = result.bottleneck;
  document["incomplete"] = result.incomplete;
  document["dependency_mode"] = result.dependency_mode;
  document["assumptions"] = result.assumptions;
  report::write_document(out, document);
}

}  // namespace smsim
