// SPDX-License-Identifier: MIT
// Hazards that control codes have to keep apart and do not: results read too early, results and
// sources that nobody waits for.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "optimize/hazards_code.hpp"
#include "smsim/arch.hpp"
#include "smsim/program.hpp"

namespace smsim::optimize {

enum class HazardKind : std::uint8_t {
  early_read,          ///< a fixed-latency result is read before it is there
  early_overwrite,     ///< a fixed-latency result may come behind a later one of the same place
  early_write,         ///< a queue's result may come before the place has been read
  early_behind,        ///< behind a barrier that takes longer to hold it
  result_not_waited,   ///< a variable-latency result is read before it is there
  result_overwritten,  ///< a variable-latency result arrives behind a later write
  source_overwritten,  ///< a source is overwritten before a variable-latency operation has read it
  wait_too_soon,       ///< a barrier is waited for before its rise is seen
};

/// One of them: between the instruction that opens it and the one that should have come later.
struct Hazard {
  HazardKind kind = HazardKind::early_read;
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t before = 0;  ///< the instruction in front of `to` on the way from `from`
  Place place;
  int cycles = 0;           ///< that lie between at least
  int needed = 0;           ///< that have to; 0: a barrier has to be waited for
  std::string_view source;  ///< who says so
  bool taken = false;       ///< the way goes through a taken branch
};

/// A function with what hazards are judged by.
struct HazardInput {
  const Function& function;
  const Arch& arch;
  Code code;
  int sm = 0;  ///< the function's, or the architecture's if it does not say
  std::vector<const InstructionTiming*> timings;   ///< by instruction; null: nobody knows
  std::vector<std::vector<std::size_t>> previous;  ///< by instruction: those that go on to it
};

HazardInput hazard_input(const Function& function, const Arch& arch);

/// Cycles for which an instruction holds the next one of its warp back, at least.
int held_cycles(const HazardInput& input, std::size_t index);

/// Whether its result, or its reading of its sources, ends at a time that only a barrier tells.
bool is_variable(const HazardInput& input, std::size_t index);

/// Whether the later operation reads its sources no sooner than the earlier one: both go through
/// the same queue.
bool reads_in_order(const HazardInput& input, std::size_t earlier, std::size_t later);

/// Whether its result also comes no sooner: it is an operation of the same kind.
bool ends_in_order(const HazardInput& input, std::size_t earlier, std::size_t later);

/// Whether the hardware waits for what an instruction reads (Kepler).
bool has_scoreboard(const HazardInput& input);

/// Whether the hardware does not hold the warp for as long as its stall count says: above 11
/// without a yield request.
bool is_overlong(const HazardInput& input, std::size_t index);

/// A wait for one operation that is also one for a slower one, which nobody needs there.
struct SharedWait {
  std::size_t at = 0;
  int barrier = 0;
  std::size_t wanted = 0;
  std::size_t other = 0;
};

/// Those in a function that has a barrier to spare.
std::vector<SharedWait> find_shared_waits(const HazardInput& input);

/// All of them, by the later instruction, then by the earlier.
std::vector<Hazard> find_hazards(const HazardInput& input);

/// Those of them that stall counts decide: all but the ones that only a wait can mend.
std::vector<Hazard> find_stall_hazards(const HazardInput& input);

/// The same, only those that these instructions open.
std::vector<Hazard> find_stall_hazards(const HazardInput& input,
                                       const std::vector<std::size_t>& from);

/// Those of find_hazards() that only a wait can mend, and that these instructions open.
std::vector<Hazard> find_wait_hazards(const HazardInput& input,
                                      const std::vector<std::size_t>& from);

/// The instruction and all from which it can be reached before any fixed latency is over.
std::vector<std::size_t> near_before(const HazardInput& input, std::size_t index);

/// All from which it can be reached without a wait for that barrier in between.
std::vector<std::size_t> unwaited_before(const HazardInput& input, std::size_t index, int barrier);

}  // namespace smsim::optimize
