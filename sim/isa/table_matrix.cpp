// SPDX-License-Identifier: MIT
// Opcode table: matrix multiplies of the tensor cores. Only a and b keep their operands.
#include "isa/opcode.hpp"

namespace smsim::isa {
namespace {

using enum OpClass;
using D = Destinations;
using W = Width;

constexpr OpcodeRow tile(std::string_view name, OpClass op_class) {
  return {.name = name, .op_class = op_class, .width = W::tile, .reuse_slots = 0b011};
}

constexpr OpcodeRow tensor_memory(std::string_view name, OpClass op_class) {
  return {.name = name, .op_class = op_class, .destinations = D::none, .reuse_slots = kNoReuse};
}

constexpr std::array kMatrixRows = std::to_array<OpcodeRow>({
    tile("HMMA", hmma_16816_f32),
    tile("HMMA.884", hmma_884_f32),
    tile("HMMA.884.F32", hmma_884_f32),
    tile("HMMA.884.F16", hmma_884_f16),
    tile("HMMA.1688", hmma_1688_f32),
    tile("HMMA.1688.F16", hmma_1688_f16),
    tile("HMMA.1688.F32.TF32", hmma_1688_tf32),
    tile("HMMA.1684", hmma_1684_tf32),
    tile("HMMA.16816", hmma_16816_f32),
    tile("HMMA.16816.F16", hmma_16816_f16),
    tile("HMMA.SP", hmma_sp),
    tile("HMMA.SP.1688.F16", hmma_sp),
    tile("HMMA.SP.1688.F32.TF32", hmma_sp),
    tile("HMMA.SP.16816", hmma_sp),
    tile("HMMA.SP.16832", hmma_sp),
    tile("HMMA.SP.16816.F16", hmma_sp),
    tile("HMMA.SP.16832.F16", hmma_sp),
    tile("IMMA", imma_16832),
    tile("IMMA.8816", imma_8816),
    tile("IMMA.8832", imma_8832),
    tile("IMMA.16816", imma_16816),
    tile("IMMA.16832", imma_16832),
    tile("IMMA.16864", imma_16864),
    tile("IMMA.SP", imma_sp),
    tile("IMMA.SP.16832", imma_sp),
    tile("IMMA.SP.16864", imma_sp),
    tile("IMMA.SP.168128", imma_sp),
    tile("BMMA", bmma),
    tile("DMMA", dmma),
    tile("QMMA", qmma),
    tile("OMMA", omma),

    // warp group multiplies read their matrices from shared memory
    tile("HGMMA", hgmma),
    tile("IGMMA", igmma),
    tile("QGMMA", qgmma),
    tile("BGMMA", bgmma),
    tensor_memory("WARPGROUP", warpgroup),
    tensor_memory("WARPGROUPSET", warpgroup),
    {.name = "MOVM", .op_class = movm, .reuse_slots = kNoReuse},

    // multiplies of tensor memory
    tensor_memory("UTCHMMA", utcmma),
    tensor_memory("UTCIMMA", utcmma),
    tensor_memory("UTCQMMA", utcmma),
    tensor_memory("UTCOMMA", utcmma),
    tensor_memory("UTCMXQMMA", utcmma),
    tensor_memory("UTCCP", utccp),
    tensor_memory("UTCSHIFT", utccp),
    tensor_memory("UTCBAR", utcbar),
    {.name = "UTCATOMSWS", .op_class = utcbar, .reuse_slots = kNoReuse},
    {.name = "LDTM",
     .op_class = ldtm,
     .destinations = D::before_memory,
     .width = W::matrices,
     .reuse_slots = kNoReuse},
    {.name = "LDT",
     .op_class = ldtm,
     .destinations = D::before_memory,
     .width = W::matrices,
     .reuse_slots = kNoReuse},
    {.name = "STTM",
     .op_class = sttm,
     .destinations = D::none,
     .width = W::matrices,
     .reuse_slots = kNoReuse},
    {.name = "STT",
     .op_class = sttm,
     .destinations = D::none,
     .width = W::matrices,
     .reuse_slots = kNoReuse},
});

}  // namespace

std::span<const OpcodeRow> matrix_opcodes() { return kMatrixRows; }

}  // namespace smsim::isa
