// SPDX-License-Identifier: MIT
// Remapped kernels in their cubins.
#include <doctest/doctest.h>

#include <algorithm>

#include "smsim/read.hpp"
#include "smsim/remap.hpp"
#include "support/run_program.hpp"

using namespace smsim;
using namespace smsim::test;

namespace {

struct Patched {
  std::string before;
  std::string after;
  Remapped remapped;
};

Patched patch(const std::string& cubin, const std::string& arch, const std::string& function,
              int warps) {
  const std::string path = source_file(cubin);
  SimulateOptions options;
  options.function = function;
  options.warps = warps;
  const auto program = read_program(path);
  REQUIRE(program.has_value());
  auto found = remap(*program, load_arch(arch).value(), options);
  REQUIRE_MESSAGE(found.has_value(), (found ? "" : to_string(found.error())));
  REQUIRE_FALSE(found->changes.empty());
  const std::string bytes = read_bytes(path).value();
  const auto patched = patch_cubin(bytes, "kernels.cubin", *found);
  REQUIRE_MESSAGE(patched.has_value(), (patched ? "" : to_string(patched.error())));
  return {bytes, *patched, std::move(*found)};
}

/// Bytes that differ.
std::ptrdiff_t differences(const Patched& one) {
  REQUIRE(one.before.size() == one.after.size());
  std::ptrdiff_t count = 0;
  for (std::size_t i = 0; i < one.before.size(); ++i)
    count += one.before[i] != one.after[i] ? 1 : 0;
  return count;
}

void check_function(const Patched& one) {
  const auto again = read_program_text(one.after, "patched.cubin");
  REQUIRE(again.has_value());
  const auto function =
      std::find_if(again->functions.begin(), again->functions.end(),
                   [&](const Function& f) { return f.name == one.remapped.rewritten.name; });
  REQUIRE(function != again->functions.end());
  for (std::size_t i = 0; i < function->instructions.size(); ++i) {
    CHECK(function->instructions[i].text == one.remapped.rewritten.instructions[i].text);
    CHECK(function->instructions[i].control == one.remapped.rewritten.instructions[i].control);
  }
}

}  // namespace

TEST_CASE("a patched cubin reads as the rewritten kernel, on Hopper and on Maxwell") {
  for (const auto& [cubin, arch, function, warps] :
       {std::tuple{"traces/hopper/kernels.sm_90.cubin.gz", "hopper-gh100", "quat", 4},
        std::tuple{"traces/maxwell/kernels.sm_50.cubin.gz", "maxwell-gm107", "matvec_row", 4}}) {
    CAPTURE(cubin);
    const Patched one = patch(cubin, arch, function, warps);
    check_function(one);
    // A register or two and the flags of each changed instruction, and nothing else.
    CHECK(differences(one) > 0);
    CHECK(differences(one) <= 6 * static_cast<std::ptrdiff_t>(one.remapped.changes.size()));
  }
}

TEST_CASE("a cubin that holds other code than was rewritten is refused") {
  const Patched one = patch("traces/hopper/kernels.sm_90.cubin.gz", "hopper-gh100", "quat", 4);
  const auto twice = patch_cubin(one.after, "patched.cubin", one.remapped);
  REQUIRE_FALSE(twice.has_value());
  CHECK(exit_code(twice.error()) == 65);
  CHECK(to_string(twice.error()).find("holds other code than was rewritten") != std::string::npos);
  const auto text = patch_cubin("not a cubin", "text", one.remapped);
  REQUIRE_FALSE(text.has_value());
  CHECK(exit_code(text.error()) == 65);
}

TEST_CASE("a listing with encodings is given back with new encodings") {
  for (const char* file : {"traces/hopper/kernels.sm_90.cuobjdump.sass.gz",
                           "traces/hopper/kernels.sm_90.nvdisasm-hex.sass.gz"}) {
    SimulateOptions options;
    options.function = "quat";
    const auto program = read_program(source_file(file));
    REQUIRE(program.has_value());
    const auto found = remap(*program, load_arch("hopper-gh100").value(), options);
    REQUIRE(found.has_value());
    REQUIRE_FALSE(found->changes.empty());
    const auto text = rewritten_text(*program, *found);
    REQUIRE(text.has_value());
    const auto again = read_program_text(*text, "again.sass");
    REQUIRE(again.has_value());
    REQUIRE(again->functions.size() == program->functions.size());
    for (std::size_t f = 0; f < again->functions.size(); ++f) {
      const bool same = program->functions[f].name == "quat";
      const Function& wanted = same ? found->rewritten : program->functions[f];
      for (std::size_t i = 0; i < wanted.instructions.size(); ++i)
        CHECK(again->functions[f].instructions[i].text == wanted.instructions[i].text);
    }
    CHECK(again->lines.size() == program->lines.size());
  }
}
