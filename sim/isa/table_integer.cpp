// SPDX-License-Identifier: MIT
// Opcode table: integer arithmetic, logic, moves, and what passes between lanes.
#include "isa/opcode.hpp"

namespace smsim::isa {
namespace {

using enum OpClass;
using D = Destinations;

constexpr std::array kIntegerRows = std::to_array<OpcodeRow>({
    {.name = "IMAD", .op_class = imad},
    {.name = "IMAD.MOV", .op_class = imad_mov},
    {.name = "IMAD.WIDE", .op_class = imad_wide, .registers = {2, 1, 1, 2}},
    {.name = "IMAD.HI", .op_class = imad_hi, .registers = {1, 1, 1, 2}},
    {.name = "IMUL", .op_class = imul},
    {.name = "IMUL.WIDE", .op_class = imul, .registers = {2, 1, 1, 1}},
    {.name = "IMUL32I", .op_class = imul},
    {.name = "IDP", .op_class = idp},
    {.name = "IDP4A", .op_class = idp},

    {.name = "IADD3", .op_class = iadd3},
    {.name = "IADD", .op_class = iadd},
    {.name = "IADD.64", .op_class = iadd_64, .registers = {2, 2, 2, 1}},
    {.name = "IADD3.64", .op_class = iadd_64, .registers = {2, 2, 2, 2}},
    {.name = "IADD32I", .op_class = iadd},
    {.name = "IABS", .op_class = iabs, .slots = "b"},
    {.name = "ISCADD", .op_class = lea},
    {.name = "ISCADD32I", .op_class = lea},
    {.name = "LEA", .op_class = lea},
    {.name = "VIADD", .op_class = viadd},
    {.name = "VIADDMNMX", .op_class = viaddmnmx},
    {.name = "VIMNMX", .op_class = vimnmx},
    {.name = "VIMNMX3", .op_class = vimnmx3},
    {.name = "IMNMX", .op_class = imnmx},
    {.name = "ISETP", .op_class = isetp, .destinations = D::two},
    {.name = "ISETP.64", .op_class = isetp, .destinations = D::two, .registers = {1, 2, 2, 1}},
    {.name = "ISETP.U64", .op_class = isetp, .destinations = D::two, .registers = {1, 2, 2, 1}},
    {.name = "ISETP.S64", .op_class = isetp, .destinations = D::two, .registers = {1, 2, 2, 1}},
    {.name = "VABSDIFF", .op_class = vabsdiff},
    {.name = "VABSDIFF4", .op_class = vabsdiff4},

    {.name = "LOP3", .op_class = lop3},
    {.name = "LOP3.64", .op_class = lop3, .registers = {2, 2, 2, 2}},
    {.name = "LOP", .op_class = lop},
    {.name = "LOP32I", .op_class = lop},
    {.name = "SHF", .op_class = shf},
    {.name = "SHL", .op_class = shf},
    {.name = "SHR", .op_class = shf},
    {.name = "BMSK", .op_class = bmsk},
    {.name = "SGXT", .op_class = sgxt},
    {.name = "PRMT", .op_class = prmt},
    {.name = "SEL", .op_class = sel},
    {.name = "SEL.64", .op_class = sel, .registers = {2, 2, 2, 1}},
    {.name = "MOV", .op_class = mov, .slots = "b"},
    {.name = "MOV32I", .op_class = mov, .slots = "b"},
    {.name = "MOV.64", .op_class = mov_64, .slots = "b", .registers = {2, 2, 1, 1}},
    {.name = "PLOP3", .op_class = plop3, .destinations = D::two},
    {.name = "PSETP", .op_class = plop3, .destinations = D::two},
    {.name = "P2R", .op_class = p2r},
    {.name = "R2P", .op_class = r2p, .destinations = D::one},

    {.name = "POPC", .op_class = popc, .slots = "b", .reuse_slots = kNoReuse},
    {.name = "FLO", .op_class = flo, .slots = "b", .reuse_slots = kNoReuse},
    {.name = "BREV", .op_class = brev, .slots = "b", .reuse_slots = kNoReuse},

    // between lanes, and between register files
    {.name = "SHFL", .op_class = shfl, .reuse_slots = kNoReuse},
    {.name = "VOTE", .op_class = vote, .destinations = D::all_but_last, .reuse_slots = kNoReuse},
    {.name = "MATCH", .op_class = match, .reuse_slots = kNoReuse},
    {.name = "REDUX", .op_class = redux, .reuse_slots = kNoReuse},
    {.name = "CREDUX", .op_class = credux, .reuse_slots = kNoReuse},
    {.name = "ELECT", .op_class = elect, .destinations = D::two, .reuse_slots = kNoReuse},
    {.name = "S2R", .op_class = s2r, .reuse_slots = kNoReuse},
    {.name = "CS2R", .op_class = cs2r, .registers = {2, 1, 1, 1}, .reuse_slots = kNoReuse},
    {.name = "CS2R.32", .op_class = cs2r_32, .reuse_slots = kNoReuse},
    {.name = "S2UR", .op_class = s2ur, .reuse_slots = kNoReuse},
    {.name = "CS2UR", .op_class = s2ur, .registers = {2, 1, 1, 1}, .reuse_slots = kNoReuse},
    {.name = "CS2UR.32", .op_class = s2ur, .reuse_slots = kNoReuse},
    {.name = "R2UR", .op_class = r2ur},
    {.name = "B2R", .op_class = b2r, .reuse_slots = kNoReuse},
    {.name = "R2B", .op_class = b2r, .destinations = D::none, .reuse_slots = kNoReuse},
    {.name = "BMOV", .op_class = bmov, .destinations = D::one, .reuse_slots = kNoReuse},
    {.name = "BMOV.64",
     .op_class = bmov,
     .destinations = D::one,
     .registers = {2, 2, 1, 1},
     .reuse_slots = kNoReuse},
    {.name = "LEPC", .op_class = lepc, .registers = {2, 1, 1, 1}, .reuse_slots = kNoReuse},
    {.name = "GETLMEMBASE", .op_class = state, .registers = {2, 1, 1, 1}, .reuse_slots = kNoReuse},
    {.name = "SETLMEMBASE",
     .op_class = state,
     .destinations = D::none,
     .registers = {1, 2, 1, 1},
     .reuse_slots = kNoReuse},
    {.name = "SETCTAID", .op_class = state, .destinations = D::none, .reuse_slots = kNoReuse},
    {.name = "CSMTEST", .op_class = state, .destinations = D::two, .reuse_slots = kNoReuse},
});

}  // namespace

std::span<const OpcodeRow> integer_opcodes() { return kIntegerRows; }

}  // namespace smsim::isa
