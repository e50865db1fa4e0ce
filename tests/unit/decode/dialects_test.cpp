// SPDX-License-Identifier: MIT
// Notations of assemblers: the same loop in each is the same program, and converting twice changes
// nothing.
#include <algorithm>

#include "sample.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

/// Without labels' names, encodings and places in the file.
bool same_code(const Function& a, const Function& b) {
  return std::equal(a.instructions.begin(), a.instructions.end(), b.instructions.begin(),
                    b.instructions.end(), [](const Instruction& x, const Instruction& y) {
                      const auto same = [](const Operand& p, const Operand& q) {
                        return p.kind == q.kind && p.index == q.index && p.uniform == q.uniform &&
                               p.registers == q.registers && p.slot == q.slot &&
                               p.reuse == q.reuse && p.destination == q.destination &&
                               p.negated == q.negated && p.value == q.value;
                      };
                      return x.address == y.address && x.opcode == y.opcode &&
                             x.control == y.control && x.guard.index == y.guard.index &&
                             x.guard.negated == y.guard.negated && x.target == y.target &&
                             std::equal(x.operands.begin(), x.operands.end(), y.operands.begin(),
                                        y.operands.end(), same);
                    });
}

std::string written(const Program& program, const std::string& to) {
  auto text = write_program(program, to);
  REQUIRE_MESSAGE(text.has_value(), to_string(text ? Diagnostics{} : text.error()));
  return *std::move(text);
}

Program trace(const std::string& name) {
  auto program = read_program(kTraces + name);
  REQUIRE(program.has_value());
  return *std::move(program);
}

const std::string kBracketed =
    "\t.target\tsm_52\n"
    "LOOP:\n"
    "[B------:R-:W0:-:S01] LDS R0, [R4] ;\n"
    "[B0-----:R-:W-:-:S06] FFMA R1, R0.reuse, R2, R1 ;\n"
    "[B------:R-:W-:Y:S13] @P0 BRA `(LOOP) ;\n";

const std::string kMaxas =
    "# Arch: sm_52\n"
    "<REGISTER_MAPPING>\n"
    "  0-3 : x<0-1>, w, spare\n"
    "  4   : base\n"
    "</REGISTER_MAPPING>\n"
    "LOOP:\n"
    "--:-:1:-:1      LDS x0, [base];\n"
    "01:-:-:-:6      FFMA x1, x0.reuse, w, x1;  // as above\n"
    "--:-:-:Y:d      @P0 BRA LOOP;\n";

}  // namespace

TEST_CASE(
    "the kernels of every architecture survive each notation, and a second time is the first") {
  struct One {
    const char* file;
    std::vector<std::string> notations;
  };
  for (const One& one : {One{"kepler/kernels.sm_35.cubin.gz", {"cuasm", "kepleras", "yaml"}},
                         One{"maxwell/kernels.sm_52.cuobjdump.sass.gz", {"cuasm", "maxas", "yaml"}},
                         One{"pascal/kernels.sm_61.nvdisasm-hex.sass.gz", {"cuasm", "maxas"}},
                         One{"volta/kernels.sm_70.cubin.gz", {"cuasm", "turingas", "yaml"}},
                         One{"hopper/kernels.sm_90.cuobjdump.sass.gz", {"cuasm", "yaml"}},
                         One{"blackwell/kernels.sm_120.cubin.gz", {"cuasm", "turingas"}}}) {
    const Program before = trace(one.file);
    for (const std::string& to : one.notations) {
      INFO(one.file, " as ", to);
      const std::string text = written(before, to);
      const Program after = read(text);
      REQUIRE(after.functions.size() == before.functions.size());
      for (std::size_t i = 0; i < after.functions.size(); ++i) {
        CHECK(after.functions[i].name == before.functions[i].name);
        CHECK(after.functions[i].sm == before.functions[i].sm);
        CHECK(after.functions[i].registers == before.functions[i].registers);
        CHECK(same_code(after.functions[i], before.functions[i]));
      }
      CHECK(written(after, to) == text);
      CHECK(written(after, "cuasm") == written(before, "cuasm"));
    }
  }
}

TEST_CASE("maxas names barriers from 1 and registers by its mapping") {
  const Program program = read(kMaxas);
  CHECK(program.format == "maxas");
  CHECK(same_code(program.functions[0], read(kBracketed).functions[0]));
}

TEST_CASE("turingas writes the barrier's own number and a decimal mask") {
  const std::string volta = with(kBracketed, "sm_52", "sm_75");
  const Program program = read(
      "# Arch: sm_75\n<regs>\n0-3 : x0, x1, w, s\n4 : base\n</regs>\n"
      "LOOP:\n"
      "--:-:0:-:1  LDS x0, [base];\n"
      "01:-:-:-:6  FFMA x1, x0.reuse, w, x1;\n"
      "--:-:-:Y:d  @P0 BRA LOOP;\n");
  CHECK(program.format == "turingas");
  CHECK(same_code(program.functions[0], read(volta).functions[0]));
  const Program mask = read("# Arch: sm_75\n12:-:-:-:4 NOP;\n");
  CHECK(mask.functions[0].instructions[0].control.wait_mask == 12);
  CHECK(read("# Arch: sm_52\n12:-:-:-:4 NOP;\n").functions[0].instructions[0].control.wait_mask ==
        0x12);
}

TEST_CASE("KeplerAs has five fields too, of another meaning") {
  const Program program = read("# Arch: sm_35\n-:-:D:-:04 FFMA R0, R1, R2, R0;\n-:G:-:-:09 NOP;\n");
  CHECK(program.format == "kepleras");
  CHECK(program.functions[0].instructions[0].control.dual_issue());
  CHECK(program.functions[0].instructions[1].control.code == 0x69);
}

TEST_CASE("the notation is decided from the file; where it cannot be, the user is asked") {
  const std::string open = "--:-:1:-:1 LDS R0, [R4];\n01:-:-:-:4 FADD R0, R0, R1;\n";
  CHECK(error_of(open).message ==
        "this may be maxas or turingas, which give barriers other numbers");
  const auto maxas = read_program_text(open, "x", "maxas");
  const auto turingas = read_program_text(open, "x", "turingas");
  REQUIRE(maxas.has_value());
  REQUIRE(turingas.has_value());
  CHECK(maxas->functions[0].instructions[0].control.write_barrier == 0);
  CHECK(turingas->functions[0].instructions[0].control.write_barrier == 1);
  CHECK(read(open + "--:0:-:-:1 NOP;\n").format == "turingas");
  CHECK(read(open + "0f:-:-:-:1 NOP;\n").format == "maxas");
  CHECK(read(open + "--:-:-:-:1 XMAD R0, R1, R2, R3;\n").format == "maxas");
  CHECK_FALSE(read_program_text(open, "x", "fortran").has_value());
}

TEST_CASE(
    "embedded Perl and Python, schedule blocks and chosen registers are refused with a hint") {
  CHECK(error_of(with(kMaxas, "LOOP:\n", "<CODE>\n")).message == "there is Perl in this file");
  CHECK(error_of("# Arch: sm_75\n<code>\nout = 1\n</code>\n--:-:-:-:1 NOP;\n").message ==
        "there is Python in this file");
  CHECK(error_of(with(kMaxas, "LOOP:\n", "<SCHEDULE_BLOCK>\n")).hint.find("maxas.pl -p") !=
        std::string::npos);
  CHECK(error_of(with(kMaxas, "4   :", "4   ~")).message.find("bank conflicts") !=
        std::string::npos);
}

TEST_CASE("a wrong field of a control code is an error at its line") {
  const Diagnostic barrier = error_of(with(kMaxas, "--:-:1", "--:-:7"));
  CHECK(barrier.message == "'7' is no barrier");
  CHECK(barrier.where.line == 7);
  CHECK(error_of(with(kMaxas, "01:-", "ff:-")).message == "'ff' is no mask of six barriers");
  CHECK(error_of(with(kMaxas, ":6 ", ":z ")).message == "'z' is no stall count");
}

TEST_CASE("a loop in YAML has named registers, and its mistakes have places in the file") {
  const std::string yaml =
      "format: smsim-loop/1\n"
      "arch: sm_75\n"
      "function: tiny\n"
      "registers: {x0: 0, x1: 1, w: 2, base: 4}\n"
      "body:\n"
      "  - \"LOOP:\"\n"
      "  - \"[B------:R-:W0:-:S01] LDS x0, [base] ;\"\n"
      "  - \"[B0-----:R-:W-:-:S06] FFMA x1, x0.reuse, w, x1 ;\"\n"
      "  - \"[B------:R-:W-:Y:S13] @P0 BRA `(LOOP) ;\"\n";
  const Program program = read(yaml);
  CHECK(program.format == "yaml");
  CHECK(program.functions[0].name == "tiny");
  CHECK(same_code(program.functions[0], read(with(kBracketed, "sm_52", "sm_75")).functions[0]));
  const Diagnostic wrong = error_of(with(yaml, ":R-:W-:-:S06]", ":R-:W-:-:S99]"));
  CHECK(wrong.where.line == 8);
  CHECK(error_of(with(yaml, "body:", "bodi:")).hint == "did you mean 'body'?");
  CHECK(error_of(with(yaml, "sm_75", "turing")).message == "'arch' must be sm_NN");
  for (const char* count : {"0", "256", "12abc", "many"}) {
    CAPTURE(count);
    const std::string line = "register_count: " + std::string(count) + "\nbody:";
    CHECK(error_of(with(yaml, "body:", line)).message == "'register_count' must be 1 to 255");
  }
  CHECK(error_of(with(yaml, "loop/1", "loop/7")).hint == "this version reads smsim-loop/1");
  CHECK(error_of("format: smsim-loop/1\n" + std::string(100000, '[')).message.size() > 0);
}

TEST_CASE("each body of a YAML file is one function, and gets its own name and registers") {
  const std::string yaml =
      "format: smsim-loop/1\n"
      "arch: sm_75\n"
      "functions:\n"
      "  - function: \"fir\\\"st\"\n"
      "    body: |\n"
      "      [B------:R-:W-:-:S04] NOP ;\n"
      "  - function: second\n"
      "    register_count: 99\n"
      "    body: |\n"
      "      [B------:R-:W-:-:S04] NOP ;\n";
  const Program program = read(yaml);
  REQUIRE(program.functions.size() == 2);
  CHECK(program.functions[0].name == "fir\"st");
  CHECK(program.functions[1].registers == 99);
  CHECK(read(written(program, "yaml")).functions[0].name == "fir\"st");
  const Diagnostic empty = error_of(with(yaml, "[B------:R-:W-:-:S04] NOP ;", "// nothing"));
  CHECK(empty.message == "the body holds no instruction");
  CHECK(empty.where.line == 5);
  CHECK(error_of(with(yaml, "[B------", ".text.more:\n      [B------")).where.line == 6);
}

TEST_CASE("names are not multiplied without end") {
  std::string ranges;
  for (int i = 0; i < 60000; ++i) ranges += "<0-0>";
  const Diagnostic wrong = error_of("<REGISTER_MAPPING>\n  0: a" + ranges +
                                    "\n</REGISTER_MAPPING>\n--:-:-:-:1      NOP;\n");
  CHECK(wrong.message.size() < 200);
}

TEST_CASE("text that is no SASS is named") {
  CHECK(error_of(".version 8.0\n.target sm_80\n.address_size 64\n").message ==
        "this is PTX, which is not yet machine code");
  CHECK(error_of("__global__ void f() {}\n").message == "this is CUDA C++");
  CHECK(error_of("\ts_waitcnt vmcnt(0)\n").message == "this is assembly of an AMD GPU");
  CHECK(error_of("main:\n\t.cfi_startproc\n\tpushq %rbp\n").message ==
        "this is assembly of a host processor");
  CHECK(error_of("-kernel name = saxpy\n#traces format = threadblock_x\n#BEGIN_TB\n").message ==
        "this trace holds no instructions");
  CHECK(error_of("nvdisasm fatal   : Invalid input file\n").message ==
        "this is an error message of nvdisasm");
}

TEST_CASE("a trace of more warps, thread blocks or threads than its head says is refused") {
  const auto trace = [](const std::string& grid, const std::string& block, int warp) {
    return "-kernel name = saxpy\n-grid dim = (" + grid + ")\n-block dim = (" + block +
           ")\n-binary version = 70\n-accelsim tracer version = 4\n#BEGIN_TB\nwarp = " +
           std::to_string(warp) + "\ninsts = 1\n0000 ffffffff 0 EXIT 0 0\n#END_TB\n";
  };
  CHECK(read(trace("1,1,1", "64,1,1", 1)).functions.size() == 1);
  CHECK(error_of(trace("1,1,1", "64,1,1", 2)).message == "warp 2 of a thread block of 64 threads");
  CHECK(error_of(trace("1,1,1", "64,32,1", 1)).message == "a thread block of 2048 threads");
  const std::string second = "#BEGIN_TB\nwarp = 0\ninsts = 1\n0000 ffffffff 0 EXIT 0 0\n#END_TB\n";
  const Diagnostic one = error_of(trace("1,1,1", "64,1,1", 1) + second);
  CHECK(one.message == "thread block 2 of a grid of 1");
  CHECK(one.where.line == 11);
}
