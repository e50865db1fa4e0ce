// SPDX-License-Identifier: MIT
// The loops that the benchmarks run: read and compiled once.

#include "loops.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>

#include "program/path.hpp"
#include "smsim/read.hpp"
#include "validate/suite.hpp"

namespace smsim::bench {
namespace {

/// A benchmark without its input measures nothing: say so and end.
template <typename T>
T need(Expected<T> value) {
  if (value) return std::move(*value);
  for (const Diagnostic& d : value.error()) std::fprintf(stderr, "bench: %s\n", d.message.c_str());
  std::exit(66);
}

BenchLoop compiled(std::string name, Program program, const std::string& arch_name) {
  BenchLoop loop{std::move(name), std::move(program), need(load_arch(arch_name)), {}};
  const Function& function = loop.program.functions.front();
  const Path path = need(build_path(loop.program, function, LoopRequest{}));
  loop.compiled = need(compile(loop.program, function, path, loop.arch, {})).loop;
  return loop;
}

BenchLoop from_file(const std::string& name, const std::string& file, const std::string& arch) {
  return compiled(name, need(read_program(source_path(file))), arch);
}

BenchLoop from_suite(const std::string& name, const std::string& suite, const std::string& id) {
  const std::string path = source_path(suite);
  const auto loops = need(validate::parse_suite(need(read_bytes(path)), path));
  for (const validate::SuiteLoop& loop : loops)
    if (loop.id == id)
      return compiled(name, need(read_program_text(loop.code, id)), "hopper-gh100");
  std::fprintf(stderr, "bench: no loop %s in %s\n", id.c_str(), path.c_str());
  std::exit(66);
}

const std::string kSuites = "traces/suites/h200/";

BenchLoop make(const std::string& name) {
  if (name == "ffma") return from_suite(name, kSuites + "characterise.jsonl.gz", "pipe.ffma.w4");
  if (name == "sgemm") return from_file(name, "traces/volta/sgemm_8x8_remapped.sass", "volta-v100");
  if (name == "memory") return from_suite(name, kSuites + "characterise.jsonl.gz", "pipe.ldg.w16");
  return from_suite(name, kSuites + "random.jsonl.gz", "rand7.alu.002.w8");
}

}  // namespace

std::string source_path(const std::string& relative) {
  return std::string(SMSIM_SOURCE_DIR) + "/" + relative;
}

const BenchLoop& loop_named(const std::string& name) {
  static std::map<std::string, BenchLoop> loops;
  const auto it = loops.find(name);
  return it != loops.end() ? it->second : loops.emplace(name, make(name)).first->second;
}

}  // namespace smsim::bench
