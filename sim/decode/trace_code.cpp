// SPDX-License-Identifier: MIT
// One line of an Accel-Sim trace: its fields, and the instruction as far as the trace names it.
#include "decode/trace_code.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/number.hpp"
#include "decode/text.hpp"
#include "isa/opcode.hpp"

namespace smsim::decode {
namespace {

constexpr int kMostRegisters = 16;

/// Words of a line, one after the other.
class LineWords {
 public:
  explicit LineWords(std::string_view line) : rest_(line) {}

  std::string_view next() {
    rest_ = trim_left(rest_);
    const std::size_t end = std::min(rest_.find_first_of(" \t\r"), rest_.size());
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return word;
  }

  template <typename Number>
  std::optional<Number> number(int base) {
    std::string_view word = next();
    if (base == 16 && word.starts_with("0x")) word.remove_prefix(2);
    return parse_number<Number>(word, base);
  }

  const char* at() const { return trim_left(rest_).data(); }
  const char* behind() const { return rest_.data(); }

 private:
  std::string_view rest_;
};

/// Moves behind a count and so many registers.
bool skip_registers(LineWords& words) {
  const auto count = words.number<int>(10);
  if (!count || *count < 0 || *count > kMostRegisters) return false;
  for (int i = 0; i < *count; ++i)
    if (!words.next().starts_with('R')) return false;
  return true;
}

/// Addresses by lane in one of three forms: all of them; the first and a stride; the first and what
/// each is from the one before.
bool read_addresses(LineWords& words, TraceLine& line) {
  const auto mode = words.number<int>(10);
  if (!mode || *mode < 0 || *mode > 2 || line.mask == 0) return mode.has_value();
  const auto base = words.number<std::uint64_t>(16);
  const auto stride = *mode == 1 ? words.number<std::int64_t>(10) : std::optional<std::int64_t>(0);
  if (!base || !stride) return false;
  // Unsigned arithmetic wraps where a damaged file says nonsense.
  std::uint64_t address = *base;
  bool first = true;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if ((line.mask >> lane & 1U) == 0) continue;
    if (!first && *mode == 1) address += static_cast<std::uint64_t>(*stride);
    if (!first && *mode == 0) {
      const auto next = words.number<std::uint64_t>(16);
      if (!next) return false;
      address = *next;
    }
    if (!first && *mode == 2) {
      const auto delta = words.number<std::int64_t>(10);
      if (!delta) return false;
      address += static_cast<std::uint64_t>(*delta);
    }
    first = false;
    line.addresses[lane] = static_cast<std::int64_t>(address - *base);
  }
  line.has_addresses = true;
  return true;
}

/// Opcodes whose addresses the tracer lists in another way.
bool is_bulk(std::string_view opcode) {
  return opcode.starts_with("UTMA") || opcode.starts_with("UBLK");
}

std::string named(std::string_view reg) {
  return reg == "R255" ? std::string("RZ") : std::string(reg);
}

struct Parts {
  std::vector<std::string> written, read;
  std::string_view opcode;

  std::string taken(std::size_t i) const { return i < read.size() ? read[i] : "RZ"; }
};

std::optional<Parts> split(std::string_view code) {
  LineWords words(code);
  Parts parts;
  const auto registers = [&words](std::vector<std::string>& list) {
    const auto count = words.number<int>(10);
    if (!count || *count < 0 || *count > kMostRegisters) return false;
    for (int i = 0; i < *count; ++i) list.push_back(named(words.next()));
    return true;
  };
  if (!registers(parts.written)) return std::nullopt;
  parts.opcode = words.next();
  if (!registers(parts.read)) return std::nullopt;
  return parts;
}

std::string joined(const std::vector<std::string>& operands) {
  return fmt::format("{}", fmt::join(operands, ", "));
}

/// What stands in front of the sources: as many operands as the table says are written.
std::vector<std::string> destinations(const Parts& parts, const isa::OpcodeRow* row) {
  using isa::Destinations;
  std::vector<std::string> out = parts.written;
  const Destinations rule = row != nullptr ? row->destinations : Destinations::leading;
  switch (rule) {
    case Destinations::none:
      return {};
    case Destinations::one:
      if (out.empty()) out.emplace_back("PT");
      return out;
    case Destinations::two:
      while (out.size() < 2) out.emplace_back("PT");
      return out;
    case Destinations::all_but_last:
      out.emplace_back("PT");
      return out;
    case Destinations::leading:
      if (out.empty() && !parts.read.empty()) out.emplace_back("RZ");
      return out;
    case Destinations::before_memory:
      return out;
  }
  return out;
}

/// Where the address stands: behind what is loaded, in front of what is stored; and the base's name
/// without suffixes.
enum class Form : std::uint8_t { plain, load, store, copy, constant };

Form form_of(std::string_view base) {
  if (base == "LDGSTS") return Form::copy;
  if (base == "LDC" || base == "LDCU") return Form::constant;
  for (const std::string_view one : {"LDG", "LDS", "LDL", "LD", "LDSM", "ATOM", "ATOMG", "ATOMS"})
    if (base == one) return Form::load;
  for (const std::string_view one : {"STG", "STS", "STL", "ST", "STSM", "RED"})
    if (base == one) return Form::store;
  return Form::plain;
}

std::vector<std::string> operands_of(const Parts& parts, const isa::OpcodeRow* row) {
  std::vector<std::string> all = destinations(parts, row);
  std::size_t used = 0;
  switch (form_of(parts.opcode.substr(0, parts.opcode.find('.')))) {
    case Form::copy:
      all.push_back("[" + parts.taken(0) + "]");
      all.push_back("[" + parts.taken(1) + "]");
      used = 2;
      break;
    case Form::constant:
      if (parts.written.empty()) return {};
      all.push_back("c[0x0][" + (parts.read.empty() ? std::string("0x0") : parts.read[0]) + "]");
      used = 1;
      break;
    case Form::load:
      if (all.empty()) all.emplace_back("RZ");
      [[fallthrough]];
    case Form::store:
      all.push_back("[" + parts.taken(0) + "]");
      used = 1;
      break;
    case Form::plain:
      break;
  }
  for (std::size_t i = used; i < parts.read.size(); ++i) all.push_back(parts.read[i]);
  return all;
}

}  // namespace

std::optional<TraceLine> parse_trace_line(std::string_view text, int leading) {
  LineWords words(text);
  for (int i = 0; i < leading; ++i)
    if (!words.number<std::uint32_t>(10)) return std::nullopt;
  TraceLine line;
  const auto pc = words.number<std::uint64_t>(16);
  const auto mask = words.number<std::uint32_t>(16);
  if (!pc || !mask) return std::nullopt;
  line.pc = *pc;
  line.mask = *mask;
  const char* const start = words.at();
  if (!skip_registers(words)) return std::nullopt;
  const std::string_view opcode = words.next();
  if (opcode.size() < 2 || !is_upper(opcode.front()) || !skip_registers(words)) return std::nullopt;
  line.code = {start, static_cast<std::size_t>(words.behind() - start)};
  const auto width = words.number<int>(10);
  if (!width) return std::nullopt;
  if (*width > 0 && !is_bulk(opcode) && !read_addresses(words, line)) return std::nullopt;
  return line;
}

std::optional<std::string> trace_instruction(std::string_view code) {
  const auto parts = split(code);
  if (!parts) return std::nullopt;
  const isa::OpcodeRow* row = isa::find_opcode(parts->opcode);
  const std::string operands = joined(operands_of(*parts, row));
  return operands.empty() ? std::string(parts->opcode)
                          : fmt::format("{} {}", parts->opcode, operands);
}

}  // namespace smsim::decode
