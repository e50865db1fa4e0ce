// SPDX-License-Identifier: MIT
// How long a result of fixed latency keeps its readers waiting, by who wrote it and who reads it.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/op_class.hpp"
#include "optimize/hazards_code.hpp"

namespace smsim::optimize {

/// How an instruction gets its operands and gives its result: the categories of the latency tables.
enum class Kind : std::uint8_t {
  none,  ///< no table speaks of it
  alu,
  dual,  ///< an ALU a cycle further away
  fma,
  wide,  ///< integer multiply-add of 64 bits
  half,
  half_mma,  ///< half precision in the FP64 pipe
  fp64,
  wide64,  ///< CS2R of 64 bits
  mma,
  mma2,  ///< matrix multiplies that take the unit twice
  dmma,
  uniform,
  umove,
  uldc,
  decoupled,  ///< leaves for a queue
  agu,        ///< leaves for the memory queue
  global,     ///< the same, where global memory's registers are read later than shared memory's
  branch,
  any,          ///< tables: every reader without a row of its own
  wide_c,       ///< readers: the addend of a wide multiply-add
  wide_c_high,  ///< readers: its upper half
};

Kind kind_of(int sm, isa::OpClass op_class);

/// Whether software counts cycles for a result or waits for a barrier, where the tables say
/// something else than a config's variable_latency.
enum class Protection : std::uint8_t { as_config, counted, waited };

Protection protection_of(int sm, isa::OpClass op_class);

/// Queues whose operations keep their order.
enum class Queue : std::uint8_t { none, shared, xu, xu64, tensor };

struct QueueOrder {
  Queue queue = Queue::none;
  bool results = false;  ///< results keep it too, not only the reading of sources
};

QueueOrder queue_order(int sm, isa::OpClass op_class);

struct Latency {
  int cycles = 0;           ///< issue to the earliest safe issue of the reader; 0: not known
  std::string_view source;  ///< who says so
};

/// What the tables say of a place that `writer` writes and `reader` reads.
Latency read_latency(int sm, const Node& writer, const PlaceWrite& write, const Node& reader,
                     const PlaceRead& read);

/// The same for a reader that nobody knows: an ALU.
Latency result_latency(int sm, const Node& writer, const PlaceWrite& write);

/// The longest that any reader needs.
int longest_latency(int sm, const Node& writer, const PlaceWrite& write);

/// How many cycles the second has to stay behind the first, whatever they read; 0: none known.
Latency distance_behind(int sm, isa::OpClass first, isa::OpClass second);

/// How many cycles an instruction that writes a place has to stay behind one that reads or writes
/// it, where the tables say more than the difference of two latencies; 0: they do not.
Latency distance_after_read(int sm, Space space, isa::OpClass reader, isa::OpClass writer);
Latency distance_after_write(int sm, Space space, isa::OpClass first, isa::OpClass second);

}  // namespace smsim::optimize
