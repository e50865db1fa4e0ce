// SPDX-License-Identifier: MIT
// The loops that the benchmarks run: read and compiled once.
#pragma once

#include <string>
#include <vector>

#include "block/compile.hpp"
#include "smsim/arch.hpp"
#include "smsim/program.hpp"

namespace smsim::bench {

/// A loop on the architecture it was written for.
struct BenchLoop {
  std::string name;
  Program program;
  Arch arch;
  CompiledLoop compiled;
};

/// ffma, sgemm, memory, random: one loop each. Ends the process if a file cannot be read.
const BenchLoop& loop_named(const std::string& name);

/// Path of a file of the checkout.
std::string source_path(const std::string& relative);

}  // namespace smsim::bench
