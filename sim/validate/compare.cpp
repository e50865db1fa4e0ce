// SPDX-License-Identifier: MIT
// A prediction beside its measurement: exact or not, and how far from the measured interval.
#include "validate/compare.hpp"

#include <cmath>

namespace smsim::validate {

double Row::error_percent() const {
  if (!predicted) return 0;
  if (*predicted < measured.lo) return 100 * (*predicted - measured.lo) / measured.lo;
  if (*predicted > measured.hi) return 100 * (*predicted - measured.hi) / measured.hi;
  return 0;
}

bool Row::is_exact() const {
  return can_be_exact() && predicted && std::abs(*predicted - measured.cycles) <= kToleranceCycles;
}

bool Row::is_inside() const {
  return measured.has_interval && predicted && *predicted >= measured.lo - kToleranceCycles &&
         *predicted <= measured.hi + kToleranceCycles;
}

StampSummary summarise_stamps(const std::vector<Row>& rows) {
  StampSummary summary;
  for (const Row& row : rows) {
    if (!row.stamps) continue;
    ++summary.loops;
    summary.exact += row.stamps->is_exact() ? 1 : 0;
    summary.near += row.stamps->is_near() ? 1 : 0;
    summary.stamps += row.stamps->stamps;
    summary.stamps_near += row.stamps->near;
  }
  return summary;
}

std::map<int, StampSummary> stamps_by_warps(const std::vector<Row>& rows) {
  std::map<int, std::vector<Row>> members;
  for (const Row& row : rows)
    if (row.stamps) members[row.measured.warps].push_back(row);
  std::map<int, StampSummary> result;
  for (const auto& [warps, of] : members) result[warps] = summarise_stamps(of);
  return result;
}

Summary summarise(const std::vector<Row>& rows) {
  Summary summary;
  summary.loops = rows.size();
  double sum = 0;
  for (const Row& row : rows) {
    summary.exact_of += row.can_be_exact() ? 1 : 0;
    summary.exact += row.is_exact() ? 1 : 0;
    summary.inside_of += row.measured.has_interval ? 1 : 0;
    summary.inside += row.is_inside() ? 1 : 0;
    if (!row.predicted) {
      ++summary.failed;
      continue;
    }
    const double distance = std::abs(row.error_percent());
    sum += distance;
    if (summary.worst.empty() || distance > summary.max_error_percent) {
      summary.max_error_percent = distance;
      summary.worst = row.id;
    }
  }
  const std::size_t predicted = summary.loops - summary.failed;
  summary.mean_error_percent = predicted == 0 ? 0 : sum / static_cast<double>(predicted);
  summary.stamps = summarise_stamps(rows);
  return summary;
}

std::string family_of(const std::string& id) { return id.substr(0, id.find_first_of(".-")); }

}  // namespace smsim::validate
