// SPDX-License-Identifier: MIT
// The CSV output: a header and one row an instruction, for spreadsheets and data frames.
#include <fmt/format.h>

#include <ostream>
#include <string>

#include "report/breakdown.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

/// A field as RFC 4180 has it: quoted when it holds a comma, a quote or a line end.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result.append(c == '"' ? 2 : 1, c);
  return result + '"';
}

std::string barrier(int number) {
  return number == kNoBarrier ? std::string() : std::to_string(number);
}

}  // namespace

void write_csv(std::ostream& out, const Result& result) {
  out << "function,address,text,stall,yield,write_barrier,read_barrier,wait_mask,reuse,pipe,"
         "issued,lost,lost_per_iteration";
  for (const StallReasonInfo& reason : kStallReasons) out << ',' << reason.name;
  out << '\n';
  for (const InstructionRow& row : result.instructions) {
    const ControlWord& control = row.control;
    const std::uint64_t lost = report::lost_slots(row.slots);
    out << fmt::format("{},0x{:x},{},{},{:d},{},{},{},{},{},{},{},{}", quoted(result.function),
                       row.address, quoted(row.text), control.stall, control.yield,
                       barrier(control.write_barrier), barrier(control.read_barrier),
                       control.wait_mask, control.reuse, quoted(row.pipe), row.issued, lost,
                       report::per_iteration(result, lost));
    for (const std::uint64_t slots : row.slots) out << ',' << slots;
    out << '\n';
  }
}

}  // namespace smsim
