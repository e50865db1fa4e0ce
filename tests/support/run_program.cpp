// SPDX-License-Identifier: MIT
// Runs the built smsim as a user would: words in, exit code and both outputs back.
#include "support/run_program.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace smsim::test {
namespace {

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> whole_environment(const std::vector<std::string>& added) {
  std::vector<std::string> result = added;  // first of a name wins in getenv
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (!std::string_view(*entry).starts_with("SMSIM_CONFIG_PATH=")) result.emplace_back(*entry);
  return result;
}

/// Starts the program with its three streams on files, and waits for it.
int spawn_and_wait(std::vector<std::string> words, std::vector<std::string> environment,
                   const std::string& in, const std::string& out, const std::string& err) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  const int write_flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), write_flags, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err.c_str(), write_flags, 0600);
  pid_t child = 0;
  const int failed = posix_spawn(&child, words.front().c_str(), &files, nullptr,
                                 pointers(words).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) throw std::runtime_error("cannot start " + words.front());
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("lost " + words.front());
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

namespace {

Outcome run(std::vector<std::string> command, std::string_view input,
            const std::vector<std::string>& environment) {
  const TempFolder folder;
  const std::string in = folder.write("in", input);
  const std::string out = (folder.path() / "out").string();
  const std::string err = (folder.path() / "err").string();
  Outcome outcome;
  outcome.exit_code =
      spawn_and_wait(std::move(command), whole_environment(environment), in, out, err);
  outcome.out = read_text(out);
  outcome.err = read_text(err);
  return outcome;
}

}  // namespace

Outcome run_smsim(const std::vector<std::string>& words, std::string_view input,
                  const std::vector<std::string>& environment) {
  std::vector<std::string> command = {SMSIM_EXECUTABLE};
  command.insert(command.end(), words.begin(), words.end());
  return run(std::move(command), input, environment);
}

Outcome run_smsim_on_a_full_disk(const std::vector<std::string>& words, std::size_t bytes) {
  constexpr std::size_t kBlock = 512;  // what sh counts in
  const std::string script = "trap '' XFSZ; ulimit -f " + std::to_string(bytes / kBlock) +
                             " && exec '" SMSIM_EXECUTABLE "' \"$@\"";
  std::vector<std::string> command = {"/bin/sh", "-c", script, "sh"};
  command.insert(command.end(), words.begin(), words.end());
  return run(std::move(command), {}, {});
}

std::vector<std::string> sub_commands() {
  std::istringstream help(run_smsim({"--help"}).out);
  std::vector<std::string> commands;
  bool inside = false;
  for (std::string line; std::getline(help, line);) {
    if (inside && line.empty()) break;
    if (inside) commands.push_back(line.substr(2, line.find(' ', 2) - 2));
    if (contains(line, "ubcommands:")) inside = true;
  }
  return commands;
}

TempFolder::TempFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "smsim-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  path_ = name;
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TempFolder::write(const std::string& name, std::string_view text) const {
  const std::filesystem::path file = path_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary)
      .write(text.data(), static_cast<std::streamsize>(text.size()));
  return file.string();
}

std::string read_text(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::string source_file(const std::string& name) {
  return (std::filesystem::path(SMSIM_SOURCE_DIR) / name).string();
}

}  // namespace smsim::test
