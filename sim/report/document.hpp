// SPDX-License-Identifier: MIT
// What the JSON and CSV outputs of the analyses have in common.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>

#include "smsim/simulate.hpp"

namespace smsim::report {

using Json = nlohmann::ordered_json;

/// Raised when a field changes its meaning or goes away.
inline constexpr int kSchemaVersion = 1;

/// Version and tool, which each document begins with.
Json document_head();

/// That, then what was asked: arch, function, is_loop, loop, warps, processing_blocks.
Json document_of(const Result& result);

/// The part of it that does not come from a simulation.
Json document_of(const std::string& arch, const std::string& function, bool is_loop,
                 const Loop& loop);

/// 0x1f0
std::string json_address(std::uint64_t address);

/// Reasons with slots only, and "selected" always; slots of one processing block and iteration.
Json json_slots(const Result& result, const Slots& slots);

/// Indented, or in one line for -1, with a line end. Text of a damaged dump need not be UTF-8; the
/// output is.
std::string document_text(const Json& document, int indent = 2);
void write_document(std::ostream& out, const Json& document, int indent = 2);

/// A field as RFC 4180 has it: quoted when it holds a comma, a quote or a line end.
std::string csv_field(const std::string& text);

}  // namespace smsim::report
