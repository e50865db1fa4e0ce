// SPDX-License-Identifier: MIT
// Cubins: their encodings decode to what NVIDIA's disassembler prints, and files that hold no
// machine code for a GPU are told apart.
#include <cstring>
#include <map>

#include "sample.hpp"
#include "smsim/arch.hpp"
#include "smsim/simulate.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

struct Pair {
  int sm;
  const char* stem;
};

constexpr Pair kPairs[] = {
    {35, "kepler/kernels.sm_35"},      {37, "kepler/kernels.sm_37"},
    {50, "maxwell/kernels.sm_50"},     {52, "maxwell/kernels.sm_52"},
    {60, "pascal/kernels.sm_60"},      {61, "pascal/kernels.sm_61"},
    {70, "volta/kernels.sm_70"},       {72, "volta/kernels.sm_72"},
    {75, "turing/kernels.sm_75"},      {80, "ampere/kernels.sm_80"},
    {86, "ampere/kernels.sm_86"},      {89, "ada/kernels.sm_89"},
    {90, "hopper/kernels.sm_90"},      {100, "blackwell/kernels.sm_100"},
    {120, "blackwell/kernels.sm_120"},
};

Program read_trace(const std::string& name) {
  auto program = read_program(kTraces + name);
  REQUIRE_MESSAGE(program.has_value(), to_string(program ? Diagnostics{} : program.error()));
  return *std::move(program);
}

std::map<std::string, const Function*> by_name(const Program& program) {
  std::map<std::string, const Function*> functions;
  for (const Function& one : program.functions) functions[one.name] = &one;
  return functions;
}

bool same_operand(const Operand& a, const Operand& b) {
  return a.kind == b.kind && a.index == b.index && a.uniform == b.uniform &&
         a.descriptor == b.descriptor && a.registers == b.registers && a.scale == b.scale &&
         a.slot == b.slot && a.destination == b.destination && a.reuse == b.reuse &&
         a.negated == b.negated && a.value == b.value;
}

bool same_instruction(const Instruction& a, const Instruction& b) {
  return a.address == b.address && a.opcode == b.opcode && a.text == b.text &&
         a.guard.index == b.guard.index && a.guard.negated == b.guard.negated &&
         a.guard.uniform == b.guard.uniform && a.control == b.control && a.target == b.target &&
         a.encoding == b.encoding &&
         std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), b.operands.end(),
                    same_operand);
}

template <typename T>
void append(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof raw);
}

/// A fat binary with one entry.
std::string fat_binary(std::uint16_t kind, const std::string& payload) {
  std::string bytes;
  append(bytes, std::uint32_t{0xba55ed50});
  append(bytes, std::uint16_t{1});
  append(bytes, std::uint16_t{16});
  append(bytes, std::uint64_t{64 + payload.size()});
  append(bytes, kind);
  append(bytes, std::uint16_t{0x101});
  append(bytes, std::uint32_t{64});
  append(bytes, std::uint64_t{payload.size()});
  bytes.resize(16 + 64, '\0');
  return bytes + payload;
}

std::string bytes_of(const std::string& name) {
  auto bytes = read_bytes(kTraces + name);
  REQUIRE(bytes.has_value());
  return *std::move(bytes);
}

}  // namespace

TEST_CASE("every instruction of a cubin decodes to what cuobjdump prints for it") {
  for (const Pair& pair : kPairs) {
    const std::string stem = pair.stem;
    const Program cubin = read_trace(stem + ".cubin.gz");
    const Program text = read_trace(stem + ".cuobjdump.sass.gz");
    CHECK(cubin.format == "cubin");
    const auto decoded = by_name(cubin);
    const auto printed = by_name(text);
    REQUIRE(decoded.size() == printed.size());
    for (const auto& [name, function] : printed) {
      REQUIRE(decoded.contains(name));
      const Function& ours = *decoded.at(name);
      CHECK(ours.sm == pair.sm);
      REQUIRE(ours.instructions.size() == function->instructions.size());
      for (std::size_t i = 0; i < ours.instructions.size(); ++i) {
        const Instruction& one = ours.instructions[i];
        const Instruction& other = function->instructions[i];
        INFO(name, " ", one.address, ": ", one.text, " instead of ", other.text);
        CHECK(same_instruction(one, other));
      }
    }
  }
}

TEST_CASE("a cubin says how many registers a thread of a kernel has, as nvdisasm does") {
  const Program cubin = read_trace("hopper/kernels.sm_90.cubin.gz");
  const Program text = read_trace("volta/kernels.sm_70.nvdisasm-hex.sass.gz");
  const Program volta = read_trace("volta/kernels.sm_70.cubin.gz");
  for (const Function& one : cubin.functions) CHECK(one.registers > 0);
  const auto printed = by_name(text);
  for (const Function& one : volta.functions) {
    CHECK(one.registers > 0);
    CHECK(one.registers == printed.at(one.name)->registers);
  }
}

TEST_CASE("the same kernels give the same prediction from cubin, cuobjdump and nvdisasm -hex") {
  struct Three {
    const char* stem;
    const char* arch;
  };
  for (const Three& one : {Three{"hopper/kernels.sm_90", "hopper-gh100"},
                           Three{"volta/kernels.sm_70", "volta-v100"}}) {
    const std::string stem = one.stem;
    const Program programs[] = {read_trace(stem + ".cubin.gz"),
                                read_trace(stem + ".cuobjdump.sass.gz"),
                                read_trace(stem + ".nvdisasm-hex.sass.gz")};
    const auto arch = load_arch(one.arch);
    REQUIRE(arch.has_value());
    int compared = 0;
    for (const Function& function : programs[0].functions) {
      if (find_loops(function).empty()) continue;
      SimulateOptions options;
      options.function = function.name;
      const auto first = simulate(programs[0], *arch, options);
      for (const Program& other : {programs[1], programs[2]}) {
        const auto again = simulate(other, *arch, options);
        REQUIRE(again.has_value() == first.has_value());
        if (first) CHECK(again->cycles_per_iteration == first->cycles_per_iteration);
      }
      compared += first.has_value() ? 1 : 0;
    }
    CHECK(compared > 20);
  }
}

TEST_CASE("an opcode that no table has is named by its bits, and the rest is read") {
  std::string cubin = bytes_of("hopper/kernels.sm_90.cubin.gz");
  const Program before = read(cubin);
  const Instruction& one = before.functions[0].instructions[3];
  std::string raw;
  append(raw, (*one.encoding)[0]);
  append(raw, (*one.encoding)[1]);
  const std::size_t at = cubin.find(raw);
  REQUIRE(at != std::string::npos);
  cubin[at] = '\xfe';
  const Program after = read(cubin);
  CHECK(after.functions[0].instructions[3].opcode.starts_with("UNKNOWN_"));
  CHECK(after.functions[0].instructions.size() == before.functions[0].instructions.size());
}

TEST_CASE("a fat binary is read when it is not compressed, and says what it is otherwise") {
  const std::string cubin = bytes_of("turing/kernels.sm_75.cubin.gz");
  CHECK(read(fat_binary(2, cubin)).functions.size() == read(cubin).functions.size());
  CHECK(error_of(fat_binary(2, "\xf0packed")).message ==
        "the code in this fat binary is compressed");
  CHECK(error_of(fat_binary(1, ".version 8.0")).message ==
        "this fat binary holds PTX only, which is not yet machine code");
}

TEST_CASE("a cubin that is cut off anywhere is refused, never guessed at") {
  const std::string cubin = bytes_of("pascal/kernels.sm_61.cubin.gz");
  std::size_t cuts = 0;
  for (std::size_t size = 4; size < cubin.size(); size += 997, ++cuts)
    CHECK_FALSE(read_program_text(cubin.substr(0, size), "cut.cubin").has_value());
  CHECK(cuts > 50);
}

TEST_CASE("a program for the host without GPU code says so") {
  const auto bytes = read_bytes(SMSIM_EXECUTABLE);
  REQUIRE(bytes.has_value());
  CHECK(error_of(*bytes).message == "this is a program for the host without code for a GPU");
}
