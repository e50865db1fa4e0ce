// SPDX-License-Identifier: MIT
// smsim merge: the shards of a sweep to the file that one process would have written.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/sweep_database.hpp"
#include "report/sweep.hpp"
#include "smsim/read.hpp"

namespace smsim::cli {
namespace {

constexpr const char* kMergeExamples =
    "Examples:\n"
    "  smsim merge part0.csv part1.csv part2.csv part3.csv -o all.csv\n"
    "  smsim merge parts/*.jsonl -o all.jsonl\n"
    "\n"
    "The shards must be of one sweep, and all of its points must be there.";

/// A shard: its header (CSV), its rows, and which points they are.
struct Part {
  std::string path;
  std::string header;
  std::string rows;
  std::string id;
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

struct RowStart {
  std::string id;
  std::uint64_t point = 0;
};

/// Sweep and point of a row of either format.
std::optional<RowStart> start_of(std::string_view line) {
  constexpr std::string_view kJson = "{\"sweep\":\"";
  constexpr std::string_view kPoint = "\",\"point\":";
  const bool json = line.starts_with(kJson);
  if (json) line.remove_prefix(kJson.size());
  const std::size_t end = line.find(json ? '"' : ',');
  if (end == std::string_view::npos) return std::nullopt;
  RowStart start{std::string(line.substr(0, end)), 0};
  line.remove_prefix(end);
  if (json && !line.starts_with(kPoint)) return std::nullopt;
  line.remove_prefix(json ? kPoint.size() : 1);
  const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), start.point);
  if (error != std::errc() || rest == line.data() + line.size() || *rest != ',')
    return std::nullopt;
  return start;
}

tl::unexpected<Diagnostics> not_a_shard(const std::string& path, std::uint32_t line,
                                        const char* why) {
  return fail(ErrorKind::bad_input, why, {path, line, 0},
              "shards are what `smsim sweep --shard I/N -o FILE` writes");
}

Expected<Part> read_part(const std::string& path) {
  const auto text = read_bytes(path);
  if (!text) return tl::make_unexpected(text.error());
  Part part{path, "", *text, "", 0, 0};
  if (!text->empty() && text->back() != '\n')
    return not_a_shard(path, 0, "the last line is incomplete: run that shard again");
  std::size_t at = 0;
  if (text->starts_with("sweep,")) {
    at = text->find('\n') + 1;
    part.header = text->substr(0, at);
    part.rows = text->substr(at);
  }
  std::uint32_t number = part.header.empty() ? 0 : 1;
  for (std::string_view rest = part.rows; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    const auto start = start_of(rest.substr(0, end));
    ++number;
    if (!start) return not_a_shard(path, number, "not a row of a sweep");
    if (part.count == 0) {
      part.id = start->id;
      part.first = start->point;
    }
    if (start->id != part.id || start->point != part.first + part.count)
      return not_a_shard(path, number, "a row of another sweep, or not the next point");
    ++part.count;
    rest.remove_prefix(end + 1);
  }
  return part;
}

Expected<std::string> join(std::vector<Part> parts) {
  std::erase_if(parts, [](const Part& part) { return part.count == 0; });
  if (parts.empty())
    return fail(ErrorKind::bad_input, "no shard holds a row", {},
                "shards are what `smsim sweep --shard I/N -o FILE` writes");
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.first < b.first; });
  std::string text = parts.front().header;
  std::uint64_t next = 0;
  for (const Part& part : parts) {
    if (part.id != parts.front().id || part.header != parts.front().header)
      return fail(ErrorKind::bad_input, "not of the same sweep as the others", {part.path, 0, 0},
                  "all shards need the same words but for --shard and -o");
    if (part.first != next)
      return fail(ErrorKind::bad_input,
                  part.first > next ? fmt::format("points {} to {} are in none of the shards", next,
                                                  part.first - 1)
                                    : fmt::format("point {} is in another shard, too", part.first),
                  {part.path, 0, 0},
                  part.first > next ? "name all shards, and run again what is missing"
                                    : "name each shard once");
    text += part.rows;
    next += part.count;
  }
  const std::uint64_t points = report::sweep_points(parts.front().id);
  if (next == points) return text;
  return fail(ErrorKind::bad_input,
              fmt::format("points {} to {} are in none of the shards", next, points - 1), {},
              "name all shards, and run again what is missing");
}

struct MergeWords {
  std::vector<std::string> files;
  std::string out;
};

/// Databases, if the first one is.
int merge_into_database(const MergeWords& words) {
  if (words.out.empty() || words.out == "-")
    return report(
        fail(ErrorKind::usage, "a database needs a file", {}, "name it with -o FILE.sqlite")
            .value());
  const auto merged = merge_databases(words.files, words.out);
  return merged ? 0 : report(merged.error());
}

int merge(const MergeWords& words) {
  if (is_database(words.files.front())) return merge_into_database(words);
  std::vector<Part> parts;
  for (const std::string& file : words.files) {
    auto part = read_part(file);
    if (!part) return report(part.error());
    parts.push_back(std::move(*part));
  }
  const auto text = join(std::move(parts));
  if (!text) return report(text.error());
  return emit(*text, words.out);
}

}  // namespace

Command add_merge(CLI::App& app) {
  auto words = std::make_shared<MergeWords>();
  CLI::App* command = app.add_subcommand("merge", "the shards of a sweep to one file");
  command->footer(kMergeExamples);
  command->add_option("SHARD", words->files, "what the shards wrote, in any order")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", words->out, "writes a file, which appears whole or not at all")
      ->type_name("OUT");
  return {command, [words] { return merge(*words); }};
}

}  // namespace smsim::cli
