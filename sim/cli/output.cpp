// SPDX-License-Identifier: MIT
// Where results go: standard output or a file that appears whole or not at all; and in colour or
// not.
#include "cli/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <vector>

namespace smsim::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> command_line;  ///< see remember_command_line

/// Whether the command line names the file as something else than the one to write.
bool is_named_as_input(const std::string& path) {
  std::error_code ignored;
  bool is_output = false;
  for (const std::string& word : command_line) {
    if (!is_output && fs::equivalent(path, word, ignored)) return true;
    is_output = word == "-o" || word == "--output" || word == "--record";
  }
  return false;
}

bool is_stdout(const std::string& path) { return path.empty() || path == "-"; }

std::string remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "make room, or write elsewhere with -o";
    case ENOENT:
    case ENOTDIR:
      return "the folder has to be there already";
    case EISDIR:
      return "name a file in it";
    default:
      return "write elsewhere with -o";
  }
}

Diagnostics cannot_write(const std::string& path, int error) {
  return fail(ErrorKind::no_file, fmt::format("cannot write: {}", std::strerror(error)),
              {path, 0, 0}, remedy(error))
      .value();
}

/// 0, or errno.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// Opens, writes and closes; 0, or errno.
int write_file(const std::string& path, int flags, std::string_view text) {
  constexpr mode_t kMode = 0666;
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, kMode);
  if (file < 0) return errno;
  const int failed = write_all(file, text);
  const int not_closed = ::close(file) == 0 ? 0 : errno;
  return failed != 0 ? failed : not_closed;
}

/// The file that a chain of symbolic links ends at, which is the one to replace.
std::string behind_links(const std::string& path) {
  std::error_code failed;
  const fs::path target = fs::weakly_canonical(path, failed);
  return failed ? path : target.string();
}

/// Writes beside `path` and renames; 0, or errno.
int replace_file(const std::string& path, std::string_view text) {
  const std::string temporary = fmt::format("{}.tmp-{}", path, ::getpid());
  struct stat old = {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  int failed = write_file(temporary, O_CREAT | O_EXCL, text);
  if (failed == EEXIST) return failed;
  if (failed == 0 && exists && ::chmod(temporary.c_str(), old.st_mode & 07777) != 0) failed = errno;
  if (failed == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) failed = errno;
  if (failed != 0) ::unlink(temporary.c_str());
  return failed;
}

}  // namespace

int report(const Diagnostics& diagnostics) {
  std::cerr << to_string(diagnostics);
  return exit_code(diagnostics);
}

void warn(const std::string& file, const std::string& message) {
  std::cerr << fmt::format("{}: warning: {}\n", file, message);
}

void remember_command_line(int count, const char* const* words) {
  constexpr int kOwn = 2;  // the program and its sub-command
  command_line.assign(words + std::min(count, kOwn), words + count);
}

int emit(const std::string& text, const std::string& path) {
  if (is_stdout(path)) {
    std::cout.flush();
    const int failed = write_all(STDOUT_FILENO, text);
    return failed == 0 ? 0 : report(cannot_write("<stdout>", failed));
  }
  std::error_code ignored;
  if (is_named_as_input(path)) {
    return report(
        fail(ErrorKind::usage, "-o names the input itself", {}, "give another name").value());
  }
  const bool replaces = !fs::exists(path, ignored) || fs::is_regular_file(path, ignored);
  const int failed = replaces ? replace_file(behind_links(path), text) : write_file(path, 0, text);
  return failed == 0 ? 0 : report(cannot_write(path, failed));
}

std::optional<Diagnostics> text_for_a_binary(const std::string& path, const std::string& how) {
  const bool binary = path.ends_with(".cubin") || path.ends_with(".fatbin") || path.ends_with(".o");
  if (!binary) return std::nullopt;
  return fail(ErrorKind::usage, fmt::format("-o {}: what is written is text, no binary", path), {},
              how)
      .value();
}

bool wants_color(const std::string& mode, const std::string& path) {
  if (mode != "auto") return mode == "always";
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  if (no_color != nullptr && *no_color != '\0') return false;
  if (term != nullptr && std::string_view(term) == "dumb") return false;
  return is_terminal(path);
}

bool is_terminal(const std::string& path) {
  return is_stdout(path) && ::isatty(STDOUT_FILENO) == 1;
}

int text_width(const std::string& path) {
  constexpr int kWidth = 100;
  winsize size = {};
  if (!is_stdout(path) || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return kWidth;
  return std::clamp<int>(size.ws_col, 80, 120);
}

}  // namespace smsim::cli
