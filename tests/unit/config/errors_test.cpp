// SPDX-License-Identifier: MIT
// What a config file must not contain, and what is said about it.
#include <doctest/doctest.h>

#include "temp_config.hpp"

namespace {

using smsim::ErrorKind;
using smsim::load_arch;
using smsim::test::TempConfig;

/// A config that is right but for the given lines; they begin at line 5.
TempConfig config(const std::string& lines) {
  return TempConfig(
      "base: hopper-gh100\nstatus: measured\nsource: bench\nsources: {bench: my bench}\n" + lines);
}

struct Case {
  const char* lines;
  std::uint32_t line;
  std::uint32_t column;
  const char* message;
  const char* hint;
};

void check(const Case& expected) {
  CAPTURE(expected.lines);
  const TempConfig file = config(expected.lines);
  const auto arch = load_arch(file.path());
  REQUIRE_FALSE(arch);
  const smsim::Diagnostic& first = arch.error().front();
  CHECK(first.kind == ErrorKind::bad_config);
  CHECK(first.where.file == file.path());
  CHECK(first.where.line == expected.line);
  CHECK(first.where.column == expected.column);
  CHECK(first.message == expected.message);
  CHECK(first.hint == expected.hint);
}

}  // namespace

TEST_CASE("a config with nothing but a base and a source loads") {
  CHECK(config("").errors() == "");
}

TEST_CASE("an unknown key names the nearest key of its section") {
  check({"procesing_blocks: 4\n", 5, 1, "unknown key 'procesing_blocks'",
         "did you mean 'processing_blocks'?"});
  check({"registerfile:\n  banks: 2\n", 5, 1, "unknown key 'registerfile'",
         "did you mean 'register_file'?"});
  check({"register_file:\n  bank: 2\n", 6, 3, "unknown key 'bank' in register_file",
         "did you mean 'banks'?"});
  check({"pipes:\n  alu: {initiation_interval: 2}\n", 6, 9,
         "unknown key 'initiation_interval' in pipes.alu",
         "did you mean 'initiation_interval_cycles'?"});
}

TEST_CASE("a key at the wrong place is told where it belongs") {
  check({"banks: 2\n", 5, 1, "unknown key 'banks'", "did you mean 'register_file.banks'?"});
}

TEST_CASE("a duplicate key is an error at its second place that names the line of the first") {
  check({"max_warps: 64\nmax_warps: 48\n", 6, 1, "duplicate key 'max_warps'",
         "the first one is in line 5"});
  check({"register_file: {banks: 2, banks: 4}\n", 5, 27, "duplicate key 'banks'",
         "the first one is in line 5"});
  check({"base: volta-v100\n", 5, 1, "duplicate key 'base'", "the first one is in line 1"});
}

TEST_CASE("a value of the wrong type is told apart from one out of range") {
  const char* help = "register banks of a processing block";
  check({"register_file: {banks: two}\n", 5, 24,
         "register_file.banks expects an integer, not 'two'", help});
  check({"register_file: {banks: 2.5}\n", 5, 24,
         "register_file.banks expects an integer, not '2.5'", help});
  check({"register_file: {banks: [1, 2]}\n", 5, 24,
         "register_file.banks expects an integer, not a list", help});
  check({"register_file: {banks: }\n", 5, 17, "register_file.banks expects an integer, not nothing",
         help});
  check({"register_file: {banks: 0}\n", 5, 24, "register_file.banks is 0; it must be from 1 to 8",
         help});
  check({"register_file: {banks: 65}\n", 5, 24, "register_file.banks is 65; it must be from 1 to 8",
         help});
  check({"register_file: {banks: 99999999999999999999}\n", 5, 24,
         "register_file.banks is 99999999999999999999; it must be from 1 to 8", help});
  check({"scheduler: {policy: fair}\n", 5, 21,
         "scheduler.policy is 'fair'; it must be one of loose_round_robin, greedy_then_oldest, "
         "greedy_then_youngest, greedy_then_least_issued, greedy_active_set",
         "which of the ready warps issues"});
  check({"pipes: {alu: {shared: maybe}}\n", 5, 23, "pipes.alu.shared is true or false, not 'maybe'",
         "one unit for all processing blocks"});
}

TEST_CASE("a section that is no map is an error") {
  check({"memory: 7\n", 5, 9, "memory expects a map of keys, not a single value", ""});
  check({"classes:\n  - ffma\n", 6, 3, "classes expects a map of keys, not a list", ""});
}

TEST_CASE("a status or source that does not exist is an error where it stands") {
  check({"max_warps: [48, meassured, bench]\n", 5, 17, "'meassured' is not a status",
         "did you mean 'measured'?"});
  check({"max_warps: [48, overridden, bench]\n", 5, 17, "'overridden' is not a status",
         "known: measured, published, fitted, assumed"});
  check({"max_warps: [48, measured, bensh]\n", 5, 27, "source 'bensh' is not in the map of sources",
         "did you mean 'bench'?"});
}

TEST_CASE("a number that nobody vouches for is an error") {
  const TempConfig none("base: hopper-gh100\nmax_warps: 48\n");
  CHECK(none.errors().find(":2:12: error: max_warps has no status") != std::string::npos);
  const TempConfig half("base: hopper-gh100\nstatus: measured\nmax_warps: 48\n");
  CHECK(half.errors().find(":3:12: error: max_warps has no source") != std::string::npos);
}

TEST_CASE("malformed YAML is an error with line and column") {
  check({"register_file: {banks: 2\nmemory: 3]\n", 6, 7,
         "not valid YAML: end of map flow not found", ""});
  check({"max_warps: *other\n", 5, 12, "not valid YAML: the referenced anchor is not defined", ""});
  check({"max_warps: &a 48\nprocessing_blocks: *a\n", 6, 20, "aliases (*name) are not supported",
         "write the value out, or inherit with 'base:'"});
}

TEST_CASE("all wrong values of a file are told in one go") {
  const auto arch =
      load_arch(config("max_warps: x\nmemory: {bank: 1}\nregister_file: {banks: 0}\n").path());
  REQUIRE_FALSE(arch);
  CHECK(arch.error().size() == 3);
}

TEST_CASE("a class must name a pipe that exists") {
  check({"classes:\n  ffma: {pipe: fma_heavi}\n", 6, 16,
         "classes.ffma.pipe names 'fma_heavi', which is not in pipes",
         "did you mean 'fma_heavy'?"});
}

TEST_CASE("a class that the opcode table does not know is an error") {
  check({"classes:\n  ffmaa: {pipe: fma_heavy, latency_cycles: 4}\n", 6, 3,
         "unknown instruction class 'ffmaa'", "did you mean 'ffma'?"});
}

TEST_CASE("a mapping that does not fit the banks is an error at the mapping") {
  check({"register_file:\n  mapping: R mod 4\n", 6, 12,
         "register_file.mapping 'R mod 4': puts R2 into bank 2; the banks are 0 to 1",
         "at character 1; a formula over R and banks, or a list of banks"});
}

TEST_CASE("a config without a base must have every required key and every class") {
  const TempConfig file("status: assumed\nsource: guess\nsources: {guess: a guess}\n");
  const std::string errors = file.errors();
  for (const char* message : {"processing_blocks is missing", "register_file.banks is missing",
                              "register_file.mapping is missing", "scheduler.policy is missing",
                              "classes has no entry for "}) {
    CHECK_MESSAGE(errors.find(message) != std::string::npos, message);
  }
}

TEST_CASE("a base that cannot be found, or that leads back, is an error at the base") {
  const TempConfig unknown("base: hoper-gh100\n");
  CHECK(
      unknown.errors().find(":1:7: error: base 'hoper-gh100' is not a config that can be found") !=
      std::string::npos);
  CHECK(unknown.errors().find("did you mean 'hopper-gh100'?") != std::string::npos);
  const TempConfig self("base: mine\n");
  CHECK(self.errors().find(":1:7: error: base 'mine' leads back to this config") !=
        std::string::npos);
  const TempConfig first("base: second\n", "first");
  first.add("base: first\n", "second");
  CHECK(first.errors().find("second.yaml:1:7: error: base 'first' leads back to this config") !=
        std::string::npos);
}

TEST_CASE("empty files, binary files and very deep ones are refused, not crashed on") {
  CHECK(TempConfig("").errors().find("a config file is a map of keys, not nothing") !=
        std::string::npos);
  CHECK(TempConfig("- 1\n").errors().find("a config file is a map of keys, not a list") !=
        std::string::npos);
  CHECK(TempConfig("a: 1\n---\nb: 2\n").errors().find("one YAML document") != std::string::npos);
  CHECK(TempConfig(std::string(100000, '[')).errors().find("nested too deeply") !=
        std::string::npos);
  CHECK(TempConfig(std::string((1 << 20) + 1, '#')).errors().find("too large") !=
        std::string::npos);
  CHECK(TempConfig(std::string("\x7f\x45\x4c\x46\x02\x00\x00\x01", 8)).errors() != "");
}

TEST_CASE("a file that does not exist is told apart from a bad one") {
  for (const char* path : {"/nowhere/none.yaml", "none.yaml", "/"}) {
    const auto arch = load_arch(path);
    REQUIRE_FALSE(arch);
    CHECK(arch.error().front().kind == ErrorKind::no_file);
  }
}
