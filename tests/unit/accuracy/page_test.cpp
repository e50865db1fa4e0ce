// SPDX-License-Identifier: MIT
// The accuracy page and its plot.
#include <doctest/doctest.h>

#include <regex>

#include "accuracy/markdown.hpp"
#include "accuracy/scatter.hpp"
#include "sample.hpp"

using namespace smsim::accuracy;
using smsim::test::row;
using smsim::test::stamped;
using smsim::test::suite;

namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), regex), {}));
}

}  // namespace

TEST_CASE("the page has a line a suite and class, and the worst loop with what is known about it") {
  const auto notes = parse_notes("\"^a\\\\.x\": the cause\n", "notes.yaml");
  REQUIRE(notes.has_value());
  const std::string page =
      markdown({suite({row("a.x.w4", 4, 50, 50, 60), row("a.y.w4", 4, 50, 50, 50),
                       row("b.y.w8", 8, 50, 51, 50)})},
               *notes, "plot.svg");
  CHECK(contains(page,
                 "| gpu/suite | GPU | 1 to 4 warps | 2 | 1 of 2 (50.0 %) | 1 of 2 (50.0 %) | "
                 "10.00 % | 20.0 % |"));
  CHECK(contains(page, "| gpu/suite | GPU | 5 to 16 warps | 1 | - | 1 of 1 (100.0 %) |"));
  CHECK(contains(page, "](plot.svg)"));
  CHECK(contains(page, "| a.x | gpu/suite | 4 | 50 | 60 | +20.0 % | the cause |"));
  CHECK_FALSE(contains(page, "| a.y | gpu/suite"));
}

TEST_CASE("a share is rounded down, so that 100 % means all") {
  std::vector<smsim::validate::Row> rows(3000, row("a.x", 4, 50, 50, 50));
  rows.front().predicted = 80;
  CHECK(contains(markdown({suite(rows)}, {}, ""), "2999 of 3000 (99.9 %)"));
}

TEST_CASE("time stamps have a table of their own, if there are any") {
  const std::vector<smsim::validate::Row> rows = {stamped(row("a.x", 8, 50, 50, 50), 10, 10),
                                                  stamped(row("a.y", 8, 50, 50, 50), 2, 9)};
  CHECK(contains(markdown({suite(rows)}, {}, ""),
                 "| gpu/suite | 8 | 2 | 1 of 2 (50.0 %) | 1 of 2 (50.0 %) | 19 of 20 (95.0 %) |"));
  CHECK_FALSE(contains(markdown({suite({row("a.x", 4, 50, 50, 50)})}, {}, ""), "Time stamps"));
}

TEST_CASE("a loop that could not be simulated is on the page with the reason") {
  auto failed = row("a.x", 4, 50, 50, 0);
  failed.predicted.reset();
  failed.error = "unknown opcode FROB | BLUB";
  const std::string page = markdown({suite({failed})}, {}, "");
  CHECK(contains(page, "1 (1 failed)"));
  CHECK(contains(page, "| a.x | unknown opcode FROB \\| BLUB |"));
}

TEST_CASE("a perfect prediction is drawn on the line of equality, a point for each place") {
  const std::string plot =
      scatter_svg({suite({row("a.x", 4, 10, 10, 10), row("a.y", 4, 1000, 1000, 1000),
                          row("a.z", 4, 1000, 1000, 1000)})});
  // The square's corners: left and bottom for 10, right and top for 1000.
  CHECK(contains(plot, "d=\"M70.0 580.0h0M630.0 20.0h0\""));
  CHECK(contains(plot, "prefers-color-scheme: dark"));
  CHECK(count(plot, "<script") == 0);
  CHECK(count(plot, "<text") >= 14);
}

TEST_CASE("a prediction that is too slow is drawn above the line") {
  const std::string plot = scatter_svg({suite({row("a.x", 4, 10, 10, 1000)})});
  CHECK(contains(plot, "d=\"M70.0 20.0h0\""));
}

TEST_CASE("a suite's name cannot break out of the image") {
  const std::string plot = scatter_svg({suite({row("a.x", 4, 1, 1, 1)}, "<b>&\"c")});
  CHECK(contains(plot, "&lt;b&gt;&amp;&quot;c"));
  CHECK(scatter_svg({}).ends_with("</svg>\n"));
}
