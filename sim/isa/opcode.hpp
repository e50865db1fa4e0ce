// SPDX-License-Identifier: MIT
// The opcode table: what an opcode is, what it writes, and through which slots it reads.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/op_class.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/program.hpp"

namespace smsim::isa {

/// Which of the leading operands are written.
enum class Destinations : std::uint8_t {
  none,
  one,
  two,
  leading,        ///< predicates, one register, then predicates: P0, R1, or R1, P0, P1 (carry-outs)
  before_memory,  ///< all in front of the first address
  all_but_last    ///< votes: the last predicate is what is asked about
};

/// Where the number of registers of an operand comes from.
enum class Width : std::uint8_t {
  fixed,       ///< OpcodeRow::registers
  data,        ///< memory: the size suffix (.64, .128, .BF16x8) for all data operands
  matrices,    ///< the count suffix (.2, .4, .x16) for the data operand
  conversion,  ///< the type suffixes (F2F.F64.F32)
  tile,        ///< matrix multiply: shape, types and sparsity
  texture      ///< before Volta: components of the mask, coordinates of the shape
};

/// Reuse bits that an opcode never has.
inline constexpr std::uint8_t kNoReuse = 0;

/// One opcode, or one opcode with suffixes that must be there (in any order).
struct OpcodeRow {
  std::string_view name;
  OpClass op_class = OpClass::nop;
  Destinations destinations = Destinations::leading;
  /// Letter n is the slot of source position n. Two-source adds read the second through c.
  std::string_view slots = "abc";
  /// Registers of the destination and of the first three source positions.
  std::array<std::uint8_t, 4> registers = {1, 1, 1, 1};
  Width width = Width::fixed;
  /// Slots whose reuse bit means reuse; in the others, and in opcodes that take the bits for
  /// something else (branches, textures, metadata of sparse matrices), it is not looked at.
  std::uint8_t reuse_slots = 0b111;
  /// Two immediates in a row fill one source position (both halves of a packed operand).
  bool packed_immediates = false;
};

/// The row for an opcode with its suffixes: the base must be equal and the row's suffixes all
/// present; of several the one with most suffixes. Null if the opcode is not known.
const OpcodeRow* find_opcode(std::string_view opcode);

/// The row as that generation has it: the same class, but a few opcodes (CS2R, IMAD.HI, TEX) read
/// or write other registers before Volta.
const OpcodeRow* find_opcode(std::string_view opcode, ControlFormat format);

/// The row's class, or the finer one that the instruction's operands ask for: LDC with a fixed
/// address.
OpClass class_of(const OpcodeRow& row, const Instruction& in);

/// Every row, in no particular order.
std::vector<OpcodeRow> all_opcodes();

/// The error for an opcode that is not in the table: names it, its place and the option that
/// goes on without it.
Diagnostic unknown_opcode(const Program& program, const Instruction& instruction);

/// Whether a suffix is there: has_suffix("LDG.E.64", "64").
bool has_suffix(std::string_view opcode, std::string_view suffix);

/// Direct transfers of control, whose last operand is the target.
constexpr bool is_branch(OpClass c) { return c == OpClass::bra || c == OpClass::jmp; }
constexpr bool is_indirect_branch(OpClass c) { return c == OpClass::brx || c == OpClass::jmx; }

// The parts of the table, one a file.
std::span<const OpcodeRow> float_opcodes();
std::span<const OpcodeRow> integer_opcodes();
std::span<const OpcodeRow> matrix_opcodes();
std::span<const OpcodeRow> memory_opcodes();
std::span<const OpcodeRow> uniform_opcodes();
std::span<const OpcodeRow> control_opcodes();
std::span<const OpcodeRow> older_opcodes();

/// Rows that stand for the ones of their name before Volta; not in all_opcodes().
std::span<const OpcodeRow> older_roles();

}  // namespace smsim::isa
