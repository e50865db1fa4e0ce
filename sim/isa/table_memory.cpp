// SPDX-License-Identifier: MIT
// Opcode table: loads, stores, atomics, asynchronous copies, textures. Address in a, data in b.
#include "isa/opcode.hpp"

namespace smsim::isa {
namespace {

using enum OpClass;
using D = Destinations;
using W = Width;

constexpr OpcodeRow load(std::string_view name, OpClass op_class, W width = W::data) {
  return {.name = name,
          .op_class = op_class,
          .destinations = D::before_memory,
          .width = width,
          .reuse_slots = kNoReuse};
}

constexpr OpcodeRow store(std::string_view name, OpClass op_class, W width = W::data) {
  return {.name = name,
          .op_class = op_class,
          .destinations = D::none,
          .width = width,
          .reuse_slots = kNoReuse};
}

/// Leading operands that are written: two registers of a texture fetch (the second may be RZ).
constexpr OpcodeRow texture(std::string_view name, OpClass op_class, D destinations) {
  return {
      .name = name, .op_class = op_class, .destinations = destinations, .reuse_slots = kNoReuse};
}

constexpr std::array kMemoryRows = std::to_array<OpcodeRow>({
    // shared memory
    load("LDS", lds),
    load("LDS.64", lds_64),
    load("LDS.128", lds_128),
    store("STS", sts),
    store("STS.64", sts_64),
    store("STS.128", sts_128),
    load("LDSM", ldsm, W::matrices),
    load("LDSM.2", ldsm_2, W::matrices),
    load("LDSM.4", ldsm_4, W::matrices),
    store("STSM", stsm, W::matrices),
    load("ATOMS", atoms),
    load("SYNCS", syncs),
    store("STAS", stas),
    store("REDAS", stas),

    // global, local and generic memory
    load("LDG", ldg),
    load("LDG.64", ldg_64),
    load("LDG.128", ldg_128),
    store("STG", stg),
    store("STG.64", stg_64),
    store("STG.128", stg_128),
    load("LDL", ldl),
    store("STL", stl),
    load("LD", ld),
    load("LD.64", ld_64),
    load("LD.128", ld_128),
    store("ST", st),
    store("ST.64", st_64),
    store("ST.128", st_128),
    load("LDGMC", ldgmc),
    load("LD_MC", ldgmc),
    store("LDGSTS", ldgsts),
    store("LDGDEPBAR", ldgdepbar),
    store("ARRIVES", arrives),
    load("ATOM", atom),
    load("ATOMG", atomg),
    store("RED", red),
    store("REDG", red),
    load("QSPC", qspc),
    store("CCTL", cctl),
    store("CCTLL", cctl),
    store("CCTLT", cctl),
    store("MEMBAR", membar),
    store("FENCE", fence),
    store("ERRBAR", errbar),
    store("CGAERRBAR", errbar),
    store("MEMSETS", sts),

    // copies by the tensor memory accelerator
    store("UTMALDG", bulk_copy),
    store("UTMASTG", bulk_copy),
    store("UTMAREDG", bulk_copy),
    store("UTMAPF", bulk_copy),
    store("UBLKCP", bulk_copy),
    store("UBLKPF", bulk_copy),
    store("UBLKRED", bulk_copy),
    store("UMEMSETS", bulk_copy),
    store("UTMACCTL", bulk_control),
    store("UTMACMDFLUSH", bulk_control),
    store("UTMALST", bulk_control),

    // constant memory
    load("LDC", ldc),
    load("ULDC", uldc),
    load("LDCU", ldcu),

    // textures, surfaces
    texture("TEX", tex, D::two),
    texture("TLD", tld, D::two),
    texture("TLD4", tld4, D::two),
    texture("TXD", txd, D::two),
    texture("TXQ", txq, D::two),
    texture("TMML", tmml, D::one),
    load("SULD", surface_load),
    load("SUQUERY", surface_load),
    load("SUATOM", surface_load),
    store("SUST", surface_store),
    store("SURED", surface_store),

    // attributes of graphics stages
    load("ALD", attribute),
    load("IPA", attribute),
    load("ISBERD", attribute),
    load("LDTRAM", attribute),
    store("AST", attribute),
    store("ISBEWR", attribute),
    texture("AL2P", attribute, D::one),
    texture("OUT", attribute, D::one),
    texture("PIXLD", attribute, D::leading),
});

}  // namespace

std::span<const OpcodeRow> memory_opcodes() { return kMemoryRows; }

}  // namespace smsim::isa
