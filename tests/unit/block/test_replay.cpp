// SPDX-License-Identifier: MIT
// Traces of Accel-Sim: what is read from them, and how their warps are replayed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "smsim/read.hpp"
#include "smsim/simulate.hpp"
#include "support/run_program.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

std::string head(int version, int sm = 75, int threads = 64) {
  return "-kernel name = f\n-kernel id = 1\n-grid dim = (4,2,1)\n-block dim = (" +
         std::to_string(threads) +
         ",1,1)\n-shmem = "
         "0\n"
         "-nregs = 16\n-binary version = " +
         std::to_string(sm) + "\n-accelsim tracer version = " + std::to_string(version) +
         "\n\n#traces format = PC mask\n\n";
}

/// A thread block with the given warps' lines.
std::string block(const std::vector<std::vector<std::string>>& warps) {
  std::string text = "#BEGIN_TB\n\nthread block = 0,0,0\n\n";
  for (std::size_t w = 0; w < warps.size(); ++w) {
    text += "warp = " + std::to_string(w) + "\ninsts = " + std::to_string(warps[w].size()) + "\n";
    for (const std::string& line : warps[w]) text += line + " \n";
    text += "\n";
  }
  return text + "#END_TB\n\n";
}

Program read(const std::string& text) {
  auto program = read_program_text(text, "kernel-1.traceg");
  REQUIRE_MESSAGE(program.has_value(), to_string(program ? Diagnostics{} : program.error()));
  return *std::move(program);
}

std::string error_of(const std::string& text) {
  const auto program = read_program_text(text, "kernel-1.traceg");
  REQUIRE_FALSE(program.has_value());
  return to_string(program.error());
}

Result run(const Program& program, int warps, const std::string& loop = {}) {
  SimulateOptions options;
  options.warps = warps;
  options.loop = loop;
  const auto result = simulate(program, *load_arch_for_sm(75), options);
  REQUIRE_MESSAGE(result.has_value(), to_string(result ? Diagnostics{} : result.error()));
  return *result;
}

bool notes(const Result& result, std::string_view part) {
  return std::any_of(result.assumptions.begin(), result.assumptions.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

const std::vector<std::string> kPass = {
    "0000 ffffffff 1 R4 LDS 1 R2 4 1 0x7f0000000000 4 0",
    "0010 ffffffff 1 R6 FFMA 3 R4 R5 R6 0 0",
    "0020 00000000 0 BRA 0 0 0",
    "0030 ffffffff 0 EXIT 0 0 0",
};

/// The code of kPass with control words.
const std::string kCode =
    "\t.target sm_75\n\t.section .text.f\n"
    "[B------:R-:W0:-:S02] /*0000*/ LDS R4, [R2] ;\n"
    "[B0-----:R-:W-:-:S04] /*0010*/ FFMA R6, R4, R5, R6 ;\n"
    "[B------:R-:W-:-:S05] /*0020*/ @!PT BRA 0x0 ;\n"
    "[B------:R-:W-:-:S05] /*0030*/ EXIT ;\n";

}  // namespace

TEST_CASE("a trace gives the code that it shows and what each warp did") {
  const Program program = read(head(5) + block({kPass, kPass}) + block({kPass}));
  const Function& function = program.functions.front();
  CHECK(function.name == "f");
  CHECK(function.sm == 75);
  CHECK(function.registers == 16);
  CHECK_FALSE(function.has_control_words);
  REQUIRE(function.instructions.size() == 4);
  CHECK(function.instructions[0].text == "LDS R4, [R2]");
  CHECK(function.instructions[1].text == "FFMA R6, R4, R5, R6");
  REQUIRE(function.trace);
  CHECK(function.trace->grid_thread_blocks == 8);
  CHECK(function.trace->thread_blocks == 2);
  CHECK(function.trace->threads_per_block == 64);
  REQUIRE(function.trace->warps.size() == 3);
  CHECK(function.trace->warps[2].thread_block == 1);
  CHECK(function.trace->warps[0].steps[2].lanes == 0);
}

TEST_CASE("the older versions' place in front of a line, and lineinfo, are passed over") {
  std::vector<std::string> placed, lined;
  for (const std::string& line : kPass) {
    placed.push_back("0 0 0 1 " + line.substr(0, line.rfind(' ')));
    lined.push_back("17 " + line);
  }
  CHECK(read(head(2) + block({placed})).functions.front().instructions.size() == 4);
  CHECK(read("-enable lineinfo = 1\n" + head(5) + block({lined}))
            .functions.front()
            .instructions.size() == 4);
  CHECK(error_of(head(6) + block({kPass})).find("versions 2 to 5") != std::string::npos);
}

TEST_CASE("addresses come as a list, with a stride, or as differences, of the active lanes") {
  const std::string list = "0000 0000000f 1 R4 LDS 1 R2 4 0 0x100 0x104 0x110 0x108 0";
  const std::string stride = "0010 0000000f 1 R4 LDS 1 R2 4 1 0x100 8 0";
  const std::string deltas = "0020 000000f0 1 R4 LDS 1 R2 4 2 0x100 4 -8 4 0";
  const Program program = read(head(3) + block({{list, stride, deltas}}));
  const Trace& trace = *program.functions.front().trace;
  const auto& steps = trace.warps.front().steps;
  REQUIRE(trace.addresses.size() == 3);
  const auto& first = trace.addresses[steps[0].addresses - 1U];
  CHECK(first[1] == 4);
  CHECK(first[2] == 16);
  CHECK(first[3] == 8);
  CHECK(trace.addresses[steps[1].addresses - 1U][3] == 24);
  CHECK(trace.addresses[steps[2].addresses - 1U][6] == -4);
}

TEST_CASE("with control words a replay is the pass of the code, cycle for cycle") {
  Program trace = read(head(5, 75, 128) + block({kPass, kPass, kPass, kPass}));
  Program code = read(kCode);
  const auto joined = join_control(trace, code);
  REQUIRE_MESSAGE(joined.has_value(), to_string(joined ? Diagnostics{} : joined.error()));
  for (const int warps : {1, 2, 4}) {
    const Result replay = run(trace, warps);
    const Result pass = run(code, warps, "all");
    CHECK(replay.cycles_per_iteration == pass.cycles_per_iteration);
    CHECK(replay.slots == pass.slots);
    CHECK_FALSE(replay.dependency_mode);
  }
}

TEST_CASE("each warp issues its own sequence, and every slot is accounted for") {
  std::vector<std::string> longer = {kPass[0], kPass[1], "0020 ffffffff 0 BRA 0 0 0"};
  longer.insert(longer.end(), kPass.begin(), kPass.end());
  const Program program = read(head(5) + block({kPass, longer}));
  const Result result = run(program, 2);
  CHECK(result.dependency_mode);
  std::uint64_t issued = 0, slots = 0;
  for (const InstructionRow& row : result.instructions) issued += row.issued;
  for (const std::uint64_t count : result.slots) slots += count;
  CHECK(issued == kPass.size() + longer.size());
  CHECK(slots == result.window_cycles * 4);
  CHECK(result.cycles_per_iteration > run(program, 1).cycles_per_iteration);
  CHECK(notes(result, "2 of 11 warp instructions have no active lane"));
  CHECK(notes(result, "names no predicates"));
  CHECK(program.functions.front().instructions[2].target == 0U);
}

TEST_CASE("BAR.SYNC of a trace joins the warps of one thread block, and not those of others") {
  const auto line = [](int at, const std::string& rest) {
    return fmt::format("{:04x} ffffffff {} 0 0", at, rest);
  };
  std::vector<std::string> early = {
      line(0, "0 BAR.SYNC"), "0010 ffffffff 1 R4 LDS 1 R2 4 1 0x0 4 0", line(0x20, "0 EXIT")};
  std::vector<std::string> late;
  for (int i = 0; i < 200; ++i) late.push_back("0030 ffffffff 1 R6 MUFU.EX2 1 R6 0 0");
  late.insert(late.end(), early.begin(), early.end());
  const auto bar = [&](const std::string& text) {
    const Result result = run(read(head(5, 75, 128) + text), 4);
    std::uint64_t slots = 0;
    for (const InstructionRow& row : result.instructions)
      slots += row.slots[static_cast<std::size_t>(StallReason::barrier)];
    return slots;
  };
  // Warps 0 and 1 wait for the late ones in their own thread block only.
  const std::uint64_t apart = bar(block({early, early}) + block({late, late}));
  const std::uint64_t together = bar(block({early, early, late, late}));
  CHECK(apart < 100);
  CHECK(together > 1000);
  // As if each thread block was alone.
  CHECK(bar(block({early, late}) + block({early, late})) > 1000);
}

TEST_CASE("addresses of a trace meet in the banks of shared memory") {
  std::vector<std::string> apart, together;
  for (int i = 0; i < 12; ++i) {
    const std::string load =
        "00" + std::string(1, "0123456789ab"[i]) + "0 ffffffff 1 R4 LDS 1 R2 4 1 0x7f0000000000 ";
    apart.push_back(load + "4 0");
    together.push_back(load + "128 0");
  }
  apart.emplace_back("00c0 ffffffff 0 EXIT 0 0 0");
  together.emplace_back("00c0 ffffffff 0 EXIT 0 0 0");
  CHECK(run(read(head(5) + block({together})), 1).cycles_per_iteration >
        run(read(head(5) + block({apart})), 1).cycles_per_iteration + 200);
}

TEST_CASE("damaged traces are refused with the line and what was expected") {
  const std::string whole = head(5) + block({kPass});
  CHECK(error_of(whole.substr(0, whole.find("0020"))).find("'insts = 4' was said") !=
        std::string::npos);
  CHECK(error_of(head(5)).find("holds no instructions") != std::string::npos);
  CHECK(error_of(head(5) + kPass[0]).find("in front of any 'warp = N'") != std::string::npos);
  CHECK(error_of(head(5) + block({{"0000 ffffffff 99 R1 MOV 0 0"}})).find("no line of a trace") !=
        std::string::npos);
  CHECK(error_of(head(5) + block({{kPass[0], "0000 ffffffff 1 R4 MOV 0 0 0"}}))
            .find("a trace is of one kernel") != std::string::npos);
}

TEST_CASE("a kernelslist is its traces, plain or packed, with numbered launches") {
  const TempFolder folder;
  folder.write("kernel-1.traceg", head(5) + block({kPass}));
  const auto list = folder.write("kernelslist.g",
                                 "MemcpyHtoD,0x00007f59dd000000,4096\nkernel-1.traceg\n"
                                 "kernel-1.traceg\n");
  const auto program = read_program(list);
  REQUIRE_MESSAGE(program.has_value(), to_string(program ? Diagnostics{} : program.error()));
  REQUIRE(program->functions.size() == 2);
  CHECK(program->functions[1].name == "f.launch2");
  const auto missing = read_program(folder.write("other.g", "kernel-2.traceg\n"));
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().front().kind == ErrorKind::no_file);
}

TEST_CASE("more warps than a trace has are a mistake of the request") {
  SimulateOptions options;
  options.warps = 3;
  const auto result =
      simulate(read(head(5) + block({kPass, kPass})), *load_arch_for_sm(75), options);
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().front().kind == ErrorKind::usage);
}
