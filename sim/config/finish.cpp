// SPDX-License-Identifier: MIT
// Completes an Arch: defaults, what must not be missing, and what values must hold between them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "config/class_names.hpp"
#include "config/draft.hpp"
#include "config/formula.hpp"
#include "config/provenance.hpp"
#include "config/suggest.hpp"
#include "config/value.hpp"

namespace smsim::config {
namespace {

/// What an overlong stall count without a yield request costs, by its key's middle.
std::array<std::pair<const char*, int>, 6> unyielding_numbers(const SchedulerSpec& s) {
  return {{{"12", s.unyielding_12_cycles},
           {"12_apart", s.unyielding_12_apart_cycles},
           {"13", s.unyielding_13_cycles},
           {"14", s.unyielding_14_cycles},
           {"15", s.unyielding_15_cycles},
           {"handover", s.unyielding_handover_cycles}}};
}

class Finisher {
 public:
  Finisher(Draft& draft, const std::string& file, ErrorLog& log)
      : draft_(draft), arch_(draft.arch), file_(file), log_(log) {}

  void finish() {
    require("", slots_of(arch_keys(), arch_));
    for (Pipe& pipe : arch_.pipes) {
      require("pipes." + pipe.name + ".", slots_of(pipe_keys(), pipe));
    }
    for (ClassDraft& one : draft_.classes) {
      require("classes." + one.timing.instruction_class + ".", slots_of(class_keys(), one));
    }
    name_defaults();
    evaluate_mapping();
    check_class_names();
    check_policies();
    check_starts();
    find_statuses();
    for (const ClassDraft& one : draft_.classes) add_timing(one);
  }

  /// Only what follows from the values, for a draft whose keys are complete. Classes of which
  /// nothing is known here are known as well as in `known`.
  void finish_values(const Arch& known) {
    const RegisterFileSpec& file = known.register_file;
    if (file.mapping == arch_.register_file.mapping && file.banks == arch_.register_file.banks)
      arch_.register_file.bank_of = file.bank_of;
    else
      evaluate_mapping();
    for (const InstructionTiming& t : known.timings) statuses_[t.instruction_class] = t.status;
    find_statuses();
    arch_.timings.reserve(draft_.classes.size());
    for (const ClassDraft& one : draft_.classes) add_timing(one);
  }

 private:
  /// Where a key or its entry stands; the file as a whole if neither was given.
  SourceLocation where(const std::string& path) const {
    const auto exact = draft_.where.find(path);
    if (exact != draft_.where.end()) return exact->second;
    const auto entry = draft_.where.find(path.substr(0, path.rfind('.')));
    return entry != draft_.where.end() ? entry->second : SourceLocation{file_, 0, 0};
  }

  void require(const std::string& prefix, const std::vector<Slot>& slots) {
    for (const Slot& slot : slots) {
      if (!slot.info->required) continue;
      const std::string path = prefix + std::string(slot.info->path);
      if (draft_.where.contains(path)) continue;
      log_.error(where(path), fmt::format("{} is missing", path), std::string(slot.info->help));
    }
  }

  /// A number that no file states is one that nobody vouches for.
  void name_defaults() {
    for (const Slot& slot : slots_of(arch_keys(), arch_)) {
      const std::string path(slot.info->path);
      if (draft_.where.contains(path)) continue;
      record(path, *slot.info, slot.target, {file_, 0, 0}, {Status::assumed, "default"}, draft_);
    }
  }

  void evaluate_mapping() {
    RegisterFileSpec& file = arch_.register_file;
    const auto banks = bank_mapping(file.mapping, file.banks);
    if (banks) {
      file.bank_of = *banks;
      return;
    }
    log_.error(where("register_file.mapping"),
               fmt::format("register_file.mapping '{}': {}", file.mapping, banks.error().message),
               fmt::format("at character {}; a formula over R and banks, or a list of banks",
                           banks.error().position + 1));
  }

  /// Numbers that only some policies look at must not be set under others: they would do nothing.
  void check_policies() {
    const auto need = [&](const std::string& key, bool set, bool looked_at,
                          std::string_view policy) {
      if (!set || looked_at) return;
      log_.error(where(key), fmt::format("{} does nothing without {}", key, policy),
                 fmt::format("choose {}, or leave it out", policy));
    };
    const bool collector = arch_.operand_read == "operand_collector";
    need("reuse_cache.entries_per_slot", arch_.reuse_cache.entries_per_slot != 1, collector,
         "operand_read: operand_collector");
    const bool overlapped = arch_.operand_read == "overlapped_reads";
    const RegisterFileSpec& file = arch_.register_file;
    need("register_file.two_way_conflict_permille", file.two_way_conflict_permille != 0, overlapped,
         "operand_read: overlapped_reads");
    need("register_file.three_way_conflict_permille", file.three_way_conflict_permille != 0,
         overlapped, "operand_read: overlapped_reads");
    const bool active_set = arch_.scheduler.policy == "greedy_active_set";
    need("scheduler.active_warps", arch_.scheduler.active_warps != 0, active_set,
         "scheduler.policy: greedy_active_set");
    for (const auto& [name, value] : unyielding_numbers(arch_.scheduler))
      need(fmt::format("scheduler.unyielding_{}_cycles", name), value != 0, active_set,
           "scheduler.policy: greedy_active_set");
    const bool window = arch_.operand_read == "read_window";
    need("scheduler.dual_issue", arch_.scheduler.dual_issue, !window,
         "operand_read: operand_collector or overlapped_reads");
    need("scheduler.dependencies", arch_.scheduler.dependencies == "scoreboard", !window,
         "operand_read: operand_collector or overlapped_reads");
  }

  void check_starts() {
    const std::size_t given = arch_.scheduler.start_block_cycles.size();
    const auto blocks = static_cast<std::size_t>(arch_.processing_blocks);
    if (given == 0 || given == blocks) return;
    const std::string key = "scheduler.start_block_cycles";
    // Who changes the number of blocks alone asks for the same device with fewer or more of them.
    const std::string file = where(key).file;
    if (file != "--set" && file != where("processing_blocks").file) return;
    log_.error(where(key),
               fmt::format("{} has {} numbers for {} processing blocks", key, given, blocks),
               "one for each, or none");
  }

  void check_class_names() {
    std::vector<std::string> missing = class_names();
    for (const ClassDraft& one : draft_.classes) {
      const std::string& name = one.timing.instruction_class;
      if (std::erase(missing, name) > 0) continue;
      log_.error(where("classes." + name), fmt::format("unknown instruction class '{}'", name),
                 suggest(name, class_names()));
    }
    if (missing.empty()) return;
    log_.error({file_, 0, 0}, fmt::format("classes has no entry for {}", fmt::join(missing, ", ")),
               "every instruction class needs a pipe and a latency; 'base:' inherits them");
  }

  void add_timing(const ClassDraft& one) {
    InstructionTiming timing = one.timing;
    const std::string prefix = "classes." + timing.instruction_class + ".";
    const int pipe = pipe_index(prefix + "pipe", one.pipe);
    if (pipe < 0) return;
    timing.pipe = static_cast<std::uint16_t>(pipe);
    if (one.second_pipe != kNoPipe) {
      timing.second_pipe =
          static_cast<std::int16_t>(pipe_index(prefix + "second_pipe", one.second_pipe));
    } else if (timing.needs_both) {
      log_.error(where(prefix + "needs_both"),
                 fmt::format("{}needs_both without a second_pipe", prefix));
    }
    if (one.forwarded_from != kNoPipe)
      timing.forwarded_from =
          static_cast<std::int16_t>(pipe_index(prefix + "forwarded_from", one.forwarded_from));
    if (timing.initiation_interval_cycles == 0) {
      timing.initiation_interval_cycles = arch_.pipes[timing.pipe].initiation_interval_cycles;
    }
    if (timing.second_interval_cycles == 0 && timing.second_pipe >= 0) {
      const auto second = static_cast<std::size_t>(timing.second_pipe);
      timing.second_interval_cycles = arch_.pipes[second].initiation_interval_cycles;
    }
    timing.status = statuses_[timing.instruction_class];
    arch_.timings.push_back(std::move(timing));
  }

  /// Place in Arch::pipes; -1 if there is no such pipe, which the log then says.
  int pipe_index(const std::string& path, const std::string& name) {
    const auto same = std::find_if(arch_.pipes.begin(), arch_.pipes.end(),
                                   [&](const Pipe& pipe) { return pipe.name == name; });
    if (same != arch_.pipes.end()) return static_cast<int>(same - arch_.pipes.begin());
    // A missing name has been told already.
    if (!name.empty()) {
      std::vector<std::string> names;
      for (const Pipe& pipe : arch_.pipes) names.push_back(pipe.name);
      log_.error(where(path), fmt::format("{} names '{}', which is not in pipes", path, name),
                 suggest(name, names));
    }
    return -1;
  }

  /// How well the least known of each class's numbers is known.
  void find_statuses() {
    constexpr std::string_view kClasses = "classes.";
    for (const Parameter& row : arch_.parameters) {
      if (!row.key.starts_with(kClasses)) continue;
      const std::size_t end = row.key.find('.', kClasses.size());
      Status& weakest = statuses_[row.key.substr(kClasses.size(), end - kClasses.size())];
      weakest = std::max(weakest, row.status);
    }
  }

  Draft& draft_;
  Arch& arch_;
  const std::string& file_;
  ErrorLog& log_;
  std::map<std::string, Status> statuses_;  ///< by class; measured if nothing is said
};

}  // namespace

Arch finish(Draft draft, const std::string& file, ErrorLog& log) {
  Finisher(draft, file, log).finish();
  return std::move(draft.arch);
}

Arch finish_values(Draft draft, const Arch& known, const std::string& file, ErrorLog& log) {
  Finisher(draft, file, log).finish_values(known);
  return std::move(draft.arch);
}

}  // namespace smsim::config
