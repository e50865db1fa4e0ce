// SPDX-License-Identifier: MIT
// Patch: the machine code of a cubin with other registers, reuse flags and control codes.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "decode/cubin.hpp"
#include "isa/bundle_control.hpp"
#include "isa/code_layout.hpp"
#include "optimize/patch_encoding.hpp"
#include "smsim/lint.hpp"
#include "smsim/read.hpp"
#include "smsim/remap.hpp"

namespace smsim {
namespace {

using isa::Encoding;

/// One function as it is, and as it is to be.
struct Rewrite {
  const Function& original;
  const Function& rewritten;
  int registers = 0;  ///< that it needs then; 0: as many as before
  const char* hint;   ///< where the cubin holds other code
};

class Patcher {
 public:
  Patcher(std::string_view bytes, const std::string& source, const Rewrite& rewrite)
      : bytes_(bytes), source_(source), rewrite_(rewrite) {}

  Expected<std::string> run() {
    const auto before = read_back();
    if (!before) return tl::unexpected(before.error());
    if (const auto misfit = check(*before)) return tl::unexpected(*misfit);
    const auto code = decode::code_of(bytes_, rewrite_.original.name);
    if (!code)
      return bad("the code of the function is not found in it",
                 "name the cubin itself: cuobjdump -xelf all takes it out of a program");
    for (std::size_t i = 0; i < rewrite_.original.instructions.size(); ++i) {
      const Instruction& old = rewrite_.original.instructions[i];
      const Instruction& now = rewrite_.rewritten.instructions[i];
      if ((old.text != now.text || !(old.control == now.control)) && !patch(*code, i))
        return bad(
            fmt::format("0x{:04x} {}: cannot be written as {}", old.address, old.text, now.text),
            "this is a gap in smsim's encoding tables");
    }
    return prove(*before);
  }

 private:
  tl::unexpected<Diagnostics> bad(std::string message, std::string hint) const {
    return fail(ErrorKind::bad_input, std::move(message), {source_, 0, 0}, std::move(hint));
  }

  Expected<Program> read_back() const { return read_program_text(bytes_, source_); }

  const Function* find(const Program& program) const {
    for (const Function& one : program.functions)
      if (one.name == rewrite_.original.name && one.sm == rewrite_.original.sm) return &one;
    return nullptr;
  }

  std::optional<Diagnostics> check(const Program& program) const {
    const Function* const here = find(program);
    const Function& original = rewrite_.original;
    if (here == nullptr)
      return bad(fmt::format("holds no function '{}' for sm_{}", original.name, original.sm),
                 "`smsim loops` lists its functions")
          .value();
    if (const auto at = difference(*here, original))
      return bad(fmt::format("holds other code than was rewritten: {} differs at 0x{:04x}",
                             original.name, *at),
                 rewrite_.hint)
          .value();
    if (here->registers != 0 && rewrite_.registers > here->registers)
      return fail(ErrorKind::usage,
                  fmt::format("the cubin gives each thread {} registers, {} are needed",
                              here->registers, rewrite_.registers),
                  {source_, 0, 0}, "lower --max-registers: a patch does not change that number")
          .value();
    return std::nullopt;
  }

  /// The address of the first instruction that is not the same.
  static std::optional<std::uint64_t> difference(const Function& one, const Function& other) {
    if (one.instructions.size() != other.instructions.size()) return 0;
    for (std::size_t i = 0; i < one.instructions.size(); ++i) {
      const Instruction& a = one.instructions[i];
      const Instruction& b = other.instructions[i];
      const bool same_place = a.address == b.address && a.control == b.control;
      // Listings with labels name targets otherwise.
      const bool same_text =
          a.text == b.text || (a.target && a.target == b.target) || a.opcode.starts_with("BSSY");
      if (!same_place || a.opcode != b.opcode || !same_text) return b.address;
    }
    return std::nullopt;
  }

  bool patch(const decode::Extent& code, std::size_t i) {
    const Instruction& before = rewrite_.original.instructions[i];
    const Instruction& after = rewrite_.rewritten.instructions[i];
    const isa::CodeLayout layout = isa::code_layout(rewrite_.original.sm);
    if (before.address > code.size || code.size - before.address < layout.instruction_bytes)
      return false;
    const std::size_t at = code.offset + before.address;
    Encoding encoding{};
    std::memcpy(encoding.data(), bytes_.data() + at, layout.instruction_bytes);
    const auto now = encode(layout, encoding, before, after);
    if (!now) return false;
    std::memcpy(bytes_.data() + at, now->data(), layout.instruction_bytes);
    return !layout.has_bundles() || before.control == after.control ||
           patch_bundle(code, layout, after);
  }

  /// Where only the control word is another one, nothing has to be known of the operands.
  std::optional<Encoding> encode(const isa::CodeLayout& layout, const Encoding& encoding,
                                 const Instruction& before, const Instruction& after) const {
    if (before.text != after.text)
      return optimize::reencode(rewrite_.original.sm, encoding, before, after);
    return layout.has_bundles() ? encoding : isa::encode_control(encoding, after.control);
  }

  bool patch_bundle(const decode::Extent& code, const isa::CodeLayout& layout,
                    const Instruction& after) {
    const std::uint64_t in_bundle = after.address % layout.bundle_bytes;
    const std::size_t at = code.offset + after.address - in_bundle;
    std::uint64_t word = 0;
    std::memcpy(&word, bytes_.data() + at, sizeof(word));
    const int slot = static_cast<int>(in_bundle / layout.instruction_bytes) - 1;
    word = isa::encode_bundle_control(rewrite_.original.sm, word, slot, after.control);
    std::memcpy(bytes_.data() + at, &word, sizeof(word));
    return true;
  }

  /// Reads the new cubin as if nothing were known of it.
  Expected<std::string> prove(const Program& before) {
    const auto after = read_back();
    if (!after) return tl::unexpected(after.error());
    const Function* const here = find(*after);
    bool good = here != nullptr && !difference(*here, rewrite_.rewritten) &&
                after->functions.size() == before.functions.size();
    for (std::size_t f = 0; good && f < before.functions.size(); ++f)
      good = &after->functions[f] == here || !difference(after->functions[f], before.functions[f]);
    if (good) return std::move(bytes_);
    return fail(ErrorKind::internal, "the patched cubin does not read as it should",
                {source_, 0, 0}, "this is a fault of smsim");
  }

  std::string bytes_;
  const std::string& source_;
  const Rewrite rewrite_;
};

}  // namespace

Expected<std::string> patch_cubin(std::string_view bytes, const std::string& source,
                                  const Remapped& remapped) {
  const Rewrite rewrite{remapped.original, remapped.rewritten, remapped.registers_after,
                        "remap the cubin itself, or a listing of it"};
  return Patcher(bytes, source, rewrite).run();
}

Expected<std::string> patch_cubin(std::string_view bytes, const std::string& source,
                                  const Program& given, const Schedule& schedule) {
  Expected<std::string> patched = std::string(bytes);
  for (const Function& now : schedule.program.functions) {
    if (now.sm != 0 && now.sm < 50)
      return fail(ErrorKind::usage, "control codes of Kepler cannot be patched", {source, 0, 0},
                  "--patch is for Maxwell and later; without it the code is written as text");
    const auto old =
        std::find_if(given.functions.begin(), given.functions.end(),
                     [&](const Function& one) { return one.name == now.name && one.sm == now.sm; });
    if (old == given.functions.end()) continue;
    patched =
        Patcher(*patched, source, {*old, now, 0, "schedule the cubin itself, or a listing of it"})
            .run();
    if (!patched) break;
  }
  return patched;
}

}  // namespace smsim
