// SPDX-License-Identifier: MIT
// A file of lines that survives being stopped at any moment: what is there stays, what was cut is
// written again.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "smsim/diagnostic.hpp"

namespace smsim::cli {

/// Appends whole lines. A line that a kill, a crash or a full disk has cut is taken off when the
/// file is opened again, so that its end is always the end of a line.
class RowFile {
 public:
  /// Given a line and its number (from 0), whether it is the one that belongs there; of one that
  /// was cut (`whole` is false), whether it may be the beginning of that.
  using Expect = std::function<bool(std::uint64_t line, std::string_view text, bool whole)>;

  RowFile() = default;
  ~RowFile();
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  /// Opens or creates the file, locks it against other processes, holds every line against `expect`
  /// and then cuts an incomplete last one. Returns the number of complete lines. Errors:
  /// no_file (cannot be read or written, or is in use), usage (a line that is not expected).
  Expected<std::uint64_t> open(const std::string& path, const Expect& expect);

  /// Appends lines and, from time to time, makes sure that they are on the disk. Errors: no_file;
  /// then no part of a line stays behind if that can be helped.
  Expected<bool> append(std::string_view lines);

  /// Makes sure that all lines are on the disk.
  Expected<bool> finish();

 private:
  Expected<std::uint64_t> check(const Expect& expect);

  std::string path_;
  int file_ = -1;
  std::int64_t size_ = 0;          ///< bytes up to the end of the last complete line
  std::int64_t synchronised_ = 0;  ///< seconds of the steady clock at which it was last done
};

}  // namespace smsim::cli
