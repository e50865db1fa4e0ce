// SPDX-License-Identifier: MIT
// Opcode table: floating point, special functions and conversions.
#include "isa/opcode.hpp"

namespace smsim::isa {
namespace {

using enum OpClass;
using D = Destinations;
using W = Width;

constexpr std::array kFloatRows = std::to_array<OpcodeRow>({
    // FP32
    {.name = "FFMA", .op_class = ffma},
    {.name = "FFMA32I", .op_class = ffma},
    {.name = "FADD", .op_class = fadd, .slots = "ac"},
    {.name = "FADD32I", .op_class = fadd, .slots = "ac"},
    {.name = "FMUL", .op_class = fmul},
    {.name = "FMUL32I", .op_class = fmul},
    {.name = "FFMA2", .op_class = ffma2, .registers = {2, 2, 2, 2}},
    {.name = "FADD2", .op_class = fadd2, .slots = "ac", .registers = {2, 2, 2, 1}},
    {.name = "FMUL2", .op_class = fmul2, .registers = {2, 2, 2, 1}},
    {.name = "FMNMX", .op_class = fmnmx},
    {.name = "FMNMX3", .op_class = fmnmx3},
    {.name = "FSEL", .op_class = fsel},
    {.name = "FSET", .op_class = fset},
    {.name = "FSETP", .op_class = fsetp, .destinations = D::two},
    {.name = "FSWZADD", .op_class = fswzadd, .slots = "ac"},
    {.name = "FCHK", .op_class = fchk, .destinations = D::one, .reuse_slots = kNoReuse},
    {.name = "MUFU", .op_class = mufu, .slots = "b", .reuse_slots = kNoReuse},

    // FP16, BF16
    {.name = "HFMA2", .op_class = hfma2, .packed_immediates = true},
    {.name = "HFMA2_32I", .op_class = hfma2, .packed_immediates = true},
    {.name = "HFMA2.MMA", .op_class = hfma2_mma, .packed_immediates = true},
    {.name = "HADD2", .op_class = hadd2, .slots = "ac", .packed_immediates = true},
    {.name = "HADD2_32I", .op_class = hadd2, .slots = "ac", .packed_immediates = true},
    {.name = "HMUL2", .op_class = hmul2, .packed_immediates = true},
    {.name = "HMUL2_32I", .op_class = hmul2, .packed_immediates = true},
    {.name = "HMNMX2", .op_class = hmnmx2, .packed_immediates = true},
    {.name = "HSET2", .op_class = hset2, .slots = "ac", .packed_immediates = true},
    {.name = "HSETP2",
     .op_class = hsetp2,
     .destinations = D::two,
     .slots = "ac",
     .packed_immediates = true},
    {.name = "FHADD", .op_class = fhadd, .slots = "ac"},
    {.name = "FHFMA", .op_class = fhfma},
    {.name = "VHMNMX", .op_class = vhmnmx},

    // FP64
    {.name = "DFMA", .op_class = dfma, .registers = {2, 2, 2, 2}},
    {.name = "DADD", .op_class = dadd, .slots = "ac", .registers = {2, 2, 2, 1}},
    {.name = "DMUL", .op_class = dmul, .registers = {2, 2, 2, 1}},
    {.name = "DSETP",
     .op_class = dsetp,
     .destinations = D::two,
     .slots = "ac",
     .registers = {1, 2, 2, 1}},

    // conversions: one source, read through b
    {.name = "I2F", .op_class = i2f, .slots = "b", .width = W::conversion},
    {.name = "I2F.F64", .op_class = i2f_64, .slots = "b", .width = W::conversion},
    {.name = "I2F.U64", .op_class = i2f_64, .slots = "b", .width = W::conversion},
    {.name = "I2F.S64", .op_class = i2f_64, .slots = "b", .width = W::conversion},
    {.name = "F2I", .op_class = f2i, .slots = "b", .width = W::conversion},
    {.name = "F2I.F64", .op_class = f2i_64, .slots = "b", .width = W::conversion},
    {.name = "F2I.U64", .op_class = f2i_64, .slots = "b", .width = W::conversion},
    {.name = "F2I.S64", .op_class = f2i_64, .slots = "b", .width = W::conversion},
    {.name = "F2F", .op_class = f2f, .slots = "b", .width = W::conversion},
    {.name = "F2F.F64", .op_class = f2f_64, .slots = "b", .width = W::conversion},
    {.name = "FRND", .op_class = frnd, .slots = "b", .width = W::conversion},
    {.name = "FRND.F64", .op_class = frnd_64, .slots = "b", .width = W::conversion},
    {.name = "I2I", .op_class = i2i, .slots = "b"},
    {.name = "I2FP", .op_class = i2fp, .slots = "b"},
    {.name = "F2FP", .op_class = f2fp, .slots = "abc"},
    {.name = "F2FP.PACK_B", .op_class = f2fp, .slots = "b"},
    {.name = "F2FP.UNPACK_B", .op_class = f2fp, .slots = "b"},
    {.name = "F2FP.UNPACK_B_MERGE_C", .op_class = f2fp, .slots = "bc"},
    {.name = "F2IP", .op_class = f2ip},
    {.name = "I2IP", .op_class = i2ip},
});

}  // namespace

std::span<const OpcodeRow> float_opcodes() { return kFloatRows; }

}  // namespace smsim::isa
