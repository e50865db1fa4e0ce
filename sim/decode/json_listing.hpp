// SPDX-License-Identifier: MIT
// JSON of nvdisasm -json to a listing without encodings.
#pragma once

#include <string>
#include <string_view>

#include "smsim/diagnostic.hpp"

namespace smsim::decode {

/// Whether a text begins as JSON does: with a bracket, as control notation may, but then with
/// another or a quote.
bool is_json(std::string_view text);

/// Lines as nvdisasm prints them without -hex, of the functions that the document holds. Errors:
/// bad_input, for what is no JSON, or no document of nvdisasm.
Expected<std::string> list_json(std::string_view text, const std::string& source);

}  // namespace smsim::decode
