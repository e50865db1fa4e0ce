// SPDX-License-Identifier: MIT
// Puts instructions of 64 bits and the words around them together: which word is an encoding, which
// one the control word of a bundle.
#include "decode/bundle_reader.hpp"

#include <fmt/format.h>

#include <utility>

#include "isa/bundle_control.hpp"

namespace smsim::decode {
namespace {

/// What fills up the code behind its end.
bool is_padding(const Instruction& instruction) {
  return instruction.opcode == "NOP" || instruction.opcode == "BRA";
}

}  // namespace

void BundleReader::finish() {
  if (waiting_) report_waiting();
  const bool begun = started_ && control_ && layout_.is_control_slot(next_ - 8);
  if (begun || (!started_ && !early_.empty())) {
    builder_->error(early_line_, 0, "the instructions of this control word are missing",
                    "the dump is cut off here");
  }
  release_labels();
  *this = BundleReader(*builder_);
}

void BundleReader::hold_label(std::string_view name, const Line& line) {
  labels_.push_back({std::string(name), line});
}

void BundleReader::release_labels() {
  for (const Held& held : labels_) builder_->add_label(held.name, held.line);
  labels_.clear();
}

void BundleReader::add_instruction(Instruction instruction, std::optional<std::uint64_t> word,
                                   bool in_braces, const Line& line) {
  if (waiting_) {
    report_waiting();
    next_ = layout_.next_instruction(waiting_->instruction.address);
    waiting_.reset();
  }
  release_labels();
  if (!place(instruction, in_braces, line)) return;
  const std::size_t column = line.text.size() + 1;
  waiting_ = Waiting{std::move(instruction), line};
  if (word) take(*word, line, column);
}

void BundleReader::add_word(std::uint64_t word, const Line& line, std::size_t column) {
  if (!started_) {
    early_.push_back(word);
    early_line_ = line;
    return;
  }
  take(word, line, column);
}

/// Checks where the instruction lies; false: it is left out.
bool BundleReader::place(const Instruction& instruction, bool in_braces, const Line& line) {
  if (!started_) return start(instruction, line);
  return check_order(instruction.address, in_braces, line);
}

/// The first instruction says where the words in front of it lie.
bool BundleReader::start(const Instruction& instruction, const Line& line) {
  sm_ = builder_->sm();
  layout_ = builder_->layout();
  const std::uint64_t address = instruction.address;
  if (layout_.is_control_slot(address)) {
    report_spacing(line, fmt::format("address 0x{:04x} is the place of a control word", address));
    return false;
  }
  started_ = true;
  const std::uint64_t slot = address - address % layout_.bundle_bytes;
  const bool complete = early_.size() == 1 && address == slot + layout_.instruction_bytes;
  next_ = complete ? slot : address;
  if (complete) {
    take(early_.front(), early_line_, 0);
  } else {
    report_missing_control(slot, line);
  }
  return true;
}

bool BundleReader::check_order(std::uint64_t address, bool in_braces, const Line& line) {
  const std::uint64_t expected = layout_.instruction_at(next_);
  const bool in_slot = address == next_;
  if (in_slot) return true;
  if (address == expected) {
    if (in_braces) return true;
    report_missing_control(next_, line);
    control_.reset();
    next_ = address;
    return true;
  }
  if (address < expected) {
    report_spacing(line,
                   fmt::format("address 0x{:04x} where 0x{:04x} was expected", address, expected));
    return false;
  }
  report_spacing(
      line, fmt::format("the instruction at 0x{:04x} is missing in front of this one", expected));
  control_.reset();
  reported_ = true;
  next_ = address;
  return true;
}

void BundleReader::take(std::uint64_t word, const Line& line, std::size_t column) {
  const std::uint64_t address = std::exchange(next_, next_ + layout_.instruction_bytes);
  const bool waits_here = waiting_ && waiting_->instruction.address == address;
  if (layout_.is_control_slot(address) && !waits_here) {
    return take_control(word, address, line, column);
  }
  if (waits_here) return complete(word);
  next_ = address;
  if (std::exchange(reported_, true)) return;
  builder_->error(line, column, "an encoding word without an instruction",
                  fmt::format("instructions of sm_{} have one word of 64 bits, with a control word "
                              "at each multiple of 0x{:x}",
                              sm_, layout_.bundle_bytes));
}

void BundleReader::take_control(std::uint64_t word, std::uint64_t address, const Line& line,
                                std::size_t column) {
  control_ = word;
  early_line_ = line;
  if (isa::is_control_word(sm_, word) || std::exchange(reported_, true)) return;
  builder_->error(
      line, column,
      fmt::format("0x{:016x} at 0x{:04x} is not a control word of sm_{}", word, address, sm_),
      "is the architecture right, and are no lines missing?");
}

void BundleReader::complete(std::uint64_t word) {
  Waiting done = *std::exchange(waiting_, std::nullopt);
  Instruction& instruction = done.instruction;
  const std::uint64_t in_bundle = instruction.address % layout_.bundle_bytes;
  if (in_bundle == 0) control_.reset();
  instruction.encoding = {word, 0};
  if (control_) {
    const int slot = static_cast<int>(in_bundle / layout_.instruction_bytes) - 1;
    instruction.control = isa::decode_bundle_control(sm_, *control_, slot);
  } else {
    const bool kepler = layout_.format == ControlFormat::kepler;
    if (kepler) instruction.control = isa::decode_kepler_code(0);
    const bool padding = kepler && is_padding(instruction);
    if (!padding) report_missing_control(instruction.address - in_bundle, done.line);
  }
  builder_->add_instruction(std::move(instruction), true, done.line);
  release_labels();
}

void BundleReader::report_waiting() {
  builder_->error(waiting_->line, waiting_->line.text.size() + 1,
                  fmt::format("the encoding word of '{}' is missing", waiting_->instruction.opcode),
                  "the dump is cut off, or a line is missing");
}

void BundleReader::report_missing_control(std::uint64_t address, const Line& line) {
  if (std::exchange(reported_, true)) return;
  builder_->error(line, 0, fmt::format("the control word at 0x{:04x} is missing", address),
                  fmt::format("on sm_{} a line with a word alone stands in front of each {} "
                              "instructions; take whole bundles",
                              sm_, layout_.bundle_bytes / layout_.instruction_bytes - 1));
}

void BundleReader::report_spacing(const Line& line, std::string message) {
  if (std::exchange(reported_, true)) return;
  builder_->error(
      line, 0, std::move(message),
      fmt::format("instructions of sm_{} lie 8 bytes apart, with a control word at each "
                  "multiple of 0x{:x}",
                  sm_, layout_.bundle_bytes));
}

}  // namespace smsim::decode
