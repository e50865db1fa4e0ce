// SPDX-License-Identifier: MIT
// An interpreter of one thread for the tests of remap: what the common opcodes compute, with every
// hazard that control codes have to keep away.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "smsim/arch.hpp"
#include "smsim/program.hpp"

namespace smsim::test {

/// When an operation of variable latency reads its sources and writes its result: as soon as it
/// issues, or as late as its barriers allow. Valid code computes the same.
enum class Timing { early, late };

struct State {
  std::array<std::uint32_t, 256> registers{};
  std::array<std::uint32_t, 1024> global{};
  std::array<std::uint32_t, 1024> shared{};
  bool operator==(const State&) const = default;
};

/// Runs a function from its first instruction until EXIT or its end. Results of fixed latency
/// appear when their latency is over, counted in stall counts, and not before; an operand that a
/// reuse flag left in its latch is found there, stale or not. Throws std::runtime_error for an
/// opcode that it does not know.
class Interpreter {
 public:
  Interpreter(const Function& function, const Arch& arch, Timing timing);

  State run(State state);

 private:
  struct Delayed {
    long when = 0;
    std::uint8_t reg = 0;
    std::uint32_t value = 0;
  };
  /// A load, a store or a special function under way.
  struct Operation {
    const Instruction* in = nullptr;
    bool done = false;
    std::vector<std::pair<std::uint8_t, std::uint32_t>> results;
  };
  struct Latch {
    int reg = -1;
    std::uint32_t value = 0;
  };

  void wait_for(unsigned mask);
  void perform(Operation& operation);
  void execute(const Instruction& in);
  void execute_fixed(const Instruction& in);
  bool is_variable(const Instruction& in) const;
  int latency(const Instruction& in) const;
  std::uint32_t read(const Instruction& in, std::size_t operand, int part = 0);
  std::uint32_t source(const Instruction& in, std::size_t operand);
  void write(const Instruction& in, std::uint32_t value, int part = 0);
  std::uint32_t& memory(const Instruction& in, const Operand& address, int part);
  bool holds(const Guard& guard) const;
  bool is_true(const Operand& predicate) const;
  std::uint32_t compute(const Instruction& in);
  void compare(const Instruction& in);
  void settle(long now);

  const Function& function_;
  const Arch& arch_;
  Timing timing_;
  State state_;
  std::array<bool, 8> predicates_{};
  long now_ = 0;
  std::vector<Delayed> delayed_;
  std::deque<Operation> operations_;
  std::array<std::array<Latch, 4>, 8> latches_{};
};

}  // namespace smsim::test
