// SPDX-License-Identifier: MIT
// Which part of a file is meant: line numbers, a label, or markers in comments.
#include "cli/region.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "core/nearest.hpp"
#include "program/named.hpp"

namespace smsim::cli {
namespace {

struct Lines {
  std::uint32_t first = 0, last = 0;
  std::string name;
};

tl::unexpected<Diagnostics> wrong(const Program& program, std::uint32_t line, std::string message,
                                  std::string hint) {
  return fail(ErrorKind::usage, std::move(message), {program.source, line, line != 0 ? 1U : 0U},
              std::move(hint));
}

std::optional<Lines> parse_lines(const std::string& word) {
  Lines lines;
  const char* const end = word.data() + word.size();
  const auto first = std::from_chars(word.data(), end, lines.first);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto last = std::from_chars(first.ptr + 1, end, lines.last);
  if (last.ec != std::errc() || last.ptr != end || lines.last < lines.first) return std::nullopt;
  return lines;
}

/// The first pair of markers. An empty name is allowed.
Expected<std::optional<Lines>> find_markers(const Program& program) {
  constexpr std::string_view kBegin = "smsim-begin";
  std::optional<Lines> open;
  for (std::uint32_t i = 0; i < program.lines.size(); ++i) {
    const std::string& line = program.lines[i];
    const std::size_t begin = line.find(kBegin);
    if (begin != line.npos) {
      if (open) return wrong(program, i + 1, "smsim-begin within another region", "");
      const std::size_t name = line.find_first_not_of(" \t", begin + kBegin.size());
      const std::size_t end = name == line.npos ? name : line.find_first_of(" \t*", name);
      open = Lines{i + 1, 0, name == line.npos ? "" : line.substr(name, end - name)};
    } else if (line.find("smsim-end") != line.npos) {
      if (!open) return wrong(program, i + 1, "smsim-end without smsim-begin", "");
      open->last = i + 1;
      return open;
    }
  }
  if (!open) return std::optional<Lines>();
  return wrong(program, open->first, "smsim-begin without smsim-end",
               "put a comment with smsim-end behind the loop");
}

bool is_within(const Function& function, const Loop& loop, const Lines& lines) {
  for (const Instruction& one : function.instructions) {
    if (one.address < loop.start || one.address > loop.end) continue;
    if (one.line < lines.first || one.line > lines.last) return false;
  }
  return true;
}

Expected<Region> largest_loop(const Program& program, const Lines& lines) {
  Region region;
  std::size_t most = 0;
  for (const Function& function : program.functions) {
    for (const Loop& loop : find_loops(function)) {
      if (loop.instructions <= most || !is_within(function, loop, lines)) continue;
      most = loop.instructions;
      region.function = function.name;
      region.loop = fmt::format("0x{:x}-0x{:x}", loop.start, loop.end);
    }
  }
  if (most == 0) {
    return wrong(program, lines.first,
                 fmt::format("no whole loop lies in lines {} to {}", lines.first, lines.last),
                 "a loop reaches from its first instruction to the branch back");
  }
  region.note = fmt::format("the loop is the largest in lines {} to {}{}", lines.first, lines.last,
                            lines.name.empty() ? "" : fmt::format(" (region {})", lines.name));
  return region;
}

std::optional<Loop> innermost_at(const Function& function, std::uint64_t address) {
  std::optional<Loop> best;
  for (const Loop& loop : find_loops(function)) {
    if (loop.start == address && (!best || loop.instructions < best->instructions)) best = loop;
  }
  return best;
}

}  // namespace

Expected<Region> find_region(const Program& program, const std::string& lines) {
  if (!lines.empty()) {
    const auto parsed = parse_lines(lines);
    if (!parsed) {
      return wrong(program, 0, fmt::format("--lines: '{}' is no range of lines", lines),
                   "for example --lines 120-180");
    }
    return largest_loop(program, *parsed);
  }
  const auto marked = find_markers(program);
  if (!marked) return tl::make_unexpected(marked.error());
  if (!*marked) return Region{};
  return largest_loop(program, **marked);
}

Expected<Region> find_label(const Program& program, const std::string& label,
                            const std::string& function) {
  std::vector<std::string_view> names;
  std::optional<std::uint64_t> place;
  for (const Function* one : program::functions_named(program, function)) {
    for (const auto& [name, address] : one->labels) {
      names.push_back(name);
      if (name != label && name != "." + label) continue;
      place = address;
      const auto loop = innermost_at(*one, address);
      if (!loop) continue;
      return Region{one->name, fmt::format("0x{:x}-0x{:x}", loop->start, loop->end),
                    fmt::format("the loop is the one at label {}", name)};
    }
  }
  if (place)
    return wrong(program, 0,
                 fmt::format("--label: no loop begins at '{}' (0x{:04x})", label, *place),
                 "the label of a loop is the target of its branch back; `smsim loops` lists them");
  return wrong(program, 0, fmt::format("--label: there is no label '{}'", label),
               did_you_mean(label, names,
                            names.empty() ? "this text has no labels: --loop takes addresses"
                                          : "labels stand in front of a colon, as in '.L_x_3:'"));
}

}  // namespace smsim::cli
