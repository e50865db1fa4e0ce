// SPDX-License-Identifier: MIT
// Code without control words: nvdisasm without -hex and -json, alone and with the cubin.
#include "sample.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

Program read_trace_file(const std::string& path) {
  auto program = read_program(kTraces + path);
  REQUIRE_MESSAGE(program.has_value(), to_string(program ? Diagnostics{} : program.error()));
  return *std::move(program);
}

const std::string kNoHex = "hopper/kernels.sm_90.nvdisasm-nohex.sass.gz";
const std::string kJson = "hopper/kernels.sm_90.nvdisasm.json.gz";
const std::string kHex = "hopper/kernels.sm_90.nvdisasm-hex.sass.gz";
const std::string kCubin = "hopper/kernels.sm_90.cubin.gz";

const Function* function_named(const Program& program, const std::string& name) {
  for (const Function& one : program.functions)
    if (one.name == name) return &one;
  return nullptr;
}

/// The same instructions, but for the text of labels, which JSON gives as addresses.
void check_same_code(const Program& left, const Program& right) {
  CHECK(left.functions.size() == right.functions.size());
  for (const Function& one : left.functions) {
    CAPTURE(one.name);
    const Function* const other = function_named(right, one.name);
    REQUIRE(other != nullptr);
    REQUIRE(other->instructions.size() == one.instructions.size());
    for (std::size_t i = 0; i < one.instructions.size(); ++i) {
      const Instruction& a = one.instructions[i];
      const Instruction& b = other->instructions[i];
      CAPTURE(a.text);
      CHECK(a.address == b.address);
      CHECK(a.opcode == b.opcode);
      CHECK(a.target == b.target);
      CHECK(a.control.reuse == b.control.reuse);
      if (a.text.find("`") == std::string::npos) CHECK(a.text == b.text);
    }
  }
}

}  // namespace

TEST_CASE("nvdisasm without -hex gives the code of -hex, without control words") {
  const Program bare = read_trace_file(kNoHex);
  CHECK(bare.format == "nvdisasm");
  for (const Function& one : bare.functions) {
    CHECK_FALSE(one.has_control_words);
    CHECK(one.sm == 90);
  }
  check_same_code(bare, read_trace_file(kHex));
}

TEST_CASE("nvdisasm -json gives the code of the text, without control words") {
  const Program json = read_trace_file(kJson);
  CHECK(json.format == "nvdisasm JSON");
  for (const Function& one : json.functions) {
    CHECK_FALSE(one.has_control_words);
    CHECK(one.sm == 90);
  }
  check_same_code(read_trace_file(kNoHex), json);
}

TEST_CASE("with its cubin, code without control words has those of -hex") {
  const Program hex = read_trace_file(kHex);
  for (const std::string& path : {kNoHex, kJson}) {
    Program joined = read_trace_file(path);
    const auto done = join_control(joined, read_trace_file(kCubin));
    REQUIRE_MESSAGE(done.has_value(), to_string(done ? Diagnostics{} : done.error()));
    for (const Function& one : joined.functions) {
      CAPTURE(one.name);
      CHECK(one.has_control_words);
      const Function* const other = function_named(hex, one.name);
      REQUIRE(other != nullptr);
      for (std::size_t i = 0; i < one.instructions.size(); ++i) {
        CHECK(one.instructions[i].control == other->instructions[i].control);
        CHECK(one.instructions[i].encoding == other->instructions[i].encoding);
      }
    }
  }
}

TEST_CASE("control words of other code are not joined") {
  Program json = read_trace_file(kJson);
  const Program ampere = read_trace_file("ampere/kernels.sm_80.cubin.gz");
  const auto other_sm = join_control(json, ampere);
  REQUIRE_FALSE(other_sm.has_value());
  CHECK(other_sm.error().front().message.find("has no function") != std::string::npos);

  const auto loop = [](const std::string& first, const std::string& end) {
    return "\t.target sm_80\n\t.section .text.f\n" + first + end;
  };
  const std::string bare = "        /*0000*/  FADD R0, R0, R1 ;\n";
  const std::string word = "[B------:R-:W-:-:S04] ";
  Program program = read(loop(bare, ""));
  const auto wrong_opcode = join_control(program, read(loop(word + "FMUL R0, R0, R1 ;\n", "")));
  REQUIRE_FALSE(wrong_opcode.has_value());
  CHECK(wrong_opcode.error().front().message == "0x0000 is FADD here, but FMUL in test.sass");
  const auto no_address =
      join_control(program, read(loop(word + "/*0010*/ FADD R0, R0, R1 ;\n", "")));
  REQUIRE_FALSE(no_address.has_value());
  CHECK(no_address.error().front().message.find("no instruction at 0x0000") != std::string::npos);
  const auto none_either = join_control(program, read(loop(bare, "")));
  REQUIRE_FALSE(none_either.has_value());
  CHECK(none_either.error().front().message.find("no control words there either") !=
        std::string::npos);
}

TEST_CASE("some instructions without an encoding among others are an error, on either side") {
  const std::string bare = "        /*0000*/                   MOV R1, R2 ;\n";
  const std::string dump = with(kDump, "        /*0000*/", bare + "        /*0008*/");
  CHECK(error_of(dump).message.find("have no control word") != std::string::npos);
  const std::string later = with(kDump, "/* 0x000000000000794d */\n", "\n");
  CHECK_FALSE(read_program_text(later, "test.sass").has_value());
}

TEST_CASE("code without control words is not written in a notation that needs them") {
  const auto text = write_program(read_trace_file(kJson), "cuasm");
  REQUIRE_FALSE(text.has_value());
  CHECK(text.error().front().hint.find("--control") != std::string::npos);
}

TEST_CASE("JSON that is damaged, deep or not of nvdisasm is refused with what it is") {
  CHECK(error_of("[{\"ELF\":{}},[]]").message == "this is JSON, but not of nvdisasm -json");
  CHECK(error_of("[{\"ELF\":").message.find("damaged at byte") != std::string::npos);
  CHECK(error_of(std::string(100000, '[')).message.find("nests deeper") != std::string::npos);
  CHECK(error_of("[{\"SchemaVersion\":1},[{\"function-name\":\"f\",\"sass-instructions\":[]}]]")
            .message == "no instruction found");
}

TEST_CASE("a function keeps the labels of its text, by address") {
  const Program program = read_trace_file(kNoHex);
  const Function& first = program.functions.front();
  REQUIRE(first.labels.size() > 2);
  for (std::size_t i = 1; i < first.labels.size(); ++i)
    CHECK(first.labels[i - 1].second <= first.labels[i].second);
  CHECK(std::count(first.labels.begin(), first.labels.end(),
                   std::pair<std::string, std::uint64_t>(".L_x_4", 0x220)) == 1);
}

TEST_CASE("a line that no disassembler prints, and aliases of a long loop, cost no time") {
  const std::string line = error_of(std::string((1 << 20) + 1, 'x')).message;
  CHECK(line == "this line has 1048577 characters");
  std::string bomb = "format: smsim-loop/1\narch: sm_75\nfunctions:\n  - &f\n    body: |\n";
  for (int i = 0; i < 20000; ++i) bomb += "      [B------:R-:W-:-:S04] FADD R0, R0, R1 ;\n";
  for (int i = 0; i < 5000; ++i) bomb += "  - *f\n";
  CHECK(error_of(bomb).message.find("aliases written out") != std::string::npos);
}
