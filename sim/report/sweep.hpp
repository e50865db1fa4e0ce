// SPDX-License-Identifier: MIT
// Rows of a sweep as fields, and as lines of CSV or JSON.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "smsim/analysis.hpp"

namespace smsim::report {

/// A field of a row; none where the point has no result.
using SweepCell = std::variant<std::monostate, std::int64_t, double, std::string>;

/// Names of a row's fields, and the fields.
std::vector<std::string> sweep_columns(const SweepSpec& spec);
std::vector<SweepCell> sweep_cells(const std::string& id, const SweepRow& row);

/// Points of the whole sweep, which its id ends in.
std::uint64_t sweep_points(const std::string& id);

/// Names of the columns, with a line end.
std::string sweep_csv_header(const SweepSpec& spec);

/// One line: `id,point,...`; it holds no other line end.
std::string sweep_csv_row(const std::string& id, const SweepRow& row);

/// One object on one line, starting with `{"sweep":"id","point":n,`.
std::string sweep_json_row(const std::string& id, const SweepSpec& spec, const SweepRow& row);

/// What each line begins with, which tells a row of this sweep from all others.
std::string sweep_csv_start(const std::string& id, std::uint64_t point);
std::string sweep_json_start(const std::string& id, std::uint64_t point);

}  // namespace smsim::report
