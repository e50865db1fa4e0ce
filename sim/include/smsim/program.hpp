// SPDX-License-Identifier: MIT
// What was read: functions of decoded instructions with their control words, and the loops in them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "smsim/diagnostic.hpp"

namespace smsim {

inline constexpr int kRZ = 255;       ///< the zero register; reads and writes nothing
inline constexpr int kURZ = 255;      ///< the uniform zero register (63 in encodings before sm_100)
inline constexpr int kPT = 7;         ///< the always-true predicate
inline constexpr int kNoBarrier = 7;  ///< a barrier field that names no barrier

enum class OperandKind : std::uint8_t {
  reg,                ///< R0..R254, RZ
  uniform_reg,        ///< UR0..UR62, URZ
  predicate,          ///< P0..P6, PT
  uniform_predicate,  ///< UP0..UP6, UPT
  immediate,          ///< number
  constant,           ///< c[bank][offset], also with a register inside, also cx[UR][offset]
  memory,             ///< [R2.64+UR4+0x10], desc[UR6][R2.64]
  special_reg,        ///< SR_TID.X, SR_CLOCKLO, ...
  convergence,        ///< B0..B15
  scoreboard,         ///< SB0..SB5 of DEPBAR
  label,              ///< a branch target
  other               ///< anything else, kept as text
};

/// Where an operand is read: the three source slots of the encoding, in which reuse flags count.
enum class SourceSlot : std::uint8_t { a = 0, b = 1, c = 2, none = 255 };

/// One operand as written, with the role the opcode table gives it.
struct Operand {
  OperandKind kind = OperandKind::other;
  std::int16_t index =
      -1;  ///< register, predicate or barrier number; memory: the address register; -1: none
  std::int16_t uniform =
      -1;  ///< memory, constant: the uniform register added to the address; -1: none
  std::int16_t descriptor = -1;  ///< memory: the uniform register of desc[URn]; -1: none
  std::uint8_t registers = 1;    ///< consecutive registers read or written (2 for .64, 4 for .128)
  std::uint8_t scale = 1;        ///< memory: the factor of .X4, .X8, .X16 on the address register
  SourceSlot slot = SourceSlot::none;  ///< which source slot reads it
  bool destination = false;            ///< written by the instruction
  bool reuse = false;                  ///< carries the reuse flag
  bool negated = false;                ///< leading - or ! or ~
  std::int64_t value = 0;  ///< immediate, constant or memory offset, branch target (address)
  std::string text;        ///< as written
};

/// Whose control word an instruction has. It decides which fields of ControlWord mean anything.
enum class ControlFormat : std::uint8_t {
  volta,    ///< sm_70 and later: in the 128-bit instruction; also where nobody says
  maxwell,  ///< sm_50 to sm_62: 21 bits, one word for three instructions; the same fields
  kepler    ///< sm_30 to sm_37: 8 bits, one word for seven; stall and code only
};

/// The scheduling fields of an instruction, for all generations.
struct ControlWord {
  /// Cycles after which the warp's next instruction may issue: 0..15. Before Volta 0 asks for dual
  /// issue with that instruction. Kepler: 1..32 (what it encodes is one less), or 0.
  std::uint8_t stall = 1;
  bool yield = false;                       ///< yield requested: the raw bit is clear, printed Y
  std::uint8_t write_barrier = kNoBarrier;  ///< 0..5, or kNoBarrier
  std::uint8_t read_barrier = kNoBarrier;   ///< 0..5, or kNoBarrier
  std::uint8_t wait_mask = 0;               ///< bit b: wait for barrier b
  std::uint8_t reuse = 0;                   ///< bit s: keep the operand of slot s
  ControlFormat format = ControlFormat::volta;
  std::uint8_t code = 0;  ///< Kepler: the eight bits as they stand in the control word

  /// Whether it asks to issue in one cycle with the warp's next instruction.
  bool dual_issue() const { return stall == 0 && format != ControlFormat::volta; }
  bool operator==(const ControlWord&) const = default;
};

struct Guard {
  std::int16_t index = kPT;
  bool negated = false;
  bool uniform = false;
};

struct Instruction {
  std::uint64_t address = 0;  ///< bytes from the function's start
  std::string text;    ///< `@!P0 BRA 0x80`: guard, opcode, operands; single spaces, no semicolon
  std::string opcode;  ///< with suffixes: LDG.E.64
  Guard guard;
  std::vector<Operand> operands;
  ControlWord control;
  std::optional<std::array<std::uint64_t, 2>>
      encoding;                         ///< low and high word; of 64 bits the low one
  std::optional<std::uint64_t> target;  ///< of a direct branch or call, or of SYNC: address
  std::uint32_t line = 0;               ///< in the source, from 1
  std::uint32_t column = 0;             ///< of the opcode or guard, from 1
};

/// An instruction that a traced warp issued.
struct TraceStep {
  std::uint32_t index = 0;  ///< into Function::instructions
  std::uint32_t lanes = 0;  ///< bit l: lane l takes part; 0: masked off, which issues all the same
  std::uint32_t addresses = 0;  ///< 1 + index into Trace::addresses; 0: none
};

/// What one warp did, from its first instruction to its last.
struct WarpTrace {
  std::uint32_t thread_block = 0;  ///< in the order of the trace
  std::uint32_t warp = 0;          ///< in its thread block
  std::vector<TraceStep> steps;
};

/// A launch of a function as a tracer saw it.
struct Trace {
  int version = 0;                       ///< of Accel-Sim's tracer
  std::uint64_t grid_thread_blocks = 0;  ///< of the launch; the trace may hold fewer
  std::uint32_t thread_blocks = 0;       ///< in the trace
  int threads_per_block = 0;
  int shared_bytes = 0;  ///< of a thread block
  std::vector<WarpTrace> warps;
  std::vector<std::array<std::int64_t, 32>> addresses;  ///< bytes from the first lane's address
};

struct Function {
  std::string name;
  int sm = 0;         ///< 90 for sm_90; 0 when the input does not say
  int registers = 0;  ///< a thread's, as compiled; 0 when the input does not say
  bool has_control_words = true;
  std::vector<Instruction> instructions;  ///< by ascending address
  std::uint32_t line = 0;
  std::vector<std::pair<std::string, std::uint64_t>> labels;  ///< as written, by address
  std::shared_ptr<const Trace> trace;  ///< of a trace; the instructions are those that it shows
};

struct Program {
  std::string source;  ///< file name, or <stdin>
  std::string format;  ///< cuobjdump, nvdisasm, bracketed, cubin, maxas, ...
  std::vector<Function> functions;
  std::vector<std::string> lines;  ///< the text, for excerpts in later diagnostics
};

/// A loop: from the target of a backward branch to that branch, both inclusive.
struct Loop {
  std::uint64_t start = 0;       ///< address of the first instruction
  std::uint64_t end = 0;         ///< address of the backward branch
  std::size_t instructions = 0;  ///< how many lie between, both inclusive
  bool innermost = true;         ///< no other loop inside
};

/// The loops of a function, in address order. A self-branch after EXIT (padding) is none.
std::vector<Loop> find_loops(const Function& function);

}  // namespace smsim
