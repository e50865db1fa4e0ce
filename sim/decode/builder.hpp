// SPDX-License-Identifier: MIT
// Gathers functions, instructions and labels while the lines of a text are read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isa/code_layout.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/program.hpp"

namespace smsim::decode {

/// What is said of a text without an instruction, unless somebody knows what it is instead.
inline constexpr std::string_view kNothingFound = "no instruction found";

/// A line and its number.
struct Line {
  std::string_view text;
  std::uint32_t number = 0;
};

class Builder {
 public:
  explicit Builder(std::string source);

  /// Columns count from 1; 0 means the whole line.
  void error(const Line& line, std::size_t column, std::string message, std::string hint = {});
  /// After so many there is nothing to be gained by more.
  bool is_full() const;

  // What the lines say.
  /// The architecture of what follows; of the open function too if it is still empty.
  void set_sm(int sm, const Line& line);
  void begin_function(std::string_view name, const Line& line);
  /// How many registers a thread of the open function has.
  void set_registers(int count);
  /// The function that a label names, as in `.text.NAME:` or `NAME:` behind it.
  void name_function(std::string_view name, const Line& line);
  /// A label of the code that follows; in front of any function it names one, unless it is local.
  void add_label(std::string_view name, const Line& line);
  void add_instruction(Instruction instruction, bool reuse_is_stated, const Line& line);
  /// The open function has no control words at all: it is for dependency mode.
  void add_without_control(Instruction instruction, const Line& line);
  bool lacks_control() const;
  /// The address that follows the last one.
  std::uint64_t next_address() const;
  /// The architecture of what comes next, 0 if nobody has said it, and how its code is laid out.
  int sm() const { return sm_; }
  isa::CodeLayout layout() const { return isa::code_layout(sm_); }

  /// Functions of architectures that cannot be read are left out.
  bool skips() const;

  /// The program, or what was wrong. `format` names what kind of text it was.
  Expected<Program> finish(std::string_view format, std::vector<std::string> lines);

 private:
  struct Labels {
    std::unordered_map<std::string, std::uint64_t> address;
    std::vector<std::string> pending;  ///< stand in front of the next instruction
  };

  Function& current(const Line& line);
  void end_function();
  void place_labels(std::uint64_t address);
  void resolve(const Function& function, const Labels& labels, Instruction& instruction);
  void set_target(const Function& function, const Labels& labels, bool found,
                  Instruction& instruction);
  static void keep_labels(const Labels& labels, Function& function);
  void resolve_all();
  void report_nothing();

  Program program_;
  Diagnostics errors_;
  std::vector<Labels> labels_;  ///< one a function
  int sm_ = 0;
  int skipped_sm_ = 0;  ///< an architecture whose functions were left out
  Line skipped_line_;
};

}  // namespace smsim::decode
