// SPDX-License-Identifier: MIT
// The table of config keys: parsing, errors, --set, provenance and the reference in docs/ all
// follow it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "smsim/arch.hpp"

namespace smsim::config {

/// What a key's value looks like.
enum class ValueKind : std::uint8_t {
  integer,
  flag,      ///< true or false
  choice,    ///< one of a few words
  text,      ///< any text
  formula,   ///< a formula over R, or a list of banks
  identity,  ///< a text that says which config this is: it needs no source
  integers   ///< a list of integers; needs no source either
};

/// Everything about a key but the place of its value.
struct KeyInfo {
  std::string_view path;  ///< dotted, without the entry's name in pipes and classes
  ValueKind kind = ValueKind::integer;
  std::string_view unit;
  int least = 0;             ///< of an integer
  int most = 0;              ///< of an integer
  std::string_view choices;  ///< words separated by '|'
  bool required = false;
  std::string_view help;
};

/// Where a value goes.
using Target = std::variant<int*, bool*, std::string*, std::vector<int>*>;

/// One row of the table: a key and how to find its value in an Owner.
template <typename Owner>
struct Key {
  template <typename Value>
  using Access = Value* (*)(Owner&);

  KeyInfo info;
  std::variant<Access<int>, Access<bool>, Access<std::string>, Access<std::vector<int>>> access;

  static constexpr Key integer(std::string_view path, std::string_view unit, int least, int most,
                               Access<int> access, std::string_view help) {
    return {{path, ValueKind::integer, unit, least, most, {}, false, help}, access};
  }

  static constexpr Key flag(std::string_view path, Access<bool> access, std::string_view help) {
    return {{path, ValueKind::flag, {}, 0, 0, {}, false, help}, access};
  }

  static constexpr Key choice(std::string_view path, std::string_view choices,
                              Access<std::string> access, std::string_view help) {
    return {{path, ValueKind::choice, {}, 0, 0, choices, false, help}, access};
  }

  /// A text, formula or identity.
  static constexpr Key word(std::string_view path, ValueKind kind, Access<std::string> access,
                            std::string_view help) {
    return {{path, kind, {}, 0, 0, {}, false, help}, access};
  }

  static constexpr Key integers(std::string_view path, int least, int most,
                                Access<std::vector<int>> access, std::string_view help) {
    return {{path, ValueKind::integers, {}, least, most, {}, false, help}, access};
  }

  /// The same key, but a config (with all that it inherits) must have it.
  constexpr Key needed() const {
    Key key = *this;
    key.info.required = true;
    return key;
  }

  Target target(Owner& owner) const {
    return std::visit([&owner](auto find) -> Target { return find(owner); }, access);
  }
};

/// What `second_pipe` says of a class that has none.
inline constexpr std::string_view kNoPipe = "none";

/// A class's timing while its pipes are still names and an absent interval means the pipe's own.
struct ClassDraft {
  InstructionTiming timing;
  std::string pipe;
  std::string second_pipe{kNoPipe};

  ClassDraft() { timing.initiation_interval_cycles = timing.second_interval_cycles = 0; }
};

/// Keys outside of pipes and classes.
std::span<const Key<Arch>> arch_keys();

/// Keys of an entry of `pipes`.
std::span<const Key<Pipe>> pipe_keys();

/// Keys of an entry of `classes`.
std::span<const Key<ClassDraft>> class_keys();

/// The value as a config would write it.
std::string render(const Target& target);

}  // namespace smsim::config
