// SPDX-License-Identifier: MIT
// An interpreter of one thread for the tests of remap: what the common opcodes compute, with every
// hazard that control codes have to keep away.
#include "unit/optimize/interpreter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "block/timing_table.hpp"
#include "isa/opcode.hpp"

namespace smsim::test {
namespace {

constexpr int kPredicateLatency = 12;

float real(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// One bit pattern for all NaNs, so that equal results are equal bits.
std::uint32_t bits(float value) {
  return std::isnan(value) ? 0x7fffffffU : std::bit_cast<std::uint32_t>(value);
}

bool starts(const Instruction& in, std::string_view name) { return in.opcode.starts_with(name); }

std::uint32_t look_up(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t table) {
  std::uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const unsigned row = (a >> bit & 1U) << 2 | (b >> bit & 1U) << 1 | (c >> bit & 1U);
    result |= (table >> row & 1U) << bit;
  }
  return result;
}

}  // namespace

Interpreter::Interpreter(const Function& function, const Arch& arch, Timing timing)
    : function_(function), arch_(arch), timing_(timing) {
  predicates_[kPT] = true;
}

State Interpreter::run(State state) {
  constexpr int kMostSteps = 100000;
  state_ = state;
  std::size_t at = 0;
  for (int steps = 0; at < function_.instructions.size() && steps < kMostSteps; ++steps) {
    const Instruction& in = function_.instructions[at];
    settle(now_);
    wait_for(in.control.wait_mask);
    if (in.control.yield) latches_ = {};
    const bool runs = holds(in.guard);
    std::size_t next = at + 1;
    if (starts(in, "EXIT") && runs) break;
    if (starts(in, "BRA")) {
      if (runs) {
        latches_ = {};
        const auto target =
            std::find_if(function_.instructions.begin(), function_.instructions.end(),
                         [&](const Instruction& i) { return i.address == *in.target; });
        next = static_cast<std::size_t>(target - function_.instructions.begin());
      }
    } else if (runs) {
      execute(in);
    }
    now_ += std::max<int>(1, in.control.stall);
    at = next;
  }
  wait_for(0x3f);
  while (!operations_.empty()) {
    perform(operations_.front());
    for (const auto& [reg, value] : operations_.front().results) state_.registers[reg] = value;
    operations_.pop_front();
  }
  settle(now_ + 1000);
  return state_;
}

void Interpreter::settle(long now) {
  std::stable_sort(delayed_.begin(), delayed_.end(),
                   [](const Delayed& a, const Delayed& b) { return a.when < b.when; });
  std::size_t n = 0;
  while (n < delayed_.size() && delayed_[n].when <= now) {
    state_.registers[delayed_[n].reg] = delayed_[n].value;
    ++n;
  }
  delayed_.erase(delayed_.begin(), delayed_.begin() + static_cast<std::ptrdiff_t>(n));
}

/// Operations read memory in their order; each result lands when its own barrier is waited for.
void Interpreter::wait_for(unsigned mask) {
  const auto has = [&](int barrier) { return barrier < kNoBarrier && (mask >> barrier & 1U) != 0; };
  std::size_t last = operations_.size();
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const ControlWord& control = operations_[i].in->control;
    if (has(control.write_barrier) || has(control.read_barrier)) last = i;
  }
  for (std::size_t i = 0; i < operations_.size() && last < operations_.size() && i <= last; ++i)
    perform(operations_[i]);
  std::deque<Operation> left;
  for (Operation& operation : operations_) {
    const ControlWord& control = operation.in->control;
    const bool landed = has(control.write_barrier);
    if (landed)
      for (const auto& [reg, value] : operation.results) state_.registers[reg] = value;
    const bool over = operation.done && (landed || control.write_barrier == kNoBarrier);
    if (!over) left.push_back(std::move(operation));
  }
  operations_ = std::move(left);
}

bool Interpreter::is_variable(const Instruction& in) const {
  return starts(in, "LD") || starts(in, "ST") || starts(in, "MUFU");
}

int Interpreter::latency(const Instruction& in) const {
  const isa::OpcodeRow* row = isa::find_opcode(in.opcode);
  if (row == nullptr) throw std::runtime_error("unknown opcode " + in.opcode);
  const InstructionTiming* timing = TimingTable(arch_).find(isa::class_of(*row, in));
  return timing == nullptr ? 1 : timing->latency_cycles;
}

void Interpreter::execute(const Instruction& in) {
  if (!is_variable(in)) return execute_fixed(in);
  operations_.push_back({&in, false, {}});
  if (timing_ == Timing::late) return;
  perform(operations_.back());
  for (const auto& [reg, value] : operations_.back().results) state_.registers[reg] = value;
  operations_.pop_back();
}

std::uint32_t& Interpreter::memory(const Instruction& in, const Operand& address, int part) {
  const std::uint32_t base = address.index >= 0 && address.index < kRZ
                                 ? state_.registers[static_cast<std::size_t>(address.index)]
                                 : 0;
  // Of a pair the high word counts too, as a wrong one would be another address.
  const std::uint32_t high =
      address.registers == 2 ? state_.registers[static_cast<std::size_t>(address.index) + 1] : 0;
  const std::size_t word = (base + 64 * high + static_cast<std::uint32_t>(address.value)) / 4 +
                           static_cast<std::size_t>(part);
  auto& all = in.opcode[2] == 'G' ? state_.global : state_.shared;
  return all[word % all.size()];
}

void Interpreter::perform(Operation& operation) {
  if (operation.done) return;
  operation.done = true;
  const Instruction& in = *operation.in;
  if (starts(in, "MUFU")) {
    const std::uint32_t x = state_.registers[static_cast<std::size_t>(in.operands[1].index)];
    operation.results.emplace_back(static_cast<std::uint8_t>(in.operands[0].index), x * 77U + 5U);
    return;
  }
  if (starts(in, "ST")) {
    for (int part = 0; part < in.operands[1].registers; ++part)
      memory(in, in.operands[0], part) =
          state_.registers[static_cast<std::size_t>(in.operands[1].index + part)];
    return;
  }
  for (int part = 0; part < in.operands[0].registers; ++part)
    operation.results.emplace_back(static_cast<std::uint8_t>(in.operands[0].index + part),
                                   memory(in, in.operands[1], part));
}

/// Through the latch of its bank and slot, as the reuse flags say.
std::uint32_t Interpreter::read(const Instruction& in, std::size_t operand, int part) {
  const Operand& op = in.operands[operand];
  if (op.index == kRZ) return 0;
  const auto reg = static_cast<std::size_t>(op.index + part);
  Latch& latch = latches_[arch_.register_file.bank_of[reg]]
                         [std::min<std::size_t>(3, static_cast<std::size_t>(op.slot))];
  const std::uint32_t value =
      latch.reg == static_cast<int>(reg) ? latch.value : state_.registers[reg];
  latch = op.reuse ? Latch{static_cast<int>(reg), value} : Latch{};
  return value;
}

std::uint32_t Interpreter::source(const Instruction& in, std::size_t operand) {
  const Operand& op = in.operands[operand];
  if (op.kind == OperandKind::immediate) return static_cast<std::uint32_t>(op.value);
  return op.kind == OperandKind::reg ? read(in, operand) : 0;
}

void Interpreter::write(const Instruction& in, std::uint32_t value, int part) {
  const Operand& op = in.operands[0];
  if (op.index != kRZ)
    delayed_.push_back({now_ + latency(in), static_cast<std::uint8_t>(op.index + part), value});
}

bool Interpreter::holds(const Guard& guard) const {
  return predicates_[static_cast<std::size_t>(guard.index)] != guard.negated;
}

bool Interpreter::is_true(const Operand& predicate) const {
  return predicates_[static_cast<std::size_t>(predicate.index)] != predicate.negated;
}

void Interpreter::compare(const Instruction& in) {
  const auto a = static_cast<std::int32_t>(source(in, 2));
  const auto b = static_cast<std::int32_t>(source(in, 3));
  predicates_[static_cast<std::size_t>(in.operands[0].index)] =
      in.opcode.find(".NE") != std::string::npos ? a != b : a < b;
}

std::uint32_t Interpreter::compute(const Instruction& in) {
  const std::uint32_t a = source(in, 1);
  const std::uint32_t b = in.operands.size() > 2 ? source(in, 2) : 0;
  if (starts(in, "MOV")) return a;
  if (starts(in, "FADD")) return bits(real(a) + real(b));
  if (starts(in, "FMUL")) return bits(real(a) * real(b));
  if (starts(in, "SEL")) return is_true(in.operands[3]) ? a : b;
  const std::uint32_t c = source(in, 3);
  if (starts(in, "FFMA")) return bits(std::fma(real(a), real(b), real(c)));
  if (starts(in, "IADD3")) return a + b + c;
  if (starts(in, "IMAD")) return a * b + c;
  if (starts(in, "SHF.L")) return a << (b & 31U);
  if (starts(in, "SHF.R")) return c >> (b & 31U);
  if (starts(in, "LOP3.LUT"))
    return look_up(a, b, c, static_cast<std::uint32_t>(in.operands[4].value));
  throw std::runtime_error("no meaning for " + in.opcode);
}

void Interpreter::execute_fixed(const Instruction& in) {
  if (starts(in, "NOP")) return;
  if (starts(in, "ISETP")) return compare(in);
  if (starts(in, "CS2R")) {
    for (int part = 0; part < in.operands[0].registers; ++part) write(in, 0, part);
    return;
  }
  if (starts(in, "IMAD.WIDE")) {
    const std::uint64_t product = std::uint64_t{source(in, 1)} * source(in, 2);
    const std::uint64_t low = read(in, 3, 0);
    const std::uint64_t sum = product + (low | std::uint64_t{read(in, 3, 1)} << 32U);
    write(in, static_cast<std::uint32_t>(sum), 0);
    write(in, static_cast<std::uint32_t>(sum >> 32U), 1);
    return;
  }
  write(in, compute(in));
}

}  // namespace smsim::test
