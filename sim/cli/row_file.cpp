// SPDX-License-Identifier: MIT
// A file of lines that survives being stopped at any moment: what is there stays, what was cut is
// written again.
#include "cli/row_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

namespace smsim::cli {
namespace {

constexpr std::int64_t kSynchroniseSeconds = 2;

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

tl::unexpected<Diagnostics> file_error(const std::string& path, const char* what, int error) {
  return fail(ErrorKind::no_file, fmt::format("{}: {}", what, std::strerror(error)), {path, 0, 0});
}

tl::unexpected<Diagnostics> something_else(const std::string& path, std::uint64_t line) {
  return fail(ErrorKind::usage, "the file holds something else than this sweep's results",
              {path, static_cast<std::uint32_t>(line + 1), 0},
              "name another file, or remove this one");
}

}  // namespace

RowFile::~RowFile() {
  if (file_ >= 0) ::close(file_);
}

Expected<std::uint64_t> RowFile::open(const std::string& path, const Expect& expect) {
  path_ = path;
  constexpr mode_t kMode = 0666;
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kMode);
  if (file_ < 0) return file_error(path_, "cannot open", errno);
  struct stat about = {};
  if (::fstat(file_, &about) != 0) return file_error(path_, "cannot read", errno);
  if (!S_ISREG(about.st_mode))
    return fail(ErrorKind::usage, "a sweep's results go to a regular file", {path_, 0, 0},
                "without -o they go to standard output");
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
    return fail(ErrorKind::no_file, "another process is writing this file", {path_, 0, 0});
  synchronised_ = seconds_now();
  return check(expect);
}

/// Reads the file in pieces: only the present line is kept.
Expected<std::uint64_t> RowFile::check(const Expect& expect) {
  std::vector<char> piece(1 << 16);
  std::string line;
  std::uint64_t lines = 0;
  for (;;) {
    const ssize_t n = ::read(file_, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return file_error(path_, "cannot read", errno);
    if (n == 0) break;
    std::string_view rest(piece.data(), static_cast<std::size_t>(n));
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      line += rest.substr(0, end);
      if (!expect(lines, line, true)) return something_else(path_, lines);
      size_ += static_cast<std::int64_t>(line.size()) + 1;
      ++lines;
      line.clear();
      rest.remove_prefix(end + 1);
    }
    line += rest;
  }
  if (!line.empty() && !expect(lines, line, false)) return something_else(path_, lines);
  if (!line.empty() && ::ftruncate(file_, size_) != 0)
    return file_error(path_, "cannot write", errno);
  if (::lseek(file_, size_, SEEK_SET) < 0) return file_error(path_, "cannot write", errno);
  return lines;
}

Expected<bool> RowFile::append(std::string_view lines) {
  std::string_view rest = lines;
  while (!rest.empty()) {
    const ssize_t n = ::write(file_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int error = errno;
      if (::ftruncate(file_, size_) != 0) return file_error(path_, "cannot write", error);
      return file_error(path_, "cannot write", error);
    }
    rest.remove_prefix(static_cast<std::size_t>(n));
  }
  size_ += static_cast<std::int64_t>(lines.size());
  if (seconds_now() - synchronised_ < kSynchroniseSeconds) return true;
  return finish();
}

Expected<bool> RowFile::finish() {
  synchronised_ = seconds_now();
  if (::fdatasync(file_) != 0) return file_error(path_, "cannot write", errno);
  return true;
}

}  // namespace smsim::cli
