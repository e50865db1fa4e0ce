// SPDX-License-Identifier: MIT
// Opcode table: what only Kepler, Maxwell and Pascal have, and what they read otherwise.
#include "isa/opcode.hpp"

namespace smsim::isa {
namespace {

using enum OpClass;
using D = Destinations;
using W = Width;

constexpr OpcodeRow row(std::string_view name, OpClass op_class, D destinations = D::leading) {
  return {.name = name, .op_class = op_class, .destinations = destinations};
}

/// Control flow, memory and what else has no reuse flags.
constexpr OpcodeRow plain(std::string_view name, OpClass op_class, D destinations = D::none,
                          W width = W::fixed) {
  return {.name = name,
          .op_class = op_class,
          .destinations = destinations,
          .width = width,
          .reuse_slots = kNoReuse};
}

constexpr std::array kOlderRows = std::to_array<OpcodeRow>({
    // floating point
    row("FCMP", fcmp),
    {.name = "FSWZ", .op_class = fswzadd, .slots = "ac"},
    {.name = "RRO", .op_class = rro, .slots = "b", .reuse_slots = kNoReuse},
    {.name = "DMNMX", .op_class = dmnmx, .registers = {2, 2, 2, 1}},
    {.name = "DSET", .op_class = dset, .registers = {1, 2, 2, 1}},

    // integer
    row("XMAD", xmad),
    row("IMAD32I", imad),
    row("IMADSP", imad),
    row("ISAD", isad),
    row("ISUB", iadd),
    row("ICMP", icmp),
    row("ISET", iset),
    row("BFE", bfe),
    row("BFI", bfi),
    row("CSET", cset),
    row("CSETP", cset, D::two),
    row("PSET", plop3),

    // packed bytes and halfwords
    row("VABSDIFF2", video),
    row("VADD", video),
    row("VADD2", video),
    row("VADD4", video),
    row("VAVRG2", video),
    row("VAVRG4", video),
    row("VMAD", video),
    row("VMNMX", video),
    row("VMNMX2", video),
    row("VMNMX4", video),
    row("VSAD", video),
    row("VSEL2", video),
    row("VSEL4", video),
    row("VSET", video),
    row("VSET2", video),
    row("VSET4", video),
    row("VSETP", video, D::two),
    row("VSHL", video),
    row("VSHR", video),
    row("VSUB", video),
    row("VSUB2", video),
    row("VSUB4", video),

    // memory
    plain("LDSLK", lds, D::before_memory, W::data),
    plain("STSCUL", sts, D::before_memory, W::data),
    plain("STSUL", sts, D::before_memory, W::data),
    plain("LDLK", ld, D::before_memory, W::data),
    plain("LDU", ldg, D::before_memory, W::data),
    plain("STUL", st, D::before_memory, W::data),
    plain("TEXS", tex, D::two),
    plain("TLDS", tld, D::two),
    plain("TLD4S", tld4, D::two),
    plain("TEXDEPBAR", texdepbar),

    // surfaces
    plain("SULDGA", surface_load, D::before_memory, W::data),
    plain("SULDB", surface_load, D::before_memory, W::data),
    plain("SUSTGA", surface_store),
    plain("SUSTB", surface_store),
    plain("SUREDB", surface_store),
    plain("SUCLAMP", surface_address, D::leading),
    plain("SUBFM", surface_address, D::leading),
    plain("SUEAU", surface_address, D::leading),

    // control flow: a stack of places to go on from, for lanes that went different ways
    plain("SSY", bssy),
    plain("PBK", bssy),
    plain("PCNT", bssy),
    plain("PRET", bssy),
    plain("PLONGJMP", bssy),
    plain("PEXIT", bssy),
    plain("SYNC", bsync),
    plain("BRK", break_),
    plain("CONT", break_),
    plain("LONGJMP", break_),
    plain("CAL", call),
    plain("JCAL", call),
    plain("KIL", kill),
    plain("IDE", grid_control),
    plain("SAM", bmov),
    plain("RAM", bmov),
    plain("GETCRSPTR", state, D::one),
    plain("SETCRSPTR", state),
});

/// What has the same name later, and the same class, but other registers.
constexpr std::array kChangedRoles = std::to_array<OpcodeRow>({
    {.name = "IMAD.HI", .op_class = imad_hi},
    {.name = "CS2R", .op_class = cs2r, .reuse_slots = kNoReuse},
    {.name = "LEPC", .op_class = lepc, .reuse_slots = kNoReuse},
    {.name = "GETLMEMBASE", .op_class = state, .reuse_slots = kNoReuse},
    {.name = "SETLMEMBASE", .op_class = state, .destinations = D::none, .reuse_slots = kNoReuse},
    plain("TEX", tex, D::one, W::texture),
    plain("TLD", tld, D::one, W::texture),
    plain("TLD4", tld4, D::one, W::texture),
    plain("TXD", txd, D::one, W::texture),
    plain("TXQ", txq, D::one, W::texture),
});

}  // namespace

std::span<const OpcodeRow> older_opcodes() { return kOlderRows; }
std::span<const OpcodeRow> older_roles() { return kChangedRoles; }

}  // namespace smsim::isa
