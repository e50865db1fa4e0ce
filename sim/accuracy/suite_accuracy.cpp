// SPDX-License-Identifier: MIT
// A validated suite, divided: by number of warps, by family of loops, and what is not counted.
#include "accuracy/suite_accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

namespace smsim::accuracy {
namespace {

using validate::Row;

/// The first `parts` parts of an id, which are separated by dots or dashes.
std::string first_parts(const std::string& id, int parts) {
  std::size_t end = 0;
  for (int i = 0; i < parts && end != std::string::npos; ++i)
    end = id.find_first_of(".-", i == 0 ? 0 : end + 1);
  return id.substr(0, end);
}

}  // namespace

std::string suite_name(const std::string& path) {
  if (path == "-") return "stdin";
  constexpr std::string_view kFolder = "suites/";
  const std::size_t suites = path.rfind(kFolder);
  std::size_t start = path.rfind('/');
  if (start != std::string::npos && start > 0) start = path.rfind('/', start - 1);
  std::string name = start == std::string::npos ? path : path.substr(start + 1);
  if (suites != std::string::npos) name = path.substr(suites + kFolder.size());
  for (const char* ending : {".gz", ".xz", ".zst", ".jsonl"}) {
    if (name.ends_with(ending)) name.resize(name.size() - std::string(ending).size());
  }
  return name;
}

std::string loop_of(const std::string& id) {
  const std::size_t at = id.rfind(".w");
  if (at == std::string::npos || at + 2 == id.size()) return id;
  const bool is_count = id.find_first_not_of("0123456789", at + 2) == std::string::npos;
  return is_count ? id.substr(0, at) : id;
}

SuiteAccuracy divide(std::string name, const std::vector<Row>& rows, const Notes& notes) {
  SuiteAccuracy suite;
  suite.name = std::move(name);
  for (const Row& row : rows) {
    const Note* note = notes.find(row.id);
    if (note == nullptr || note->counted) {
      suite.rows.push_back(row);
      continue;
    }
    auto aside = std::find_if(suite.aside.begin(), suite.aside.end(),
                              [&](const SetAside& one) { return one.known == note->known; });
    if (aside == suite.aside.end()) aside = suite.aside.insert(aside, SetAside{note->known, {}, 0});
    ++aside->rows;
    const std::string loop = loop_of(row.id);
    if (std::find(aside->loops.begin(), aside->loops.end(), loop) == aside->loops.end())
      aside->loops.push_back(loop);
  }
  return suite;
}

std::vector<Row> of_class(const std::vector<Row>& rows, const WarpClass& which) {
  std::vector<Row> result;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(result), [&](const Row& row) {
    return row.measured.warps >= which.from && row.measured.warps <= which.to;
  });
  return result;
}

std::vector<Part> by_warps(const std::vector<Row>& rows) {
  std::vector<Part> parts;
  for (const WarpClass& which : kWarpClasses) {
    const std::vector<Row> members = of_class(rows, which);
    if (!members.empty()) parts.push_back({which.name, validate::summarise(members)});
  }
  return parts;
}

std::vector<Part> stamp_parts(const std::vector<Row>& rows) {
  std::vector<Part> parts;
  for (const auto& [warps, stamps] : validate::stamps_by_warps(rows)) {
    parts.push_back({fmt::format("time stamps, {} warp{}", warps, warps == 1 ? "" : "s"), {}});
    parts.back().summary.stamps = stamps;
  }
  return parts;
}

std::vector<Part> by_family(const std::vector<Row>& rows) {
  const bool share_first = std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
    return first_parts(row.id, 1) == first_parts(rows.front().id, 1);
  });
  std::map<std::string, std::vector<Row>> families;
  for (const Row& row : rows) families[first_parts(row.id, share_first ? 2 : 1)].push_back(row);
  std::vector<Part> parts;
  for (const auto& [name, members] : families)
    parts.push_back({name, validate::summarise(members)});
  return parts;
}

std::vector<Outlier> furthest_off(const std::vector<SuiteAccuracy>& suites, std::size_t most) {
  std::vector<Outlier> all;
  for (const SuiteAccuracy& suite : suites) {
    for (const Row& row : suite.rows) {
      if (row.predicted && row.error_percent() != 0) all.push_back({suite.name, row});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Outlier& a, const Outlier& b) {
    return std::abs(a.row.error_percent()) > std::abs(b.row.error_percent());
  });
  std::set<std::pair<std::string, std::string>> seen;
  std::erase_if(all, [&](const Outlier& one) {
    return !seen.insert({one.suite, loop_of(one.row.id)}).second;
  });
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size())), all.end());
  return all;
}

}  // namespace smsim::accuracy
