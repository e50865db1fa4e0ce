// SPDX-License-Identifier: MIT
// smsim schedule: code in the input's notation, and what changed.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "smsim/read.hpp"
#include "support/run_program.hpp"

using namespace smsim::test;

namespace {

const std::string kUnsafe = source_file("traces/lessons/unsafe.sass");
const std::string kTooLong = source_file("traces/lessons/stalls_too_long.sass");

/// The cubin, unpacked into a folder.
std::string unpacked(const TempFolder& folder, const std::string& trace) {
  const std::string path = (folder.path() / "given.cubin").string();
  const auto bytes = smsim::read_bytes(source_file(trace));
  REQUIRE(bytes.has_value());
  std::ofstream(path, std::ios::binary) << *bytes;
  return path;
}

/// The file, or what its decompression gives, as a program.
smsim::Program program_of(const std::string& path) {
  auto program = smsim::read_program(path);
  REQUIRE(program.has_value());
  return std::move(*program);
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

TEST_CASE("schedule writes the control codes into a cubin, and nothing else") {
  for (const char* trace :
       {"traces/maxwell/kernels.sm_52.cubin.gz", "traces/hopper/kernels.sm_90.cubin.gz"}) {
    CAPTURE(trace);
    TempFolder folder;
    const std::string given = unpacked(folder, trace);
    const std::string patched = (folder.path() / "patched.cubin").string();
    const Outcome done = run_smsim({"schedule", given, "--patch", given, "-o", patched});
    CAPTURE(done.err);
    REQUIRE(done.exit_code == 0);
    const smsim::Program before = program_of(given);
    const smsim::Program after = program_of(patched);
    REQUIRE(before.functions.size() == after.functions.size());
    std::size_t changed = 0;
    for (std::size_t f = 0; f < before.functions.size(); ++f)
      for (std::size_t i = 0; i < before.functions[f].instructions.size(); ++i) {
        const smsim::Instruction& old = before.functions[f].instructions[i];
        const smsim::Instruction& now = after.functions[f].instructions[i];
        CHECK(old.text == now.text);
        changed += old.control == now.control ? 0 : 1;
      }
    CHECK(changed > 100);
    CHECK(!contains(run_smsim({"lint", patched}).out, "[stall-too-long]"));
  }
}

TEST_CASE("schedule changes one loop if it is named") {
  TempFolder folder;
  const std::string given = unpacked(folder, "traces/hopper/kernels.sm_90.cubin.gz");
  const std::string patched = (folder.path() / "patched.cubin").string();
  const Outcome done = run_smsim({"schedule", given, "--function", "ray_sphere", "--loop", "0x260",
                                  "--patch", given, "-o", patched});
  CAPTURE(done.err);
  REQUIRE(done.exit_code == 0);
  CHECK(contains(done.out, "before 293"));
  const smsim::Program before = program_of(given);
  const smsim::Program after = program_of(patched);
  for (std::size_t f = 0; f < before.functions.size(); ++f)
    for (std::size_t i = 0; i < before.functions[f].instructions.size(); ++i) {
      const smsim::Instruction& old = before.functions[f].instructions[i];
      const bool inside =
          before.functions[f].name == "ray_sphere" && old.address >= 0x260 && old.address <= 0x490;
      if (!inside) CHECK(old.control == after.functions[f].instructions[i].control);
    }
}

TEST_CASE("an unsafe code outside of the loop stays, and schedule says so") {
  const std::string text =
      ".L_0:\n"
      "  [B------:R-:W-:-:S08] FADD R1, R1, R3 ;\n"
      "  [B------:R-:W-:-:S08] FADD R1, R1, R3 ;\n"
      "  [B------:R-:W-:-:S05] @P0 BRA `(.L_0) ;\n"
      "  [B------:R-:W-:-:S01] FADD R5, R6, R7 ;\n"
      "  [B------:R-:W-:-:S01] FADD R5, R5, R7 ;\n"
      "  [B------:R-:W-:-:S05] EXIT ;\n";
  const Outcome done = run_smsim({"schedule", "-", "--arch", "sm_90", "--loop", "0"}, text);
  CAPTURE(done.err);
  CHECK(done.exit_code == 0);
  CHECK(contains(done.err, "outside of the loop 1 unsafe code is left"));
  CHECK(contains(done.out, "S01]  /*0030*/  FADD R5, R6, R7"));
  CHECK(contains(done.out, "S04]  /*0000*/  FADD R1, R1, R3"));
}

TEST_CASE("a slower operation that shares a barrier gets one of its own") {
  const std::string text =
      ".L_0:\n"
      "  [B------:R-:W0:-:S02] LDS R4, [R2] ;\n"
      "  [B------:R-:W0:-:S02] LDG.E R5, [R6.64] ;\n"
      "  [B0-----:R-:W-:-:S04] FADD R8, R4, R8 ;\n"
      "  [B------:R-:W-:-:S04] FADD R9, R9, R8 ;\n"
      "  [B0-----:R-:W-:-:S04] FADD R10, R5, R10 ;\n"
      "  [B------:R-:W-:-:S05] @P0 BRA `(.L_0) ;\n"
      "  [B------:R-:W-:-:S05] EXIT ;\n";
  CHECK(contains(run_smsim({"lint", "-", "--arch", "sm_90"}, text).out, "[barrier-shared]"));
  const Outcome done = run_smsim({"schedule", "-", "--arch", "sm_90"}, text);
  CHECK(done.exit_code == 0);
  CHECK(contains(done.out, "W1:-:S0"));
  const Outcome after = run_smsim({"lint", "-", "--arch", "sm_90"}, done.out);
  CHECK(after.exit_code == 0);
  CHECK(!contains(after.out, "[barrier-shared]"));
}

TEST_CASE("text is not written where a binary is named, nor a binary without a name") {
  const std::string cubin = source_file("traces/hopper/kernels.sm_90.cubin.gz");
  TempFolder folder;
  const std::string out = (folder.path() / "out.cubin").string();
  for (const char* command : {"schedule", "remap"}) {
    const Outcome text = run_smsim({command, cubin, "-o", out});
    CHECK(text.exit_code == 2);
    CHECK(contains(text.err, "--patch CUBIN"));
    CHECK(!std::filesystem::exists(out));
    CHECK(run_smsim({command, cubin, "--patch", cubin}).exit_code == 2);
  }
}
