// SPDX-License-Identifier: MIT
// Opcode table: control flow, barriers and what does nothing. Their reuse bits mean other things.
#include "isa/opcode.hpp"

namespace smsim::isa {
namespace {

using enum OpClass;
using D = Destinations;

constexpr OpcodeRow control(std::string_view name, OpClass op_class, D destinations = D::none,
                            std::array<std::uint8_t, 4> registers = {1, 1, 1, 1}) {
  return {.name = name,
          .op_class = op_class,
          .destinations = destinations,
          .registers = registers,
          .reuse_slots = kNoReuse};
}

/// An address of 64 bits.
constexpr std::array<std::uint8_t, 4> kTarget = {1, 2, 1, 1};

constexpr std::array kControlRows = std::to_array<OpcodeRow>({
    control("BRA", bra),
    control("JMP", jmp),
    control("BRX", brx, D::none, kTarget),
    control("BRXU", brx, D::none, kTarget),
    control("JMX", jmx, D::none, kTarget),
    control("JMXU", jmx, D::none, kTarget),
    control("CALL", call, D::none, kTarget),
    control("RET", ret, D::none, kTarget),
    control("EXIT", exit),
    control("KILL", kill),
    control("BPT", bpt),
    control("RTT", bpt),
    control("BSSY", bssy, D::one),
    control("BSYNC", bsync),
    control("BREAK", break_),
    control("WARPSYNC", warpsync),
    control("YIELD", yield),
    control("NANOSLEEP", nanosleep),
    control("RPCMOV", bmov, D::one),

    control("BAR", bar),
    control("DEPBAR", depbar),
    control("CGABAR", cluster_bar),
    control("PREEXIT", grid_control),
    control("ACQBULK", grid_control),
    control("ACQSHMINIT", grid_control),
    control("ENDCOLLECTIVE", grid_control),
    control("PMTRIG", grid_control),
    control("NOP", nop),
});

}  // namespace

std::span<const OpcodeRow> control_opcodes() { return kControlRows; }

}  // namespace smsim::isa
