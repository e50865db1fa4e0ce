// SPDX-License-Identifier: MIT
// Random loops with valid control codes, as tight as their latencies allow.
#include "unit/optimize/random_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "block/timing_table.hpp"
#include "decode/instruction_text.hpp"
#include "isa/accesses.hpp"
#include "isa/control_word.hpp"
#include "isa/roles.hpp"

namespace smsim::test {
namespace {

constexpr int kRegisters = 40;
constexpr int kFirst = 8;  ///< R0 counts, R2:R3 and R4 are addresses
constexpr int kForPredicate = 13;

class Writer {
 public:
  Writer(const Arch& arch, std::mt19937& random) : arch_(arch), timings_(arch), random_(random) {}

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  /// Adds an instruction with the stall counts in front of it and the waits that it needs.
  void add(const std::string& text) {
    auto parsed = decode::parse_instruction(text);
    Instruction in = *parsed;
    const isa::OpcodeRow* row = isa::find_opcode(in.opcode);
    isa::assign_roles(row, in);
    const isa::Accesses used = isa::accesses(row, in);
    long ready = now_;
    for (const auto* list : {&used.reads, &used.writes})
      for (const isa::RegisterAccess& access : *list)
        for (int r = access.first; r < access.first + access.count; ++r)
          ready = std::max(ready, need(in, r, list == &used.writes));
    const unsigned predicates = used.predicate_reads | used.predicate_writes;
    for (int p = 0; p < 7; ++p)
      if ((predicates >> p & 1U) != 0) ready = std::max(ready, predicate_ready_[at(p)]);
    stretch(ready);
    issue(in, row, used);
  }

  void label(const std::string& name) { lines_.push_back(name + ":"); }

  /// Everything has landed before what comes next.
  void drain() {
    Instruction nop;
    nop.text = nop.opcode = "NOP";
    for (int b = 0; b < 6; ++b)
      if (busy(b)) wait(nop, 1U << b);
    clear(nop.control.wait_mask);
    long ready = now_;
    for (const long r : ready_) ready = std::max(ready, r);
    for (const long p : predicate_ready_) ready = std::max(ready, p);
    stretch(ready);
    push(nop, 1);
  }

  std::string text() const {
    std::string all = "\t.target\tsm_90\n.text.random:\n";
    for (const std::string& line : lines_) all += line + "\n";
    return all;
  }

 private:
  static void wait(Instruction& in, unsigned mask) {
    in.control.wait_mask = static_cast<std::uint8_t>(in.control.wait_mask | mask);
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  bool busy(int barrier) const {
    return std::any_of(writing_.begin(), writing_.end(), [&](int b) { return b == barrier; }) ||
           std::any_of(reading_.begin(), reading_.end(),
                       [&](unsigned mask) { return (mask >> barrier & 1U) != 0; });
  }

  void clear(unsigned mask) {
    for (int& b : writing_)
      if (b >= 0 && (mask >> b & 1U) != 0) b = -1;
    for (unsigned& readers : reading_) readers &= ~mask;
  }

  /// Notes what has to be waited for, and says until when.
  long need(Instruction& in, int reg, bool write) {
    if (writing_[at(reg)] >= 0) wait(in, 1U << writing_[at(reg)]);
    if (write) wait(in, reading_[at(reg)]);
    return ready_[at(reg)];
  }

  /// Makes the instruction in front long enough, with NOPs behind it if it has to be.
  void stretch(long ready) {
    while (now_ < ready) {
      const int more = static_cast<int>(std::min<long>(ready - now_, 11 - last_stall_));
      if (more > 0 && last_line_ < lines_.size()) {
        last_stall_ += more;
        now_ += more;
        lines_[last_line_] = line(last_, last_stall_);
      } else {
        Instruction nop;
        nop.text = nop.opcode = "NOP";
        push(nop, 1);
      }
    }
  }

  void issue(Instruction& in, const isa::OpcodeRow* row, const isa::Accesses& used) {
    clear(in.control.wait_mask);
    const InstructionTiming* timing = timings_.find(isa::class_of(*row, in));
    const bool variable = timing != nullptr && timing->variable_latency;
    int stall = 1;
    if (variable) {
      set_barriers(in, used);
      stall = 2;
    } else {
      const int latency = timing == nullptr ? 1 : timing->latency_cycles;
      for (const isa::RegisterAccess& access : used.writes)
        for (int r = access.first; r < access.first + access.count; ++r)
          ready_[at(r)] = now_ + latency;
      for (int p = 0; p < 7; ++p)
        if ((used.predicate_writes >> p & 1U) != 0) predicate_ready_[at(p)] = now_ + kForPredicate;
    }
    if (!variable && below(8) == 0) in.control.yield = true;
    push(in, stall + (below(4) == 0 ? below(3) : 0));
  }

  void set_barriers(Instruction& in, const isa::Accesses& used) {
    const int write = below(3);
    const int read = 3 + below(3);
    if (!used.writes.empty()) in.control.write_barrier = static_cast<std::uint8_t>(write);
    const bool protects = used.writes.empty() || below(2) == 0;
    if (protects) in.control.read_barrier = static_cast<std::uint8_t>(read);
    for (const isa::RegisterAccess& access : used.writes)
      for (int r = access.first; r < access.first + access.count; ++r) writing_[at(r)] = write;
    for (const isa::RegisterAccess& access : used.reads)
      for (int r = access.first; r < access.first + access.count; ++r)
        reading_[at(r)] |= 1U << (protects ? read : write);
  }

  void push(const Instruction& in, int stall) {
    last_ = in;
    last_stall_ = stall;
    now_ += stall;
    last_line_ = lines_.size();
    lines_.push_back(line(in, stall));
  }

  static std::string line(const Instruction& in, int stall) {
    ControlWord control = in.control;
    control.stall = static_cast<std::uint8_t>(stall);
    return fmt::format("    {} {} ;", isa::to_bracket(control), in.text);
  }

  const Arch& arch_;
  TimingTable timings_;
  std::mt19937& random_;
  std::vector<std::string> lines_;
  Instruction last_;
  int last_stall_ = 11;
  std::size_t last_line_ = 1U << 20U;
  long now_ = 0;
  std::array<long, 256> ready_{};
  std::array<long, 8> predicate_ready_{};
  std::array<int, 256> writing_ = [] {
    std::array<int, 256> none{};
    none.fill(-1);
    return none;
  }();
  std::array<unsigned, 256> reading_{};
};

int any(Writer& w) { return kFirst + w.below(kRegisters - kFirst); }
int aligned(Writer& w, int width) {
  return kFirst + width * w.below((kRegisters - kFirst) / width);
}

std::string arithmetic(Writer& w) {
  const int d = any(w), a = any(w), b = any(w), c = any(w);
  switch (w.below(12)) {
    case 0:
    case 1:
    case 2:
      return fmt::format("FFMA R{}, R{}, R{}, R{}", d, a, b, c);
    case 3:
      return fmt::format("IADD3 R{}, R{}, R{}, R{}", d, a, b, c);
    case 4:
      return fmt::format("IMAD R{}, R{}, R{}, R{}", d, a, b, c);
    case 5:
      return fmt::format("LOP3.LUT R{}, R{}, R{}, R{}, 0x96, !PT", d, a, b, c);
    case 6:
      return fmt::format("SHF.L.U32 R{}, R{}, 0x{:x}, RZ", d, a, 1 + w.below(7));
    case 7:
      return fmt::format("SEL R{}, R{}, R{}, P1", d, a, b);
    case 8:
      return fmt::format("FADD R{}, R{}, R{}", d, a, b);
    case 9:
      return fmt::format("FMUL R{}, R{}, R{}", d, a, b);
    case 10:
      return fmt::format("IMAD.WIDE R{}, R{}, R{}, R{}", aligned(w, 2), a, b, aligned(w, 2));
    default:
      return fmt::format("MOV R{}, R{}", d, a);
  }
}

std::string anything(Writer& w) {
  constexpr std::array<const char*, 3> kSize = {"", ".64", ".128"};
  const int size = w.below(3);
  const int width = 1 << size;
  const char* const wide = kSize[static_cast<std::size_t>(size)];
  const int offset = 16 * w.below(20);
  const std::string guard = w.below(6) == 0 ? "@P1 " : "";
  switch (w.below(10)) {
    case 0:
      return fmt::format("{}LDS{} R{}, [R4+0x{:x}]", guard, wide, aligned(w, width), offset);
    case 1:
      return fmt::format("{}STS{} [R4+0x{:x}], R{}", guard, wide, offset, aligned(w, width));
    case 2:
      return fmt::format("{}LDG.E{} R{}, [R2+0x{:x}]", guard, wide, aligned(w, width), offset);
    case 3:
      return w.below(2) == 0
                 ? fmt::format("STG.E{} [R2+0x{:x}], R{}", wide, offset, aligned(w, width))
                 : fmt::format("MUFU.RCP R{}, R{}", any(w), any(w));
    case 4:
      return fmt::format("ISETP.LT.AND P1, PT, R{}, R{}, PT", any(w), any(w));
    default:
      return guard + arithmetic(w);
  }
}

void begin(Writer& w) {
  w.add("MOV R0, 0x3");
  w.add("MOV R2, 0x100");
  w.add("MOV R3, 0x0");
  w.add("MOV R4, 0x40");
  for (int r = kFirst; r < kRegisters; r += 2) {
    if (w.below(2) == 0) {
      w.add(fmt::format("CS2R R{}, SRZ", r));
    } else {
      w.add(fmt::format("MOV R{}, 0x{:x}", r, 0x3f000000 + w.below(1 << 20)));
      w.add(fmt::format("MOV R{}, 0x{:x}", r + 1, w.below(1 << 30)));
    }
  }
  if (w.below(2) == 0) w.drain();
}

}  // namespace

RandomCode random_code(const Arch& arch, std::mt19937& random, bool whole) {
  Writer w(arch, random);
  if (whole) begin(w);
  w.label(".L_top");
  const int length = 10 + w.below(31);
  for (int i = 0; i < length; ++i) w.add(anything(w));
  w.add("IADD3 R0, R0, -0x1, RZ");
  w.add("ISETP.NE.AND P0, PT, R0, RZ, PT");
  w.drain();
  w.add("@P0 BRA `(.L_top)");
  if (whole) {
    for (int r = kFirst; r < kRegisters; ++r)
      if (w.below(3) != 0) w.add(fmt::format("STG.E [R2+0x{:x}], R{}", 1024 + 4 * r, r));
    w.add("EXIT");
  }
  return {w.text()};
}

}  // namespace smsim::test
