// SPDX-License-Identifier: MIT
// Loops as YAML, `format: smsim-loop/1`: for tests, teaching and programs that write loops.
#include "decode/yaml_loop.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <array>
#include <optional>
#include <vector>

#include "core/nearest.hpp"
#include "core/number.hpp"
#include "decode/assembler_names.hpp"
#include "decode/line_parts.hpp"
#include "decode/text.hpp"
#include "decode/text_reader.hpp"

namespace smsim::decode {
namespace {

constexpr std::string_view kFormat = "smsim-loop/1";
constexpr std::string_view kSection = "smsim-loop-";  ///< and the number of a body
/// A loop that somebody writes; disassemblers do not write YAML.
constexpr std::size_t kMostBytes = std::size_t{16} << 20;
constexpr std::size_t kMostFunctions = 10000;
/// Of all bodies together: with aliases a small file may name a long one again and again.
constexpr std::size_t kMostPlaced = std::size_t{64} << 20;

constexpr std::array<std::string_view, 7> kKeys = {
    "format", "arch", "function", "body", "register_count", "registers", "functions"};

class Loops {
 public:
  Loops(std::string_view text, const std::string& source) : source_(source) {
    // One line of notation stands where its line stands in the file.
    lines_.emplace_back();
    for (const char c : text) {
      if (c == '\n') lines_.emplace_back();
    }
  }

  Expected<Program> read(const YAML::Node& root) {
    if (!root.IsMap()) return problem(root, "expected a map with 'format', 'arch' and 'body'");
    if (auto checked = check_keys(root); !checked) return tl::make_unexpected(checked.error());
    if (const auto format = scalar(root["format"]); format != kFormat) {
      return problem(root, fmt::format("'format' is '{}'", format.value_or("")),
                     fmt::format("this version reads {}", kFormat));
    }
    const std::string arch = scalar(root["arch"]).value_or("");
    if (!arch.starts_with("sm_") || parse_sm(std::string_view(arch).substr(3)) == 0) {
      return problem(root["arch"] ? root["arch"] : root, "'arch' must be sm_NN",
                     "for example 'arch: sm_90'");
    }
    auto placed = place_all(root);
    if (!placed) return tl::make_unexpected(placed.error());
    const std::string text = fmt::format("{}", fmt::join(lines_, "\n"));
    auto program = read_text(text, source_, parse_sm(std::string_view(arch).substr(3)));
    if (!program) return program;
    program->format = "yaml";
    if (auto named = name_functions(*program); !named) return tl::make_unexpected(named.error());
    return program;
  }

 private:
  struct Head {
    std::string name;
    int registers = 0;
    SourceLocation body;
  };

  /// What each body is read as. No two are alike, and no body names one by chance.
  static std::string section(std::size_t body) { return fmt::format("{}{}", kSection, body); }

  /// The body that is read as this; as many as there are bodies, if none is.
  std::size_t body_of(std::string_view name) const {
    const auto body = name.starts_with(kSection)
                          ? parse_number<std::size_t>(name.substr(kSection.size()))
                          : std::nullopt;
    return body && *body < heads_.size() && name == section(*body) ? *body : heads_.size();
  }

  /// Each function gets the name and registers of its body. Errors: a body that comes to no
  /// function, or to several.
  Expected<void> name_functions(Program& program) const {
    std::vector<Function*> found(heads_.size(), nullptr);
    for (Function& function : program.functions) {
      const std::size_t body = body_of(function.name);
      if (body == found.size() || found[body] != nullptr)
        return fail(ErrorKind::bad_input, "a body holds one function: no sections and no names",
                    {source_, function.line, 0}, "give each its own entry of 'functions'");
      found[body] = &function;
    }
    for (std::size_t body = 0; body < found.size(); ++body) {
      if (found[body] == nullptr)
        return fail(ErrorKind::bad_input, "the body holds no instruction", heads_[body].body,
                    "lines such as '[B------:R-:W-:-:S04] NOP ;'");
      found[body]->name = heads_[body].name;
      found[body]->registers = heads_[body].registers;
    }
    return {};
  }

  static std::optional<std::string> scalar(const YAML::Node& node) {
    if (!node || !node.IsScalar()) return std::nullopt;
    return node.Scalar();
  }

  SourceLocation place(const YAML::Node& node) const {
    const YAML::Mark mark = node.Mark();
    return {source_, static_cast<std::uint32_t>(mark.line + 1),
            static_cast<std::uint32_t>(mark.column + 1)};
  }

  tl::unexpected<Diagnostics> problem(const YAML::Node& node, std::string message,
                                      std::string hint = {}) const {
    return fail(ErrorKind::bad_input, std::move(message), place(node), std::move(hint));
  }

  Expected<void> check_keys(const YAML::Node& map) const {
    std::vector<std::string> seen;
    for (const auto& entry : map) {
      const std::string key = scalar(entry.first).value_or("");
      if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
        return problem(entry.first, fmt::format("unknown key '{}'", key),
                       did_you_mean(key, {kKeys.begin(), kKeys.end()},
                                    fmt::format("keys are {}", fmt::join(kKeys, ", "))));
      }
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) {
        return problem(entry.first, fmt::format("the key '{}' stands twice", key));
      }
      seen.push_back(key);
    }
    return {};
  }

  Expected<void> place_all(const YAML::Node& root) {
    const YAML::Node list = root["functions"];
    if (!list) return place_function(root);
    if (!list.IsSequence() || list.size() > kMostFunctions || root["body"]) {
      return problem(list, "'functions' must be a list, and 'body' stand in its entries");
    }
    for (const YAML::Node& one : list) {
      if (!one.IsMap()) return problem(one, "expected a map with 'function' and 'body'");
      if (auto checked = check_keys(one); !checked) return checked;
      if (auto placed = place_function(one); !placed) return placed;
      if (placed_ > kMostPlaced) {
        return problem(one, "more than 64 MiB of loops, with aliases written out");
      }
    }
    return {};
  }

  Expected<void> place_function(const YAML::Node& map) {
    Head head;
    head.name = scalar(map["function"]).value_or("unnamed");
    if (const YAML::Node count = map["register_count"]) {
      head.registers = parse_number<int>(scalar(count).value_or("")).value_or(0);
      if (head.registers < 1 || head.registers > 255) {
        return problem(count, "'register_count' must be 1 to 255");
      }
    }
    AssemblerNames names;
    if (const YAML::Node registers = map["registers"]) {
      if (!registers.IsMap()) return problem(registers, "'registers' must map names to numbers");
      for (const auto& entry : registers) {
        const auto wrong = names.add_registers(scalar(entry.second).value_or("") + ":" +
                                               scalar(entry.first).value_or(""));
        if (wrong) return problem(entry.first, *wrong, "for example 'acc: 12'");
      }
    }
    const YAML::Node body = map["body"];
    if (!body || !(body.IsScalar() || body.IsSequence())) {
      return problem(map, "'body' is missing", "lines such as '[B------:R-:W-:-:S04] NOP ;'");
    }
    head.body = place(body);
    heads_.push_back(std::move(head));
    place_body(body, names);
    return {};
  }

  void place_body(const YAML::Node& body, const AssemblerNames& names) {
    // The line in front of the first one names the function, so that the text reader sees it.
    const bool listed = body.IsSequence() && body.size() > 0;
    const int before = listed ? body[0].Mark().line - 1 : body.Mark().line;
    auto line = static_cast<std::size_t>(std::max(before, 0));
    put(line, ".section .text." + section(heads_.size() - 1));
    if (body.IsSequence()) {
      for (const YAML::Node& one : body) {
        line = std::max(line + 1, static_cast<std::size_t>(std::max(one.Mark().line, 0)));
        put(line, names.replace(scalar(one).value_or("")));
      }
      return;
    }
    const std::string text = body.Scalar();
    std::string_view rest = text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      put(++line, names.replace(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  /// A list in one line, or a folded text, may need more lines than there are.
  void put(std::size_t line, std::string text) {
    placed_ += text.size();
    if (line >= lines_.size()) lines_.resize(line + 1);
    if (!lines_[line].empty()) lines_[line] += '\n';
    lines_[line] += text;
  }

  const std::string& source_;
  std::vector<std::string> lines_;
  std::vector<Head> heads_;
  std::size_t placed_ = 0;
};

}  // namespace

Expected<Program> read_yaml_loop(std::string_view text, const std::string& source) {
  if (text.size() > kMostBytes) {
    return fail(ErrorKind::bad_input, "more than 16 MiB of YAML", {source, 1, 1},
                "a loop is a few lines; disassembly is read as the tools print it");
  }
  try {
    return Loops(text, source).read(YAML::Load(std::string(text)));
  } catch (const YAML::Exception& problem) {
    return fail(ErrorKind::bad_input, problem.msg,
                {source, static_cast<std::uint32_t>(problem.mark.line + 1),
                 static_cast<std::uint32_t>(problem.mark.column + 1)});
  }
}

}  // namespace smsim::decode
