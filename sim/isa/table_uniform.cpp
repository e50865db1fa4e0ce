// SPDX-License-Identifier: MIT
// Opcode table: the uniform datapath, one value a warp.
#include "isa/opcode.hpp"

namespace smsim::isa {
namespace {

using enum OpClass;
using D = Destinations;

/// Uniform registers have no reuse flags.
constexpr OpcodeRow uniform(std::string_view name, OpClass op_class, D destinations = D::leading,
                            std::array<std::uint8_t, 4> registers = {1, 1, 1, 1}) {
  return {.name = name,
          .op_class = op_class,
          .destinations = destinations,
          .registers = registers,
          .reuse_slots = kNoReuse};
}

constexpr std::array<std::uint8_t, 4> kDouble = {2, 2, 2, 2};

constexpr std::array kUniformRows = std::to_array<OpcodeRow>({
    uniform("UIADD3", uiadd3),
    uniform("UIADD3.64", uiadd3, D::leading, kDouble),
    uniform("UVIADD", uiadd3),
    uniform("UIABS", uiadd3),
    uniform("ULOP3", ulop3),
    uniform("ULOP", ulop3),
    uniform("ULOP32I", ulop3),
    uniform("ULEA", ulea),
    uniform("USHF", ushf),
    uniform("USHL", ushf),
    uniform("USHR", ushf),
    uniform("UMOV", umov),
    uniform("UMOV.64", umov, D::leading, kDouble),
    uniform("UMOV32I", umov),
    uniform("USEL", usel),
    uniform("USEL.64", usel, D::leading, kDouble),
    uniform("UPRMT", uprmt),
    uniform("UISETP", uisetp, D::two),
    uniform("UISETP.64", uisetp, D::two, kDouble),
    uniform("UISETP.U64", uisetp, D::two, kDouble),
    uniform("UISETP.S64", uisetp, D::two, kDouble),
    uniform("UIMNMX", uimnmx),
    uniform("UVIMNMX", uimnmx),
    uniform("UVIMNMX3", uimnmx),
    uniform("UVIADDMNMX", uimnmx),
    uniform("UPLOP3", uplop3, D::two),
    uniform("UPSETP", uplop3, D::two),
    uniform("UP2UR", up2ur),
    uniform("UR2UP", up2ur, D::one),
    uniform("UIMAD", uimad),
    uniform("UIMAD.WIDE", uimad_wide, D::leading, {2, 1, 1, 2}),
    uniform("UIMAD.HI", uimad_wide, D::leading, {1, 1, 1, 2}),
    uniform("UBMSK", ubits),
    uniform("USGXT", ubits),
    uniform("UBREV", ubits),
    uniform("UFLO", ubits),
    uniform("UPOPC", ubits),

    // floating point (sm_100 and later)
    uniform("UFADD", ufadd),
    uniform("UFMUL", ufmul),
    uniform("UFFMA", uffma),
    uniform("UFMNMX", ufmnmx),
    uniform("UFSEL", ufsel),
    uniform("UFSET", ufsetp),
    uniform("UFSETP", ufsetp, D::two),
    {.name = "UF2F", .op_class = uconvert, .width = Width::conversion, .reuse_slots = kNoReuse},
    {.name = "UF2I", .op_class = uconvert, .width = Width::conversion, .reuse_slots = kNoReuse},
    {.name = "UI2F", .op_class = uconvert, .width = Width::conversion, .reuse_slots = kNoReuse},
    {.name = "UFRND", .op_class = uconvert, .width = Width::conversion, .reuse_slots = kNoReuse},
    uniform("UF2FP", uconvert),
    uniform("UF2IP", uconvert),
    uniform("UI2FP", uconvert),
    uniform("UI2I", uconvert),
    uniform("UI2IP", uconvert),

    uniform("VOTEU", voteu, D::all_but_last),
    uniform("UREDGR", ustate, D::none),
    uniform("USTGR", ustate, D::none),
    uniform("ULEPC", ustate, D::leading, {2, 1, 1, 1}),
    uniform("USETMAXREG", ustate),
    uniform("USETSHMSZ", ustate, D::none),
    uniform("UVIRTCOUNT", ustate, D::none),
    uniform("UGETNEXTWORKID", ustate, D::none),
    uniform("UCGABAR_ARV", cluster_bar, D::none),
    uniform("UCGABAR_WAIT", cluster_bar, D::none),
});

}  // namespace

std::span<const OpcodeRow> uniform_opcodes() { return kUniformRows; }

}  // namespace smsim::isa
