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

/// A taken branch asks for its target's line, and with it for the two behind it, each when the
/// fetch of the one before begins. A warp that has issued the last instruction of a line asks for
/// one more, also if it is a branch: what it asked for ahead is given up only when its target's
/// request has been turned away. The oldest request goes first, of equals a line in sequence, then
/// the youngest warp. A line in sequence keeps the port for two cycles, and so does a target that
/// was waiting; one that is fetched when it is asked for, a cycle longer. A target that asks while
/// a line in sequence comes, but not in the cycle in which that began, is fetched at once; one that
/// was turned away asks again some cycles later. Where there is one warp nobody meets, and the port
/// is not in use (`scheduler.next_line_cycles` says the same then).
/// Source: H200, own kernels in which each warp of a block runs its own code: straight and with a
/// branch at all distances, 467 of 467 runs; two branches, 230 of 242; own loops, launched for each
/// number of iterations up to 16, whose start is known: with two warps 1642 of 1743 starts come out
/// to the end (1600 if branches ask for no line and a line that did not wait takes three cycles).
class FetchPort {
 public:
  FetchPort(const Arch& arch, std::size_t warps)
      : spec_(arch.instruction_cache),
        delivery_(arch.scheduler.taken_branch_cycles - spec_.fetch_request_cycles),
        next_line_cycles_(arch.scheduler.next_line_cycles),
        in_use_(spec_.fetch_at_once_cycles > 0 && warps > 1),
        warps_(warps) {}

  /// Whether warps can meet here; else a line comes a fixed time behind its branch.
  bool in_use() const { return in_use_; }

  /// Whether any warp asks for something: only then does a cycle cost anything.
  bool is_asked() const { return asking_ != 0; }

  /// Begins the next fetch, and says whether there was one.
  bool step(Cycle now) {
    if (asking_ == 0 || free_between_at_ > now) return false;
    Buffer* next = nullptr;
    bool line = false;
    for (Buffer& warp : warps_) {  // the youngest comes last
      if (line_may_begin(warp, now) && (next == nullptr || !goes_before(*next, line, warp, true)))
        next = &warp, line = true;
      if (target_may_begin(warp, now) &&
          (next == nullptr || !goes_before(*next, line, warp, false)))
        next = &warp, line = false;
    }
    if (next == nullptr) return false;
    asking_ -= next->asks();
    if (line)
      bring_line(*next, now);
    else
      bring_target(*next, now);
    asking_ += next->asks();
    return true;
  }

  /// The first cycle in which the instruction can be there; kNever while its line is asked for.
  Cycle here_at(std::size_t w, const StaticInst& inst) const {
    const Buffer& warp = warps_[w];
    if (!in_use_) return inst.next_line ? warp.line_at : 0;
    if (warp.target_asked_at != kNever) return kNever;
    if (!begins_line(inst)) return warp.target_at;
    return warp.lines < 1 ? kNever : std::max(warp.target_at, warp.next_line_at());
  }

  void issued(std::size_t w, const StaticInst& inst, Cycle now) {
    Buffer& warp = warps_[w];
    if (!in_use_) {
      if (inst.taken_branch) warp.line_at = now + next_line_cycles_;
      return;
    }
    asking_ -= warp.asks();
    if (inst.line_last) ask_for_line(warp, now);
    if (begins_line(inst)) --warp.lines;
    if (inst.taken_branch) {
      warp.lines = 0;
      warp.target_asked_at = now + spec_.fetch_request_cycles;
    }
    asking_ += warp.asks();
  }

  /// The earliest cycle after `now` in which a fetch may begin. When what was brought is there is
  /// for the warps to know that wait for it (here_at).
  Cycle next_event(Cycle now) const {
    return asking_ == 0 ? kNever : std::max(now + 1, free_between_at_);
  }

  template <typename Writer>
  void save(Cycle now, Writer& out) const {
    out.time(free_at_, now);
    out.time(free_between_at_, now);
    for (const Buffer& warp : warps_) {
      out.time(warp.line_at, now);
      if (!in_use_) continue;
      out.put((warp.lines * 4 + warp.owed) * 2 + (warp.follows ? 1 : 0));
      out.time(warp.target_at, now);
      out.time(warp.older_line_at, now);
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
    Cycle line_at = 0;        ///< when the newest line in sequence is there
    Cycle older_line_at = 0;  ///< and the one before it
    int lines = kLinesAhead;  ///< lines in sequence that were brought and not begun
    int owed = 0;             ///< to be asked for when the present one's fetch begins
    bool follows = false;     ///< it is asked for as a fetch of this warp begins

    int asks() const {
      return (target_asked_at != kNever ? 1 : 0) + (line_asked_at != kNever ? 1 : 0);
    }
    Cycle asked_at(bool line) const { return line ? line_asked_at : target_asked_at; }
    /// Of the oldest line that was not begun.
    Cycle next_line_at() const { return lines == 1 ? line_at : lines == 2 ? older_line_at : 0; }
  };

  /// Brought behind a branch's target.
  static constexpr int kLinesAhead = 2;

  static bool begins_line(const StaticInst& inst) { return inst.line_first || inst.next_line; }
  bool line_may_begin(const Buffer& warp, Cycle now) const {
    return warp.line_asked_at <= now && free_at_ <= now && now <= warp.target_asked_at;
  }
  bool target_may_begin(const Buffer& warp, Cycle now) const {
    const Cycle asked = warp.target_asked_at;
    return asked == now || (free_at_ <= now && asked + spec_.fetch_retry_cycles <= now);
  }

  /// Each of the two either for a line in sequence or for a target.
  static bool goes_before(const Buffer& a, bool a_line, const Buffer& b, bool b_line) {
    if (a.asked_at(a_line) != b.asked_at(b_line)) return a.asked_at(a_line) < b.asked_at(b_line);
    return a_line && !b_line;
  }

  void ask_for_line(Buffer& warp, Cycle now) const {
    if (warp.line_asked_at == kNever)
      warp.line_asked_at = now + spec_.line_request_cycles;
    else
      ++warp.owed;
  }

  void bring_target(Buffer& warp, Cycle now) {
    const bool waited = warp.target_asked_at < now;
    free_at_ = now + (waited ? spec_.fetch_waited_cycles : spec_.fetch_at_once_cycles);
    free_between_at_ = free_at_;
    warp.target_asked_at = kNever;
    warp.target_at = now + delivery_;
    warp.line_asked_at = now;
    warp.owed = kLinesAhead - 1;
    warp.follows = true;
    warp.lines = 0;
  }

  void bring_line(Buffer& warp, Cycle now) {
    free_at_ = now + spec_.fetch_waited_cycles;
    free_between_at_ = now + 1;
    warp.follows = warp.owed > 0;
    warp.line_asked_at = warp.follows ? now : kNever;
    if (warp.follows) --warp.owed;
    ++warp.lines;
    warp.older_line_at = warp.line_at;
    warp.line_at = now + delivery_;
  }

  InstructionCacheSpec spec_;
  Cycle delivery_;  ///< begin of a fetch to the issue of what it brings
  Cycle next_line_cycles_;
  bool in_use_;
  std::vector<Buffer> warps_;
  int asking_ = 0;  ///< requests
  Cycle free_at_ = 0;
  Cycle free_between_at_ = 0;  ///< for a target that asks in this very cycle
};

}  // namespace smsim
