// SPDX-License-Identifier: MIT
// Rows of a sweep in an SQLite database: one table, a row a point.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "report/sweep.hpp"
#include "smsim/diagnostic.hpp"

struct sqlite3;

namespace smsim::cli {

/// The table `results` of a database, which holds the points from a first one on without a gap.
/// What is added at once is there whole or not at all, whenever the process ends.
class SweepDatabase {
 public:
  using Columns = std::vector<std::string>;

  SweepDatabase();
  ~SweepDatabase();

  /// Opens or creates the file, for this process alone, and returns how many rows it has. Errors:
  /// no_file (cannot be read or written, or is in use), usage (something else is in it).
  Expected<std::uint64_t> open(const std::string& path, const std::string& id,
                               const Columns& columns, std::uint64_t first);

  Expected<bool> add(const std::vector<std::vector<report::SweepCell>>& rows);

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };

  Expected<bool> run(const std::string& sql);
  Expected<std::uint64_t> check(const std::string& id, std::uint64_t first);
  tl::unexpected<Diagnostics> failed(const char* what) const;

  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
  std::size_t columns_ = 0;
};

/// Whether the file is a database, by its first bytes.
bool is_database(const std::string& path);

/// The shards of one sweep to `out`, which appears whole or not at all. Errors: no_file, bad_input
/// (not shards of one sweep, or points are missing or there twice).
Expected<bool> merge_databases(const std::vector<std::string>& shards, const std::string& out);

}  // namespace smsim::cli
