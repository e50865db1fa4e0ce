// SPDX-License-Identifier: MIT
// Remap, the text: the input again, with the rewritten instructions in their places.
#include "optimize/remap_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "isa/bundle_control.hpp"
#include "isa/code_layout.hpp"
#include "optimize/patch_encoding.hpp"
#include "smsim/read.hpp"

namespace smsim::optimize {
namespace {

std::string hex_word(std::uint64_t word) { return fmt::format("0x{:016x}", word); }

bool replace(std::string& line, const std::string& old, const std::string& now) {
  const std::size_t at = line.find(old);
  if (at == std::string::npos) return false;
  line.replace(at, old.size(), now);
  return true;
}

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Where a text ends that begins at `from` and is `wanted` but for blanks; npos if it is another.
std::size_t match(std::string_view line, std::size_t from, std::string_view wanted) {
  std::size_t at = from;
  for (const char c : wanted) {
    if (is_blank(c)) continue;
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at == line.size() || line[at] != c) return std::string_view::npos;
    ++at;
  }
  return at;
}

class Editor {
 public:
  Editor(const Program& program, const Remapped& remapped)
      : remapped_(remapped), lines_(program.lines) {
    for (const Instruction& in : remapped.original.instructions)
      places_.push_back({in.line, in.column});
    if (!places_.empty() && places_.front().line == 0) find_places();
  }

  std::optional<std::string> run() {
    for (const RemapChange& change : remapped_.changes)
      if (!edit(change.index)) return std::nullopt;
    std::string text;
    for (const std::string& line : lines_) text += line + "\n";
    return text;
  }

 private:
  const Instruction& before(std::size_t i) const { return remapped_.original.instructions[i]; }
  const Instruction& after(std::size_t i) const { return remapped_.rewritten.instructions[i]; }

  struct LinePlace {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
  };

  /// Of a listing that was made of machine code the instructions do not say where they stand.
  void find_places() {
    std::string text;
    for (const std::string& line : lines_) text += line + "\n";
    const auto listing = read_program_text(text, "listing");
    if (!listing) return;
    for (const Function& one : listing->functions) {
      const bool same = one.name == remapped_.original.name && one.sm == remapped_.original.sm &&
                        one.instructions.size() == places_.size();
      for (std::size_t i = 0; same && i < places_.size(); ++i)
        places_[i] = {one.instructions[i].line, one.instructions[i].column};
    }
  }

  bool edit(std::size_t i) {
    const Instruction& old = before(i);
    const auto [line_number, column] = places_[i];
    if (line_number == 0 || line_number > lines_.size() || column == 0) return false;
    const std::size_t row = line_number - 1;
    if (old.encoding && !edit_encoding(i, row)) return false;
    std::string& line = lines_[row];
    edit_bracket(line, after(i).control);
    const std::size_t from = column - 1;
    const std::size_t end = from < line.size() ? match(line, from, old.text) : line.npos;
    if (end == line.npos) return false;
    std::string now = after(i).text;
    // What follows stays in its column, as far as there are blanks to give or take.
    std::size_t tail = end;
    const std::size_t semicolon = line.find_first_not_of(' ', end);
    if (semicolon != line.npos && line[semicolon] == ';') {
      now += line.substr(end, semicolon + 1 - end);
      tail = semicolon + 1;
    }
    std::size_t length = tail - from;
    while (now.size() < length && tail < line.size()) now += ' ';
    while (now.size() > length && from + length + 1 < line.size() && line[from + length] == ' ' &&
           line[from + length + 1] == ' ')
      ++length;
    line.replace(from, length, now);
    return true;
  }

  /// Reuse flags that stand in front of the control word, too: [-R--:B0-----:...].
  static void edit_bracket(std::string& line, const ControlWord& control) {
    constexpr std::size_t kFlags = 4;
    const std::size_t at = line.find('[');
    if (at == line.npos || line.size() < at + kFlags + 2 || line[at + kFlags + 1] != ':') return;
    const std::string_view field(line.data() + at + 1, kFlags);
    if (field.find_first_not_of("R-") != field.npos) return;
    for (unsigned slot = 0; slot < kFlags; ++slot)
      line[at + 1 + slot] = (control.reuse >> slot & 1U) != 0 ? 'R' : '-';
  }

  bool edit_encoding(std::size_t i, std::size_t row) {
    const isa::Encoding old = *before(i).encoding;
    const auto now = reencode(remapped_.original.sm, old, before(i), after(i));
    if (!now) return false;
    if ((*now)[0] != old[0] && !replace(lines_[row], hex_word(old[0]), hex_word((*now)[0])))
      return false;
    if (isa::code_layout(remapped_.original.sm).has_bundles())
      return before(i).control == after(i).control || edit_bundle(i, row);
    if ((*now)[1] == old[1]) return true;
    return row + 1 < lines_.size() &&
           replace(lines_[row + 1], hex_word(old[1]), hex_word((*now)[1]));
  }

  /// The control word stands alone, above the first instruction of its bundle.
  bool edit_bundle(std::size_t i, std::size_t row) {
    const int sm = remapped_.original.sm;
    const isa::CodeLayout layout = isa::code_layout(sm);
    const std::uint64_t place = after(i).address % layout.bundle_bytes / layout.instruction_bytes;
    while (row-- > 0) {
      std::string& line = lines_[row];
      const std::size_t at = line.find("/* 0x");
      if (at == line.npos || line.find(';') != line.npos) continue;
      std::uint64_t word = 0;
      const char* const begin = line.data() + at + 5;
      const auto [end, error] = std::from_chars(begin, line.data() + line.size(), word, 16);
      if (error != std::errc() || end != begin + 16) return false;
      const int slot = static_cast<int>(place) - 1;
      if (!(isa::decode_bundle_control(sm, word, slot) == before(i).control)) return false;
      return replace(line, hex_word(word),
                     hex_word(isa::encode_bundle_control(sm, word, slot, after(i).control)));
    }
    return false;
  }

  const Remapped& remapped_;
  std::vector<std::string> lines_;
  std::vector<LinePlace> places_;  ///< by instruction
};

}  // namespace

std::optional<std::string> edit_lines(const Program& program, const Remapped& remapped) {
  return Editor(program, remapped).run();
}

}  // namespace smsim::optimize

namespace smsim {
namespace {

/// The notations that write_program() knows.
std::string notation_of(const Program& program) {
  for (const char* name : {"maxas", "turingas", "kepleras", "yaml"})
    if (program.format == name) return name;
  return "";
}

bool is_same(const Function& one, const Function& other) {
  if (one.instructions.size() != other.instructions.size()) return false;
  for (std::size_t i = 0; i < one.instructions.size(); ++i) {
    const Instruction& a = one.instructions[i];
    const Instruction& b = other.instructions[i];
    if (a.text != b.text || !(a.control == b.control) || a.address != b.address) return false;
  }
  return true;
}

/// Whether the edited text reads as the rewritten function.
bool reads_as(const std::string& text, const Program& program, const Function& wanted) {
  const auto again = read_program_text(text, program.source, notation_of(program));
  return again &&
         std::any_of(again->functions.begin(), again->functions.end(), [&](const Function& one) {
           return one.name == wanted.name && is_same(one, wanted);
         });
}

}  // namespace

Expected<std::string> rewritten_text(const Program& program, const Remapped& remapped) {
  const Function& rewritten = remapped.rewritten;
  auto text = optimize::edit_lines(program, remapped);
  if (text && reads_as(*text, program, rewritten)) return std::move(*text);
  Program written = program;
  for (Function& one : written.functions)
    if (one.name == rewritten.name && one.sm == rewritten.sm) one = rewritten;
  const std::string notation = notation_of(program);
  return write_program(written, notation.empty() ? "cuasm" : notation);
}

}  // namespace smsim
