// SPDX-License-Identifier: MIT
// Which notation a text is written in: decided from the whole of it, or by the user.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "smsim/diagnostic.hpp"

namespace smsim::decode {

/// Disassembly and bracketed notation are one reader's; the others' lines begin with five fields.
enum class Dialect { disassembly, maxas, turingas, kepleras, yaml };

/// What --input-format takes; nullopt for another word.
std::optional<Dialect> dialect_named(std::string_view name);
const std::vector<std::string_view>& dialect_names();

/// A line of maxas, turingas or KeplerAs: wait, read, write, yield, stall, or T, G, D, S, stall.
struct FiveFields {
  std::string_view fields[5];
  std::string_view rest;
};
std::optional<FiveFields> split_five_fields(std::string_view line);

/// Decides by headers, blocks, opcodes and the values of fields. Errors: bad_input, where the text
/// may be either of two.
Expected<Dialect> find_dialect(std::string_view text, const std::string& source);

/// A text in which no instruction was found: what it seems to be, and what to do instead; empty if
/// nobody knows.
struct WrongKind {
  std::string message;
  std::string hint;
};
WrongKind wrong_kind(std::string_view text);

}  // namespace smsim::decode
