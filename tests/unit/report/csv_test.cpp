// SPDX-License-Identifier: MIT
// The CSV output: a header, one row an instruction, fields quoted where they must be.
#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>

#include "unit/report/sample.hpp"

using namespace smsim;
using smsim::test::sample_result;

namespace {

std::vector<std::string> csv_lines(const Result& result) {
  std::stringstream out;
  write_csv(out, result);
  std::vector<std::string> lines;
  for (std::string line; std::getline(out, line);) lines.push_back(line);
  return lines;
}

/// The fields of a line, with quotes taken off.
std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> result(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      result.emplace_back();
    } else {
      result.back() += c;
    }
  }
  return result;
}

std::string field(const Result& result, std::size_t row, const std::string& column) {
  const std::vector<std::string> lines = csv_lines(result);
  const std::vector<std::string> names = fields(lines.at(0));
  const auto at = std::find(names.begin(), names.end(), column);
  REQUIRE(at != names.end());
  return fields(lines.at(row + 1)).at(static_cast<std::size_t>(at - names.begin()));
}

}  // namespace

TEST_CASE("there is a header and a row for each instruction, all of one length") {
  const std::vector<std::string> lines = csv_lines(sample_result());
  REQUIRE(lines.size() == 4);
  for (const std::string& line : lines) CHECK(fields(line).size() == fields(lines[0]).size());
}

TEST_CASE("a row has the control word and every stall reason") {
  const Result result = sample_result();
  CHECK(field(result, 1, "text") == "FFMA R5, R4.reuse, R6, R5");
  CHECK(field(result, 1, "address") == "0x50");
  CHECK(field(result, 1, "stall") == "4");
  CHECK(field(result, 0, "yield") == "1");
  CHECK(field(result, 0, "write_barrier") == "0");
  CHECK(field(result, 1, "write_barrier").empty());
  CHECK(field(result, 1, "wait_mask") == "33");
  CHECK(field(result, 1, "issued") == "6");
  CHECK(field(result, 1, "lost") == "18");
  CHECK(field(result, 1, "lost_per_iteration") == "3");
  CHECK(field(result, 1, "wait/stall_count") == "12");
  CHECK(field(result, 1, "long_scoreboard") == "6");
  CHECK(field(result, 1, "misc") == "0");
}

TEST_CASE("a name with commas, quotes and line ends is one field") {
  Result result = sample_result();
  result.function = "f<int, \"a\">";
  std::ostringstream out;
  write_csv(out, result);
  CHECK(out.str().find("\"f<int, \"\"a\"\">\",0x40,\"LDG.E R4, desc[UR6][R2.64]\",2,") !=
        std::string::npos);
}
