// SPDX-License-Identifier: MIT
// The terminal timeline: what stands in which column, and that it fits.
#include <doctest/doctest.h>

#include <sstream>

#include "report/layout.hpp"
#include "smsim/read.hpp"
#include "smsim/report.hpp"
#include "support/run_program.hpp"

using namespace smsim;

namespace {

Recording recorded(const std::string& file, const std::string& arch, int warps) {
  const auto program = read_program(test::source_file("traces/" + file));
  const auto loaded = load_arch(arch);
  REQUIRE(program);
  REQUIRE(loaded);
  SimulateOptions options;
  options.warps = warps;
  auto recording = record(*program, *loaded, options, {0, 1, 20'000});
  REQUIRE(recording);
  return std::move(*recording);
}

std::vector<std::string> lines_of(const Recording& recording, const TimelineOptions& options) {
  std::ostringstream out;
  write_timeline(out, recording, options);
  std::istringstream text(out.str());
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::string text_of(const Recording& recording, const TimelineOptions& options) {
  std::string text;
  for (const std::string& line : lines_of(recording, options)) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("a fixed-latency instruction issues, is read, executes and writes in its columns") {
  const auto program = read_program_text(
      "[B------:R-:W-:-:S04] FADD R1, R2, R3 ;\n"
      "[B------:R-:W-:-:S02] FADD R4, R1, R3 ;\n"
      "[B------:R-:W-:-:S01] EXIT ;\n",
      "test");
  const auto arch = load_arch("hopper-gh100");
  REQUIRE(program);
  REQUIRE(arch);
  SimulateOptions one_warp;
  one_warp.warps = 1;
  const auto recording = record(*program, *arch, one_warp, {});
  REQUIRE(recording);
  const std::string text = text_of(*recording, {});
  CHECK(text.find("FADD R1, R2, R3  I--+--====W\n") != std::string::npos);
  // three cycles of its stall count, then the forwarded R1 is read in the last stage
  CHECK(text.find("FADD R4, R1, R3   ...I--1-1====W\n") != std::string::npos);
}

TEST_CASE("no line is wider than asked for, whatever the loop") {
  for (const char* file : {"hopper/outer8x8.sass", "hopper/stencil3.sass", "hopper/saxpy.sass"})
    for (const int width : {80, 100, 120}) {
      const Recording recording = recorded(file, "hopper-gh100", 8);
      for (const std::string& line : lines_of(recording, {false, width, 0, 0}))
        CHECK_MESSAGE(report::columns(line) <= static_cast<std::size_t>(width), line);
    }
}

TEST_CASE("the legend stands once and names what is used, and only that") {
  const Recording recording = recorded("hopper/stencil3.sass", "hopper-gh100", 4);
  const std::string text = text_of(recording, {});
  CHECK(text.find("Legend") == text.rfind("Legend"));
  CHECK(text.find("s short_scoreboard") != std::string::npos);
  CHECK(text.find("l long_scoreboard") == std::string::npos);
  CHECK(text.find("~ queue") != std::string::npos);
}

TEST_CASE("colours are there only when asked for, and change no column") {
  const Recording recording = recorded("hopper/stencil3.sass", "hopper-gh100", 4);
  const std::string plain = text_of(recording, {});
  std::string coloured = text_of(recording, {true, 100, 0, 0});
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(coloured.find('\x1b') != std::string::npos);
  for (auto at = coloured.find('\x1b'); at != std::string::npos; at = coloured.find('\x1b'))
    coloured.erase(at, coloured.find('m', at) - at + 1);
  CHECK(coloured == plain);
}

TEST_CASE("the block asked for is shown, and no other") {
  const Recording recording = recorded("hopper/stencil3.sass", "hopper-gh100", 4);
  const std::string text = text_of(recording, {false, 100, 2, 0});
  CHECK(text.find("warp 2, iteration") != std::string::npos);
  CHECK(text.find("warp 0, iteration") == std::string::npos);
}
