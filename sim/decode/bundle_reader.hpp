// SPDX-License-Identifier: MIT
// Puts instructions of 64 bits and the words around them together: which word is an encoding, which
// one the control word of a bundle.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "decode/builder.hpp"
#include "smsim/program.hpp"

namespace smsim::decode {

/// Words are printed in the order of their addresses. That decides what each is: within braces an
/// encoding stands on the line behind its instruction, and may have the next control word in front.
class BundleReader {
 public:
  explicit BundleReader(Builder& builder) : builder_(&builder) {}

  /// Ends the function: what is still without its encoding is an error.
  void finish();

  /// An instruction at its address and the word on its line, if there is one. Within braces that
  /// word may be a control word.
  void add_instruction(Instruction instruction, std::optional<std::uint64_t> word, bool in_braces,
                       const Line& line);
  /// A word on a line of its own.
  void add_word(std::uint64_t word, const Line& line, std::size_t column);

  /// A line could not be read and has been reported: what follows from that is not.
  void forgive() { reported_ = true; }

  /// Whether an instruction waits for its encoding; labels then belong to what comes after it.
  bool is_waiting() const { return waiting_.has_value(); }
  void hold_label(std::string_view name, const Line& line);

 private:
  struct Waiting {
    Instruction instruction;
    Line line;
  };
  struct Held {
    std::string name;
    Line line;
  };

  void take(std::uint64_t word, const Line& line, std::size_t column);
  void take_control(std::uint64_t word, std::uint64_t address, const Line& line,
                    std::size_t column);
  void complete(std::uint64_t word);
  bool place(const Instruction& instruction, bool in_braces, const Line& line);
  bool start(const Instruction& instruction, const Line& line);
  bool check_order(std::uint64_t address, bool in_braces, const Line& line);
  void report_waiting();
  void report_missing_control(std::uint64_t address, const Line& line);
  void report_spacing(const Line& line, std::string message);
  void release_labels();

  Builder* builder_;
  isa::CodeLayout layout_;
  int sm_ = 0;
  bool started_ = false;
  std::uint64_t next_ = 0;  ///< address of the next word
  std::optional<std::uint64_t> control_;
  std::optional<Waiting> waiting_;
  std::vector<Held> labels_;
  std::vector<std::uint64_t> early_;  ///< words in front of the first instruction
  Line early_line_;
  bool reported_ = false;  ///< a mistake of the function; one of a kind is enough
};

}  // namespace smsim::decode
