// SPDX-License-Identifier: MIT
// Each kind of bad input: where the mistake is, what to do about it, and the exit code.
#include <doctest/doctest.h>

#include <regex>

#include "support/run_program.hpp"

using namespace smsim::test;

namespace {

constexpr int kBadInput = 65;
constexpr int kNoFile = 66;
constexpr int kBadConfig = 78;

const std::string kVolta = source_file("traces/volta/saxpy.sass");

/// What stderr says of an input that must be refused; its first line has the shape
/// `file:line:col: error: message`.
std::string refused(int exit_code, const std::vector<std::string>& words,
                    std::string_view input = {}) {
  const Outcome outcome = run_smsim(words, input);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == exit_code);
  CHECK(outcome.out.empty());
  const std::string first = outcome.err.substr(0, outcome.err.find('\n'));
  CAPTURE(first);
  CHECK(std::regex_search(first, std::regex("^[^:]+:[1-9][0-9]*:[1-9][0-9]*: error: .+")));
  CHECK(contains(outcome.err, "\nhint: "));
  return outcome.err;
}

std::string dump_text() { return read_text(kVolta); }

/// A loop in bracketed notation whose first instruction waits as `wait` says.
std::string waiting_loop(const std::string& wait) {
  return ".L_loop:\n"
         "    [" +
         wait +
         ":R-:W-:-:S04] FFMA R4, R5, R6, R4 ;\n"
         "    [B------:R-:W-:-:S05] @P0 BRA `(.L_loop) ;\n";
}

/// A config of its own on top of Volta's, with these lines at its end.
std::string config(const std::string& lines) {
  return "base: volta-v100\n"
         "sources: {idea: \"a test\"}\n"
         "status: assumed\n"
         "source: idea\n" +
         lines;
}

}  // namespace

TEST_CASE("an empty file is refused with its place") {
  const TempFolder folder;
  const std::string error = refused(kBadInput, {"predict", folder.write("empty.sass", "")});
  CHECK(contains(error, "empty.sass:1:1: error: the file is empty"));
}

TEST_CASE("a binary without GPU code is refused, and the message says what it is") {
  const TempFolder folder;
  const std::string elf = folder.write("a.cubin", std::string("\x7f"
                                                              "ELF\x02\x01\x01\0\0\0",
                                                              10));
  CHECK(contains(refused(kBadInput, {"predict", elf}), "this ELF file is damaged"));
  CHECK(contains(refused(kBadInput, {"predict", SMSIM_EXECUTABLE}), "without code for a GPU"));
  const std::string noise = folder.write("noise", std::string("\x01\0\x02\0", 4));
  CHECK(contains(refused(kBadInput, {"predict", noise}), "binary"));
}

TEST_CASE("a dump that ends within an instruction is refused at that instruction") {
  const std::string whole = dump_text();
  const std::size_t second_word = whole.find("FFMA");
  const std::string cut = whole.substr(0, whole.find('\n', second_word) + 1);
  const std::string error = refused(kBadInput, {"predict", "-"}, cut);
  CHECK(contains(error, "FFMA"));
  CHECK(contains(error, "cut off"));
}

TEST_CASE("instructions without addresses and encodings are refused, and the hint says -hex") {
  const std::string error = refused(kBadInput, {"predict", "-", "--arch", "sm_90"},
                                    ".L_x_1:\n FFMA R0, R1, R2, R0 ;\n @P0 BRA `(.L_x_1) ;\n");
  CHECK(contains(error, "no control words"));
  CHECK(contains(error, "nvdisasm -hex"));
}

TEST_CASE("an unknown key of a config is refused, and the hint names the nearest one") {
  const TempFolder folder;
  const std::string file =
      folder.write("mine.yaml", config("register_file: {bank: 4, mapping: R mod banks}\n"));
  const std::string error = refused(kBadConfig, {"predict", kVolta, "--arch", file});
  CHECK(contains(error, "mine.yaml:5:17: error: unknown key 'bank'"));
  CHECK(contains(error, "did you mean 'banks'?"));
}

TEST_CASE("a key that stands twice in a config is refused, and the hint says where the first is") {
  const TempFolder folder;
  const std::string file =
      folder.write("mine.yaml", config("max_warps: 8\nscheduler: {}\nmax_warps: 16\n"));
  const std::string error = refused(kBadConfig, {"predict", kVolta, "--arch", file});
  CHECK(contains(error, "mine.yaml:7:1: error: duplicate key 'max_warps'"));
  CHECK(contains(error, "line 5"));
}

TEST_CASE("a wait on a barrier that nothing sets is refused at the waiting instruction") {
  const std::vector<std::string> words = {"predict", "-", "--arch", "sm_90"};
  CHECK(run_smsim(words, waiting_loop("B------")).exit_code == 0);
  const std::string error = refused(kBadInput, words, waiting_loop("B--2---"));
  CHECK(contains(error, "<stdin>:2:27: error: "));
  CHECK(contains(error, "FFMA R4, R5, R6, R4"));
  CHECK(contains(error, "barrier 2"));
}

TEST_CASE("a file that is not there is exit code 66 and named") {
  const Outcome outcome = run_smsim({"predict", "/no/such.sass"});
  CHECK(outcome.exit_code == kNoFile);
  CHECK(contains(outcome.err, "/no/such.sass"));
}
