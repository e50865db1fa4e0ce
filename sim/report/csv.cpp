// SPDX-License-Identifier: MIT
// The CSV output: a header and one row an instruction, for spreadsheets and data frames.
#include <fmt/format.h>

#include <ostream>
#include <string>

#include "report/breakdown.hpp"
#include "report/document.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

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
    out << fmt::format("{},0x{:x},{},{},{:d},{},{},{},{},{},{},{},{}",
                       report::csv_field(result.function), row.address, report::csv_field(row.text),
                       control.stall, control.yield, barrier(control.write_barrier),
                       barrier(control.read_barrier), control.wait_mask, control.reuse,
                       report::csv_field(row.pipe), row.issued, lost,
                       report::per_iteration(result, lost));
    for (const std::uint64_t slots : row.slots) out << ',' << slots;
    out << '\n';
  }
}

}  // namespace smsim
