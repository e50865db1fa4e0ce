// SPDX-License-Identifier: MIT
// Patch, one instruction: its encoding with other registers and reuse flags.
#include "optimize/patch_encoding.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "isa/code_layout.hpp"
#include "isa/disassemble.hpp"

namespace smsim::optimize {
namespace {

/// The lowest bits of the register fields: destination, a, b, c.
constexpr std::array<unsigned, 4> kFields = {16, 24, 32, 64};
constexpr std::array<unsigned, 4> kBundleFields = {0, 8, 20, 39};
constexpr std::uint64_t kRegisterMask = 0xff;

std::uint8_t field(const isa::Encoding& encoding, unsigned low) {
  return static_cast<std::uint8_t>(encoding[low / 64] >> (low % 64) & kRegisterMask);
}

void set_field(isa::Encoding& encoding, unsigned low, std::uint8_t reg) {
  std::uint64_t& word = encoding[low / 64];
  word = (word & ~(kRegisterMask << (low % 64))) | std::uint64_t{reg} << (low % 64);
}

/// Numbers that a field may hold then, given what it holds now.
std::vector<std::uint8_t> choices(std::uint8_t now, const Instruction& before,
                                  const Instruction& after) {
  std::vector<std::uint8_t> all = {now};
  for (std::size_t i = 0; i < before.operands.size(); ++i) {
    if (before.operands[i].index != now) continue;
    const auto other = static_cast<std::uint8_t>(after.operands[i].index);
    if (std::find(all.begin(), all.end(), other) == all.end()) all.push_back(other);
  }
  return all;
}

/// Labels and long comments aside, what the disassembler prints.
bool prints(int sm, const isa::Encoding& encoding, const Instruction& wanted) {
  const auto text = isa::disassemble(sm, encoding, wanted.address, wanted.control.reuse);
  return text && text->text == wanted.text;
}

bool fill(int sm, const std::array<unsigned, 4>& fields, std::size_t next,
          const std::array<std::vector<std::uint8_t>, 4>& all, const Instruction& after,
          isa::Encoding& encoding) {
  if (next == fields.size()) return prints(sm, encoding, after);
  for (const std::uint8_t reg : all[next]) {
    set_field(encoding, fields[next], reg);
    if (fill(sm, fields, next + 1, all, after, encoding)) return true;
  }
  return false;
}

}  // namespace

std::optional<isa::Encoding> reencode(int sm, const isa::Encoding& encoding,
                                      const Instruction& before, const Instruction& after) {
  const bool bundled = isa::code_layout(sm).has_bundles();
  const auto& fields = bundled ? kBundleFields : kFields;
  isa::Encoding result = bundled ? encoding : isa::encode_control(encoding, after.control);
  std::array<std::vector<std::uint8_t>, 4> all;
  for (std::size_t f = 0; f < fields.size(); ++f)
    all[f] = choices(field(encoding, fields[f]), before, after);
  if (!prints(sm, encoding, before)) return std::nullopt;
  if (!fill(sm, fields, 0, all, after, result)) return std::nullopt;
  return result;
}

}  // namespace smsim::optimize
