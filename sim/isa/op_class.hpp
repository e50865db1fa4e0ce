// SPDX-License-Identifier: MIT
// Instruction classes: what an architecture gives a pipe, a latency and a rate to.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace smsim::isa {

enum class OpClass : std::uint8_t {
#define SMSIM_OP_CLASS(identifier, name, general) identifier,
#include "isa/op_classes.def"
#undef SMSIM_OP_CLASS
};

inline constexpr std::size_t kOpClassCount = 0
#define SMSIM_OP_CLASS(identifier, name, general) +1
#include "isa/op_classes.def"
#undef SMSIM_OP_CLASS
    ;

/// The name in configs and reports: imad_wide.
std::string_view name(OpClass op_class);

/// The class of that name.
std::optional<OpClass> op_class_named(std::string_view name);

/// The class whose numbers it takes when a config says nothing of its own; itself for the basic
/// ones. Followed again and again it ends at a class that is its own.
OpClass general_class(OpClass op_class);

/// All names, in the order of the enumeration.
const std::vector<std::string_view>& op_class_names();

}  // namespace smsim::isa
