// SPDX-License-Identifier: MIT
// What the JSON and CSV outputs of the analyses have in common.
#include "report/document.hpp"

#include <fmt/format.h>

#include <ostream>

#include "report/breakdown.hpp"
#include "smsim/version.hpp"

namespace smsim::report {
std::string json_address(std::uint64_t address) { return fmt::format("0x{:x}", address); }

Json document_head() {
  return {{"schema_version", kSchemaVersion}, {"tool", "smsim"}, {"version", version()}};
}

Json document_of(const std::string& arch, const std::string& function, bool is_loop,
                 const Loop& loop) {
  Json document = document_head();
  document["arch"] = arch;
  document["function"] = function;
  document["is_loop"] = is_loop;
  document["loop"] = {{"start", json_address(loop.start)},
                      {"end", json_address(loop.end)},
                      {"instructions", loop.instructions}};
  return document;
}

Json document_of(const Result& result) {
  Json document = document_of(result.arch, result.function, result.is_loop, result.loop);
  document["warps"] = result.warps;
  document["processing_blocks"] = result.processing_blocks;
  return document;
}

Json json_slots(const Result& result, const Slots& slots) {
  Json object = Json::object();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto reason = static_cast<StallReason>(i);
    if (slots[i] != 0 || reason == StallReason::selected)
      object[std::string(name_of(reason))] = per_iteration(result, slots[i]);
  }
  return object;
}

std::string document_text(const Json& document, int indent) {
  return document.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_document(std::ostream& out, const Json& document, int indent) {
  out << document_text(document, indent);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result.append(c == '"' ? 2 : 1, c);
  return result + '"';
}

}  // namespace smsim::report
