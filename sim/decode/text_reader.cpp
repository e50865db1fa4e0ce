// SPDX-License-Identifier: MIT
// Text of a disassembler, or bracketed control notation, to a Program: line by line.
#include "decode/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "decode/builder.hpp"
#include "decode/bundle_reader.hpp"
#include "decode/instruction_text.hpp"
#include "decode/line_parts.hpp"
#include "decode/text.hpp"
#include "decode/vocabulary.hpp"
#include "isa/bundle_control.hpp"
#include "isa/control_word.hpp"

namespace smsim::decode {
namespace {

constexpr std::string_view kNeedsHex =
    "control words are in the encodings: print them with nvdisasm -hex, use cuobjdump -sass, or "
    "name "
    "the cubin itself";

constexpr std::string_view kNeedsSm =
    "the dump is cut off, or its instructions have 64 bits (sm_30 to sm_62): then say of which "
    "architecture, with a line such as '.target sm_52' in front";

/// Of longer texts the lines are not kept for excerpts: they would need more than the program.
constexpr std::size_t kMostQuoted = std::size_t{32} << 20;
constexpr std::size_t kChunk = std::size_t{16} << 20;
/// Lines of disassemblers have a few hundred characters.
constexpr std::size_t kLongestLine = std::size_t{1} << 20;

using Done = std::function<void(std::string_view)>;

class TextReader {
 public:
  TextReader(const std::string& source, int sm) : builder_(source), bundles_(builder_) {
    if (sm != 0) builder_.set_sm(sm, {});
  }

  Expected<Program> read(std::string_view text, const Done& done) {
    std::vector<std::string> lines;
    const bool keeps_lines = text.size() <= kMostQuoted;
    std::size_t start = 0, released = 0;
    std::uint32_t number = 0;
    while (start < text.size()) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      std::string_view content = text.substr(start, end - start);
      if (content.ends_with('\r')) content.remove_suffix(1);
      if (keeps_lines) lines.emplace_back(content);
      line_ = {content, ++number};
      if (content.size() > kLongestLine) {
        builder_.error({content.substr(0, 80), number}, 1,
                       fmt::format("this line has {} characters", content.size()),
                       "no disassembler prints lines of more than 1 MiB");
        break;
      }
      if (!builder_.is_full()) on_line(trim_left(content));
      start = end + 1;
      // A line may still wait for the one behind it.
      if (done && start > released + 2 * kChunk) {
        done(text.substr(released, kChunk));
        released += kChunk;
      }
    }
    if (pending_) report_missing_word();
    bundles_.finish();
    return builder_.finish(format_, std::move(lines));
  }

 private:
  /// An instruction whose second encoding word comes with the next line.
  struct Pending {
    Instruction instruction;
    std::uint64_t low = 0;
    Line line;
  };

  void on_line(std::string_view text) {
    if (text.empty()) return;
    const auto comment = take_comment(text);
    const bool word = comment && is_word_comment(comment->inside);
    if (pending_ && !word) report_missing_word();
    if (word && builder_.layout().has_bundles()) return on_bundle_word(comment->inside, text);
    if (word) return on_second_word(comment->inside, text);
    if (comment) return on_comment(*comment);
    if (isa::looks_like_bracket(text)) return on_bracketed(text);
    if (text.starts_with("//")) return;
    on_directive(text);
  }

  // Errors.

  std::size_t column_of(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - line_.text.data()) + 1;
  }

  void error(std::string_view at, std::string message, std::string_view hint = {}) {
    builder_.error(line_, column_of(at), std::move(message), std::string(hint));
  }

  void report_missing_word() {
    const Pending pending = *std::exchange(pending_, std::nullopt);
    builder_.error(
        pending.line, pending.line.text.size() + 1,
        fmt::format("the second encoding word of '{}' is missing", pending.instruction.opcode),
        std::string(builder_.sm() == 0 ? kNeedsSm : "the dump is cut off"));
  }

  // Lines that name things.

  void on_directive(std::string_view text) {
    if (text.starts_with("Function :")) return on_function(trim(text.substr(10)));
    if (text.starts_with("code for sm_")) return builder_.set_sm(parse_sm(text.substr(12)), line_);
    if (text.starts_with("arch = sm_")) return builder_.set_sm(parse_sm(text.substr(10)), line_);
    if (text.starts_with(".target")) return on_target(text);
    if (text.starts_with(".headerflags")) return on_header_flags(text);
    if (text.starts_with(".__elf_flags")) return on_elf_flags(text);
    if (text.starts_with(".sectioninfo")) return on_section_info(text);
    if (text.starts_with(".section\t") || text.starts_with(".section ")) {
      return on_section(trim_left(text.substr(8)));
    }
    if (const std::string_view label = label_of(text); !label.empty()) return on_label(label);
    const bool bare = in_text_ && text.find(';') != std::string_view::npos;
    if (bare && looks_like_instruction(text)) return report_no_encoding(text);
    on_strange(text);
  }

  void on_function(std::string_view name) {
    set_format("cuobjdump");
    in_text_ = true;
    saw_encoding_ = false;
    bundles_.finish();
    builder_.begin_function(name, line_);
  }

  void on_target(std::string_view text) {
    const std::size_t sm = text.find("sm_");
    if (sm != std::string_view::npos) builder_.set_sm(parse_sm(text.substr(sm + 3)), line_);
  }

  void on_header_flags(std::string_view text) {
    constexpr std::string_view kFlag = "EF_CUDA_SM";
    const std::size_t flag = text.find(kFlag);
    if (flag == std::string_view::npos) return;
    const int sm = parse_sm(text.substr(flag + kFlag.size()));
    if (sm != 0) builder_.set_sm(sm, line_);
  }

  void on_section_info(std::string_view text) {
    constexpr std::string_view kRegisters = "SHI_REGISTERS=";
    const std::size_t at = text.find(kRegisters);
    if (at != std::string_view::npos && in_text_) {
      builder_.set_registers(parse_sm(text.substr(at + kRegisters.size())));
    }
  }

  /// CuAssembler: `.__elf_flags 0x4b054b // Flags, SM_75(0x4b), COMPUTE_75(0x4b)`.
  void on_elf_flags(std::string_view text) {
    const std::size_t sm = text.find("SM_");
    const int number = sm != text.npos ? parse_sm(text.substr(sm + 3)) : 0;
    if (number != 0) builder_.set_sm(number, line_);
  }

  /// Code is in sections .text.NAME; the lines of others are data.
  void on_section(std::string_view text) {
    set_format("nvdisasm");
    constexpr std::string_view kText = ".text.";
    in_text_ = text.starts_with(kText);
    bundles_.finish();
    if (!in_text_) return;
    saw_encoding_ = false;
    const std::size_t end = std::min(text.find_first_of(", \t"), text.size());
    builder_.begin_function(text.substr(kText.size(), end - kText.size()), line_);
  }

  void on_label(std::string_view name) {
    if (!in_text_) return;
    if (name.starts_with(".text.")) return builder_.name_function(name.substr(6), line_);
    if (bundles_.is_waiting()) return bundles_.hold_label(name, line_);
    builder_.add_label(name, line_);
  }

  // Lines with an encoding.

  void on_comment(const Comment& comment) {
    if (builder_.skips()) return;
    const auto address = parse_address(comment.inside);
    const std::string_view text = trim_left(comment.rest);
    if (!address || !in_text_ || text.empty() || text.starts_with('.')) return;
    on_addressed(*address, text);
  }

  void on_addressed(std::uint64_t address, std::string_view text) {
    const auto part = find_instruction(text);
    auto instruction = part ? parse(part->text) : std::nullopt;
    if (!instruction) return bundles_.forgive();
    instruction->address = address;
    const std::string_view rest = trim_left(part->rest);
    const bool bare = rest.empty() || rest.starts_with("//");
    const bool word_follows = builder_.layout().has_bundles() && part->in_braces;
    if (bare && !word_follows) return on_no_encoding(*std::move(instruction), rest);
    const auto comment = take_comment(rest);
    const auto word = comment ? parse_word(comment->inside) : std::nullopt;
    if (!bare) {
      if (!word)
        return error(rest, "expected an encoding, /* 0x and sixteen hexadecimal digits */");
      if (!check_line_end(comment->rest)) return;
    }
    set_format("cuobjdump");
    if (builder_.lacks_control()) return report_no_encoding(text);
    saw_encoding_ = true;
    if (builder_.layout().has_bundles()) {
      return bundles_.add_instruction(*std::move(instruction), word, part->in_braces, line_);
    }
    pending_ = Pending{*std::move(instruction), *word, line_};
  }

  void on_bundle_word(std::string_view inside, std::string_view text) {
    if (builder_.skips() || !in_text_) return;
    const auto word = parse_word(inside);
    if (!word) return error(text, "expected a word of sixteen hexadecimal digits");
    if (check_line_end(take_comment(text)->rest)) {
      bundles_.add_word(*word, line_, column_of(text));
    }
  }

  void on_second_word(std::string_view inside, std::string_view text) {
    if (builder_.skips()) return;
    if (!pending_) {
      if (!in_text_) return;
      return error(text, "an encoding word without an instruction",
                   builder_.sm() == 0 ? kNeedsSm : "");
    }
    const auto high = parse_word(inside);
    Pending pending = *std::exchange(pending_, std::nullopt);
    if (!high) return error(text, "expected an encoding of sixteen hexadecimal digits");
    if (!check_line_end(take_comment(text)->rest)) return;
    Instruction& instruction = pending.instruction;
    instruction.encoding = isa::Encoding{pending.low, *high};
    instruction.control = isa::decode_control(*instruction.encoding);
    builder_.add_instruction(std::move(instruction), true, pending.line);
  }

  bool check_line_end(std::string_view rest) {
    rest = trim_left(rest);
    if (rest.empty() || rest.starts_with("//")) return true;
    error(rest, "nothing but a comment may follow an encoding");
    return false;
  }

  /// A function without any encoding is for dependency mode; some in between are missing.
  void on_no_encoding(Instruction instruction, std::string_view rest) {
    if (saw_encoding_ || format_ == "bracketed") return report_no_encoding(rest);
    set_format("nvdisasm");
    builder_.add_without_control(std::move(instruction), line_);
  }

  /// What is no whole line of a disassembler is nothing to predict from; said once.
  void report_no_encoding(std::string_view text) {
    if (std::exchange(no_encoding_, true)) return;
    const bool some = saw_encoding_ || format_ == "bracketed" || builder_.lacks_control();
    error(text,
          some ? "some instructions here have no control word and others do"
               : "the instructions have no encodings, so no control words",
          kNeedsHex);
  }

  // Lines in bracketed notation.

  void on_bracketed(std::string_view text) {
    if (builder_.skips() || !in_text_) return;
    const bool kepler = builder_.layout().format == ControlFormat::kepler;
    const auto bracket = kepler ? isa::parse_kepler_bracket(text) : isa::parse_bracket(text);
    if (!bracket) {
      return error(text.substr(std::min(bracket.error().offset, text.size())),
                   bracket.error().message,
                   kepler ? "for example [S09], or [dual] for a pair"
                          : "for example [B--2---:R0:W-:-:S04]; Kepler's, as [S09], needs a line "
                            "'.target sm_35' in front");
    }
    if (builder_.lacks_control()) return report_no_encoding(text);
    format_ = "bracketed";
    std::string_view rest = trim_left(text.substr(bracket->length));
    std::uint64_t address = builder_.next_address();
    if (const auto comment = take_comment(rest)) {
      if (const auto given = parse_address(comment->inside)) address = *given;
      rest = trim_left(comment->rest);
    }
    const auto part = find_instruction(rest);
    auto instruction = part ? parse(part->text) : std::nullopt;
    if (!instruction || !ends_here(part->rest)) return;
    instruction->address = address;
    instruction->control = bracket->control;
    builder_.add_instruction(*std::move(instruction), bracket->has_reuse, line_);
  }

  bool ends_here(std::string_view rest) {
    rest = trim_left(rest);
    if (rest.empty() || rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#'))
      return true;
    error(rest, "nothing but a comment may follow an instruction", "each has a line of its own");
    return false;
  }

  /// Among lines in brackets all that ends as an instruction has to be one.
  void on_strange(std::string_view text) {
    const bool damaged = text.starts_with('[') || text.starts_with('{') ||
                         (text.starts_with('B') && text.find(':') == 7);
    if (!in_text_ || text.starts_with('#') || text.find(';') == text.npos) return;
    if (!damaged && format_ != "bracketed") return;
    error(text, "expected a control field in brackets, and then an instruction",
          "for example [B------:R-:W-:-:S04] NOP ;");
  }

  /// The instruction's text on its line.
  std::optional<InstructionPart> find_instruction(std::string_view text) {
    const auto part = take_instruction_part(text);
    if (!part) {
      error(text.substr(text.size()), "expected ';' after the instruction",
            "the dump may be cut off here");
    }
    return part;
  }

  std::optional<Instruction> parse(std::string_view text) {
    auto instruction = vocabulary_.parse(text, builder_.layout().format);
    if (!instruction) {
      error(text.substr(std::min(instruction.error().offset, text.size())),
            instruction.error().message);
      return std::nullopt;
    }
    instruction->column = static_cast<std::uint32_t>(column_of(text));
    return *std::move(instruction);
  }

  void set_format(std::string_view format) {
    if (format_.empty()) format_ = format;
  }

  Builder builder_;
  BundleReader bundles_;
  Vocabulary vocabulary_;
  Line line_;
  std::string_view format_;
  std::optional<Pending> pending_;
  bool in_text_ = true;
  bool saw_encoding_ = false;
  bool no_encoding_ = false;
};

}  // namespace

Expected<Program> read_text(std::string_view text, const std::string& source, int sm,
                            const Done& done) {
  return TextReader(source, sm).read(text, done);
}

}  // namespace smsim::decode
