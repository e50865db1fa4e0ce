// SPDX-License-Identifier: MIT
// smsim completion as shells and man run it.
#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "support/run_program.hpp"

using namespace smsim::test;

namespace {

/// What bash offers for the last of these words.
std::string offered(const std::string& words, int last) {
  const TempFolder folder;
  const std::string script =
      folder.write("try.bash", "source <('" SMSIM_EXECUTABLE "' completion bash)\nCOMP_WORDS=(" +
                                   words + ")\nCOMP_CWORD=" + std::to_string(last) +
                                   "\n_smsim\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
  std::FILE* pipe = ::popen(("bash '" + script + "'").c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string out;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
  ::pclose(pipe);
  return out;
}

}  // namespace

TEST_CASE("bash completes sub-commands, options, and words of an option") {
  CHECK(offered("smsim pre", 1) == "predict\n");
  CHECK(offered("smsim predict --war", 2) == "--warps\n");
  CHECK(offered("smsim predict k.sass --format j", 4) == "json\n");
  CHECK(offered("smsim timeline k.sass --format k", 4) == "konata\n");
  CHECK(offered("smsim completion z", 2) == "zsh\n");
}

TEST_CASE("bash offers the notations that smsim takes, and files only where a file is asked for") {
  for (const char* option : {"convert k.sass --to", "predict k.sass --input-format"}) {
    CAPTURE(option);
    CHECK(offered(std::string("smsim ") + option + " ''", 4) ==
          "cuasm\nmaxas\nturingas\nkepleras\nyaml\n");
  }
  const std::string loop = source_file("traces/volta/saxpy.sass");
  for (const char* notation : {"cuasm", "maxas", "turingas", "kepleras", "yaml"}) {
    CAPTURE(notation);
    CHECK(run_smsim({"convert", loop, "--to", notation}).err.find("known are") ==
          std::string::npos);
  }
  CHECK(offered("smsim predict k.sass --warps ''", 4) == "\n");
  CHECK(offered("smsim predict k.sass -o no-such-fi", 4) == "\n");
  CHECK(offered("smsim predict k.sass -o " + loop, 4) == loop + "\n");
}

TEST_CASE("zsh and fish know every sub-command, and fish each option with its help") {
  const Outcome fish = run_smsim({"completion", "fish"});
  CHECK(fish.exit_code == 0);
  const Outcome zsh = run_smsim({"completion", "zsh"});
  const auto commands = sub_commands();
  REQUIRE(commands.size() >= 20);
  for (const std::string& command : commands) {
    CAPTURE(command);
    CHECK(contains(fish.out, "-f -a " + command + " "));
    CHECK(contains(zsh.out, command));
  }
  CHECK(fish.out.find("__fish_seen_subcommand_from diff' -l max-regression -x -d '") !=
        std::string::npos);
  CHECK(fish.out.find("-l arch -x -a \"(smsim archs") != std::string::npos);
  CHECK(run_smsim({"completion", "csh"}).exit_code == 2);
}

TEST_CASE(
    "the manual page has every sub-command with its options, and no line that is a wrong request") {
  const Outcome man = run_smsim({"completion", "man"});
  CHECK(man.exit_code == 0);
  for (const std::string& command : sub_commands()) {
    CAPTURE(command);
    CHECK(contains(man.out, ".SS " + command + "\n"));
  }
  CHECK(man.out.find("\\-\\-max\\-regression PERCENT") != std::string::npos);
  std::size_t begin = 0;
  for (std::size_t end; (end = man.out.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string line = man.out.substr(begin, end - begin);
    CAPTURE(line);
    if (line.empty() || line[0] != '.') continue;
    const std::string request = line.substr(0, line.find(' '));
    bool known = false;
    for (const char* one : {".\\\"", ".TH", ".SH", ".SS", ".TP", ".B", ".I", ".PP", ".nf", ".fi"})
      known = known || request == one;
    CHECK(known);
  }
}
