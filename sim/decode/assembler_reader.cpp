// SPDX-License-Identifier: MIT
// Input of the assemblers maxas, turingas and KeplerAs: line by line to bracketed notation.
#include "decode/assembler_reader.hpp"

#include <fmt/format.h>

#include <optional>
#include <unordered_set>

#include "decode/assembler_names.hpp"
#include "decode/line_parts.hpp"
#include "decode/operand_text.hpp"
#include "decode/text.hpp"
#include "decode/text_reader.hpp"
#include "isa/control_word.hpp"

namespace smsim::decode {
namespace {

/// What an assembler writes unless it is told otherwise.
int default_sm(Dialect dialect) {
  switch (dialect) {
    case Dialect::maxas:
      return 50;
    case Dialect::turingas:
      return 75;
    default:
      return 35;
  }
}

std::string_view name_of(Dialect dialect) {
  switch (dialect) {
    case Dialect::maxas:
      return "maxas";
    case Dialect::turingas:
      return "turingas";
    default:
      return "kepleras";
  }
}

/// Opcodes whose last operand may be a label.
constexpr std::string_view kJumps[] = {"BRA", "SSY",  "CAL",  "PBK",  "PCNT", "BSSY",
                                       "JMP", "CALL", "JCAL", "PRET", "BRX",  "RET"};

enum class Block { none, registers, constants, parameters };

class Translator {
 public:
  Translator(Dialect dialect, std::string_view text, const std::string& source)
      : dialect_(dialect), text_(text), source_(source), sm_(default_sm(dialect)) {}

  Expected<Program> run() {
    each_line([this](std::string_view line) { find_label(line); });
    std::string out;
    each_line([&](std::string_view line) {
      if (errors_.size() < kMostErrors) out += translate(line);
      out += '\n';
    });
    if (!errors_.empty()) return tl::make_unexpected(std::move(errors_));
    auto program = read_text(out, source_, sm_);
    if (!program) return program;
    program->format = std::string(name_of(dialect_));
    return program;
  }

 private:
  template <typename Visitor>
  void each_line(Visitor visit) {
    number_ = 0;
    std::string_view rest = text_;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      line_ = rest.substr(0, end);
      ++number_;
      visit(trim(line_));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  void error(std::string message, std::string hint = {}) {
    Diagnostic one;
    one.kind = ErrorKind::bad_input;
    one.message = std::move(message);
    one.where = {source_, number_, 1};
    one.excerpt = std::string(line_);
    one.hint = std::move(hint);
    errors_.push_back(std::move(one));
  }

  static std::string_view without_comment(std::string_view line) {
    line = line.substr(0, line.find("//"));
    return trim(line.substr(0, line.find('#')));
  }

  void find_label(std::string_view line) {
    const std::string_view label = label_of(without_comment(line));
    if (!label.empty() && !split_five_fields(line)) labels_.emplace(label);
  }

  std::string translate(std::string_view line) {
    if (line.starts_with('#')) return header(trim(line.substr(1)));
    line = without_comment(line);
    if (line.empty()) return {};
    if (line.find("[+") != line.npos || line.starts_with("<CODE") || line.starts_with("<code")) {
      error(fmt::format("there is {} in this file", line[1] == 'c' ? "Python" : "Perl"),
            "let the assembler expand it, or disassemble what it makes: cuobjdump -sass");
      return {};
    }
    if (line.starts_with('<')) return tag(line);
    if (block_ != Block::none) return mapping(line);
    if (const auto parts = split_five_fields(line)) return instruction(*parts);
    if (!label_of(line).empty()) return std::string(line);
    error("expected a control code in five fields, a label or a block",
          dialect_ == Dialect::kepleras ? "for example '-:-:-:-:09 FFMA R0, R1, R2, R0;'"
                                        : "for example '--:-:1:-:2 LDS R0, [R1];'");
    return {};
  }

  /// `# Kernel: name` and the like, as the assemblers write when they disassemble.
  std::string header(std::string_view line) {
    const auto value = [&](std::string_view name) -> std::optional<std::string_view> {
      if (!line.starts_with(name)) return std::nullopt;
      return trim(line.substr(name.size()));
    };
    if (const auto kernel = value("Kernel:")) return fmt::format(".section .text.{}", *kernel);
    if (const auto arch = value("Arch: sm_")) {
      sm_ = parse_sm(*arch);
      return fmt::format(".target sm_{}", sm_);
    }
    if (const auto count = value("RegCnt:")) {
      return fmt::format(".sectioninfo @\"SHI_REGISTERS={}\"", *count);
    }
    if (const auto address = value("Address: 0x")) address_ = *address;
    return {};
  }

  std::string tag(std::string_view line) {
    const bool closes = line.starts_with("</");
    const auto is = [&](std::string_view name) {
      return line.substr(closes ? 2 : 1).starts_with(name);
    };
    if (is("SCHEDULE_BLOCK")) {
      error("the assembler orders the instructions of a schedule block",
            "let it: maxas.pl -p writes them in their order");
    } else if (is("REGISTER_MAPPING") || is("regs") || is("registers")) {
      block_ = closes ? Block::none : Block::registers;
    } else if (is("CONSTANT_MAPPING")) {
      block_ = closes ? Block::none : Block::constants;
    } else if (is("params") || is("parameters")) {
      block_ = closes ? Block::none : Block::parameters;
    } else if (!is("kernel") && !is("memory")) {
      error(fmt::format("the block '{}' is not known", line),
            "known are register and constant mappings and parameters");
    }
    return {};
  }

  std::string mapping(std::string_view line) {
    const auto problem = block_ == Block::registers   ? names_.add_registers(line)
                         : block_ == Block::constants ? names_.add_constant(line)
                                                      : names_.add_parameter(line);
    if (problem) error(*problem, "for example '0-3 : a, b, c, d', one register a name");
    return {};
  }

  std::string instruction(const FiveFields& parts) {
    const auto control = dialect_ == Dialect::kepleras ? kepler(parts) : maxwell(parts);
    if (!control) return {};
    std::string text = names_.replace(parts.rest);
    const std::size_t end = text.find(';');
    std::string_view body = trim(std::string_view(text).substr(0, end));
    const std::size_t space = body.find_last_of(" \t");
    const bool jumps = space != body.npos && is_jump(body);
    const std::string_view last = jumps ? body.substr(space + 1) : "";
    std::string line = *control;
    if (!address_.empty()) line += fmt::format(" /*{}*/", address_);
    address_ = {};
    if (labels_.contains(std::string(last))) {
      return fmt::format("{} {} `({}) ;", line, body.substr(0, space), last);
    }
    return fmt::format("{} {} ;", line, body);
  }

  static bool is_jump(std::string_view body) {
    if (body.starts_with('@')) body = trim_left(body.substr(std::min(body.find(' '), body.size())));
    for (const std::string_view jump : kJumps) {
      if (body.starts_with(jump)) return true;
    }
    return false;
  }

  /// A mask of barriers to wait for: maxas counts in hexadecimal, turingas in decimal.
  std::optional<int> wait_mask(std::string_view field) {
    if (field.find_first_not_of('-') == field.npos) return 0;
    const bool hex = dialect_ == Dialect::maxas;
    const auto mask = parse_integer(hex ? "0x" + std::string(field) : std::string(field));
    if (!mask || *mask < 0 || *mask > 63) {
      error(fmt::format("'{}' is no mask of six barriers", field),
            hex ? "maxas writes 01 to 3f" : "turingas writes 01 to 63, in decimal");
      return std::nullopt;
    }
    return static_cast<int>(*mask);
  }

  /// maxas names barriers from 1, turingas writes the field itself.
  std::optional<int> barrier(std::string_view field) {
    if (field == "-") return kNoBarrier;
    const int first = dialect_ == Dialect::maxas ? 1 : 0;
    const bool digit = field.size() == 1 && is_digit(field[0]);
    const int value = digit ? field[0] - '0' - first : -1;
    if (value < 0 || (value > 5 && !(first == 0 && value == kNoBarrier))) {
      error(fmt::format("'{}' is no barrier", field),
            first == 1 ? "maxas counts them from 1 to 6" : "turingas counts them from 0 to 5");
      return std::nullopt;
    }
    return value;
  }

  std::optional<std::string> maxwell(const FiveFields& parts) {
    const auto wait = wait_mask(parts.fields[0]);
    const auto read = barrier(parts.fields[1]);
    const auto write = barrier(parts.fields[2]);
    if (!wait || !read || !write) return std::nullopt;
    const auto stall = parts.fields[4].size() == 1
                           ? parse_integer("0x" + std::string(parts.fields[4]))
                           : std::nullopt;
    if (!stall || *stall < 0) {
      error(fmt::format("'{}' is no stall count", parts.fields[4]),
            "one hexadecimal digit; a letter for the latency of the opcode is the assembler's");
      return std::nullopt;
    }
    ControlWord control;
    control.wait_mask = static_cast<std::uint8_t>(*wait);
    control.read_barrier = static_cast<std::uint8_t>(*read);
    control.write_barrier = static_cast<std::uint8_t>(*write);
    control.yield = parts.fields[3] == "Y" || parts.fields[3] == "y";
    control.stall = static_cast<std::uint8_t>(*stall);
    return isa::to_bracket(control);
  }

  std::optional<std::string> kepler(const FiveFields& parts) {
    const auto stall = parse_integer(parts.fields[4]);
    if (!stall || *stall < 0 || *stall > 15) {
      error(fmt::format("'{}' is no stall count", parts.fields[4]), "KeplerAs writes 00 to 15");
      return std::nullopt;
    }
    const int code = (parts.fields[0] == "T" ? 0x80 : 0) | (parts.fields[1] == "G" ? 0x40 : 0) |
                     (parts.fields[2] == "D" ? 0 : 0x20) | (parts.fields[3] == "S" ? 0x10 : 0) |
                     static_cast<int>(*stall);
    return fmt::format("[C{:02x}]", code);
  }

  Dialect dialect_;
  std::string_view text_;
  const std::string& source_;
  int sm_;
  std::string_view line_;
  std::uint32_t number_ = 0;
  Block block_ = Block::none;
  AssemblerNames names_;
  std::unordered_set<std::string> labels_;
  std::string_view address_;
  Diagnostics errors_;
};

}  // namespace

Expected<Program> read_assembler(Dialect dialect, std::string_view text,
                                 const std::string& source) {
  return Translator(dialect, text, source).run();
}

}  // namespace smsim::decode
