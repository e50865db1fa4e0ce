// SPDX-License-Identifier: MIT
// A function as hazards see it: what each instruction reads and writes, and where control goes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/accesses.hpp"
#include "isa/opcode.hpp"
#include "smsim/program.hpp"

namespace smsim::optimize {

/// Files of state that an instruction can leave a result in.
enum class Space : std::uint8_t { reg, uniform_reg, predicate, uniform_predicate, carry };

/// One register of one of them.
struct Place {
  Space space = Space::reg;
  std::uint8_t index = 0;
  bool operator==(const Place&) const = default;
};

/// R12, UR4, P0, UP1, CC.
std::string to_string(Place place);

/// What reads a place.
enum class Use : std::uint8_t {
  operand,     ///< arithmetic
  address,     ///< of memory
  store_data,  ///< of memory
  guard,       ///< whether it runs at all, or where a branch goes
  predicate    ///< as a source
};

struct PlaceRead {
  Place place;
  Use use = Use::operand;
  SourceSlot slot = SourceSlot::none;
  std::uint8_t part = 0;  ///< which of consecutive registers
};

struct PlaceWrite {
  Place place;
  std::uint8_t part = 0;
};

/// One way on from an instruction.
struct Step {
  std::size_t to = 0;
  bool taken = false;  ///< by a jump
};

struct Node {
  const Instruction* in = nullptr;
  const isa::OpcodeRow* row = nullptr;
  isa::OpClass op_class = isa::OpClass::nop;
  std::vector<PlaceRead> reads;
  std::vector<PlaceWrite> writes;
  std::vector<Step> next;

  bool reads_place(Place place) const;
  bool writes_place(Place place) const;
};

/// One node an instruction.
using Code = std::vector<Node>;

Code build_code(const Function& function);

/// Whether two guards are never both true, as long as nobody writes the predicate in between.
bool exclusive(const Guard& one, const Guard& other);

/// Whether the second runs only where the first does.
bool covers(const Guard& first, const Guard& second);

}  // namespace smsim::optimize
