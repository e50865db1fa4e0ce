// SPDX-License-Identifier: MIT
// Recorder: the event sink that turns what a simulation tells into the arrays of a Recording.
#include "record/recorder.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace smsim {
namespace {

/// The read that a queue's `feed`th turn is: data registers in ascending order, then the address,
/// its high word first. The operands name the address first.
std::size_t fed_read(const StaticInst& inst, std::size_t feed) {
  if (inst.route != Route::memory) return feed;
  const std::size_t data = inst.memory.data_count;
  const std::size_t address = inst.memory.address_count;
  if (feed < data) return address + feed;
  return address - 1 - (feed - data);
}

std::size_t feeds_of(const StaticInst& inst) {
  if (inst.route != Route::memory) return inst.read_count;
  return static_cast<std::size_t>(inst.memory.data_count) + inst.memory.address_count;
}

}  // namespace

Recorder::Recorder(const CompiledLoop& loop, std::vector<int> latencies,
                   const std::vector<int>& warps_of_block, std::uint64_t first, std::uint64_t last)
    : loop_(loop),
      latencies_(std::move(latencies)),
      first_(first),
      last_(last),
      flights_(warps_of_block.size()) {
  for (const int warps : warps_of_block) {
    warps_.emplace_back(static_cast<std::size_t>(warps));
    unfinished_warps_ += static_cast<std::size_t>(warps);
  }
}

template <typename Fits>
Recorder::Flight* Recorder::find(int block, std::uint32_t warp, const StaticInst& inst, Fits fits) {
  for (Flight& flight : flights_[static_cast<std::size_t>(block)])
    if (flight.inst == &inst && flight.warp == warp && fits(flight)) return &flight;
  return nullptr;
}

void Recorder::drop(int block, const Flight* flight) {
  if (flight->record != kNoInstruction) --under_way_;
  auto& flights = flights_[static_cast<std::size_t>(block)];
  const auto at = std::find_if(flights.begin(), flights.end(),
                               [&](const Flight& other) { return &other == flight; });
  flights.erase(at);
}

void Recorder::issued(Cycle now, int block, int warp, std::uint32_t step) {
  const auto w = static_cast<std::size_t>(warp);
  WarpState& state = warp_state(block, w);
  if (step == 0) ++state.iteration;
  const StaticInst& inst = loop_.code[step];
  const bool wanted = state.iteration >= first_ && state.iteration <= last_;
  const std::uint32_t record = wanted ? keep(now, block, w, step, state) : kNoInstruction;
  for (const std::uint16_t barrier : {inst.write_barrier, inst.read_barrier})
    if (barrier < isa::kBarriers)
      raise(now, block, w, static_cast<std::uint8_t>(barrier), inst, record);
  flights_[static_cast<std::size_t>(block)].push_back(
      {&inst, static_cast<std::uint32_t>(warp), record});
  if (state.iteration == last_ && step + 1 == loop_.length) --unfinished_warps_;
  state.waits.clear();
  state.waits_from = now + 1;
}

std::uint32_t Recorder::keep(Cycle now, int block, std::size_t warp, std::uint32_t step,
                             WarpState& state) {
  if (!state.waits.empty()) state.waits.back().end = now;
  std::erase_if(state.waits, [](const RecordedWait& wait) { return wait.end <= wait.begin; });
  begin_ = std::min(begin_, state.waits_from);
  Kept one;
  one.instruction.block = static_cast<std::uint16_t>(block);
  one.instruction.warp = sm_warp(block, warp);
  one.instruction.step = step;
  one.instruction.iteration = state.iteration;
  one.instruction.waits_from = state.waits_from;
  one.instruction.issue = now;
  one.waits = std::move(state.waits);
  kept_.push_back(std::move(one));
  ++under_way_;
  return static_cast<std::uint32_t>(kept_.size() - 1);
}

void Recorder::raise(Cycle now, int block, std::size_t warp, std::uint8_t barrier,
                     const StaticInst& inst, std::uint32_t record) {
  if (barrier >= isa::kBarriers) return;
  WarpState& state = warp_state(block, warp);
  state.setters[barrier].push_back(record);
  state.scoreboard[barrier] = inst.scoreboard;
  if (begin_ != kNever)
    barriers_.push_back(
        {now, static_cast<std::uint16_t>(block), sm_warp(block, warp), barrier, true, record});
}

/// Operations of one barrier may return out of order; what set it first is taken to lower it first.
void Recorder::lowered(Cycle now, int block, std::uint32_t warp, std::uint8_t barrier) {
  auto& setters = warp_state(block, warp).setters[barrier];
  std::uint32_t record = kNoInstruction;
  if (!setters.empty()) {
    record = setters.front();
    setters.pop_front();
  }
  if (begin_ != kNever)
    barriers_.push_back(
        {now, static_cast<std::uint16_t>(block), sm_warp(block, warp), barrier, false, record});
}

StallReason Recorder::scoreboard_reason(const WarpState& state, std::uint8_t barriers) const {
  for (std::size_t b = 0; b < isa::kBarriers; ++b)
    if (((barriers >> b) & 1U) != 0 && state.scoreboard[b] == StallReason::long_scoreboard)
      return StallReason::long_scoreboard;
  return StallReason::short_scoreboard;
}

void Recorder::waits(Cycle now, int block, int warp, StallReason reason, std::uint8_t barriers) {
  WarpState& state = warp_state(block, static_cast<std::size_t>(warp));
  if (reason == StallReason::short_scoreboard) reason = scoreboard_reason(state, barriers);
  if (!state.waits.empty()) {
    RecordedWait& open = state.waits.back();
    if (open.reason == reason && open.barriers == barriers) return;
    open.end = now;
  }
  state.waits.push_back({now, kNever, reason, barriers});
}

void Recorder::stopped(Cycle now, int block, StallReason reason) {
  const auto b = static_cast<std::size_t>(block);
  for (std::size_t w = 0; w < warps_[b].size(); ++w)
    waits(now, block, static_cast<int>(w), reason, 0);
  if (begin_ == kNever) return;
  const auto& flights = flights_[b];
  const auto oldest =
      std::find_if(flights.begin(), flights.end(), [](const Flight& one) { return !one.left; });
  stops_.push_back({now, reason, static_cast<std::uint16_t>(block),
                    oldest == flights.end() ? kNoInstruction : oldest->record});
}

void Recorder::read(Cycle now, int block, std::uint32_t warp, const StaticInst& inst,
                    std::size_t index) {
  const auto bit = static_cast<std::uint16_t>(1U << index);
  Flight* flight = find(block, warp, inst,
                        [&](const Flight& one) { return !one.left && (one.served & bit) == 0; });
  if (flight == nullptr) return;
  flight->served = static_cast<std::uint16_t>(flight->served | bit);
  const RegisterRead& source = inst.reads[index];
  if (Kept* record = kept(*flight))
    record->reads.push_back({now, source.reg, source.bank, source.slot, ReadFrom::bank});
}

/// A source whose bank was not read is in the reuse cache, or its register was read for another
/// slot.
void Recorder::add_hits(Cycle now, const Flight& flight, Kept& record) const {
  const StaticInst& inst = *flight.inst;
  if (inst.reads_apart || inst.route == Route::memory || inst.route == Route::special) return;
  for (std::size_t i = 0; i < inst.read_count; ++i) {
    const RegisterRead& source = inst.reads[i];
    bool read_by_bank = false;
    for (std::size_t j = 0; j < inst.read_count; ++j)
      if (((flight.served >> j) & 1U) != 0 && inst.reads[j].reg == source.reg) read_by_bank = true;
    if (!read_by_bank)
      record.reads.push_back({now, source.reg, source.bank, source.slot, ReadFrom::reuse_cache});
  }
}

/// A fixed-latency result reaches a reader in the last read stage `latency` cycles behind, and is
/// in its bank from the cycle behind the write on. What the model lets arrive by itself (LDC) is
/// there when its barrier goes down.
void Recorder::set_execution(Cycle now, const StaticInst& inst, RecordedInstruction& out) const {
  const bool arrives = inst.route == Route::control && inst.write_barrier < isa::kBarriers;
  if (inst.route != Route::dispatch && !arrives) return;
  out.execute_begin = now + 1;
  out.write_begin =
      arrives ? std::max(now + 1, out.issue + inst.latency - 1) : now + latencies_[out.step] + 1;
  out.write_end = out.write_begin;
}

void Recorder::left(Cycle now, int block, std::uint32_t warp, const StaticInst& inst) {
  Flight* flight = find(block, warp, inst, [](const Flight& one) { return !one.left; });
  if (flight == nullptr) return;
  flight->left = true;
  if (Kept* record = kept(*flight)) {
    record->instruction.left = now;
    add_hits(now, *flight, *record);
    set_execution(now, inst, record->instruction);
  }
  if (inst.route == Route::dispatch || inst.route == Route::control) drop(block, flight);
}

void Recorder::fed(Cycle at, int block, std::uint32_t warp, const StaticInst& inst,
                   std::size_t bank) {
  Flight* flight = find(block, warp, inst, [&](const Flight& one) {
    return one.left && !one.started && one.feeds < feeds_of(inst);
  });
  if (flight == nullptr) return;
  const std::size_t index = fed_read(inst, flight->feeds++);
  Kept* record = kept(*flight);
  if (record == nullptr) return;
  const bool known = index < inst.read_count && inst.reads[index].bank == bank;
  record->reads.push_back({at, known ? std::int16_t{inst.reads[index].reg} : std::int16_t{-1},
                           static_cast<std::uint8_t>(bank), 255, ReadFrom::feed});
}

void Recorder::started(Cycle at, int block, std::uint32_t warp, const StaticInst& inst) {
  Flight* flight =
      find(block, warp, inst, [](const Flight& one) { return one.left && !one.started; });
  if (flight == nullptr) return;
  flight->started = true;
  if (Kept* record = kept(*flight)) record->instruction.execute_begin = at;
  const bool writes = inst.route == Route::memory ? inst.memory.returns : inst.write_count > 0;
  if (!writes) drop(block, flight);
}

void Recorder::wrote(Cycle at, int block, std::uint32_t warp, const StaticInst& inst, bool last) {
  const bool starts = inst.route != Route::memory || inst.memory.wavefronts > 0;
  Flight* flight =
      find(block, warp, inst, [&](const Flight& one) { return one.left && one.started == starts; });
  if (flight == nullptr) return;
  if (Kept* record = kept(*flight)) {
    RecordedInstruction& instruction = record->instruction;
    if (instruction.write_begin < 0) instruction.write_begin = at;
    instruction.write_end = at;
    if (instruction.execute_begin < 0) instruction.execute_begin = at;
  }
  if (last) drop(block, flight);
}

void Recorder::hand_over(Recording& out) {
  std::vector<std::uint32_t> order(kept_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  const auto key = [&](std::uint32_t i) {
    const RecordedInstruction& one = kept_[i].instruction;
    return std::tuple(one.block, one.warp, one.issue);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::vector<std::uint32_t> place(kept_.size());
  for (const std::uint32_t i : order) {
    Kept& one = kept_[i];
    place[i] = static_cast<std::uint32_t>(out.instructions.size());
    std::stable_sort(one.reads.begin(), one.reads.end(),
                     [](const RecordedRead& a, const RecordedRead& b) { return a.at < b.at; });
    one.instruction.first_wait = static_cast<std::uint32_t>(out.waits.size());
    one.instruction.wait_count = static_cast<std::uint32_t>(one.waits.size());
    one.instruction.first_read = static_cast<std::uint32_t>(out.reads.size());
    one.instruction.read_count = static_cast<std::uint32_t>(one.reads.size());
    out.waits.insert(out.waits.end(), one.waits.begin(), one.waits.end());
    out.reads.insert(out.reads.end(), one.reads.begin(), one.reads.end());
    out.instructions.push_back(one.instruction);
  }
  const auto moved = [&](std::uint32_t i) { return i == kNoInstruction ? i : place[i]; };
  for (RecordedStop& stop : stops_) stop.instruction = moved(stop.instruction);
  for (RecordedBarrier& one : barriers_) one.instruction = moved(one.instruction);
  out.stops = std::move(stops_);
  out.barriers = std::move(barriers_);
  out.begin = begin_ == kNever ? 0 : begin_;
}

}  // namespace smsim
