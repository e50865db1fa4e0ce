// SPDX-License-Identifier: MIT
// Bad input: a diagnostic with file, line and column, the right exit code, and never a crash.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "cli/snippets.hpp"
#include "support/run_program.hpp"

using namespace smsim::test;

namespace {

/// The diagnostics of a run that must end with this exit code and without output.
std::string refused(int exit_code, const std::vector<std::string>& words,
                    std::string_view input = {}) {
  const Outcome outcome = run_smsim(words, input);
  CAPTURE(words);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == exit_code);
  CHECK(outcome.out.empty());
  CHECK(contains(outcome.err, "error: "));
  return outcome.err;
}

std::string binary() {
  std::string text;
  for (int i = 0; i < 4096; ++i) text += static_cast<char>(i * 7919 >> 3);
  return text;
}

const std::string kVolta = source_file("traces/volta/saxpy.sass");

}  // namespace

TEST_CASE("a file that is not there, a folder, and one without permission are exit code 66") {
  const TempFolder folder;
  CHECK(contains(refused(66, {"predict", "/no/such/file"}), "/no/such/file: error: "));
  refused(66, {"predict", folder.path().string()});
  refused(66, {"loops", folder.path().string()});
  refused(66, {"validate", folder.path().string()});
  const auto secret = folder.write("secret.sass", "");
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  const bool may_all = std::ifstream(secret).good();  // the superuser
  refused(may_all ? 65 : 66, {"predict", secret});
}

TEST_CASE("empty input, blank input and binary input are exit code 65") {
  for (const std::string& text :
       {std::string(), std::string("\n\n  \n"), binary(), std::string(100000, '\0'),
        std::string("\x1f\x8b\x08\x00garbage"),
        std::string("\xfd"
                    "7zXZ\x00zz",
                    8),
        std::string("\x28\xb5\x2f\xfdxx"), std::string("hello world\n")}) {
    refused(65, {"predict", "-"}, text);
    refused(65, {"loops", "-"}, text);
    refused(65, {"validate", "-"}, text);
  }
  refused(65, {"predict", "/dev/null"});
}

TEST_CASE("a dump that is cut off anywhere is predicted or refused, and never crashes") {
  const std::string whole = read_text(kVolta);
  for (std::size_t size = 0; size < whole.size(); size += whole.size() / 40) {
    CAPTURE(size);
    const Outcome outcome = run_smsim({"predict", "-"}, std::string_view(whole).substr(0, size));
    CHECK((outcome.exit_code == 0 || outcome.exit_code == 65 || outcome.exit_code == 2));
    CHECK(contains(outcome.err, "error: ") == (outcome.exit_code != 0));
  }
}

TEST_CASE("a gzip file that is cut off is exit code 65") {
  const std::string whole = read_text(source_file("traces/volta/kernels.sm_70.cuobjdump.sass.gz"));
  refused(65, {"predict", "-"}, std::string_view(whole).substr(0, whole.size() / 2));
}

TEST_CASE("Windows line ends give the same prediction") {
  std::string windows = read_text(kVolta);
  for (std::size_t at = 0; (at = windows.find('\n', at)) != std::string::npos; at += 2)
    windows.insert(at, 1, '\r');
  CHECK(run_smsim({"predict", "-"}, windows).out ==
        run_smsim({"predict", "-"}, read_text(kVolta)).out);
}

TEST_CASE("an unknown opcode is named with its place and the option that goes on") {
  std::string text = kSnippet;
  text.replace(text.find("FFMA"), 4, "FROB");
  const std::string error = refused(65, {"predict", "-", "--arch", "sm_90"}, text);
  CHECK(std::regex_search(error, std::regex(":2:[0-9]+: error: .*FROB")));
  CHECK(contains(error, "--unknown assume:"));
  const Outcome assumed =
      run_smsim({"predict", "-", "--arch", "sm_90", "--unknown", "assume:alu"}, text);
  CAPTURE(assumed.err);
  CHECK(assumed.exit_code == 0);
  CHECK(contains(assumed.out, "Incomplete"));
}

TEST_CASE("a pipe to assume that the config does not have is a usage error") {
  std::string text = kSnippet;
  text.replace(text.find("FFMA"), 4, "FROB");
  CHECK(contains(refused(2, {"predict", "-", "--arch", "sm_90", "--unknown", "assume:fmaa"}, text),
                 "fma"));
}

TEST_CASE("a wait on a barrier that nothing sets is diagnosed, unless it is allowed") {
  std::string text = kSnippet;
  text.replace(text.find("B------"), 7, "B--2---");
  const std::string error = refused(65, {"predict", "-", "--arch", "sm_90"}, text);
  CHECK(std::regex_search(error, std::regex("<stdin>:2:[0-9]+: error: .*barrier 2")));
  CHECK(run_smsim({"predict", "-", "--arch", "sm_90", "--allow-unset-waits"}, text).exit_code == 0);
}

TEST_CASE("a config that is not YAML, has an unknown key or a key twice is exit code 78") {
  const TempFolder folder;
  refused(78, {"predict", kVolta, "--arch", folder.write("a.yaml", "{ not yaml")});
  refused(78, {"predict", kVolta, "--arch", folder.write("b.yaml", "")});
  refused(78, {"predict", kVolta, "--arch", folder.write("c.yaml", "nmae: x\n")});
  const auto twice = folder.write("d.yaml", "base: volta-v100\nbase: volta-v100\n");
  CHECK(contains(refused(78, {"predict", kVolta, "--arch", twice}), "d.yaml:2:"));
  refused(66, {"predict", kVolta, "--arch", (folder.path() / "none.yaml").string()});
}

TEST_CASE("a very long line and a very long name end in a result or a diagnostic") {
  const std::string name(200000, 'n');
  const Outcome outcome =
      run_smsim({"predict", "-"}, "\t\tFunction : " + name + "\n" + read_text(kVolta));
  CHECK((outcome.exit_code == 0 || outcome.exit_code == 65));
  refused(65, {"predict", "-"}, std::string(3000000, 'x'));
}

TEST_CASE("an input that never ends is refused") {
  CHECK(contains(refused(65, {"predict", "/dev/zero"}), "512 MiB"));
}
