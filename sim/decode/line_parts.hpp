// SPDX-License-Identifier: MIT
// What the lines of a disassembly consist of: comments with addresses and words, labels, names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace smsim::decode {

/// The text of a comment at the front, and what follows it.
struct Comment {
  std::string_view inside;
  std::string_view rest;
};
std::optional<Comment> take_comment(std::string_view text);

/// `/*07b0*/`: hexadecimal digits and nothing else.
std::optional<std::uint64_t> parse_address(std::string_view inside);

/// `/* 0x00000a0000017a02 */`: sixteen digits.
std::optional<std::uint64_t> parse_word(std::string_view inside);
bool is_word_comment(std::string_view inside);

/// The digits of `sm_90`, `SM90` without the letters; 0 if there are none.
int parse_sm(std::string_view text);

/// A name up to a colon that only a comment may follow; empty if the text is none.
std::string_view label_of(std::string_view text);

/// An instruction on its line: what is its text, what follows, and whether a brace of a dual-issue
/// pair stands beside it. Without a semicolon a closing brace may end it.
struct InstructionPart {
  std::string_view text;
  std::string_view rest;
  bool in_braces = false;
};
/// Nullopt: neither semicolon nor closing brace.
std::optional<InstructionPart> take_instruction_part(std::string_view text);

}  // namespace smsim::decode
