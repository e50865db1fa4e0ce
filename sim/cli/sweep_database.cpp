// SPDX-License-Identifier: MIT
// Rows of a sweep in an SQLite database: one table, a row a point.
#include "cli/sweep_database.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>
#include <unistd.h>

#include <fstream>

namespace smsim::cli {
namespace {

/// A compiled statement of a database.
class Statement {
 public:
  Statement(sqlite3* database, const std::string& sql) {
    sqlite3_prepare_v2(database, sql.c_str(), -1, &statement_, nullptr);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  bool valid() const { return statement_ != nullptr; }
  /// Whether there is a row to read.
  bool step() { return sqlite3_step(statement_) == SQLITE_ROW; }
  /// Runs it to the end, for the next binding.
  bool finish() {
    const bool done = sqlite3_step(statement_) == SQLITE_DONE;
    return sqlite3_reset(statement_) == SQLITE_OK && done;
  }
  std::int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }
  std::string text(int column) const {
    const unsigned char* text = sqlite3_column_text(statement_, column);
    return text == nullptr ? "" : reinterpret_cast<const char*>(text);
  }

  void bind(int place, const report::SweepCell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) {
      sqlite3_bind_text(statement_, place, text->data(), static_cast<int>(text->size()),
                        SQLITE_TRANSIENT);
    } else if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
      sqlite3_bind_int64(statement_, place, *whole);
    } else if (const auto* real = std::get_if<double>(&cell)) {
      sqlite3_bind_double(statement_, place, *real);
    } else {
      sqlite3_bind_null(statement_, place);
    }
  }

 private:
  sqlite3_stmt* statement_ = nullptr;
};

/// Names as SQL has them, whatever is in them.
std::string in_sql(std::string_view name, char quote = '"') {
  std::string text(1, quote);
  for (const char c : name) text += c == quote ? std::string(2, quote) : std::string(1, c);
  return text + quote;
}

}  // namespace

SweepDatabase::SweepDatabase() = default;
SweepDatabase::~SweepDatabase() = default;
void SweepDatabase::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

tl::unexpected<Diagnostics> SweepDatabase::failed(const char* what) const {
  const int code = sqlite3_errcode(database_.get());
  if (code == SQLITE_BUSY)
    return fail(ErrorKind::no_file, "another process is writing this file", {path_, 0, 0});
  const bool foreign = code == SQLITE_NOTADB;
  return fail(foreign ? ErrorKind::usage : ErrorKind::no_file,
              fmt::format("{}: {}", what, sqlite3_errmsg(database_.get())), {path_, 0, 0},
              foreign ? "name another file, or remove this one" : "");
}

Expected<bool> SweepDatabase::run(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK)
    return true;
  return failed("cannot write");
}

Expected<std::uint64_t> SweepDatabase::open(const std::string& path, const std::string& id,
                                            const Columns& columns, std::uint64_t first) {
  path_ = path;
  columns_ = columns.size();
  sqlite3* database = nullptr;
  const int opened = sqlite3_open(path.c_str(), &database);
  database_.reset(database);
  if (opened != SQLITE_OK) return failed("cannot open");
  std::vector<std::string> names;
  for (const std::string& name : columns)
    names.push_back(in_sql(name) + (name == "point" ? " INTEGER PRIMARY KEY" : ""));
  // Exclusive from the first write on: a second process is told so instead of mixing its rows in.
  const std::string prepare = fmt::format(
      "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; "
      "CREATE TABLE IF NOT EXISTS results ({}); COMMIT",
      fmt::join(names, ", "));
  if (auto ready = run(prepare); !ready) return tl::make_unexpected(std::move(ready.error()));
  return check(id, first);
}

Expected<std::uint64_t> SweepDatabase::check(const std::string& id, std::uint64_t first) {
  const auto foreign = [&] {
    return fail(ErrorKind::usage, "the file holds something else than this sweep's results",
                {path_, 0, 0}, "name another file, or remove this one");
  };
  Statement columns(database_.get(), "SELECT count(*) FROM pragma_table_info('results')");
  if (!columns.step() || columns.number(0) != static_cast<std::int64_t>(columns_)) return foreign();
  Statement rows(database_.get(),
                 fmt::format("SELECT count(*), coalesce(min(point), {0}), coalesce(max(point), 0), "
                             "coalesce(sum(sweep <> {1}), 0) FROM results",
                             first, in_sql(id, '\'')));
  if (!rows.valid() || !rows.step()) return foreign();
  const std::int64_t count = rows.number(0);
  const auto begin = static_cast<std::int64_t>(first);
  const bool whole = count == 0 || (rows.number(1) == begin && rows.number(2) == begin + count - 1);
  if (!whole || rows.number(3) != 0) return foreign();
  return static_cast<std::uint64_t>(count);
}

Expected<bool> SweepDatabase::add(const std::vector<std::vector<report::SweepCell>>& rows) {
  if (auto begun = run("BEGIN"); !begun) return begun;
  {
    std::string places = "?";
    for (std::size_t i = 1; i < columns_; ++i) places += ",?";
    Statement insert(database_.get(), "INSERT INTO results VALUES (" + places + ")");
    for (const auto& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) insert.bind(static_cast<int>(i) + 1, row[i]);
      if (insert.finish()) continue;
      auto why = failed("cannot write");
      sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
      return why;
    }
  }
  return run("COMMIT");
}

bool is_database(const std::string& path) {
  constexpr std::string_view kMagic = "SQLite format 3";
  std::string start(kMagic.size(), '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  return in && start == kMagic;
}

namespace {

/// Copies shards behind each other into a new database.
class Merger {
 public:
  explicit Merger(const std::string& path) { sqlite3_open(path.c_str(), &database_); }
  ~Merger() { sqlite3_close(database_); }
  Merger(const Merger&) = delete;
  Merger& operator=(const Merger&) = delete;

  Expected<bool> add(const std::string& shard) {
    if (::access(shard.c_str(), R_OK) != 0)
      return fail(ErrorKind::no_file, "cannot be read", {shard, 0, 0});
    if (!run("ATTACH " + in_sql(shard, '\'') + " AS shard")) return wrong(shard);
    const bool copied = copy();
    auto result = copied ? Expected<bool>(true) : Expected<bool>(wrong(shard));
    run("DETACH shard");
    return result;
  }

  /// Writes a new file, whose bytes do not tell in which order the shards came.
  bool write(const std::string& path) { return run("VACUUM INTO " + in_sql(path, '\'')); }

  /// All points of one sweep are there.
  Expected<bool> check() const {
    Statement ids(database_, "SELECT sweep, count(*) FROM results GROUP BY sweep");
    if (!ids.valid() || !ids.step()) return fail(ErrorKind::bad_input, "no shard holds a row");
    const std::int64_t points = static_cast<std::int64_t>(report::sweep_points(ids.text(0)));
    const std::int64_t rows = ids.number(1);
    if (ids.step()) return fail(ErrorKind::bad_input, "the shards are of different sweeps");
    if (rows == points) return true;
    return fail(ErrorKind::bad_input,
                fmt::format("{} of {} points are in none of the shards", points - rows, points));
  }

 private:
  bool run(const std::string& sql) {
    return sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  /// The table as the shard declares it, for the first one.
  bool copy() {
    if (!made_) {
      Statement table(database_, "SELECT sql FROM shard.sqlite_master WHERE name = 'results'");
      if (!table.valid() || !table.step() || !run(table.text(0))) return false;
      made_ = true;
    }
    return run("INSERT INTO main.results SELECT * FROM shard.results ORDER BY point");
  }
  tl::unexpected<Diagnostics> wrong(const std::string& shard) const {
    return fail(ErrorKind::bad_input,
                fmt::format("not a shard that goes with the others: {}", sqlite3_errmsg(database_)),
                {shard, 0, 0}, "shards are what `smsim sweep --shard I/N -o FILE.sqlite` writes");
  }

  sqlite3* database_ = nullptr;
  bool made_ = false;
};

}  // namespace

Expected<bool> merge_databases(const std::vector<std::string>& shards, const std::string& out) {
  const std::string draft = fmt::format("{}.{}.tmp", out, ::getpid());
  const std::string whole = draft + ".whole";
  Expected<bool> result = true;
  {
    Merger merger(draft);
    for (const std::string& shard : shards)
      if (result) result = merger.add(shard);
    if (result) result = merger.check();
    if (result && (!merger.write(whole) || std::rename(whole.c_str(), out.c_str()) != 0))
      result = fail(ErrorKind::no_file, "cannot be written", {out, 0, 0});
  }
  std::remove(draft.c_str());
  if (!result) std::remove(whole.c_str());
  return result;
}

}  // namespace smsim::cli
