// SPDX-License-Identifier: MIT
// Fetch port of a processing block: brings the code lines that its warps ask for, one at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/cycle.hpp"
#include "isa/static_inst.hpp"
#include "smsim/arch.hpp"

namespace smsim {

/// A taken branch asks for its target's line, and then for the next one; a warp that has issued the
/// last instruction of a line asks for the line after the next. Lines in sequence go first, then
/// the youngest warp. So a branch takes longer if its fetch meets another warp's. Where there is
/// one warp it never does, and the port is not in use (`scheduler.next_line_cycles` says the same
/// then). Source: H200, `stamps` with two warps a block: 136 of 140 loops with all stamps exact,
/// 125 without.
class FetchPort {
 public:
  FetchPort(const Arch& arch, std::size_t warps)
      : spec_(arch.instruction_cache),
        delivery_(arch.scheduler.taken_branch_cycles - spec_.fetch_request_cycles),
        next_line_cycles_(arch.scheduler.next_line_cycles),
        in_use_(spec_.fetch_target_cycles > 0 && warps > 1),
        warps_(warps) {}

  /// Whether warps can meet here; else a line comes a fixed time behind its branch.
  bool in_use() const { return in_use_; }

  /// Begins the next fetch, and says whether there was one; only when somebody asks does a cycle
  /// cost anything.
  bool step(Cycle now) {
    if (asking_ == 0 || free_at_ > now) return false;
    Buffer* next = nullptr;
    for (Buffer& warp : warps_) {  // the youngest comes last
      const bool asks = warp.target_asked_at <= now || warp.line_asked_at <= now;
      if (!asks || (next != nullptr && in_sequence(*next) && !in_sequence(warp))) continue;
      next = &warp;
    }
    if (next == nullptr) return false;
    if (in_sequence(*next))
      bring_line(*next, now);
    else
      bring_target(*next, now);
    return true;
  }

  /// The first cycle in which the instruction can be there; kNever while its line is asked for.
  Cycle here_at(std::size_t w, const StaticInst& inst) const {
    const Buffer& warp = warps_[w];
    if (!in_use_) return inst.next_line ? warp.line_at : 0;
    if (warp.target_asked_at != kNever) return kNever;
    if (!begins_line(inst) || warp.lines > 1) return warp.target_at;
    return warp.lines < 1 ? kNever : std::max(warp.target_at, warp.line_at);
  }

  void issued(std::size_t w, const StaticInst& inst, Cycle now) {
    Buffer& warp = warps_[w];
    if (!in_use_) {
      if (inst.taken_branch) warp.line_at = now + next_line_cycles_;
      return;
    }
    asking_ -= warp.asks();
    if (inst.line_last) warp.line_asked_at = now + spec_.line_request_cycles;
    if (begins_line(inst)) --warp.lines;
    if (inst.taken_branch) {
      warp = {};
      warp.lines = 0;
      warp.target_asked_at = now + spec_.fetch_request_cycles;
    }
    asking_ += warp.asks();
  }

  /// The earliest cycle after `now` in which a fetch may begin. When what was brought is there is
  /// for the warps to know that wait for it (here_at).
  Cycle next_event(Cycle now) const { return asking_ == 0 ? kNever : std::max(now + 1, free_at_); }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    out.time(free_at_, now);
    for (const Buffer& warp : warps_) {
      out.time(warp.line_at, now);
      if (!in_use_) continue;
      out.put(warp.lines);
      out.time(warp.target_at, now);
      for (const Cycle asked : {warp.target_asked_at, warp.line_asked_at})
        out.put(asked == kNever ? 0 : 1000 + static_cast<int>(asked - now));
    }
  }

 private:
  /// What a warp has and waits for. Times are real cycles; kNever: nothing is asked for.
  struct Buffer {
    Cycle target_asked_at = kNever;
    Cycle line_asked_at = kNever;
    Cycle target_at = 0;
    Cycle line_at = 0;  ///< when the newest line in sequence is there
    int lines = 1;      ///< lines in sequence that were brought and not begun

    int asks() const { return target_asked_at != kNever || line_asked_at != kNever ? 1 : 0; }
  };

  static bool in_sequence(const Buffer& warp) { return warp.target_asked_at == kNever; }
  static bool begins_line(const StaticInst& inst) { return inst.line_first || inst.next_line; }

  void bring_target(Buffer& warp, Cycle now) {
    warp.target_asked_at = kNever;
    warp.target_at = now + delivery_;
    warp.line_asked_at = now + spec_.fetch_target_cycles;
    free_at_ = now + spec_.fetch_target_cycles;
  }

  void bring_line(Buffer& warp, Cycle now) {
    warp.line_asked_at = kNever;
    --asking_;
    ++warp.lines;
    warp.line_at = now + delivery_;
    free_at_ = now + spec_.fetch_line_cycles;
  }

  InstructionCacheSpec spec_;
  Cycle delivery_;  ///< begin of a fetch to the issue of what it brings
  Cycle next_line_cycles_;
  bool in_use_;
  std::vector<Buffer> warps_;
  int asking_ = 0;  ///< warps that ask for something
  Cycle free_at_ = 0;
};

}  // namespace smsim
