// SPDX-License-Identifier: MIT
// The order of instructions in one iteration or one pass, and what is assumed on the way.
#include "sample.hpp"

using namespace smsim;
using namespace smsim::test;

TEST_CASE("one iteration runs from the loop's start to its taken branch") {
  const Path path =
      follow(make_function({"NOP", ".L_a:", "NOP", "NOP", "@P0 BRA `(.L_a)", "EXIT"}));
  CHECK(path.is_loop);
  CHECK(show(path) == "1 2 3+");
  CHECK(path.assumptions.empty());
  CHECK(path.loop.start == 0x10);
}

TEST_CASE("a function without a loop is one pass to its EXIT") {
  const Path path = follow(make_function({"NOP", "EXIT", ".L_a:", "BRA `(.L_a)", "NOP"}));
  CHECK_FALSE(path.is_loop);
  CHECK(show(path) == "0 1+");
  CHECK(path.loop.end == 0x30);
}

TEST_CASE("of several innermost loops the one with most instructions is taken, the rest listed") {
  const Function function =
      make_function({".L_a:", "@P0 BRA `(.L_a)", ".L_b:", "NOP", "@P0 BRA `(.L_b)", "EXIT"});
  const Path path = follow(function);
  CHECK(show(path) == "1 2+");
  REQUIRE(path.other_loops.size() == 1);
  CHECK(path.other_loops[0].start == 0);
  CHECK(show(follow(function, request("0"))) == "0+");
}

TEST_CASE("a forward branch falls through, which is noted") {
  const Path path = follow(
      make_function({".L_a:", "@P1 BRA `(.L_b)", "NOP", ".L_b:", "@P0 BRA `(.L_a)", "EXIT"}));
  CHECK(show(path) == "0 1 2+");
  REQUIRE(path.assumptions.size() == 1);
  CHECK(path.assumptions[0] == "0x0000 @P1 BRA `(.L_b): assumed not taken");
}

TEST_CASE("a branch is taken by default if the other way leaves the loop") {
  const Path path = follow(make_function({".L_a:", "@P1 BRA `(.L_b)", "BRA `(.L_out)",
                                          ".L_b:", "@P0 BRA `(.L_a)", ".L_out:", "EXIT"}));
  CHECK(show(path) == "0+ 2+");
  REQUIRE(path.assumptions.size() == 1);
  CHECK(path.assumptions[0].find("assumed taken") != std::string::npos);
}

TEST_CASE("a choice decides a branch, and then nothing is assumed of it") {
  const Function function =
      make_function({".L_a:", "@P1 BRA `(.L_b)", "NOP", ".L_b:", "@P0 BRA `(.L_a)", "EXIT"});
  LoopRequest choice;
  choice.branches[0x0] = true;
  const Path path = follow(function, choice);
  CHECK(show(path) == "0+ 2+");
  CHECK(path.assumptions.empty());
}

TEST_CASE("unconditional branches are followed, also out of line and back") {
  const Path path = follow(make_function({".L_a:", "BRA `(.L_far)", ".L_b:", "@P0 BRA `(.L_a)",
                                          "EXIT", ".L_far:", "NOP", "BRA `(.L_b)"}));
  CHECK(show(path) == "0+ 3 4+ 1+");
}

TEST_CASE("an inner loop runs once, which is noted") {
  const Function function =
      make_function({".L_a:", "NOP", ".L_b:", "NOP", "@P0 BRA `(.L_b)", "@P1 BRA `(.L_a)", "EXIT"});
  CHECK(show(follow(function)) == "1 2+");
  const Path outer = follow(function, request("0"));
  CHECK(show(outer) == "0 1 2 3+");
  REQUIRE(outer.assumptions.size() == 1);
  CHECK(outer.assumptions[0].find("the inner loop runs once") != std::string::npos);
}

TEST_CASE("an inner loop that is always taken never comes back") {
  const Function function =
      make_function({".L_a:", "NOP", ".L_b:", "NOP", "@P0 BRA `(.L_b)", "@P1 BRA `(.L_a)", "EXIT"});
  LoopRequest endless = request("0");
  endless.branches[0x20] = true;
  const Diagnostic one = failure(function, endless);
  CHECK(one.kind == ErrorKind::bad_input);
  CHECK(one.message.find("never comes back") != std::string::npos);
}

TEST_CASE("conditional exits do not leave, which is noted") {
  const Path path =
      follow(make_function({".L_a:", "@P1 EXIT", "EXIT P2", "@P0 BRA `(.L_a)", "EXIT"}));
  CHECK(show(path) == "0 1 2+");
  CHECK(path.assumptions.size() == 2);
}

TEST_CASE("an exit that is chosen ends a pass, and is an error in a loop") {
  const Function function = make_function({".L_a:", "@P1 EXIT", "@P0 BRA `(.L_a)", "EXIT"});
  LoopRequest pass = request("all");
  pass.branches[0x0] = true;
  CHECK(show(follow(function, pass)) == "0+");
  LoopRequest loop;
  loop.branches[0x0] = true;
  CHECK(failure(function, loop).message.find("leaves the loop") != std::string::npos);
}

TEST_CASE("calls are followed and return behind the call, also nested") {
  const Path path =
      follow(make_function({".L_a:", "CALL.REL.NOINC `(.L_f)", "@P0 BRA `(.L_a)", "EXIT",
                            ".L_f:", "CALL.REL.NOINC `(.L_g)", "RET.REL.NODEC R2 `(.L_a)",
                            ".L_g:", "NOP", "RET.REL.NODEC R4 `(.L_a)"}));
  CHECK(show(path) == "0+ 3+ 5 6+ 4+ 1+");
  CHECK(path.assumptions.empty());
}

TEST_CASE("a call that is not taken is skipped") {
  const Function function =
      make_function({"CALL.REL.NOINC `(.L_f)", "EXIT", ".L_f:", "RET.REL.NODEC R2 `(.L_f)"});
  LoopRequest skip;
  skip.branches[0x0] = false;
  CHECK(show(follow(function, skip)) == "0 1+");
}

TEST_CASE("recursion is an error") {
  const Function function =
      make_function({"CALL.REL.NOINC `(.L_f)", "EXIT", ".L_f:", "CALL.REL.NOINC `(.L_f)",
                     "RET.REL.NODEC R2 `(.L_f)"});
  CHECK(failure(function).message == "0x0020 calls 0x0020 recursively");
}

TEST_CASE("an indirect branch needs a choice") {
  const Function function = make_function({"BRX R2 -0x10", "EXIT"});
  const Diagnostic one = failure(function);
  CHECK(one.message == "the target of 0x0000 is not known");
  CHECK(one.hint.find("--branch 0x0000=not") != std::string::npos);
  LoopRequest choice;
  choice.branches[0x0] = false;
  CHECK(show(follow(function, choice)) == "0 1+");
}

TEST_CASE("what is guarded by a predicate that is never true goes on and is marked") {
  const Path path = follow(make_function({"@!PT BRA `(.L_a)", "NOP", ".L_a:", "EXIT"}));
  CHECK(show(path) == "0 1 2+");
  CHECK(path.steps[0].predicated_off);
  CHECK_FALSE(path.steps[1].predicated_off);
  CHECK(path.assumptions.empty());
}

TEST_CASE("convergence instructions fall through") {
  const Path path = follow(make_function(
      {".L_a:", "BSSY B0, `(.L_b)", "BREAK B0", ".L_b:", "BSYNC B0", "@P0 BRA `(.L_a)", "EXIT"}));
  CHECK(show(path) == "0 1 2 3+");
}

TEST_CASE("a range may be given by the loop's addresses or end behind its branch") {
  const Function function =
      make_function({"NOP", ".L_a:", "NOP", "@P0 BRA `(.L_a)", "NOP", "EXIT"});
  CHECK(show(follow(function, request("0x10-0x20"))) == "1 2+");
  const Path longer = follow(function, request("0x10-0x30"));
  CHECK(show(longer) == "1 2+");
  CHECK(longer.loop.end == 0x20);
  CHECK(longer.other_loops.empty());
}

TEST_CASE("a range without a branch to its start is an error, unless it is said to wrap") {
  const Function function = make_function({"NOP", "NOP", "NOP"});
  LoopRequest range = request("0x0-0x10");
  const Diagnostic one = failure(function, range);
  CHECK(one.kind == ErrorKind::usage);
  CHECK(one.message.find("leads back") != std::string::npos);
  range.wraps = true;
  const Path path = follow(function, range);
  CHECK(path.is_loop);
  CHECK(show(path) == "0 1");
}

TEST_CASE("requests that fit nothing are usage errors that say what there is") {
  const Function function = make_function({".L_a:", "NOP", "@P0 BRA `(.L_a)", "EXIT"});
  const Diagnostic number = failure(function, request("3"));
  CHECK(number.kind == ErrorKind::usage);
  CHECK(number.hint == "loops: 0 at 0x0000-0x0010");
  CHECK(failure(function, request("0x100-0x200")).hint == "it has 0x0000-0x0020");
  LoopRequest choice;
  choice.branches[0x0] = true;
  const Diagnostic branch = failure(function, choice);
  CHECK(branch.kind == ErrorKind::usage);
  CHECK(branch.hint == "branches are at 0x0010, 0x0020");
}

TEST_CASE("a gap in the listing ends the path with an error") {
  auto program = read_program_text(
      "[B------:R-:W-:-:S01] /*0000*/ NOP ;\n[B------:R-:W-:-:S01] /*0020*/ EXIT ;\n", "gap.sass");
  REQUIRE(program.has_value());
  const auto path = build_path(*program, program->functions.front(), {});
  REQUIRE_FALSE(path.has_value());
  const Diagnostic& one = path.error().front();
  CHECK(one.message == "the instruction behind 0x0000 is missing");
  CHECK(one.where.file == "gap.sass");
  CHECK(one.where.line == 1);
  CHECK(one.excerpt == program->lines[0]);
}

TEST_CASE("loop requests and branch choices are read as the command line takes them") {
  CHECK(request("").kind == LoopRequest::Kind::automatic);
  CHECK(request("all").kind == LoopRequest::Kind::all);
  CHECK(request("12").number == 12);
  CHECK(request("0x80-0x120").start == 0x80);
  CHECK(request("0x80-0x120").end == 0x120);
  for (const char* text : {"x", "-1", "0x80-", "0x80-zz", "1.5"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_loop_request(text).has_value());
  }
}
