// SPDX-License-Identifier: MIT
// What a function keeps of earlier predictions never outlives an edit of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <thread>

#include "isa/rename.hpp"
#include "program/code_facts.hpp"
#include "smsim/read.hpp"
#include "smsim/simulate.hpp"

using namespace smsim;

namespace {

constexpr const char* kCode =
    "[B------:R-:W0:-:S02] S2R R0, SR_TID.X ;\n"
    "[B0-----:R-:W-:-:S04] SHF.L.U32 R2, R0, 0x2, RZ ;\n"
    "[B------:R-:W-:-:S04] SHF.L.U32 R3, R0, 0x5, RZ ;\n"
    ".L_loop:\n"
    "[B------:R-:W1:-:S02] LDS R4, [R2] ;\n"
    "[B------:R-:W-:-:S05] @P1 BRA `(.L_skip) ;\n"
    "[B-1----:R-:W-:-:S04] FFMA R6, R4, R8, R6 ;\n"
    "[B------:R-:W-:-:S04] FFMA R7, R8.reuse, R10, R7 ;\n"
    "[B------:R-:W-:-:S04] FFMA R9, R8, R11, R9 ;\n"
    ".L_skip:\n"
    "[B------:R-:W-:-:S02] IADD3 R12, R12, 0x1, RZ ;\n"
    "[B------:R-:W-:-:S05] @P0 BRA `(.L_loop) ;\n"
    "[B------:R-:W-:-:S05] EXIT ;\n";

Program sample() {
  auto program = read_program_text(kCode, "test");
  REQUIRE(program.has_value());
  program->functions.front().sm = 90;
  return std::move(*program);
}

const Arch& hopper() {
  static const Arch arch = load_arch("hopper-gh100").value();
  return arch;
}

Instruction& with(Program& program, std::string_view text) {
  auto& all = program.functions.front().instructions;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Instruction& in) {
    return in.text.find(text) != std::string::npos;
  });
  REQUIRE(found != all.end());
  return *found;
}

/// All that a prediction says, as one value to compare.
std::string said(const Expected<Result>& result) {
  if (!result) return to_string(result.error());
  std::string text = std::to_string(result->cycles_per_iteration) + " " + result->bottleneck;
  for (const std::string& one : result->assumptions) text += "\n" + one;
  for (const InstructionRow& row : result->instructions) {
    text += "\n" + row.text + " " + row.pipe + (row.control.yield ? " Y" : "");
    for (const std::uint64_t slots : row.slots) text += " " + std::to_string(slots);
  }
  return text + "\n" + std::to_string(result->other_loops.size());
}

std::string predicted(const Program& program) { return said(simulate(program, hopper())); }

/// The same program, of which nobody knows anything.
Program unknown(const Program& program) {
  Program fresh = program;
  for (Function& function : fresh.functions) function.kept = program::keep_facts();
  return fresh;
}

using Edit = std::function<void(Program&)>;

/// Each of them changes what is predicted.
const std::vector<std::pair<const char*, Edit>>& edits() {
  static const std::vector<std::pair<const char*, Edit>> all = {
      {"stall", [](Program& p) { with(p, "R10, R7").control.stall = 9; }},
      {"yield", [](Program& p) { with(p, "R10, R7").control.yield = true; }},
      {"wait mask", [](Program& p) { with(p, "R4, R8").control.wait_mask = 0; }},
      {"barrier",
       [](Program& p) {
         with(p, "LDS").control.write_barrier = 2;
         with(p, "IADD3").control.wait_mask = 4;
       }},
      {"reuse", [](Program& p) { isa::set_reuse(with(p, "R11, R9"), 1, true); }},
      {"register", [](Program& p) { isa::rename_register(with(p, "R10, R7"), 2, 14); }},
      {"address register", [](Program& p) { isa::rename_register(with(p, "LDS"), 1, 3); }},
      {"lane stride", [](Program& p) { with(p, "SHF.L.U32 R2").operands.edit()[2].value = 3; }},
      {"guard",
       [](Program& p) {
         with(p, "_skip").guard = {kPT, true, false};
       }},
      {"branch",
       [](Program& p) {
         const std::uint64_t to = with(p, "R11, R9").address;
         with(p, "_skip").guard = {};
         with(p, "_skip").target = to;
       }},
      {"opcode", [](Program& p) { with(p, "R11, R9").opcode = "MUFU.RCP"; }},
      {"text", [](Program& p) { with(p, "R11, R9").text = "what it is called"; }},
      {"width", [](Program& p) { with(p, "LDS").operands.edit()[0].registers = 2; }},
      {"instruction",
       [](Program& p) {
         p.functions.front().instructions.erase(p.functions.front().instructions.begin() + 3);
       }},
  };
  return all;
}

}  // namespace

TEST_CASE("a prediction after an edit is that of a program that nobody has predicted before") {
  for (const auto& [name, edit] : edits()) {
    CAPTURE(std::string(name));
    Program program = sample();
    const std::string before = predicted(program);
    edit(program);
    const std::string after = predicted(program);
    CHECK(after != before);
    CHECK(after == predicted(unknown(program)));
  }
}

TEST_CASE("edits one upon another are each seen, and undone ones too") {
  Program program = sample();
  std::vector<std::pair<Program, std::string>> history;
  for (const auto& [name, edit] : edits()) {
    if (std::string_view(name) == "opcode") break;  // what follows would no longer be found
    history.emplace_back(program, predicted(program));
    edit(program);
    CAPTURE(std::string(name));
    CHECK(predicted(program) == predicted(unknown(program)));
  }
  for (const auto& [old, said_then] : history) {
    program.functions.front().instructions = old.functions.front().instructions;
    CHECK(predicted(program) == said_then);
  }
}

TEST_CASE("a copy and its original are predicted each as it is") {
  const Program program = sample();
  const std::string before = predicted(program);
  Program copy = program;
  isa::rename_register(with(copy, "LDS"), 1, 3);
  const std::string changed = predicted(copy);
  CHECK(changed != before);
  CHECK(predicted(program) == before);
  CHECK(predicted(copy) == changed);
}

TEST_CASE("control words are no part of what is kept of the code") {
  Program program = sample();
  const Function& function = program.functions.front();
  const auto facts = program::code_facts(function);
  for (Instruction& in : program.functions.front().instructions)
    in.control = {9, true, 1, 2, 3, 1, ControlFormat::volta, 0};
  CHECK(program::code_facts(function) == facts);
  isa::rename_register(with(program, "R11, R9"), 2, 14);
  CHECK(program::code_facts(function) != facts);
}

TEST_CASE("ways that are asked for by turns do not get mixed up") {
  const Program program = sample();
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < 12; ++i) {
      SimulateOptions options;
      options.loop = i % 3 == 0 ? "" : i % 3 == 1 ? "all" : "0x30-0x90";
      options.branches[with(const_cast<Program&>(program), "_skip").address] = i % 2 == 0;
      CHECK(said(simulate(program, hopper(), options)) ==
            said(simulate(unknown(program), hopper(), options)));
    }
}

TEST_CASE("several threads may predict a program that nobody knows yet") {
  const std::string alone = predicted(sample());
  const Program program = sample();
  std::array<std::string, 4> answers;
  std::vector<std::thread> threads;
  for (std::string& answer : answers) threads.emplace_back([&] { answer = predicted(program); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& answer : answers) CHECK(answer == alone);
}

TEST_CASE("a function that was moved away is predicted, if without memory") {
  Program program = sample();
  const std::string before = predicted(program);
  program.functions.front().kept = nullptr;
  CHECK(predicted(program) == before);
}
