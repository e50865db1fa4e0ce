// SPDX-License-Identifier: MIT
// Resource use: how many cycles of each issue slot, pipe, register bank and memory unit one
// iteration of a warp takes, as a matrix of instructions by resources.
#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <vector>

#include "isa/static_inst.hpp"
#include "smsim/arch.hpp"

namespace smsim {

struct Resource {
  std::string name;       ///< pipe/alu
  std::string_view help;  ///< what a cycle of it is
  bool of_sm = false;     ///< shared by all warps of the SM, else by those of a processing block
  double slack = 0;  ///< cycles of use that may still lie ahead when the last instruction issues
};

struct ResourceMatrix {
  std::vector<Resource> resources;  ///< those that the iteration uses
  Eigen::MatrixXd use;              ///< [instruction, resource]: cycles for one warp
};

ResourceMatrix resource_use(const CompiledLoop& loop, const Arch& arch);

/// Cycles that each resource is busy when `warps` warps of the SM do one iteration each (a loop),
/// or at least before the last instruction of one pass has issued.
Eigen::VectorXd busy_cycles(const ResourceMatrix& matrix, bool is_loop, int warps,
                            const Arch& arch);

}  // namespace smsim
