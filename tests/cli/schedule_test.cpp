// SPDX-License-Identifier: MIT
// smsim schedule: code in the input's notation, and what changed.
#include <doctest/doctest.h>

#include "support/run_program.hpp"

using namespace smsim::test;

namespace {

const std::string kUnsafe = source_file("traces/lessons/unsafe.sass");
const std::string kTooLong = source_file("traces/lessons/stalls_too_long.sass");

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("what schedule writes is safe to lint, with the change in predicted cycles beside it") {
  TempFolder folder;
  const std::string path = (folder.path() / "safe.sass").string();
  const Outcome done = run_smsim({"schedule", kUnsafe, "--arch", "sm_90", "-o", path});
  CHECK(done.exit_code == 0);
  CHECK(contains(done.out, "were unsafe"));
  CHECK(contains(done.out, "cycles per iteration, before"));
  CHECK(run_smsim({"lint", path, "--arch", "sm_90"}).exit_code == 0);
}

TEST_CASE("stall counts that are too long make place for the smallest safe ones") {
  const Outcome done = run_smsim({"schedule", kTooLong, "--arch", "sm_90", "--warps", "1"});
  CHECK(done.exit_code == 0);
  CHECK(contains(done.out, "S04]"));
  CHECK(!contains(done.out, "S09]"));
  CHECK(contains(done.err, "1 warps: "));
  CHECK(contains(done.err, "is not known"));
}

TEST_CASE("code of another assembler comes back in its own notation") {
  const std::string text =
      "# Kernel: k\n"
      "--:-:-:-:9      FADD R0, R1, R2;\n"
      "--:-:-:-:9      FADD R3, R0, R2;\n"
      "--:-:-:-:5      EXIT;\n";
  const Outcome done = run_smsim(
      {"schedule", "-", "--arch", "volta-v100", "--input-format", "turingas", "--to", "cuasm"},
      text);
  CAPTURE(done.err);
  CHECK(done.exit_code == 0);
  CHECK(contains(done.out, "S04]"));
  const Outcome own =
      run_smsim({"schedule", source_file("tests/fuzz/seeds/minmax.maxas.sass"), "--arch", "sm_52"});
  CAPTURE(own.err);
  CHECK(own.exit_code == 0);
  CHECK(contains(own.out, "--:-:-:"));
}

TEST_CASE("schedule refuses what it cannot do") {
  CHECK(run_smsim({"schedule", "/nowhere.sass"}).exit_code == 66);
  CHECK(run_smsim({"schedule", kUnsafe}).exit_code == 2);
  CHECK(run_smsim({"schedule", kUnsafe, "--arch", "sm_90", "--to", "intel"}).exit_code == 2);
}
