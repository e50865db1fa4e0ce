// SPDX-License-Identifier: MIT
// Where the numbers of an Arch come from: the file, its base, --set, defaults.
#include <doctest/doctest.h>

#include <algorithm>

#include "temp_config.hpp"

namespace {

using smsim::Arch;
using smsim::load_arch;
using smsim::Status;
using smsim::test::parameter;
using smsim::test::TempConfig;
using smsim::test::timing;

Arch loaded(const std::string& name_or_path, const smsim::Overrides& overrides = {}) {
  auto arch = load_arch(name_or_path, overrides);
  REQUIRE_MESSAGE(arch, smsim::to_string(arch.error()));
  return *arch;
}

std::string override_error(const std::string& key, const std::string& value) {
  const auto arch = load_arch("hopper-gh100", {{key, value}});
  REQUIRE_FALSE(arch);
  CHECK(arch.error().front().kind == smsim::ErrorKind::bad_config);
  CHECK(arch.error().front().where.file == "--set");
  return arch.error().front().message + "; " + arch.error().front().hint;
}

constexpr const char* kChild = R"(base: hopper-gh100
sources:
  bench: my bench
  manual: the manual
status: published
source: manual
register_file:
  banks: 4
  mapping: [R mod 4, assumed, bench]
pipes:
  extra: {initiation_interval_cycles: 3, status: measured, source: bench}
classes:
  status: measured
  source: bench
  ffma: {pipe: extra, latency_cycles: 9}
)";

}  // namespace

TEST_CASE("a value takes status and source from itself, else its section, else the file") {
  const TempConfig file(kChild);
  const Arch arch = loaded(file.path());
  CHECK(parameter(arch, "register_file.banks").status == Status::published);
  CHECK(parameter(arch, "register_file.banks").source == "the manual");
  CHECK(parameter(arch, "register_file.mapping").status == Status::assumed);
  CHECK(parameter(arch, "register_file.mapping").source == "my bench");
  CHECK(parameter(arch, "pipes.extra.initiation_interval_cycles").status == Status::measured);
  CHECK(parameter(arch, "classes.ffma.latency_cycles").source == "my bench");
}

TEST_CASE("what a file states goes over its base") {
  const TempConfig file(kChild);
  const Arch arch = loaded(file.path());
  CHECK(arch.register_file.banks == 4);
  CHECK(arch.register_file.bank_of[7] == 3);
  CHECK(timing(arch, "ffma").latency_cycles == 9);
  CHECK(arch.pipes[timing(arch, "ffma").pipe].name == "extra");
}

TEST_CASE("what is inherited keeps its value, but is assumed: measured elsewhere, not here") {
  const TempConfig file(kChild);
  const Arch arch = loaded(file.path());
  const Arch base = loaded("hopper-gh100");
  const auto measured = std::find_if(
      base.parameters.begin(), base.parameters.end(), [&](const smsim::Parameter& row) {
        return row.status == Status::measured && !row.key.starts_with("classes.ffma.") &&
               !row.key.starts_with("register_file.");
      });
  REQUIRE(measured != base.parameters.end());
  const smsim::Parameter inherited = parameter(arch, measured->key);
  CHECK(inherited.value == measured->value);
  CHECK(inherited.unit == measured->unit);
  CHECK(inherited.status == Status::assumed);
  CHECK(inherited.source == "as on hopper-gh100");
}

TEST_CASE("what a config is called, and for which devices, is not inherited") {
  const TempConfig file("base: hopper-gh100\n");
  const Arch arch = loaded(file.path());
  CHECK(arch.name == "mine");
  CHECK(arch.compute_capabilities.empty());
}

TEST_CASE("a class is known as well as the least known of its numbers") {
  const TempConfig file(kChild);
  const Arch arch = loaded(file.path());
  CHECK(timing(arch, "ffma").status == Status::assumed);  // its other numbers are inherited
  CHECK(timing(loaded("hopper-gh100", {{"classes.ffma.latency_cycles", "5"}}), "ffma").status ==
        Status::overridden);
}

TEST_CASE("an interval that a class does not state is its pipe's, also after --set") {
  const Arch arch = loaded("hopper-gh100", {{"pipes.alu.initiation_interval_cycles", "7"}});
  const auto on_alu = [&](const smsim::InstructionTiming& one) {
    return arch.pipes[one.pipe].name == "alu";
  };
  const auto first = std::find_if(arch.timings.begin(), arch.timings.end(), on_alu);
  REQUIRE(first != arch.timings.end());
  CHECK(first->initiation_interval_cycles == 7);
}

TEST_CASE("--set changes a number, a class, a pipe and a word, and says that it did") {
  const Arch arch = loaded("hopper-gh100", {{"register_file.banks", "4"},
                                            {"register_file.mapping", "R mod 4"},
                                            {"scheduler.policy", "loose_round_robin"},
                                            {"classes.ffma.latency_cycles", "11"},
                                            {"pipes.alu.initiation_interval_cycles", "2"}});
  CHECK(arch.register_file.banks == 4);
  CHECK(arch.register_file.bank_of[3] == 3);
  CHECK(arch.scheduler.policy == "loose_round_robin");
  CHECK(timing(arch, "ffma").latency_cycles == 11);
  for (const char* key : {"register_file.banks", "register_file.mapping", "scheduler.policy",
                          "classes.ffma.latency_cycles", "pipes.alu.initiation_interval_cycles"}) {
    CHECK(parameter(arch, key).status == Status::overridden);
    CHECK(parameter(arch, key).source == "--set");
  }
  CHECK(parameter(arch, "register_file.banks").value == "4");
}

TEST_CASE("--set takes a list of banks for the mapping") {
  const Arch arch = loaded("hopper-gh100", {{"register_file.banks", "4"},
                                            {"register_file.mapping", "[0,1,0,1,2,3,2,3]"}});
  CHECK(arch.register_file.bank_of[6] == 2);
  CHECK(arch.register_file.bank_of[8] == 0);
}

TEST_CASE("a --set that fits no key names the nearest one, one that fits no value says why") {
  CHECK(override_error("register_file.bank", "4") ==
        "unknown key 'register_file.bank'; did you mean 'register_file.banks'?");
  CHECK(override_error("clases.ffma.latency_cycles", "4") ==
        "unknown key 'clases.ffma.latency_cycles'; did you mean 'classes.ffma.latency_cycles'?");
  CHECK(override_error("zzz", "4") ==
        "unknown key 'zzz'; 'smsim archs hopper-gh100' lists the keys");
  CHECK(override_error("register_file.banks", "0") ==
        "register_file.banks is 0; it must be from 1 to 8; register banks of a processing block");
  CHECK(override_error("register_file.banks", "") ==
        "register_file.banks expects an integer, not ''; register banks of a processing block");
}

TEST_CASE("a number that the policy does not look at cannot be set") {
  for (const char* key : {"12", "12_apart", "13", "14", "15", "handover"}) {
    const std::string name = std::string("scheduler.unyielding_") + key + "_cycles";
    CHECK(override_error(name, "50") ==
          name +
              " does nothing without scheduler.policy: greedy_active_set; choose "
              "scheduler.policy: greedy_active_set, or leave it out");
  }
}

TEST_CASE("a key that no file states has its default, which is assumed") {
  // Every shipped config states its memory; a config without a base need not.
  std::string text =
      "status: published\nsource: manual\nsources: {manual: the manual}\n"
      "processing_blocks: 4\nmax_warps: 64\nscheduler: {policy: greedy_then_oldest}\n"
      "register_file: {banks: 2, mapping: R mod 2}\n"
      "pipes: {all: {initiation_interval_cycles: 1}}\nclasses:\n";
  for (const smsim::InstructionTiming& one : loaded("hopper-gh100").timings) {
    text += "  " + one.instruction_class + ": {pipe: all, latency_cycles: 4}\n";
  }
  const TempConfig file(text);
  const Arch arch = loaded(file.path());
  CHECK(arch.memory.queue_entries == smsim::MemorySpec{}.queue_entries);
  CHECK(parameter(arch, "memory.queue_entries").status == Status::assumed);
  CHECK(parameter(arch, "memory.queue_entries").source == "default");
}
