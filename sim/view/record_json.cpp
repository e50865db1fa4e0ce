// SPDX-License-Identifier: MIT
// All events of a recording as one JSON document, under the names of docs/record.schema.json.
#include "view/record_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "report/breakdown.hpp"
#include "report/document.hpp"
#include "report/layout.hpp"
#include "smsim/report.hpp"
#include "view/cells.hpp"

namespace smsim {
namespace {

using Json = view::Json;

constexpr int kSchemaVersion = 1;

Json time_json(std::int64_t at) { return at < 0 ? Json() : Json(at); }

Json index_json(std::uint32_t index) { return index == kNoInstruction ? Json() : Json(index); }

const char* kind_name(DependenceKind kind) {
  switch (kind) {
    case DependenceKind::reg:
      return "register";
    case DependenceKind::predicate:
      return "predicate";
    case DependenceKind::write_barrier:
      return "write_barrier";
    default:
      return "read_barrier";
  }
}

const char* from_name(ReadFrom from) {
  switch (from) {
    case ReadFrom::bank:
      return "bank";
    case ReadFrom::reuse_cache:
      return "reuse_cache";
    default:
      return "feed";
  }
}

Json steps_json(const Recording& recording) {
  Json steps = Json::array();
  for (const RecordedStep& step : recording.steps) {
    Json dependences = Json::array();
    for (std::uint32_t i = 0; i < step.dependence_count; ++i) {
      const RecordedDependence& one = recording.dependences[step.first_dependence + i];
      dependences.push_back({{"step", one.step},
                             {"distance", one.distance},
                             {"kind", kind_name(one.kind)},
                             {"index", one.index}});
    }
    steps.push_back({{"address", fmt::format("0x{:x}", step.address)},
                     {"text", step.text},
                     {"control", report::control_notation(step.control)},
                     {"pipe", step.pipe},
                     {"dependences", std::move(dependences)}});
  }
  return steps;
}

Json waits_json(const Recording& recording, const RecordedInstruction& one) {
  Json waits = Json::array();
  for (std::uint32_t i = 0; i < one.wait_count; ++i) {
    const RecordedWait& wait = recording.waits[one.first_wait + i];
    waits.push_back({{"begin", wait.begin},
                     {"end", wait.end},
                     {"reason", view::wait_name(wait.reason)},
                     {"barriers", wait.barriers}});
  }
  return waits;
}

Json reads_json(const Recording& recording, const RecordedInstruction& one) {
  Json reads = Json::array();
  for (std::uint32_t i = 0; i < one.read_count; ++i) {
    const RecordedRead& read = recording.reads[one.first_read + i];
    reads.push_back({{"at", read.at},
                     {"register", read.reg < 0 ? Json() : Json(read.reg)},
                     {"bank", read.bank},
                     {"from", from_name(read.from)}});
  }
  return reads;
}

Json instructions_json(const Recording& recording) {
  Json all = Json::array();
  for (const RecordedInstruction& one : recording.instructions) {
    all.push_back({{"step", one.step},
                   {"iteration", one.iteration},
                   {"block", one.block},
                   {"warp", one.warp},
                   {"waits_from", one.waits_from},
                   {"issue", one.issue},
                   {"left", time_json(one.left)},
                   {"execute_begin", time_json(one.execute_begin)},
                   {"write_begin", time_json(one.write_begin)},
                   {"write_end", time_json(one.write_end)},
                   {"waits", waits_json(recording, one)},
                   {"reads", reads_json(recording, one)}});
  }
  return all;
}

Json stops_json(const Recording& recording) {
  Json all = Json::array();
  for (const RecordedStop& one : recording.stops)
    all.push_back({{"at", one.at},
                   {"block", one.block},
                   {"reason", name_of(one.reason)},
                   {"instruction", index_json(one.instruction)}});
  return all;
}

Json barriers_json(const Recording& recording) {
  Json all = Json::array();
  for (const RecordedBarrier& one : recording.barriers)
    all.push_back({{"at", one.at},
                   {"block", one.block},
                   {"warp", one.warp},
                   {"barrier", one.barrier},
                   {"up", one.up},
                   {"instruction", index_json(one.instruction)}});
  return all;
}

}  // namespace

namespace view {

Json recording_json(const Recording& recording) {
  const Result& result = recording.result;
  Json document;
  document["schema_version"] = kSchemaVersion;
  document["tool"] = "smsim";
  document["arch"] = result.arch;
  document["function"] = result.function;
  document["warps"] = result.warps;
  document["processing_blocks"] = result.processing_blocks;
  document["cycles_per_iteration"] = result.cycles_per_iteration;
  document["banks"] = recording.banks;
  document["begin"] = recording.begin;
  document["end"] = recording.end;
  document["first_iteration"] = recording.first_iteration;
  document["last_iteration"] = recording.last_iteration;
  document["complete"] = recording.complete;
  document["steps"] = steps_json(recording);
  document["instructions"] = instructions_json(recording);
  document["stops"] = stops_json(recording);
  document["barriers"] = barriers_json(recording);
  return document;
}

}  // namespace view

void write_record_json(std::ostream& out, const Recording& recording) {
  report::write_document(out, view::recording_json(recording), 1);
}

}  // namespace smsim
