// SPDX-License-Identifier: MIT
// Words and files that could be taken for something else than they are: refused, or warned of.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

using namespace smsim::test;

namespace {

const std::string kLoop = source_file("traces/hopper/saxpy.sass");
const std::string kSuite = source_file("traces/suites/h200/characterise.jsonl.gz");

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// What the program says when it ends with that code, and without a result.
std::string refusal(const std::vector<std::string>& words, int code = 2,
                    const std::string& input = {}) {
  const Outcome outcome = run_smsim(words, input);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == code);
  CHECK(outcome.out.empty());
  return outcome.err;
}

}  // namespace

TEST_CASE("numbers are decimal, and a leading zero is refused rather than read as octal") {
  CHECK(contains(refusal({"predict", kLoop, "--warps", "010"}), "begins with a zero"));
  CHECK(contains(refusal({"schedule", kLoop, "--warps", "0x4"}), "is not a whole number"));
  CHECK(
      contains(refusal({"timeline", kLoop, "--cycles", "0"}), "'0' is not a number of at least 1"));
  CHECK(contains(refusal({"validate", kSuite, "--min-warps", "-1"}), "of at least 1"));
  CHECK(contains(refusal({"validate", kSuite, "--jobs", "0"}), "from 1 to 4096"));
  CHECK(contains(refusal({"sweep", kLoop, "--jobs", "0"}), "from 1 to 4096"));
  CHECK(run_smsim({"predict", kLoop, "--warps", "10"}).exit_code == 0);
}

TEST_CASE("no more warps are scheduled for than the device holds") {
  CHECK(contains(refusal({"schedule", kLoop, "--warps", "65"}), "holds 1 to 64"));
}

TEST_CASE("a word that is given two values is refused") {
  CHECK(contains(refusal({"predict", kLoop, "--branch", "0x90=taken", "--branch", "0x90=not"}),
                 "--branch names 0x90 twice"));
  CHECK(contains(refusal({"predict", kLoop, "--lane-stride", "R2=4", "--lane-stride", "R2=8"}),
                 "--lane-stride names R2 twice"));
  CHECK(contains(refusal({"predict", kLoop, "--set", "register_file.banks=2", "--set",
                          "register_file.banks=4"}),
                 "--set names register_file.banks twice"));
}

TEST_CASE("a lane stride of a register without an address is refused, for it does nothing") {
  CHECK(contains(refusal({"predict", kLoop, "--lane-stride", "R99=4"}), "has its address in it"));
  CHECK(run_smsim({"predict", kLoop, "--lane-stride", "R2=4"}).exit_code == 0);
}

TEST_CASE("--set takes lists, and a list needs a number for each processing block") {
  const std::string key = "scheduler.start_block_cycles=";
  const auto cycles = [&](const std::string& list) {
    const Outcome done =
        run_smsim({"predict", kLoop, "--warps", "8", "--set", key + list, "--format", "json"});
    CAPTURE(done.err);
    REQUIRE(done.exit_code == 0);
    return nlohmann::json::parse(done.out)["assumptions"].dump();
  };
  CHECK(cycles("0,0,4,6") == cycles("[0, 0, 4, 6]"));
  CHECK(contains(refusal({"predict", kLoop, "--set", key + "0,1,2"}, 78),
                 "has 3 numbers for 4 processing blocks"));
  CHECK(contains(refusal({"predict", kLoop, "--set", key + "0,x,2,3"}, 78), "not 'x'"));
  CHECK(run_smsim({"predict", kLoop, "--set", "processing_blocks=2"}).exit_code == 0);
}

TEST_CASE("a format of assemblers does not fit a cubin, a trace, or JSON") {
  const std::string cubin = source_file("traces/hopper/kernels.sm_90.cubin.gz");
  CHECK(contains(refusal({"predict", cubin, "--input-format", "maxas"}), "this is a cubin"));
  CHECK(contains(refusal({"predict", cubin, "--input-format", "intel"}), "there is no 'intel'"));
  CHECK(contains(refusal({"lint", source_file("traces/hopper/kernels.sm_90.nvdisasm.json.gz"),
                          "--input-format", "yaml"}),
                 "this is JSON"));
}

TEST_CASE("a disassembly that was cut between two instructions is warned of") {
  const TempFolder folder;
  const std::string listing =
      "\t.target sm_90\n\t.section .text.f\n"
      "        /*0000*/  IADD3 R2, R2, 0x1, RZ ;  /* 0x0000000102027810 */\n"
      "                                           /* 0x000fca0007ffe0ff */\n";
  const std::string whole = listing +
                            "        /*0010*/  EXIT ;  /* 0x000000000000794d */\n"
                            "                          /* 0x000fea0003800000 */\n";
  const Outcome cut = run_smsim({"predict", folder.write("cut.sass", listing)});
  CHECK(cut.exit_code == 0);
  CHECK(contains(cut.err, "cut.sass: warning: the listing of 'f' ends at 0x0000 with IADD3"));
  CHECK(contains(cut.out, "is it cut off?"));
  CHECK(contains(run_smsim({"loops", folder.write("cut.sass", listing)}).err, "is it cut off?"));
  CHECK(run_smsim({"predict", folder.write("whole.sass", whole)}).err.empty());
}

TEST_CASE("code of another generation than the one that is named is warned of") {
  const Outcome lint = run_smsim({"lint", kLoop, "--arch", "maxwell-gm107"});
  CHECK(contains(lint.err, "warning: code for sm_90 is looked at as if it were for maxwell-gm107"));
  CHECK(contains(run_smsim({"schedule", kLoop, "--arch", "volta-v100"}).err, "code for sm_90"));
  CHECK(run_smsim({"lint", kLoop, "--arch", "sm_90"}).err.empty());
}

TEST_CASE("what cannot be read is not called empty") {
  CHECK(contains(refusal({"predict", "/proc/self/mem"}, 66), "cannot read on behind byte 0"));
  const TempFolder folder;
  const auto list = folder.write("kernelslist.g", "kernel-1.traceg\n");
  const std::string missing = refusal({"predict", list}, 66);
  CHECK(contains(missing, "kernel-1.traceg': No such file"));
  CHECK(contains(missing, "kernelslist.g names it"));
  CHECK(!contains(missing, ".xz"));
}

TEST_CASE("diff compares only what smsim can have written") {
  const TempFolder folder;
  const std::string good = run_smsim({"predict", kLoop, "--format", "json"}).out;
  const auto before = folder.write("good.json", good);
  const auto complaint = [&](const std::string& pointer, const nlohmann::json& value) {
    auto changed = nlohmann::json::parse(good);
    changed[nlohmann::json::json_pointer(pointer)] = value;
    return refusal({"diff", before, folder.write("bad.json", changed.dump())}, 65);
  };
  CHECK(contains(complaint("/cycles_per_iteration", -1), "'cycles_per_iteration' is -1"));
  CHECK(contains(complaint("/cycles_per_iteration", 0), "'cycles_per_iteration' is 0"));
  CHECK(contains(complaint("/schema_version", 9), "its schema_version is 9"));
  CHECK(contains(complaint("/warps", 99999999999), "'warps' is 99999999999"));
  CHECK(contains(complaint("/window/iterations", 0), "'iterations' is 0"));
  const std::string type = complaint("/function", 3);
  CHECK(contains(type, "not of the type"));
  CHECK(!contains(type, "json.exception"));
  auto without = nlohmann::json::parse(good);
  without.erase("slots");
  CHECK(contains(refusal({"diff", before, folder.write("less.json", without.dump())}, 65),
                 "it has no 'slots'"));
}
