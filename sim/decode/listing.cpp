// SPDX-License-Identifier: MIT
// The bytes of a function to lines of text: address, instruction, encoding.
#include "decode/listing.hpp"

#include <fmt/format.h>

#include <cstring>
#include <iterator>

#include "isa/bundle_control.hpp"
#include "isa/code_layout.hpp"
#include "isa/control_word.hpp"
#include "isa/disassemble.hpp"

namespace smsim::decode {
namespace {

std::uint64_t word_at(std::string_view code, std::size_t offset) {
  std::uint64_t word = 0;
  std::memcpy(&word, code.data() + offset, sizeof word);
  return word;
}

/// What the text shows of an opcode that is in no table: the bits that hold it.
std::string unknown_text(const isa::CodeLayout& layout, const isa::Encoding& encoding) {
  return layout.has_bundles() ? fmt::format("UNKNOWN_{:04X}", encoding[0] >> 48)
                              : fmt::format("UNKNOWN_{:03X}", encoding[0] & 0xfff);
}

std::string text_of(int sm, const isa::Encoding& encoding, std::uint64_t address,
                    const ControlWord& control) {
  auto found = isa::disassemble(sm, encoding, address, control.reuse);
  if (!found) return unknown_text(isa::code_layout(sm), encoding);
  if (!found->has_strangers) return std::move(found->text);
  // Behind the opcode, which follows the guard.
  std::string& text = found->text;
  const std::size_t opcode = text.starts_with('@') ? text.find(' ') + 1 : 0;
  text.insert(std::min(text.find(' ', opcode), text.size()), ".UNLISTED");
  return std::move(text);
}

void list_wide(int sm, std::string_view code, std::string& out) {
  for (std::size_t at = 0; at + 16 <= code.size(); at += 16) {
    const isa::Encoding encoding = {word_at(code, at), word_at(code, at + 8)};
    const std::string text = text_of(sm, encoding, at, isa::decode_control(encoding));
    fmt::format_to(std::back_inserter(out), "        /*{:04x}*/  {} ;  /* 0x{:016x} */\n", at, text,
                   encoding[0]);
    fmt::format_to(std::back_inserter(out), "  /* 0x{:016x} */\n", encoding[1]);
  }
}

void list_bundles(int sm, const isa::CodeLayout& layout, std::string_view code, std::string& out) {
  for (std::size_t at = 0; at + 8 <= code.size(); at += 8) {
    const std::uint64_t word = word_at(code, at);
    // Padding behind the code may lie where a control word would.
    if (layout.is_control_slot(at) && isa::is_control_word(sm, word)) {
      fmt::format_to(std::back_inserter(out), "  /* 0x{:016x} */\n", word);
      continue;
    }
    const std::size_t in_bundle = at % layout.bundle_bytes;
    const ControlWord control = isa::decode_bundle_control(sm, word_at(code, at - in_bundle),
                                                           static_cast<int>(in_bundle / 8) - 1);
    fmt::format_to(std::back_inserter(out), "        /*{:04x}*/  {} ;  /* 0x{:016x} */\n", at,
                   text_of(sm, {word, 0}, at, control), word);
  }
}

}  // namespace

void list_function(int sm, std::string_view name, int registers, std::string_view code,
                   std::string& out) {
  fmt::format_to(std::back_inserter(out), "\t\tFunction : {}\n", name);
  if (registers != 0) {
    fmt::format_to(std::back_inserter(out), "\t.sectioninfo @\"SHI_REGISTERS={}\"\n", registers);
  }
  const isa::CodeLayout layout = isa::code_layout(sm);
  if (layout.has_bundles()) {
    list_bundles(sm, layout, code, out);
  } else {
    list_wide(sm, code, out);
  }
}

}  // namespace smsim::decode
