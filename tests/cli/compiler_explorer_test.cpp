// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <sstream>

#include "smsim/read.hpp"
#include "support/run_program.hpp"

using namespace smsim::test;

namespace {

/// What Compiler Explorer's nvcc pane hands on: nvdisasm -c -g -hex, here with the line comments of
/// -g put before every fourth instruction.
std::string pane() {
  const auto text =
      smsim::read_bytes(source_file("traces/hopper/kernels.sm_90.nvdisasm-hex.sass.gz"));
  std::istringstream in(*text);
  std::string out;
  int n = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.find("/*00") != std::string::npos && n++ % 4 == 0)
      out += "        //## File \"/app/example.cu\", line " + std::to_string(n) + "\n";
    out += line + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("as a tool of Compiler Explorer it reads one path and prints plain text") {
  const TempFolder folder;
  const auto file = folder.write("example.asm", pane());
  const auto tool = run_smsim({"predict", "--color", "never", file, "--function", "matvec_row"});
  CHECK(tool.exit_code == 0);
  CHECK(tool.out.find("Cycles per iteration") != std::string::npos);
  CHECK(tool.out.find('\x1b') == std::string::npos);
  const auto plain =
      run_smsim({"predict", source_file("traces/hopper/kernels.sm_90.nvdisasm-hex.sass.gz"),
                 "--function", "matvec_row"});
  CHECK(tool.out == plain.out);
}
