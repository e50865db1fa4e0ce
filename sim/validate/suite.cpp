// SPDX-License-Identifier: MIT
// A suite of measured loops: JSON Lines to the code of each loop and what was measured with how
// many warps.
#include "validate/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/number.hpp"
#include "validate/published_kernel.hpp"
#include "validate/stamps_reader.hpp"

namespace smsim::validate {
namespace {

using nlohmann::json;

constexpr std::size_t kMostErrors = 20;
constexpr int kMostWarps = 1024;
/// Regular expressions are held against ids, and the standard library's need stack by length.
constexpr std::size_t kLongestId = 1000;
constexpr int kMostStride = 1 << 20;  ///< bytes, up and down

/// Reads the fields of one line; what is wrong is collected with the line's number.
class LineReader {
 public:
  LineReader(const json& object, const std::string& source, std::uint32_t line,
             Diagnostics& diagnostics)
      : object_(object), source_(source), line_(line), diagnostics_(diagnostics) {}

  void complain(std::string message) const {
    Diagnostic diagnostic;
    diagnostic.message = std::move(message);
    diagnostic.where = {source_, line_, 1};
    diagnostics_.push_back(std::move(diagnostic));
  }

  std::string text(const char* name, bool required) const {
    const auto at = object_.find(name);
    if (at == object_.end()) {
      if (required) complain(fmt::format("the row has no '{}'", name));
      return {};
    }
    if (!at->is_string()) {
      complain(fmt::format("'{}' is not a string", name));
      return {};
    }
    return at->get<std::string>();
  }

  bool flag(const char* name) const {
    const auto at = object_.find(name);
    if (at == object_.end()) return false;
    if (!at->is_boolean()) complain(fmt::format("'{}' is neither true nor false", name));
    return at->is_boolean() && at->get<bool>();
  }

  /// cycles, lo and hi of one object, which is the row itself or an entry of its `runs`.
  std::optional<Measurement> measurement(const json& from, int warps) const {
    Measurement result;
    result.warps = warps;
    if (warps < 1 || warps > kMostWarps) {
      complain(fmt::format("'warps' is not an integer from 1 to {}", kMostWarps));
      return std::nullopt;
    }
    const auto cycles = number(from, "cycles");
    if (!cycles || !(*cycles > 0)) {
      complain("'cycles' is not a number above zero");
      return std::nullopt;
    }
    const auto lo = number(from, "lo");
    const auto hi = number(from, "hi");
    if (from.contains("lo") != from.contains("hi") || lo.has_value() != from.contains("lo") ||
        hi.has_value() != from.contains("hi")) {
      complain("'lo' and 'hi' are two numbers, or both left out");
      return std::nullopt;
    }
    result.cycles = *cycles;
    result.has_interval = lo && hi;
    result.lo = result.has_interval ? *lo : *cycles;
    result.hi = result.has_interval ? *hi : *cycles;
    if (!(result.lo > 0) || result.hi < result.lo) {
      complain("'lo' and 'hi' are not an interval above zero");
      return std::nullopt;
    }
    return result;
  }

  int warps() const {
    const auto at = object_.find("warps");
    if (at == object_.end() || !at->is_number_integer()) return 0;
    const auto value = at->get<std::int64_t>();
    return value < 1 || value > kMostWarps ? 0 : static_cast<int>(value);
  }

  std::map<int, int> lane_strides() const {
    std::map<int, int> strides;
    const auto at = object_.find("lane_stride_bytes");
    if (at == object_.end()) return strides;
    if (!at->is_object()) {
      complain("'lane_stride_bytes' is not an object");
      return strides;
    }
    for (const auto& [name, value] : at->items()) {
      const auto reg = parse_count(name.starts_with('R') ? std::string_view(name).substr(1) : "");
      const bool fits = value.is_number_integer() && value >= -kMostStride && value <= kMostStride;
      if (!reg || *reg > 254 || !fits) {
        complain(
            fmt::format("'lane_stride_bytes' maps registers R0 to R254 to at most {} bytes, "
                        "not '{}' to {}",
                        kMostStride, name, value.dump()));
        continue;
      }
      strides[*reg] = value.get<int>();
    }
    return strides;
  }

 private:
  static std::optional<double> number(const json& from, const char* name) {
    if (!from.is_object()) return std::nullopt;
    const auto at = from.find(name);
    if (at == from.end() || !at->is_number()) return std::nullopt;
    return at->get<double>();
  }

  const json& object_;
  const std::string& source_;
  std::uint32_t line_;
  Diagnostics& diagnostics_;
};

std::optional<TimedPart> read_timed(const LineReader& reader, const json& row) {
  const auto at = row.find("timed");
  if (at == row.end()) return std::nullopt;
  TimedPart part;
  const auto count = [&](const char* name) {
    constexpr std::size_t kMost = 1'000'000;
    const auto value = at->is_object() ? at->find(name) : at->end();
    const bool fits = value != at->end() && value->is_number_unsigned() && *value <= kMost;
    if (!fits) reader.complain(fmt::format("'timed' has no '{}' that is an index", name));
    return fits ? value->get<std::size_t>() : 0;
  };
  part.from = count("from");
  part.to = count("to");
  if (at->is_object() && at->contains("block")) part.block = static_cast<int>(count("block"));
  if (row.contains("runs")) reader.complain("'timed' and 'runs' do not go together");
  return part;
}

std::vector<StampRecord> read_row_stamps(const LineReader& reader, const json& row) {
  const auto at = row.find("stamps");
  if (at == row.end()) return {};
  if (row.contains("runs")) reader.complain("'stamps' and 'runs' do not go together");
  std::string error;
  auto records = read_stamps(*at, error);
  if (!error.empty()) reader.complain(error);
  return records;
}

/// The row's `runs`, by number of warps, or its own single measurement.
std::vector<Measurement> read_runs(const LineReader& reader, const json& row) {
  std::vector<Measurement> runs;
  const auto at = row.find("runs");
  if (at == row.end()) {
    if (auto run = reader.measurement(row, reader.warps())) runs.push_back(*run);
    return runs;
  }
  if (!at->is_object() || at->empty()) {
    reader.complain("'runs' is not an object that maps warps to measurements");
    return runs;
  }
  for (const auto& [warps, from] : at->items()) {
    if (auto run = reader.measurement(from, parse_count(warps).value_or(0))) {
      runs.push_back(*run);
    }
  }
  std::sort(runs.begin(), runs.end(),
            [](const Measurement& a, const Measurement& b) { return a.warps < b.warps; });
  return runs;
}

SuiteLoop read_loop(const json& row, const std::string& source, std::uint32_t line,
                    Diagnostics& diagnostics) {
  SuiteLoop loop;
  const LineReader reader(row, source, line, diagnostics);
  if (!row.is_object()) {
    reader.complain("the row is not a JSON object");
    return loop;
  }
  loop.line = line;
  loop.id = reader.text("id", true);
  if (loop.id.size() > kLongestId)
    reader.complain(fmt::format("'id' is longer than {} characters", kLongestId));
  loop.arch = reader.text("arch", false);
  loop.device = reader.text("device", false);
  loop.code = reader.text("sass", true);
  loop.is_bare_body = reader.flag("whole_listing_is_the_loop");
  loop.in_published_kernel = loop.is_bare_body && is_published_kernel(reader.text("source", false));
  loop.has_many_runs = row.contains("runs");
  const std::string start = reader.text("loop_start", false);
  const std::string end = reader.text("loop_end", false);
  if (start.empty() != end.empty()) reader.complain("'loop_start' and 'loop_end' go together");
  if (!start.empty() && !end.empty()) loop.loop = start + "-" + end;
  loop.lane_stride_bytes = reader.lane_strides();
  loop.runs = read_runs(reader, row);
  loop.timed = read_timed(reader, row);
  loop.stamps = read_row_stamps(reader, row);
  return loop;
}

}  // namespace

Expected<std::vector<SuiteLoop>> parse_suite(std::string_view text, const std::string& source) {
  std::vector<SuiteLoop> loops;
  Diagnostics diagnostics;
  std::uint32_t number = 0;
  while (!text.empty() && diagnostics.size() < kMostErrors) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      loops.push_back(read_loop(json::parse(line), source, number, diagnostics));
    } catch (const json::exception& error) {
      // A number out of range comes without a place.
      const auto* wrong = dynamic_cast<const json::parse_error*>(&error);
      const std::size_t byte = wrong != nullptr ? std::max<std::size_t>(wrong->byte, 1) : 1;
      Diagnostic diagnostic;
      diagnostic.message = wrong == nullptr     ? "a number is out of range"
                           : byte > line.size() ? "this line of JSON has no end"
                                                : "not JSON from here on";
      diagnostic.where = {source, number, static_cast<std::uint32_t>(byte)};
      diagnostic.hint = "a suite is JSON Lines: one object a line, with id, warps, cycles and sass";
      diagnostics.push_back(std::move(diagnostic));
    }
  }
  if (!diagnostics.empty()) return tl::make_unexpected(std::move(diagnostics));
  if (loops.empty()) {
    return fail(ErrorKind::bad_input, "the suite holds no loop", {source, 1, 1},
                "a suite is JSON Lines: one object a line, with id, warps, cycles and sass");
  }
  return loops;
}

}  // namespace smsim::validate
