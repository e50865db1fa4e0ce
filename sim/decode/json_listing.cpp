// SPDX-License-Identifier: MIT
// JSON of nvdisasm -json to a listing without encodings.
#include "decode/json_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <vector>

#include "decode/operand_text.hpp"
#include "decode/text.hpp"
#include "isa/code_layout.hpp"

namespace smsim::decode {
namespace {

/// nvdisasm nests six deep.
constexpr int kDeepest = 32;

bool is_register(std::string_view text) {
  const auto operand = parse_operand(text);
  if (!operand) return false;
  return operand->kind == OperandKind::reg || operand->kind == OperandKind::predicate ||
         operand->kind == OperandKind::uniform_reg;
}

/// `R4[R4+UR4],R2` with the comma that the document leaves out in front of an address, and a space
/// behind each.
std::string spaced(std::string_view operands) {
  std::string out;
  std::size_t start = 0;  // of the current operand
  int depth = 0;
  for (const char c : operands) {
    if (c == '[' && depth == 0 && is_register(std::string_view(out).substr(start))) {
      out += ", ";
      start = out.size();
    }
    if (c == '[' || c == '(' || c == '{') ++depth;
    if (c == ']' || c == ')' || c == '}') --depth;
    out += c == '\n' ? ' ' : c;
    if (c == ',' && depth == 0) {
      out += ' ';
      start = out.size();
    }
  }
  return out;
}

/// A routine's name stands bare in the document.
std::string quoted(std::string operands) {
  const std::size_t at = operands.find('$');
  const bool is_operand = at == 0 || (at != operands.npos && operands[at - 1] == ' ');
  if (is_operand) operands = operands.substr(0, at) + "`(" + operands.substr(at) + ")";
  return operands;
}

/// Hears the document's parts as they are read, so that nothing but the listing grows with it.
class Listing : public nlohmann::json_sax<nlohmann::json> {
 public:
  Listing(const std::string& source, std::string& out) : source_(source), out_(out) {}

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_float(double /*value*/, const std::string& /*text*/) override { return true; }
  bool binary(nlohmann::json::binary_t& /*value*/) override { return true; }
  bool number_integer(std::int64_t value) override {
    return number_unsigned(static_cast<std::uint64_t>(value));
  }
  bool number_unsigned(std::uint64_t value) override {
    if (key_ == "start") start_ = value;
    if (in_version_ && key_ == "major") major_ = static_cast<int>(value % 1000);
    if (in_version_ && key_ == "minor") minor_ = static_cast<int>(value % 10);
    return true;
  }
  bool string(std::string& value) override {
    std::replace(value.begin(), value.end(), '\n', ' ');
    if (key_ == "function-name") name_ = value;
    if (instructions_depth_ == 0) return true;
    if (key_ == "predicate") predicate_ = value;
    if (key_ == "opcode") opcode_ = value;
    if (key_ == "operands") operands_ = value;
    return true;
  }
  bool key(std::string& value) override {
    key_ = value;
    if (key_ == "SM") in_sm_ = true;
    if (key_ == "SchemaVersion") in_sm_ = false;
    has_schema_ = has_schema_ || key_ == "SchemaVersion";
    return true;
  }
  bool start_object(std::size_t /*size*/) override {
    in_version_ = in_sm_ && key_ == "version";
    return deeper();
  }
  bool end_object() override {
    --depth_;
    in_version_ = false;
    if (instructions_depth_ != 0 && depth_ == instructions_depth_) end_instruction();
    if (instructions_depth_ == 0 && depth_ == function_depth_ && function_depth_ != 0) {
      end_function();
    }
    return true;
  }
  bool start_array(std::size_t /*size*/) override {
    const bool code = key_ == "sass-instructions" && instructions_depth_ == 0;
    if (!deeper()) return false;
    if (code) {
      instructions_depth_ = depth_;
      function_depth_ = depth_ - 2;
    }
    return true;
  }
  bool end_array() override {
    if (depth_-- == instructions_depth_) instructions_depth_ = 0;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& problem) override {
    const std::string_view message = problem.what();
    const std::size_t brief = message.rfind("; ");
    fail_at(fmt::format("this JSON is damaged at byte {}: {}", position,
                        message.substr(brief == message.npos ? 0 : brief + 2)));
    return false;
  }

  /// Writes what has not been written yet.
  void flush() {
    if (!section_.empty()) out_ += fmt::format("\t.section .text.{}\n", name_of_section_);
    for (const Row& row : section_) {
      if (const auto routine = routines_.find(row.address); routine != routines_.end())
        out_ += routine->second + ":\n";
      out_ += row.line;
    }
    section_.clear();
    routines_.clear();
  }

  const Diagnostics& errors() const { return errors_; }
  bool is_nvdisasm() const { return has_schema_ && functions_ > 0; }

 private:
  struct Row {
    std::uint64_t address;
    std::string line;
  };

  bool deeper() {
    if (++depth_ <= kDeepest) return true;
    fail_at("this JSON nests deeper than that of nvdisasm");
    return false;
  }

  void fail_at(std::string message) {
    if (errors_.empty()) {
      errors_ = fail(ErrorKind::bad_input, std::move(message), {source_, 1, 1},
                     "expected the document of nvdisasm -json")
                    .value();
    }
  }

  /// An entry without an opcode is a gap.
  void end_instruction() {
    if (!opcode_.empty()) {
      const std::uint64_t bytes = isa::code_layout(sm()).has_bundles() ? 8 : 16;
      const std::uint64_t address = start_ + bytes * count_;
      code_.push_back(
          {address, fmt::format("        /*{:04x}*/  {}{}{}{}{} ;\n", address, predicate_,
                                predicate_.empty() ? "" : " ", opcode_,
                                operands_.empty() ? "" : " ", quoted(spaced(operands_)))});
    }
    ++count_;
    predicate_.clear();
    opcode_.clear();
    operands_.clear();
  }

  /// One that does not begin at 0 is a routine in the section of the function in front, which
  /// mostly lists it as well.
  void end_function() {
    if (functions_++ == 0 && sm() != 0) out_ += fmt::format("\t.target sm_{}\n", sm());
    if (start_ == 0) {
      flush();
      name_of_section_ = name_;
      section_ = std::move(code_);
    } else {
      routines_.emplace(start_, name_);
      for (Row& row : code_) {
        if (section_.empty() || row.address > section_.back().address)
          section_.push_back(std::move(row));
      }
    }
    code_.clear();
    name_.clear();
    start_ = count_ = 0;
    function_depth_ = 0;
  }

  int sm() const { return major_ * 10 + minor_; }

  const std::string& source_;
  std::string& out_;
  Diagnostics errors_;
  std::string key_, name_, name_of_section_;
  std::vector<Row> code_, section_;
  std::unordered_map<std::uint64_t, std::string> routines_;  ///< by address in the section
  std::string predicate_, opcode_, operands_;
  std::uint64_t start_ = 0, count_ = 0;
  int depth_ = 0;
  int instructions_depth_ = 0;  ///< of the list of instructions; 0: not in one
  int function_depth_ = 0;      ///< of what the function with that list stands in; 0: none
  int major_ = 0, minor_ = 0;
  int functions_ = 0;
  bool in_sm_ = false;
  bool in_version_ = false;
  bool has_schema_ = false;
};

}  // namespace

bool is_json(std::string_view text) {
  const auto next = [&text] {
    while (!text.empty() && (is_space(text.front()) || text.front() == '\n')) {
      text.remove_prefix(1);
    }
    const char c = text.empty() ? '\0' : text.front();
    if (!text.empty()) text.remove_prefix(1);
    return c;
  };
  const char first = next();
  const char second = next();
  return (first == '[' || first == '{') && (second == '{' || second == '[' || second == '"');
}

Expected<std::string> list_json(std::string_view text, const std::string& source) {
  std::string out;
  Listing listing(source, out);
  const bool good = nlohmann::json::sax_parse(text.begin(), text.end(), &listing);
  if (!listing.errors().empty()) return tl::make_unexpected(listing.errors());
  listing.flush();
  if (!good || !listing.is_nvdisasm()) {
    return fail(ErrorKind::bad_input, "this is JSON, but not of nvdisasm -json", {source, 1, 1},
                "code is read as text of cuobjdump -sass or nvdisasm, as cubin, or as a loop in "
                "YAML ('format: smsim-loop/1')");
  }
  return out;
}

}  // namespace smsim::decode
