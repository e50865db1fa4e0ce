// SPDX-License-Identifier: MIT
// smsim convert, and the words that say what a file is and which part of it is meant.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

using namespace smsim::test;
using nlohmann::json;

namespace {

const std::string kCubin = source_file("traces/turing/kernels.sm_75.cubin.gz");
const std::string kSaxpy = source_file("traces/turing/saxpy.sass");

double cycles(std::vector<std::string> words, std::string_view input = {}) {
  words.insert(words.begin(), "predict");
  words.insert(words.end(), {"--format", "json"});
  const Outcome outcome = run_smsim(words, input);
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  return json::parse(outcome.out)["cycles_per_iteration"];
}

}  // namespace

TEST_CASE("a kernel of a cubin, converted to any notation, takes the same cycles") {
  const double whole = cycles({kCubin, "--function", "saxpy_chain"});
  for (const char* to : {"cuasm", "turingas", "yaml"}) {
    const Outcome text = run_smsim({"convert", kCubin, "--to", to, "--function", "saxpy_chain"});
    REQUIRE(text.exit_code == 0);
    CHECK(cycles({"-"}, text.out) == whole);
  }
}

TEST_CASE("convert refuses a notation that is unknown or not for the architecture") {
  const Outcome unknown = run_smsim({"convert", kSaxpy, "--to", "intel"});
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.err.find("known are cuasm") != std::string::npos);
  const Outcome maxas = run_smsim({"convert", kSaxpy, "--to", "maxas"});
  CHECK(maxas.exit_code == 2);
  CHECK(maxas.err.find("maxas is not a notation for sm_75") != std::string::npos);
  CHECK(run_smsim({"convert", kSaxpy, "--to", "cuasm", "--function", "nobody"}).exit_code == 2);
}

TEST_CASE("--input-format decides where the file does not") {
  const std::string text = "--:-:1:-:1 LDS R0, [R4];\n01:-:-:-:4 FADD R0, R0, R1;\n";
  CHECK(run_smsim({"loops", "-"}, text).exit_code == 65);
  const Outcome maxas = run_smsim({"loops", "-", "--input-format", "maxas"}, text);
  CHECK(maxas.exit_code == 0);
  CHECK(maxas.out.find("maxas") != std::string::npos);
  CHECK(run_smsim({"loops", "-", "--input-format", "basic"}, text).exit_code == 2);
}

TEST_CASE("lines or markers of the file say which loop is meant") {
  std::string two = "\t.target\tsm_75\n";
  for (const char* name : {"A", "B"}) {
    two += std::string(name) + ":\n";
    if (*name == 'A') two += "// smsim-begin first\n";
    two += "[B------:R-:W-:-:S04] FADD R0, R0, R1 ;\n";
    if (*name == 'B') two += "[B------:R-:W-:-:S04] FADD R0, R0, R1 ;\n";
    two += "[B------:R-:W-:-:S05] @P0 BRA `(" + std::string(name) + ") ;\n";
    if (*name == 'A') two += "// smsim-end\n";
  }
  const auto instructions = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"predict", "-", "--format", "json"});
    const Outcome outcome = run_smsim(words, two);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return json::parse(outcome.out)["instructions"].size();
  };
  CHECK(instructions({}) == 2);
  CHECK(instructions({"--loop", "1"}) == 3);
  CHECK(instructions({"--lines", "7-10"}) == 3);
  CHECK(run_smsim({"predict", "-", "--lines", "7-8"}, two).exit_code == 2);
  CHECK(run_smsim({"predict", "-", "--lines", "x"}, two).exit_code == 2);
  CHECK(run_smsim({"predict", "-"}, two.substr(0, two.find("// smsim-end"))).exit_code == 2);
}

TEST_CASE("a label of the text says which loop is meant, and a wrong one what is near") {
  const std::string hex = source_file("traces/hopper/kernels.sm_90.nvdisasm-hex.sass.gz");
  const double whole = cycles({hex, "--function", "matvec_row", "--loop", "0x220-0x2f0"});
  CHECK(cycles({hex, "--label", ".L_x_4"}) == whole);
  CHECK(cycles({hex, "--label", "L_x_4"}) == whole);
  const Outcome near = run_smsim({"predict", hex, "--label", ".L_x_4444"});
  CHECK(near.exit_code == 2);
  CHECK(near.err.find("did you mean") != std::string::npos);
  CHECK(run_smsim({"predict", hex, "--label", ".L_x_3"}).err.find("no loop begins at") !=
        std::string::npos);
  CHECK(run_smsim({"predict", kCubin, "--label", "A"}).err.find("has no labels") !=
        std::string::npos);
  CHECK(run_smsim({"predict", hex, "--label", ".L_x_4", "--loop", "0"}).exit_code == 2);
}

TEST_CASE("with --control code without control words takes the same cycles as with its own") {
  const std::string hopper = source_file("traces/hopper/kernels.sm_90.");
  const double whole = cycles({hopper + "nvdisasm-hex.sass.gz", "--function", "sgemm_smem"});
  for (const char* file : {"nvdisasm-nohex.sass.gz", "nvdisasm.json.gz"}) {
    for (const char* control : {"cubin.gz", "cuobjdump.sass.gz"}) {
      CHECK(cycles({hopper + file, "--function", "sgemm_smem", "--control", hopper + control}) ==
            whole);
    }
    CHECK(cycles({hopper + file, "--function", "sgemm_smem"}) != whole);
  }
  const Outcome twice =
      run_smsim({"predict", hopper + "cubin.gz", "--control", hopper + "cubin.gz"});
  CHECK(twice.exit_code == 2);
}

TEST_CASE("code that does not say its device is written for the one of --arch, or not at all") {
  const std::string loop =
      "L:\n[B------:R-:W-:-:S04] FFMA R0, R0, R1, R2 ;\n[B------:R-:W-:-:S05] BRA `(L) ;\n";
  for (const char* notation : {"yaml", "turingas"}) {
    CAPTURE(notation);
    const Outcome unknown = run_smsim({"convert", "-", "--to", notation}, loop);
    CHECK(unknown.exit_code == 2);
    CHECK(contains(unknown.err, "give --arch"));
    const Outcome known = run_smsim({"convert", "-", "--to", notation, "--arch", "sm_90"}, loop);
    CHECK(known.exit_code == 0);
    CHECK(run_smsim({"predict", "-"}, known.out).exit_code == 0);
  }
}
