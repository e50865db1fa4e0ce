// SPDX-License-Identifier: MIT
// Looks opcodes up: exact base, most suffixes in common.
#include "isa/opcode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/nearest.hpp"

namespace smsim::isa {
namespace {

std::string_view base_of(std::string_view opcode) { return opcode.substr(0, opcode.find('.')); }

std::ptrdiff_t suffix_count(std::string_view opcode) {
  return std::count(opcode.begin(), opcode.end(), '.');
}

std::vector<std::string_view> suffixes_of(std::string_view opcode) {
  std::vector<std::string_view> all;
  for (std::size_t dot = opcode.find('.'); dot != std::string_view::npos;) {
    const std::size_t next = opcode.find('.', dot + 1);
    all.push_back(opcode.substr(dot + 1, next - dot - 1));
    dot = next;
  }
  return all;
}

/// Rows by base opcode, those with most suffixes first. Every prediction looks all its instructions
/// up, so the base is found in one pass over its letters.
class Index {
 public:
  explicit Index(const std::vector<OpcodeRow>& all)
      : slots_(std::bit_ceil(4 * all.size()), kEmpty), mask_(slots_.size() - 1) {
    for (const OpcodeRow& row : all) entry(base_of(row.name)).rows.push_back({row, {}});
    for (Entry& one : entries_) {
      std::stable_sort(one.rows.begin(), one.rows.end(), [](const Row& left, const Row& right) {
        return suffix_count(left.row.name) > suffix_count(right.row.name);
      });
      for (Row& row : one.rows) row.suffixes = suffixes_of(row.row.name);
    }
  }

  const OpcodeRow* find(std::string_view opcode) const {
    Hash hash;
    std::size_t length = 0;
    while (length < opcode.size() && opcode[length] != '.') hash.add(opcode[length++]);
    const std::size_t at = place(opcode.substr(0, length), hash);
    if (slots_[at] == kEmpty) return nullptr;
    const bool plain = length == opcode.size();
    for (const Row& row : entries_[slots_[at]].rows) {
      if (plain && !row.suffixes.empty()) continue;
      const bool fits = std::all_of(row.suffixes.begin(), row.suffixes.end(),
                                    [&](auto suffix) { return has_suffix(opcode, suffix); });
      if (fits) return &row.row;
    }
    return nullptr;
  }

  std::vector<std::string_view> bases() const {
    std::vector<std::string_view> all;
    for (const Entry& one : entries_) all.push_back(one.base);
    return all;
  }

 private:
  struct Row {
    OpcodeRow row;
    std::vector<std::string_view> suffixes;
  };
  struct Entry {
    std::string_view base;
    std::vector<Row> rows;
  };
  struct Hash {
    std::uint32_t value = 0;
    void add(char letter) { value = value * 33 + static_cast<unsigned char>(letter); }
  };
  static constexpr std::uint16_t kEmpty = 0xffff;

  /// Where the base stands, or would stand.
  std::size_t place(std::string_view base, Hash hash) const {
    std::size_t at = hash.value & mask_;
    while (slots_[at] != kEmpty && entries_[slots_[at]].base != base) at = (at + 1) & mask_;
    return at;
  }

  Entry& entry(std::string_view base) {
    Hash hash;
    for (const char letter : base) hash.add(letter);
    std::uint16_t& slot = slots_[place(base, hash)];
    if (slot == kEmpty) {
      slot = static_cast<std::uint16_t>(entries_.size());
      entries_.push_back({base, {}});
    }
    return entries_[slot];
  }

  std::vector<Entry> entries_;
  std::vector<std::uint16_t> slots_;  ///< into entries_
  std::size_t mask_;
};

const Index& opcode_index() {
  static const Index index(all_opcodes());
  return index;
}

const Index& older_index() {
  static const Index index = [] {
    std::vector<OpcodeRow> all = all_opcodes();
    // Of rows of one name the first counts.
    const auto changed = older_roles();
    all.insert(all.begin(), changed.begin(), changed.end());
    return Index(all);
  }();
  return index;
}

}  // namespace

bool has_suffix(std::string_view opcode, std::string_view suffix) {
  for (std::size_t dot = 0; dot + suffix.size() < opcode.size(); ++dot) {
    if (opcode[dot] != '.') continue;
    const std::size_t end = dot + 1 + suffix.size();
    if ((end == opcode.size() || opcode[end] == '.') && opcode.substr(dot + 1).starts_with(suffix))
      return true;
  }
  return false;
}

const OpcodeRow* find_opcode(std::string_view opcode) { return opcode_index().find(opcode); }

const OpcodeRow* find_opcode(std::string_view opcode, ControlFormat format) {
  return (format == ControlFormat::volta ? opcode_index() : older_index()).find(opcode);
}

std::vector<OpcodeRow> all_opcodes() {
  std::vector<OpcodeRow> all;
  for (const auto part : {float_opcodes(), integer_opcodes(), matrix_opcodes(), memory_opcodes(),
                          uniform_opcodes(), control_opcodes(), older_opcodes()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

Diagnostic unknown_opcode(const Program& program, const Instruction& instruction) {
  std::vector<std::string_view> known = opcode_index().bases();
  std::sort(known.begin(), known.end());
  const std::string near = nearest_name(base_of(instruction.opcode), known);

  Diagnostic diagnostic;
  diagnostic.message = "unknown opcode '" + instruction.opcode + "'";
  if (instruction.line == 0) diagnostic.message += fmt::format(" at 0x{:04x}", instruction.address);
  diagnostic.where = {program.source, instruction.line, instruction.column};
  if (instruction.line > 0 && instruction.line <= program.lines.size()) {
    diagnostic.excerpt = program.lines[instruction.line - 1];
  }
  if (!near.empty()) diagnostic.hint = "did you mean " + near + "? ";
  diagnostic.hint += "--unknown assume:<pipe> runs it on that pipe and marks the report incomplete";
  return diagnostic;
}

OpClass class_of(const OpcodeRow& row, const Instruction& in) {
  if (row.op_class != OpClass::ldc) return row.op_class;
  const bool indexed =
      std::any_of(in.operands.begin(), in.operands.end(), [](const Operand& operand) {
        return operand.kind == OperandKind::constant && operand.index >= 0 && operand.index < kRZ;
      });
  return indexed ? OpClass::ldc : OpClass::ldc_immediate;
}

}  // namespace smsim::isa
