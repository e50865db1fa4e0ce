// SPDX-License-Identifier: MIT
// Whole dumps of the compiler's code for each architecture, as the traces hold them.
#include <map>
#include <set>

#include "isa/control_word.hpp"
#include "isa/opcode.hpp"
#include "sample.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

struct Dump {
  const char* path;
  int sm;
  const char* format;
};

constexpr Dump kDumps[] = {
    {"volta/kernels.sm_70.cuobjdump.sass.gz", 70, "cuobjdump"},
    {"volta/kernels.sm_72.cuobjdump.sass.gz", 72, "cuobjdump"},
    {"turing/kernels.sm_75.cuobjdump.sass.gz", 75, "cuobjdump"},
    {"ampere/kernels.sm_80.cuobjdump.sass.gz", 80, "cuobjdump"},
    {"ampere/kernels.sm_86.cuobjdump.sass.gz", 86, "cuobjdump"},
    {"ada/kernels.sm_89.cuobjdump.sass.gz", 89, "cuobjdump"},
    {"hopper/kernels.sm_90.cuobjdump.sass.gz", 90, "cuobjdump"},
    {"blackwell/kernels.sm_100.cuobjdump.sass.gz", 100, "cuobjdump"},
    {"blackwell/kernels.sm_120.cuobjdump.sass.gz", 120, "cuobjdump"},
    {"volta/kernels.sm_70.nvdisasm-hex.sass.gz", 70, "nvdisasm"},
    {"hopper/kernels.sm_90.nvdisasm-hex.sass.gz", 90, "nvdisasm"},
    {"hopper/kernels.sm_90.nvdisasm-plr.sass.gz", 90, "nvdisasm"},
};

Program read_dump(const char* path) {
  CAPTURE(path);
  auto program = read_program(kTraces + path);
  REQUIRE_MESSAGE(program.has_value(), to_string(program ? Diagnostics{} : program.error()));
  return *std::move(program);
}

/// The flags that the text shows, as bits of the slots that the table gives the operands.
std::uint8_t flags_in_text(const Instruction& instruction) {
  std::uint8_t flags = 0;
  for (const Operand& operand : instruction.operands) {
    if (operand.text.find(".reuse") == std::string::npos) continue;
    REQUIRE(operand.slot != SourceSlot::none);
    flags = static_cast<std::uint8_t>(flags | 1 << static_cast<int>(operand.slot));
  }
  return flags;
}

const Function& function_named(const Program& program, const std::string& name) {
  for (const Function& function : program.functions) {
    if (function.name == name) return function;
  }
  FAIL("no function " << name);
  return program.functions.front();
}

}  // namespace

TEST_CASE("all 34 functions of each dump are read, with their architecture") {
  for (const Dump& dump : kDumps) {
    const Program program = read_dump(dump.path);
    CAPTURE(dump.path);
    CHECK(program.format == dump.format);
    CHECK(program.functions.size() == 34);
    for (const Function& function : program.functions) {
      CHECK(function.sm == dump.sm);
      CHECK(function.instructions.front().address == 0);
    }
  }
}

TEST_CASE("every opcode of each dump is in the table") {
  for (const Dump& dump : kDumps) {
    CAPTURE(dump.path);
    for (const Function& function : read_dump(dump.path).functions) {
      for (const Instruction& instruction : function.instructions) {
        CHECK_MESSAGE(isa::find_opcode(instruction.opcode) != nullptr, instruction.text);
      }
    }
  }
}

TEST_CASE("every reuse flag in the text stands in the slot whose bit the encoding has set") {
  std::size_t flagged = 0;
  for (const Dump& dump : kDumps) {
    CAPTURE(dump.path);
    for (const Function& function : read_dump(dump.path).functions) {
      for (const Instruction& instruction : function.instructions) {
        CAPTURE(instruction.text);
        const std::uint8_t bits = isa::decode_control(*instruction.encoding).reuse;
        const std::uint8_t flags = flags_in_text(instruction);
        CHECK(bits == flags);
        CHECK(instruction.control.reuse == flags);
        flagged += flags != 0 ? 1 : 0;
      }
    }
  }
  CHECK(flagged > 2000);
}

TEST_CASE("every direct branch leads to an instruction of its function") {
  for (const Dump& dump : kDumps) {
    CAPTURE(dump.path);
    for (const Function& function : read_dump(dump.path).functions) {
      std::set<std::uint64_t> addresses;
      for (const Instruction& one : function.instructions) addresses.insert(one.address);
      for (const Instruction& one : function.instructions) {
        if (!one.opcode.starts_with("BRA") && !one.opcode.starts_with("CALL.REL")) continue;
        CAPTURE(one.text);
        REQUIRE(one.target.has_value());
        CHECK(addresses.contains(*one.target));
      }
    }
  }
}

TEST_CASE("nvdisasm and cuobjdump texts of one binary give the same instructions and targets") {
  for (const auto& [left, right] : {std::pair{"hopper/kernels.sm_90.cuobjdump.sass.gz",
                                              "hopper/kernels.sm_90.nvdisasm-hex.sass.gz"},
                                    std::pair{"volta/kernels.sm_70.cuobjdump.sass.gz",
                                              "volta/kernels.sm_70.nvdisasm-hex.sass.gz"}}) {
    const Program cuobjdump = read_dump(left);
    const Program nvdisasm = read_dump(right);
    for (const Function& function : cuobjdump.functions) {
      const Function& other = function_named(nvdisasm, function.name);
      CAPTURE(function.name);
      REQUIRE(other.instructions.size() == function.instructions.size());
      for (std::size_t i = 0; i < function.instructions.size(); ++i) {
        CHECK(other.instructions[i].encoding == function.instructions[i].encoding);
        CHECK(other.instructions[i].target == function.instructions[i].target);
        CHECK(other.instructions[i].control == function.instructions[i].control);
      }
    }
  }
}

TEST_CASE("the hand-written Volta loops are read, flags and all") {
  const Program program = read_dump("volta/sgemm_8x8_remapped.sass");
  CHECK(program.format == "bracketed");
  CHECK(program.functions.front().sm == 70);
  std::size_t flagged = 0;
  for (const Instruction& one : program.functions.front().instructions) {
    CHECK(one.control.reuse == flags_in_text(one));
    flagged += one.control.reuse != 0 ? 1 : 0;
  }
  CHECK(flagged > 0);
}
