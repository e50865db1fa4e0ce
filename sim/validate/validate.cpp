// SPDX-License-Identifier: MIT
// Runs every loop of a suite through the model and holds the predictions against the measurements.
#include "validate/validate.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <regex>

#include "core/parallel.hpp"
#include "validate/predict_row.hpp"

namespace smsim::validate {
namespace {

/// A suite's loop with those of its runs that were asked for.
struct Job {
  SuiteLoop loop;
  std::size_t first_row = 0;
};

std::string row_id(const SuiteLoop& loop, const Measurement& run) {
  return loop.has_many_runs ? fmt::format("{}.w{}", loop.id, run.warps) : loop.id;
}

Expected<std::regex> compile_filter(const std::string& filter) {
  constexpr std::size_t kLongestFilter = 2000;  // std::regex recurses over the pattern
  if (filter.size() > kLongestFilter) {
    return fail(ErrorKind::usage,
                fmt::format("--filter is longer than {} characters", kLongestFilter));
  }
  try {
    return std::regex(filter, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error& error) {
    return fail(ErrorKind::usage, fmt::format("--filter '{}' is not a regular expression", filter),
                {}, "ECMAScript syntax, as in '^(bank|reuse)\\.'");
  }
}

Expected<std::vector<Job>> select(const std::vector<SuiteLoop>& suite,
                                  const ValidateOptions& options) {
  const auto filter = compile_filter(options.filter);
  if (!filter) return tl::make_unexpected(filter.error());
  std::vector<Job> jobs;
  std::size_t rows = 0;
  for (const SuiteLoop& loop : suite) {
    Job job{loop, rows};
    std::erase_if(job.loop.runs, [&](const Measurement& run) {
      const bool named = options.filter.empty() || std::regex_search(loop.id, *filter) ||
                         std::regex_search(row_id(loop, run), *filter);
      return !named || run.warps < options.min_warps || run.warps > options.max_warps;
    });
    rows += job.loop.runs.size();
    if (!job.loop.runs.empty()) jobs.push_back(std::move(job));
  }
  if (jobs.empty()) {
    return fail(ErrorKind::usage, "no loop of the suite is selected", {},
                "widen --filter, --min-warps or --max-warps");
  }
  return jobs;
}

using Archs = std::map<std::string, Expected<Arch>>;

/// Each config that the jobs need, loaded once. Fails if none of them can be loaded.
Expected<Archs> load_archs(const std::vector<Job>& jobs, const ValidateOptions& options) {
  Archs archs;
  bool any = false;
  for (const Job& job : jobs) {
    const std::string& name = options.arch.empty() ? job.loop.arch : options.arch;
    if (archs.contains(name)) continue;
    auto arch = name.empty() ? fail(ErrorKind::usage, "the row does not name its architecture", {},
                                    "give --arch")
                             : load_arch(name, options.overrides);
    any = any || arch.has_value();
    archs.emplace(name, std::move(arch));
  }
  if (!any) return tl::make_unexpected(archs.begin()->second.error());
  return archs;
}

void run_job(const Job& job, const Expected<Arch>& arch, std::vector<Row>& rows) {
  const std::vector<Prediction> predictions = predict_runs(job.loop, arch);
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    Row& row = rows[job.first_row + i];
    row.id = row_id(job.loop, job.loop.runs[i]);
    row.measured = job.loop.runs[i];
    row.predicted = predictions[i].cycles;
    row.stamps = predictions[i].stamps;
    row.error = predictions[i].error;
  }
}

/// A row has its place, so that the order of the threads shows nowhere.
void run_jobs(const std::vector<Job>& jobs, const Archs& archs, const ValidateOptions& options,
              std::vector<Row>& rows) {
  std::mutex mutex;
  std::size_t done = 0;
  in_parallel(jobs.size(), options.jobs, [&](std::size_t i) {
    const std::string& name = options.arch.empty() ? jobs[i].loop.arch : options.arch;
    run_job(jobs[i], archs.at(name), rows);
    const std::lock_guard lock(mutex);
    ++done;
    if (options.progress) options.progress(done, jobs.size());
  });
}

}  // namespace

Expected<Validation> validate(const std::vector<SuiteLoop>& suite, const ValidateOptions& options) {
  auto jobs = select(suite, options);
  if (!jobs) return tl::make_unexpected(std::move(jobs.error()));
  auto archs = load_archs(*jobs, options);
  if (!archs) return tl::make_unexpected(std::move(archs.error()));
  Validation result;
  result.rows.resize(jobs->back().first_row + jobs->back().loop.runs.size());
  run_jobs(*jobs, *archs, options, result.rows);
  result.summary = summarise(result.rows);
  return result;
}

}  // namespace smsim::validate
