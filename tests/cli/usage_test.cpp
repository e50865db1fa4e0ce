// SPDX-License-Identifier: MIT
// The words of the command line: help, version, and what a mistyped word is told.
#include <doctest/doctest.h>

#include <filesystem>

#include "cli/snippets.hpp"
#include "support/run_program.hpp"

using namespace smsim::test;

namespace {

/// What a usage error says; it must leave standard output empty.
std::string usage_error(const std::vector<std::string>& words) {
  const Outcome outcome = run_smsim(words, kSnippet);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.empty());
  CHECK(contains(outcome.err, "error: "));
  return outcome.err;
}

}  // namespace

TEST_CASE("--version and --help go to standard output with exit code 0") {
  const Outcome version = run_smsim({"--version"});
  CHECK(version.exit_code == 0);
  CHECK(contains(version.out, "smsim 0."));
  const Outcome help = run_smsim({"--help"});
  CHECK(help.exit_code == 0);
  for (const char* word :
       {"predict", "timeline", "report", "loops", "archs", "validate", "Exit codes"})
    CHECK(contains(help.out, word));
}

TEST_CASE("the help of each sub-command has examples and fits 100 columns") {
  const auto commands = sub_commands();
  REQUIRE(commands.size() >= 20);
  for (const std::string& command : commands) {
    CAPTURE(command);
    const Outcome help = run_smsim({command, "--help"});
    CHECK(help.exit_code == 0);
    CHECK(contains(help.out, std::string("Examples:\n")));
    CHECK(contains(help.out, "  smsim " + command));
    std::size_t column = 0;
    for (const char c : help.out) {
      column = c == '\n' ? 0 : column + 1;
      CHECK(column <= 100);
    }
  }
}

TEST_CASE("a mistyped sub-command or option is told the near one") {
  CHECK(contains(usage_error({"predcit", "x"}), "did you mean 'predict'?"));
  CHECK(contains(usage_error({"predict", "-", "--wraps", "4"}), "did you mean '--warps'?"));
  CHECK(contains(usage_error({"validate", "-", "--fliter=x"}), "did you mean '--filter'?"));
  CHECK(contains(usage_error({"--verison"}), "did you mean '--version'?"));
}

TEST_CASE("missing and superfluous words are usage errors") {
  CHECK(contains(usage_error({}), "sub-command"));
  CHECK(contains(usage_error({"predict"}), "FILE"));
  CHECK(contains(usage_error({"predict", "-", "second"}), "second"));
  CHECK(contains(usage_error({"predict", "-", "--warps"}), "--warps"));
  CHECK(contains(usage_error({"predict", "-", "--format", "xml"}), "xml"));
}

TEST_CASE("numbers of warps that an SM cannot hold are usage errors") {
  for (const char* warps : {"0", "-1", "65", "1000000", "99999999999999999999", "4.5", "x", ""}) {
    CAPTURE(warps);
    usage_error({"predict", "-", "--arch", "sm_90", "--warps", warps});
  }
}

TEST_CASE("words with a grammar of their own say what it is") {
  CHECK(contains(usage_error({"predict", "-", "--branch", "80=taken"}), "0xADDR"));
  CHECK(contains(usage_error({"predict", "-", "--branch", "0x80=maybe"}), "0xADDR=taken"));
  CHECK(contains(usage_error({"predict", "-", "--lane-stride", "14=16"}), "R14=16"));
  CHECK(contains(usage_error({"predict", "-", "--lane-stride", "R255=16"}), "R14=16"));
  CHECK(contains(usage_error({"predict", "-", "--lane-stride", "R1=x"}), "R14=16"));
  CHECK(contains(usage_error({"predict", "-", "--set", "novalue"}), "key=value"));
  CHECK(contains(usage_error({"predict", "-", "--unknown", "fma"}), "assume:PIPE"));
}

TEST_CASE("an option that may be repeated does not swallow the file behind it") {
  const Outcome outcome = run_smsim(
      {"predict", "--branch", "0x40=taken", "--lane-stride", "R4=4", "-", "--arch", "sm_90"},
      std::string("    [B------:R-:W0:-:S01] LDS R9, [R4] ;\n") + kSnippet);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
}

TEST_CASE("an unknown architecture is a usage error that names the near one") {
  CHECK(contains(usage_error({"predict", "-", "--arch", "hopper-gh10"}), "hopper-gh100"));
}

TEST_CASE("a value that an option does not take is said with what it takes") {
  CHECK(contains(usage_error({"predict", "-", "--warps", "x"}),
                 "--warps: 'x' is not a whole number"));
  CHECK(contains(usage_error({"predict", "-", "--warps"}), "--warps needs a value"));
  CHECK(contains(usage_error({"predict", "-", "--format", "jsn"}),
                 "--format: 'jsn' is none of text, json, csv\nhint: did you mean 'json'?"));
  CHECK(contains(usage_error({"schedule", "-", "--warps", "0"}),
                 "--warps: '0' is not a number of at least 1"));
  CHECK(contains(usage_error({"timeline", "-", "--cycles", "x"}),
                 "--cycles: 'x' is not a whole number"));
  CHECK(contains(usage_error({"predict", "-", "--warps", "4", "--warps", "8"}),
                 "--warps is given more than once"));
}

TEST_CASE("an empty argument is no argument that was left out") {
  CHECK(contains(usage_error({"predict", "-", "--arch", ""}), "--arch: the value is empty"));
  CHECK(contains(usage_error({"predict", ""}), "an argument is empty"));
}

TEST_CASE("a loop may be named by the address at which it begins") {
  const std::string code = source_file("traces/hopper/kernels.sm_90.cubin.gz");
  const auto predict = [&](const char* loop) {
    return run_smsim({"predict", code, "--function", "ray_sphere", "--loop", loop}).out;
  };
  CHECK(!predict("0x260").empty());
  CHECK(predict("0x260") == predict("0x260-0x490"));
  const Outcome none = run_smsim({"predict", code, "--function", "ray_sphere", "--loop", "0x220"});
  CHECK(none.exit_code == 2);
  CHECK(contains(none.err, "begins at 0x0220"));
}

TEST_CASE("a file name that leads nowhere is told the near one") {
  const Outcome near = run_smsim({"predict", source_file("traces/turing/saxpi.sass")});
  CHECK(near.exit_code == 66);
  CHECK(contains(near.err, "saxpy.sass'?"));
  const Outcome full =
      run_smsim({"predict", source_file("traces/turing/saxpy.sass"), "-o", "/dev/full"});
  CHECK(full.exit_code == 66);
  CHECK(contains(full.err, "hint: make room"));
}

TEST_CASE("--set of what only names the device is refused") {
  const Outcome outcome =
      run_smsim({"predict", source_file("traces/turing/saxpy.sass"), "--set", "encoding=kepler"});
  CHECK(outcome.exit_code == 78);
  CHECK(contains(outcome.err, "names the device"));
}

TEST_CASE("commands that do not replay a trace take its code for all warps, and say so") {
  const std::string trace = source_file("tests/fuzz/seeds/loop.traceg");
  TempFolder folder;
  const std::string page = (folder.path() / "page.html").string();
  for (const char* command : {"bounds", "whatif", "timeline", "report"}) {
    CAPTURE(command);
    std::vector<std::string> words = {command, trace};
    if (std::string_view(command) == "report") words.insert(words.end(), {"-o", page});
    const Outcome outcome = run_smsim(words);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    const std::string all =
        outcome.out + outcome.err + (words.size() > 2 ? read_text(page) : std::string());
    CHECK(contains(all, "of a trace only the code is looked at"));
  }
  CHECK(!contains(run_smsim({"predict", trace}).out, "of a trace only"));
}

TEST_CASE("a result never replaces a file that the command line names, whatever it is for") {
  const TempFolder folder;
  const auto config = folder.write("my.yaml", read_text(source_file("configs/hopper-gh100.yaml")));
  const auto before = read_text(config);
  const auto outcome = run_smsim(
      {"predict", source_file("traces/hopper/stencil3.sass"), "--arch", config, "-o", config});
  CHECK(outcome.exit_code == 2);
  CHECK(contains(outcome.err, "-o names the input itself"));
  CHECK(read_text(config) == before);
}

TEST_CASE("a result may be called as the sub-command is, again and again") {
  const TempFolder folder;
  const auto file = folder.write("predict", "an older one");
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const auto outcome =
      run_smsim({"predict", source_file("traces/hopper/stencil3.sass"), "-o", "predict"});
  std::filesystem::current_path(here);
  CHECK(outcome.exit_code == 0);
  CHECK(contains(read_text(file), "Cycles per iteration"));
}
