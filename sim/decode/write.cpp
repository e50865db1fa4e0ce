// SPDX-License-Identifier: MIT
// A program in the notation of an assembler: what `smsim convert` prints.
#include "decode/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "isa/code_layout.hpp"
#include "isa/control_word.hpp"
#include "isa/rename.hpp"

namespace smsim::decode {
namespace {

struct Notation {
  std::string_view name;
  int first_sm;
  int last_sm;
};
constexpr Notation kNotations[] = {{"cuasm", 0, 9999},
                                   {"maxas", 50, 69},
                                   {"turingas", 70, 9999},
                                   {"kepleras", 32, 49},
                                   {"yaml", 1, 9999}};

/// Labels of the jumps within a function, by address.
std::map<std::uint64_t, std::string> find_labels(const Function& function, std::string_view form) {
  std::map<std::uint64_t, std::string> labels;
  for (const Instruction& one : function.instructions) {
    if (one.operands.empty() || one.operands.back().kind != OperandKind::label) continue;
    labels.emplace(static_cast<std::uint64_t>(one.operands.back().value), "");
  }
  int number = 0;
  for (auto label = labels.begin(); label != labels.end();) {
    if (!std::ranges::binary_search(function.instructions, label->first, {},
                                    &Instruction::address)) {
      label = labels.erase(label);
      continue;
    }
    label->second = fmt::format(fmt::runtime(form), number++);
    ++label;
  }
  return labels;
}

class Writer {
 public:
  Writer(std::string_view to, const Function& function)
      : to_(to),
        function_(function),
        in_back_quotes_(to == "cuasm" || to == "yaml"),
        labels_(find_labels(function, in_back_quotes_ ? ".L_x_{}" : "TARGET{}")) {}

  void write(std::string& out) {
    head(out);
    std::uint64_t next = isa::code_layout(function_.sm).instruction_at(0);
    for (const Instruction& one : function_.instructions) {
      const auto label = labels_.find(one.address);
      if (label != labels_.end()) put(out, label->second + ":");
      if (!in_back_quotes_ && one.address != next)
        put(out, fmt::format("# Address: 0x{:04x}", one.address));
      put(out, line(one));
      next = isa::code_layout(function_.sm).next_instruction(one.address);
    }
  }

 private:
  void put(std::string& out, const std::string& text) const {
    out += to_ == "yaml" ? "      " : "";
    out += text;
    out += '\n';
  }

  void head(std::string& out) const {
    auto end = std::back_inserter(out);
    if (to_ == "yaml") {
      // A string of JSON is one of YAML.
      fmt::format_to(end, "  - function: {}\n",
                     nlohmann::json(function_.name)
                         .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
      if (function_.registers != 0)
        fmt::format_to(end, "    register_count: {}\n", function_.registers);
      out += "    body: |\n";
      return;
    }
    if (to_ == "cuasm") {
      if (function_.sm != 0) fmt::format_to(end, "\t.target\tsm_{}\n", function_.sm);
      fmt::format_to(end, "\t.section\t.text.{},\"ax\",@progbits\n", function_.name);
      if (function_.registers != 0) {
        fmt::format_to(end, "\t.sectioninfo\t@\"SHI_REGISTERS={}\"\n", function_.registers);
      }
      return;
    }
    fmt::format_to(end, "# Arch: sm_{}\n# Kernel: {}\n", function_.sm, function_.name);
    if (function_.registers != 0) fmt::format_to(end, "# RegCnt: {}\n", function_.registers);
  }

  std::string line(const Instruction& one) const {
    const std::string text = instruction(one);
    if (in_back_quotes_) {
      return fmt::format("{}{}  /*{:04x}*/  {} ;", to_ == "cuasm" ? "      " : "",
                         bracket(one.control), one.address, text);
    }
    return fmt::format("{}      {};", five_fields(one.control), text);
  }

  /// The text with labels for addresses, and with the flags that the instruction has.
  std::string instruction(const Instruction& one) const {
    std::string text = one.text;
    std::size_t from = text.find(one.opcode) + one.opcode.size();
    for (std::size_t i = 0; i < one.operands.size(); ++i) {
      const Operand& operand = one.operands[i];
      const std::size_t at = text.find(operand.text, from);
      if (at == text.npos) continue;
      const auto label = operand.kind == OperandKind::label
                             ? labels_.find(static_cast<std::uint64_t>(operand.value))
                             : labels_.end();
      std::string now = operand.kind == OperandKind::reg
                            ? isa::with_reuse(operand.text, operand.reuse)
                            : operand.text.str();
      if (label != labels_.end()) {
        now = in_back_quotes_ ? fmt::format("`({})", label->second) : label->second;
      } else if (operand.kind == OperandKind::label) {
        now = fmt::format("0x{:x}", operand.value);
      }
      text.replace(at, operand.text.size(), now);
      from = at + now.size();
    }
    return text;
  }

  static std::string bracket(const ControlWord& control) {
    if (control.format != ControlFormat::kepler) return isa::to_bracket(control);
    return fmt::format("[C{:02x}]", control.code);
  }

  std::string five_fields(const ControlWord& control) const {
    if (to_ == "kepleras") {
      return fmt::format("{}:{}:{}:{}:{:02}", control.code & 0x80 ? 'T' : '-',
                         control.code & 0x40 ? 'G' : '-', control.code & 0x20 ? '-' : 'D',
                         control.code & 0x10 ? 'S' : '-', control.code & 15);
    }
    const bool maxas = to_ == "maxas";
    const auto barrier = [&](int number) {
      return number == kNoBarrier ? std::string("-") : std::to_string(number + (maxas ? 1 : 0));
    };
    const std::string wait = control.wait_mask == 0 ? "--"
                             : maxas                ? fmt::format("{:02x}", control.wait_mask)
                                                    : fmt::format("{:02}", control.wait_mask);
    return fmt::format("{}:{}:{}:{}:{:x}", wait, barrier(control.read_barrier),
                       barrier(control.write_barrier), control.yield ? 'Y' : '-', control.stall);
  }

  std::string_view to_;
  const Function& function_;
  bool in_back_quotes_;
  std::map<std::uint64_t, std::string> labels_;
};

}  // namespace

Expected<std::string> write_program(const Program& program, std::string_view to) {
  const auto* const notation = std::find_if(std::begin(kNotations), std::end(kNotations),
                                            [&](const Notation& one) { return one.name == to; });
  if (notation == std::end(kNotations)) {
    return fail(ErrorKind::usage, fmt::format("cannot write '{}'", to), {},
                "known are cuasm, maxas, turingas, kepleras and yaml");
  }
  std::string out;
  for (const Function& one : program.functions) {
    if (!one.has_control_words) {
      return fail(ErrorKind::bad_input,
                  fmt::format("'{}' has no control words, which {} needs", one.name, to),
                  {program.source, one.line, 0},
                  "join them from the cubin or a dump of it with --control, or read that instead");
    }
    if (one.sm == 0 && notation->first_sm > 0)
      return fail(ErrorKind::usage,
                  fmt::format("{} needs the architecture of '{}', which the input does not name",
                              to, one.name),
                  {program.source, one.line, 0}, "give --arch, or add a line '.target sm_NN'");
    if (one.sm < notation->first_sm || one.sm > notation->last_sm)
      return fail(ErrorKind::usage,
                  fmt::format("{} is not a notation for sm_{} ('{}')", to, one.sm, one.name), {},
                  "cuasm and yaml are for all of them");
    if (to == "yaml" && one.sm != program.functions.front().sm) {
      return fail(ErrorKind::usage, "the functions are for several architectures", {},
                  "choose with --function");
    }
    if (to == "yaml" && out.empty()) {
      out = fmt::format("format: smsim-loop/1\narch: sm_{}\nfunctions:\n", one.sm);
    }
    Writer(to, one).write(out);
  }
  return out;
}

}  // namespace smsim::decode
