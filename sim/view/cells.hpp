// SPDX-License-Identifier: MIT
// Cells: one recorded instruction as what it does in each cycle, for views with a column a cycle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "smsim/record.hpp"

namespace smsim::view {

/// What an instruction does in a cycle.
enum class Phase : std::uint8_t {
  nothing,
  wait,      ///< its warp waits to issue it
  issue,     ///< it issues
  stage,     ///< it moves through the read pipeline
  read,      ///< there, and banks serve reads of it
  held,      ///< it stands still in the read pipeline
  conflict,  ///< likewise, since a bank has not served it yet: this stops the front end
  queue,     ///< it waits for its unit behind the read pipeline
  execute,   ///< it is in its pipe or unit
  write      ///< it writes its registers
};

struct Cell {
  Phase phase = Phase::nothing;
  StallReason reason = StallReason::misc;  ///< of wait, held and conflict
  std::uint16_t banks = 0;                 ///< bit b: bank b serves a read of it
  bool operator==(const Cell&) const = default;
};

/// The cycles from `begin` on.
struct CellRow {
  std::int64_t begin = 0;
  std::vector<Cell> cells;

  std::int64_t end() const { return begin + static_cast<std::int64_t>(cells.size()); }
  Cell at(std::int64_t cycle) const {
    return cycle < begin || cycle >= end() ? Cell{}
                                           : cells[static_cast<std::size_t>(cycle - begin)];
  }
};

/// Of the instruction with this index.
CellRow cells_of(const Recording& recording, std::size_t instruction);

/// The letter of a wait's reason: `.` for a stall count, `l` for long_scoreboard, ...
char wait_letter(StallReason reason);

/// The name of a wait's reason: not_selected where a slot's is selected.
std::string wait_name(StallReason reason);

/// One character for a cell: a wait's letter, I, -, a bank's digit or + for several, !, :, ~, =, W.
char letter_of(const Cell& cell);

}  // namespace smsim::view
