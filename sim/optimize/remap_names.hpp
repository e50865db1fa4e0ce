// SPDX-License-Identifier: MIT
// Remap, the names: an assignment of registers to webs that can be changed without ever becoming
// wrong.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "optimize/interference.hpp"
#include "optimize/remap_reads.hpp"

namespace smsim::optimize {

/// Webs move in groups: what an instruction names as consecutive registers stays so, and aligned.
/// The webs of a zero run change places among themselves, and its instructions stay as they are.
class Assignment {
 public:
  /// Registers from 0 to limit - 1 may be used.
  Assignment(const Liveness& live, const InterferenceGraph& graph, int limit);

  const Names& names() const { return names_; }
  std::size_t groups() const { return groups_.size(); }
  std::size_t group_of(int web) const { return group_of_[static_cast<std::size_t>(web)]; }
  bool is_movable(std::size_t group) const { return !groups_[group].pinned; }

  /// How many places there are that a group could be moved to; not all of them work.
  std::size_t places(std::size_t group) const;

  /// Moves a group to a place; whoever is in the way goes where the others came from (a Kempe
  /// chain). False, and nothing changes, if one of them may not move or does not fit.
  bool move(std::size_t group, std::size_t place);

  /// Takes the last successful move back.
  void undo();

  void set_names(const Names& names) { names_ = names; }

 private:
  struct Group {
    std::vector<int> webs;
    int align = 1;
    bool pinned = false;
  };

  /// The size of the smallest aligned block that holds the group; 0 if it is too wide to move.
  int block_size(const Group& group) const;
  bool gather(std::size_t first, int block, int from, int to);
  bool take(std::size_t group, int block, int from, int to);

  bool is_allowed(int web, int reg) const;

  const InterferenceGraph& graph_;
  int limit_;
  Names names_;
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;
  std::vector<const ZeroRun*> run_of_web_;  ///< the zero run that sets it; null: none
  std::vector<std::size_t> chain_;
  std::vector<bool> in_chain_;
  std::vector<std::pair<int, std::uint8_t>> undo_;
};

}  // namespace smsim::optimize
