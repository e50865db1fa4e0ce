// SPDX-License-Identifier: MIT
// smsim accuracy: what suites of measured loops say of the model, as a page, a plot and a record.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "accuracy/markdown.hpp"
#include "accuracy/notes.hpp"
#include "accuracy/reached.hpp"
#include "accuracy/scatter.hpp"
#include "accuracy/suite_accuracy.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/suite_words.hpp"
#include "smsim/read.hpp"

namespace smsim::cli {
namespace {

using accuracy::SuiteAccuracy;

constexpr int kFoundDifference = 1;
constexpr const char* kPageName = "accuracy.md";
constexpr const char* kPlotName = "accuracy.svg";

constexpr const char* kAccuracyExamples =
    "Examples:\n"
    "  smsim accuracy traces/suites/h200/*.jsonl.gz             the page on standard output\n"
    "  smsim accuracy mine.jsonl -o out                         out/accuracy.md, out/accuracy.svg\n"
    "  smsim accuracy mine.jsonl --arch my.yaml --record r.yaml writes down what is reached\n"
    "  smsim accuracy mine.jsonl --arch my.yaml --check r.yaml  exit code 1 if it is less now";

struct AccuracyWords {
  std::vector<std::string> suites;
  std::string folder;
  std::string notes;
  std::string record;
  std::string check;
  validate::ValidateOptions options;
};

Expected<accuracy::Notes> read_notes(const std::string& file) {
  if (file.empty()) return accuracy::Notes();
  return read_bytes(file).and_then(
      [&](const std::string& text) { return accuracy::parse_notes(text, file); });
}

std::string joined(const std::set<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What a suite was measured on, and the configs that its rows are predicted with.
void name_devices(const std::vector<validate::SuiteLoop>& loops, const std::string& arch,
                  SuiteAccuracy& suite) {
  std::set<std::string> wanted;
  std::set<std::string> devices;
  std::set<std::string> archs;
  for (const validate::SuiteLoop& loop : loops) {
    wanted.insert(arch.empty() ? loop.arch : arch);
    if (!loop.device.empty()) devices.insert(loop.device);
  }
  for (const std::string& name : wanted) {
    const auto loaded = load_arch(name);
    archs.insert(loaded ? loaded->name : name);
  }
  suite.devices = joined(devices);
  suite.archs = joined(archs);
}

Expected<SuiteAccuracy> run_suite(const std::string& path, const AccuracyWords& words,
                                  const accuracy::Notes& notes) {
  const auto text = read_bytes(path);
  if (!text) return tl::make_unexpected(text.error());
  const auto loops = validate::parse_suite(*text, path == "-" ? "<stdin>" : path);
  if (!loops) return tl::make_unexpected(loops.error());
  const auto validation = validate::validate(*loops, words.options);
  if (!validation) return tl::make_unexpected(validation.error());
  SuiteAccuracy suite = accuracy::divide(accuracy::suite_name(path), validation->rows, notes);
  name_devices(*loops, words.options.arch, suite);
  return suite;
}

Expected<std::vector<SuiteAccuracy>> run_suites(const AccuracyWords& words,
                                                const accuracy::Notes& notes) {
  std::vector<SuiteAccuracy> suites;
  for (const std::string& path : words.suites) {
    auto suite = run_suite(path, words, notes);
    if (!suite) return tl::make_unexpected(std::move(suite.error()));
    suites.push_back(std::move(*suite));
  }
  return suites;
}

int write_page(const std::vector<SuiteAccuracy>& suites, const accuracy::Notes& notes,
               const std::string& folder) {
  namespace fs = std::filesystem;
  if (folder.empty()) return emit(accuracy::markdown(suites, notes, ""), "");
  std::error_code ignored;  // a folder that cannot be made cannot be written to, which emit reports
  fs::create_directory(folder, ignored);
  const int page =
      emit(accuracy::markdown(suites, notes, kPlotName), (fs::path(folder) / kPageName).string());
  if (page != 0) return page;
  return emit(accuracy::scatter_svg(suites), (fs::path(folder) / kPlotName).string());
}

int check_record(const std::vector<SuiteAccuracy>& suites, const std::string& file) {
  const auto recorded = read_bytes(file).and_then(
      [&](const std::string& text) { return accuracy::parse_reached(text, file); });
  if (!recorded) return report(recorded.error());
  const accuracy::Comparison comparison = accuracy::compare(suites, *recorded);
  std::string text;
  for (const std::string& line : comparison.worse) text += "worse   " + line + '\n';
  for (const std::string& line : comparison.better) text += "better  " + line + '\n';
  const bool is_worse = !comparison.worse.empty();
  if (text.empty()) text = "as recorded\n";
  const int written = emit(text, "");
  return written != 0 ? written : is_worse ? kFoundDifference : 0;
}

/// The usage error if the record would be written over a part of the page.
std::optional<Diagnostics> outputs_clash(const AccuracyWords& words) {
  namespace fs = std::filesystem;
  if (words.folder.empty() || words.record.empty()) return std::nullopt;
  std::error_code ignored;
  const fs::path record = fs::weakly_canonical(words.record, ignored);
  for (const char* part : {kPageName, kPlotName})
    if (fs::weakly_canonical(fs::path(words.folder) / part, ignored) == record)
      return fail(ErrorKind::usage, fmt::format("--record and -o both write {}", part),
                  {words.record, 0, 0}, "name another file for the record")
          .value();
  return std::nullopt;
}

int run(const AccuracyWords& words) {
  if (const auto clash = outputs_clash(words)) return report(*clash);
  const auto notes = read_notes(words.notes);
  if (!notes) return report(notes.error());
  const auto suites = run_suites(words, *notes);
  if (!suites) return report(suites.error());
  const bool only_figures = !words.record.empty() || !words.check.empty();
  if (!words.folder.empty() || !only_figures) {
    const int written = write_page(*suites, *notes, words.folder);
    if (written != 0) return written;
  }
  if (!words.record.empty()) {
    const int written = emit(accuracy::reached_yaml(*suites), words.record);
    if (written != 0) return written;
  }
  return words.check.empty() ? 0 : check_record(*suites, words.check);
}

void add_options(CLI::App& app, AccuracyWords& words) {
  app.add_option("SUITE", words.suites, kSuiteHelp)->required()->type_name("");
  add_suite_options(app, words.options);
  app.add_option("-o,--output", words.folder,
                 "folder for accuracy.md and .svg; default: the page on standard output")
      ->type_name("DIR");
  app.add_option("--notes", words.notes, "YAML: patterns of ids to what is known about those loops")
      ->type_name("FILE");
  app.add_option("--record", words.record, "writes what was reached, for a later --check")
      ->type_name("FILE");
  app.add_option("--check", words.check,
                 "compares with a record; exit code 1 if any figure is worse")
      ->type_name("FILE");
}

}  // namespace

Command add_accuracy(CLI::App& app) {
  auto words = std::make_shared<AccuracyWords>();
  CLI::App* command =
      app.add_subcommand("accuracy", "tables and a plot of how near predictions come");
  command->footer(kAccuracyExamples);
  add_options(*command, *words);
  return {command, [words] { return run(*words); }};
}

}  // namespace smsim::cli
