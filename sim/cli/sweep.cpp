// SPDX-License-Identifier: MIT
// smsim sweep: loops over a grid of architectures, numbers and warps; stopped and started again
// without losing or repeating a point.
#include "report/sweep.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/lists.hpp"
#include "cli/output.hpp"
#include "cli/parser_words.hpp"
#include "cli/progress.hpp"
#include "cli/request.hpp"
#include "cli/row_file.hpp"
#include "cli/sweep_database.hpp"
#include "smsim/analysis.hpp"

namespace smsim::cli {
namespace {

constexpr const char* kSweepExamples =
    "Examples:\n"
    "  smsim sweep kernel.sass --set register_file.banks=1,2,4 --warps 1..16 -o banks.csv\n"
    "  smsim sweep *.sass --arch volta-v100,hopper-gh100 --warps 4,8 -o archs.jsonl\n"
    "  smsim sweep kernel.sass --set classes.lds.latency_cycles=20..60..4 --shard 3/16 -o "
    "part3.csv\n"
    "\n"
    "Every combination is a point, and a row of the output; rows are in order and do not depend "
    "on\n"
    "--jobs. A point that cannot be simulated has an error text in its row, and makes the exit\n"
    "code 1; if all are like that it is 65. The same command again goes on where the file ends,\n"
    "whatever stopped it. `smsim merge` puts shards together.";

struct SweepWords {
  RequestWords request;
  std::vector<std::string> files;
  std::vector<std::string> archs;
  std::string warps = "4";
  std::string shard;
  std::string format;
  std::string out;
  unsigned jobs = 0;
};

/// The part of all points that --shard names: 0/1 is everything.
struct Shard {
  std::uint64_t number = 0;
  std::uint64_t of = 1;
  std::uint64_t begin(std::uint64_t points) const {
    return points / of * number + std::min(number, points % of);
  }
  std::uint64_t end(std::uint64_t points) const { return Shard{number + 1, of}.begin(points); }
};

Expected<Shard> parse_shard(const std::string& word) {
  if (word.empty()) return Shard{};
  const std::size_t slash = word.find('/');
  unsigned long number = 0;
  unsigned long of = 0;
  char rest = 0;
  if (slash == std::string::npos ||
      std::sscanf(word.c_str(), "%lu/%lu%c", &number, &of, &rest) != 2 || of < 1 || number >= of ||
      of > 1'000'000)
    return fail(ErrorKind::usage, fmt::format("--shard '{}' is not of the form I/N", word), {},
                "N shards are numbered from 0: the first of 4 is 0/4, the last 3/4");
  return Shard{number, of};
}

/// What the name of the file says, if --format does not.
std::string format_of(const SweepWords& words) {
  if (!words.format.empty()) return words.format;
  for (const char* end : {".sqlite", ".sqlite3", ".db"})
    if (words.out.ends_with(end)) return "sqlite";
  return words.out.ends_with(".jsonl") || words.out.ends_with(".json") ? "jsonl" : "csv";
}

Expected<SweepPlan> plan_of(const SweepWords& words) {
  SweepSpec spec;
  auto options = simulate_options(words.request);
  if (!options) return tl::make_unexpected(std::move(options.error()));
  auto axes = parse_axes(words.request.overrides);
  if (!axes) return tl::make_unexpected(std::move(axes.error()));
  auto warps = parse_warps(words.warps);
  if (!warps) return tl::make_unexpected(std::move(warps.error()));
  for (const std::string& word : words.archs) {
    const auto names = parse_values("--arch", word);
    if (!names) return tl::make_unexpected(names.error());
    spec.archs.insert(spec.archs.end(), names->begin(), names->end());
  }
  spec.files = words.files;
  spec.options = std::move(*options);
  spec.options.function = words.request.function;
  spec.axes = std::move(*axes);
  spec.warps = std::move(*warps);
  return SweepPlan::make(std::move(spec));
}

/// Where rows go, and what has gone wrong on the way.
class Rows {
 public:
  Rows(const SweepPlan& plan, std::string format, std::string path)
      : plan_(plan), id_(plan.id()), format_(std::move(format)), path_(std::move(path)) {}

  /// Number of rows that are there already, from `first` on.
  Expected<std::uint64_t> open(std::uint64_t first) {
    if (format_ == "sqlite")
      return database_.open(path_, id_, report::sweep_columns(plan_.spec()), first);
    const std::string header = format_ == "csv" ? report::sweep_csv_header(plan_.spec()) : "";
    if (to_stdout()) return put(header).map([](bool) { return std::uint64_t{0}; });
    const std::uint64_t before = header.empty() ? 0 : 1;
    const auto lines =
        file_.open(path_, [&](std::uint64_t line, std::string_view text, bool whole) {
          const std::string begins =
              line < before ? header.substr(0, header.size() - 1) : start_of(first + line - before);
          if (!whole && text.size() < begins.size()) return begins.starts_with(text);
          return line < before ? text == begins : text.starts_with(begins);
        });
    if (!lines) return tl::make_unexpected(lines.error());
    if (*lines >= before) return *lines - before;
    return put(header).map([](bool) { return std::uint64_t{0}; });
  }

  Expected<bool> add(const std::vector<SweepRow>& rows) {
    for (const SweepRow& row : rows)
      if (!row.error.empty()) note_failure(row);
    if (format_ == "sqlite") {
      std::vector<std::vector<report::SweepCell>> cells;
      for (const SweepRow& row : rows) cells.push_back(report::sweep_cells(id_, row));
      return database_.add(cells);
    }
    std::string text;
    for (const SweepRow& row : rows)
      text += format_ == "csv" ? report::sweep_csv_row(id_, row)
                               : report::sweep_json_row(id_, plan_.spec(), row);
    return put(text);
  }

  Expected<bool> finish() {
    return to_stdout() || format_ == "sqlite" ? Expected<bool>(true) : file_.finish();
  }
  std::uint64_t failures() const { return failures_; }

 private:
  static constexpr std::uint64_t kShownFailures = 5;

  bool to_stdout() const { return path_.empty() || path_ == "-"; }

  std::string start_of(std::uint64_t point) const {
    return format_ == "csv" ? report::sweep_csv_start(id_, point)
                            : report::sweep_json_start(id_, point);
  }

  Expected<bool> put(const std::string& text) {
    if (!to_stdout()) return file_.append(text);
    const int failed = emit(text, "");
    if (failed == 0) return true;
    return fail(ErrorKind::no_file, "cannot write the results");
  }

  void note_failure(const SweepRow& row) {
    if (++failures_ > kShownFailures) return;
    fmt::print(stderr, "smsim: warning: point {} ({}, {}, {} warps): {}\n", row.point, row.file,
               row.arch, row.warps, row.error);
  }

  const SweepPlan& plan_;
  std::string id_;
  std::string format_;
  std::string path_;
  RowFile file_;            // csv, jsonl
  SweepDatabase database_;  // sqlite
  std::uint64_t failures_ = 0;
};

int run_points(const SweepPlan& plan, Rows& rows, std::uint64_t begin, std::uint64_t end,
               std::uint64_t there, unsigned jobs) {
  Diagnostics failed;
  {
    Progress progress(there, end - begin);
    std::uint64_t done = there;
    plan.run(begin + there, end, jobs, [&](const std::vector<SweepRow>& some) {
      const auto added = rows.add(some);
      if (!added) failed = added.error();
      done += some.size();
      progress.show(done);
      return added.has_value();
    });
  }
  const auto finished = failed.empty() ? rows.finish() : Expected<bool>(true);
  if (!finished) failed = finished.error();
  if (!failed.empty()) return report(failed);
  const std::uint64_t points = end - begin - there;
  if (there > 0)
    fmt::print(stderr, "smsim: {} of {} points were there already\n", there, end - begin);
  if (rows.failures() > 0)
    fmt::print(stderr, "smsim: {} of {} points could not be simulated; their rows say why\n",
               rows.failures(), points);
  constexpr int kNothingWorked = 65;
  constexpr int kSomeFailed = 1;
  if (rows.failures() == 0) return 0;
  return rows.failures() == points ? kNothingWorked : kSomeFailed;
}

int sweep(const SweepWords& words) {
  const auto shard = parse_shard(words.shard);
  if (!shard) return report(shard.error());
  if (format_of(words) == "sqlite" && (words.out.empty() || words.out == "-"))
    return report(fail(ErrorKind::usage, "a database needs a file: -o FILE.sqlite").value());
  const auto plan = plan_of(words);
  if (!plan) return report(plan.error());
  const std::uint64_t begin = shard->begin(plan->points());
  const std::uint64_t end = shard->end(plan->points());
  Rows rows(*plan, format_of(words), words.out);
  const auto there = rows.open(begin);
  if (!there) return report(there.error());
  if (*there > end - begin)
    return report(fail(ErrorKind::usage, "the file holds more rows than this shard has points",
                       {words.out, 0, 0})
                      .value());
  return run_points(*plan, rows, begin, end, *there, words.jobs);
}

void add_sweep_options(CLI::App& app, SweepWords& words) {
  app.add_option("FILE", words.files, "disassemblies")->required()->type_name("");
  app.add_option("--set", words.request.overrides,
                 "values of a number of the config (repeatable): key=a,b,c or key=1..8")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUES");
  app.add_option("--warps", words.warps, "as in 1,2,4 or 1..16; default: 4")->type_name("LIST");
  app.add_option("--arch", words.archs, "configs, as in volta-v100,sm_90; default: each file's own")
      ->allow_extra_args(false)
      ->type_name("LIST");
  app.add_option("--function", words.request.function, "exact name or glob, in each file")
      ->type_name("NAME");
  app.add_option("--loop", words.request.loop, "N of `smsim loops`, 0xSTART[-0xEND] or all")
      ->type_name("LOOP");
  app.add_option("--branch", words.request.branches, "0xADDR=taken or 0xADDR=not (repeatable)")
      ->allow_extra_args(false)
      ->type_name("BRANCH");
  app.add_option("--lane-stride", words.request.lane_strides,
                 "R14=16: bytes between two lanes' addresses (repeatable)")
      ->allow_extra_args(false)
      ->type_name("REG=BYTES");
  app.add_option("--unknown", words.request.unknown,
                 "runs opcodes that the model does not know on that pipe")
      ->type_name("assume:PIPE");
  app.add_flag("--allow-unset-waits", words.request.allow_unset_waits,
               "a wait on a barrier that nothing sets goes on at once, as in hardware");
}

}  // namespace

Command add_sweep(CLI::App& app) {
  auto words = std::make_shared<SweepWords>();
  CLI::App* command =
      app.add_subcommand("sweep", "loops over a grid of devices, numbers of the config and warps");
  command->footer(kSweepExamples);
  add_sweep_options(*command, *words);
  command->add_option("--shard", words->shard, "the part I of N, from 0: 0/4 to 3/4")
      ->type_name("I/N");
  command->add_option("--jobs", words->jobs, "threads; default: one a core")
      ->check(whole_number(1, kMostJobs))
      ->type_name("N");
  command
      ->add_option("--format", words->format, "csv, jsonl or sqlite; default: as OUT ends, or csv")
      ->check(CLI::IsMember({"csv", "jsonl", "sqlite"}))
      ->type_name("FORMAT");
  command->add_option("-o,--output", words->out, "appends to a file, or goes on with it")
      ->type_name("OUT");
  return {command, [words] { return sweep(*words); }};
}

}  // namespace smsim::cli
