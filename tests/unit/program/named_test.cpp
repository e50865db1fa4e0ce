// SPDX-License-Identifier: MIT
// Which functions a name stands for.
#include "program/named.hpp"

#include <doctest/doctest.h>

using namespace smsim;

namespace {

Program with(const std::vector<std::string>& names) {
  Program program;
  program.source = "code.sass";
  for (const std::string& name : names) program.functions.emplace_back().name = name;
  return program;
}

std::vector<std::string> named(const Program& program, const std::string& pattern) {
  std::vector<std::string> names;
  for (const Function* one : program::functions_named(program, pattern)) names.push_back(one->name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("no name stands for all functions, a glob for those that it matches") {
  const Program program = with({"scale", "sum", "scan"});
  CHECK(named(program, "") == Names{"scale", "sum", "scan"});
  CHECK(named(program, "sc*") == Names{"scale", "scan"});
  CHECK(named(program, "s").empty());
}

TEST_CASE("who has exactly the name is meant alone, whatever it matches as a glob") {
  const Program program = with({"sum1", "sum?", "sum?"});
  CHECK(named(program, "sum?") == Names{"sum?", "sum?"});
  CHECK(named(program, "sum[1]") == Names{"sum1"});
}

TEST_CASE("a name that nobody has is answered with the one that was probably meant") {
  const Program program = with({"scale", "sum"});
  const Diagnostic near = program::no_function_named(program, "scal").value().front();
  CHECK(near.kind == ErrorKind::usage);
  CHECK(near.hint == "did you mean 'scale'?");
  CHECK(program::no_function_named(program, "transpose").value().front().hint ==
        "`smsim loops` lists the functions of a file");
}
