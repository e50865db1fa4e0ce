// SPDX-License-Identifier: MIT
// The report page as text: fields of control words, and that nothing of the template is left.
#include <doctest/doctest.h>

#include <sstream>

#include "report/breakdown.hpp"
#include "smsim/read.hpp"
#include "smsim/report.hpp"
#include "support/run_program.hpp"
#include "view/control_fields.hpp"

using namespace smsim;

namespace {

std::string joined(const ControlWord& control) {
  std::string text;
  for (const view::ControlField& field : view::control_fields(control)) text += field.text;
  return text;
}

std::string page_of(const char* file, int warps, const char* device = "hopper-gh100") {
  const auto program = read_program(test::source_file(file));
  const auto arch = load_arch(device);
  REQUIRE(program);
  REQUIRE(arch);
  SimulateOptions options;
  options.warps = warps;
  const auto report = make_report(*program, *arch, options);
  REQUIRE(report);
  std::ostringstream out;
  write_html(out, *report);
  return out.str();
}

}  // namespace

TEST_CASE("the fields of a control word, one behind the other, are its notation") {
  ControlWord control;
  CHECK(joined(control) == report::control_notation(control));
  control = {
      .stall = 12, .yield = true, .write_barrier = 3, .read_barrier = 0, .wait_mask = 0b101001};
  CHECK(joined(control) == report::control_notation(control));
  control.format = ControlFormat::kepler;
  CHECK(joined(control) == report::control_notation(control));
}

TEST_CASE("a field's help says its value") {
  const ControlWord control{
      .stall = 12, .yield = true, .write_barrier = 3, .read_barrier = 0, .wait_mask = 0b101001};
  const auto fields = view::control_fields(control);
  REQUIRE(fields.size() == 5);
  CHECK(fields[0].help.find("barriers 0, 3 and 5 are all down") != std::string::npos);
  CHECK(fields[1].help.find("barrier 0") != std::string::npos);
  CHECK(fields[2].help.find("barrier 3") != std::string::npos);
  CHECK(fields[4].help.find("12 cycles") != std::string::npos);
}

TEST_CASE("a field that asks for nothing is not marked") {
  for (const view::ControlField& field : view::control_fields(ControlWord{}))
    CHECK_FALSE(field.set);
}

TEST_CASE("the page's most instructions a cycle are those of dual issue where there is one") {
  CHECK(page_of("traces/kepler/ffma_dual.sass", 32, "kepler-k20m").find("of at most 8") !=
        std::string::npos);
}

TEST_CASE("a page holds the figure, names no other file, and keeps nothing of its template") {
  const std::string page = page_of("traces/hopper/stencil3.sass", 4);
  CHECK(page.find("<strong class=\"big\">57</strong>") != std::string::npos);
  for (std::size_t at = 0; (at = page.find('@', at)) != std::string::npos; ++at)
    CHECK_FALSE(page.substr(page.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", at + 1), 1) ==
                "@");
  for (const std::string attribute : {"src=\"", "href=\""})
    for (std::size_t at = 0; (at = page.find(attribute, at)) != std::string::npos; ++at)
      CHECK((page[at + attribute.size()] == '#' ||
             page.compare(at + attribute.size(), 5, "data:") == 0));
  CHECK(page.find("url(") == std::string::npos);
}

TEST_CASE("the page of a loop of 67 instructions and 64 warps is smaller than a megabyte") {
  const std::string page = page_of("traces/hopper/outer8x8.sass", 64);
  CHECK(page.size() < 1'000'000);
  CHECK(page.size() > 100'000);
}
