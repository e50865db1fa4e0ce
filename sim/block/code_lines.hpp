// SPDX-License-Identifier: MIT
// Compile, the fetch part: which instructions come late because their code line does.
#pragma once

#include <vector>

#include "isa/static_inst.hpp"
#include "program/path.hpp"
#include "smsim/arch.hpp"
#include "smsim/program.hpp"

namespace smsim {

/// Marks what the fetch behind taken branches does: the first instruction of the line after the
/// target's comes later, and so does the target itself if the code between has filled the L0
/// cache meanwhile.
void mark_lines(const Function& function, const Path& path, const InstructionCacheSpec& cache,
                std::vector<StaticInst>& code);

}  // namespace smsim
