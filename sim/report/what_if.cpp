// SPDX-License-Identifier: MIT
// A loop and its variants as text, JSON and CSV.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "report/breakdown.hpp"
#include "report/document.hpp"
#include "report/page.hpp"
#include "smsim/report.hpp"

namespace smsim {
namespace {

using report::Ink;
using report::Json;

constexpr double kNothing = 0.005;    ///< of a slot: would print as 0
constexpr double kSameTime = 0.0005;  ///< share of the base's cycles: would print as 0.0 %
constexpr std::size_t kMostReasons = 3;

double base_cycles(const WhatIf& answer) { return answer.base.cycles_per_iteration; }

/// Slots of a reason per iteration and processing block, for as much work as the base's.
double slots_of(const VariantRow& row, const Result& base, const Slots& slots, std::size_t reason) {
  return report::per_iteration(*row.result, slots[reason]) * base.warps / row.result->warps;
}

/// `bank_conflict -63, stall_count +2`: where slots are won and lost, most first.
std::string moved_slots(const WhatIf& answer, const VariantRow& row) {
  std::vector<std::pair<double, std::size_t>> moved;
  for (std::size_t r = 1; r < kStallReasonCount; ++r) {
    const double change = slots_of(row, answer.base, row.result->slots, r) -
                          report::per_iteration(answer.base, answer.base.slots[r]);
    if (std::abs(change) >= kNothing && r != static_cast<std::size_t>(StallReason::no_warp))
      moved.emplace_back(change, r);
  }
  std::stable_sort(moved.begin(), moved.end(), [](const auto& a, const auto& b) {
    return std::abs(a.first) > std::abs(b.first);
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(moved.size(), kMostReasons); ++i)
    text += fmt::format("{}{} {}{}", i == 0 ? "" : ", ",
                        report::leaf_name(static_cast<StallReason>(moved[i].second)),
                        moved[i].first > 0 ? "+" : "", report::short_number(moved[i].first));
  return text + (moved.size() > kMostReasons ? ", ..." : "");
}

std::string gain_text(double base, double cycles) {
  return fmt::format("{:+.1f} %", 100 * (base / cycles - 1));
}

/// A limit that was taken away and that the loop does not meet: not a cycle, not a slot is another.
bool is_not_met(const WhatIf& answer, const VariantRow& row) {
  const double change = std::abs(row.cycles - base_cycles(answer));
  if (!row.result || row.what.empty() || change >= kSameTime * base_cycles(answer)) return false;
  return change >= kNothing || moved_slots(answer, row).empty();
}

bool is_slower(const WhatIf& answer, const VariantRow& row) {
  return row.result && row.cycles > base_cycles(answer) * (1 + kSameTime);
}

/// What the table leaves out, and what looks wrong in it and is not.
void write_remarks(const report::Page& page, const WhatIf& answer) {
  std::string unmet;
  bool slower = false;
  for (const VariantRow& row : answer.variants) {
    if (is_not_met(answer, row)) unmet += (unmet.empty() ? "" : ", ") + row.name;
    slower = slower || (is_slower(answer, row) && !row.what.empty());
  }
  if (!unmet.empty() || slower) page.out() << '\n';
  if (!unmet.empty()) page.item("not met, so that nothing changes: " + unmet);
  if (slower)
    page.item(
        "slower than the base: what it takes away helped, or had kept warps in a better order "
        "(smsim explain faster)");
}

void write_variants(const report::Page& page, const WhatIf& answer) {
  report::Table table({"variant", "cycles", "faster", "slots moved"}, {3});
  table.row({"base", report::cycles_text(answer.base), "", ""});
  for (const VariantRow& row : answer.variants) {
    if (is_not_met(answer, row)) continue;
    if (!row.result) {
      table.row({row.name, "-", "", row.error});
      continue;
    }
    table.row({row.name, report::short_number(row.cycles),
               gain_text(base_cycles(answer), row.cycles), moved_slots(answer, row)});
  }
  table.write(page);
  write_remarks(page, answer);
}

/// Slots lost before an instruction, in the base and in each variant.
std::vector<double> lost_before(const WhatIf& answer, std::size_t i) {
  const auto lost = [&](const Result& result) {
    return report::per_iteration(result, report::lost_slots(result.instructions[i].slots)) *
           answer.base.warps / result.warps;
  };
  std::vector<double> all{lost(answer.base)};
  for (const VariantRow& row : answer.variants)
    if (row.result) all.push_back(lost(*row.result));
  return all;
}

void write_instructions(const report::Page& page, const WhatIf& answer) {
  std::vector<std::string> header{"address", "instruction", "base"};
  std::size_t n = 0;
  for (const VariantRow& row : answer.variants) {
    ++n;
    if (row.result) header.push_back(fmt::format("({})", n));
  }
  report::Table table(header, {1});
  std::size_t same = 0;
  for (std::size_t i = 0; i < answer.base.instructions.size(); ++i) {
    const auto lost = lost_before(answer, i);
    if (std::all_of(lost.begin(), lost.end(),
                    [&](double l) { return std::abs(l - lost.front()) < kNothing; })) {
      ++same;
      continue;
    }
    const InstructionRow& row = answer.base.instructions[i];
    std::vector<std::string> cells{report::hex_address(row.address),
                                   page.fitted(report::printable(row.text), 44)};
    for (const double l : lost) cells.push_back(report::short_number(l));
    table.row(std::move(cells));
  }
  page.title("Instructions", fmt::format("slots lost before each, per iteration and processing "
                                         "block; {} without a difference are left out",
                                         report::counted(same, "instruction")));
  table.write(page);
}

Json variant_json(const WhatIf& answer, const VariantRow& row) {
  Json object{{"name", row.name}, {"what", row.what}};
  if (!row.result) {
    object["error"] = row.error;
    return object;
  }
  object["warps"] = row.result->warps;
  object["cycles"] = row.cycles;
  object["slots"] = report::json_slots(*row.result, row.result->slots);
  object["lost"] = Json::array();
  for (const InstructionRow& in : row.result->instructions)
    object["lost"].push_back(report::per_iteration(*row.result, report::lost_slots(in.slots)) *
                             answer.base.warps / row.result->warps);
  return object;
}

}  // namespace

void write_text(std::ostream& out, const WhatIf& answer, const WhatIfTextOptions& options) {
  const report::Page page(out, options.text);
  page.heading(answer.base);
  page.entry(answer.base.is_loop ? "Cycles per iteration" : "Cycles of one pass",
             report::cycles_text(answer.base), Ink::bold);
  page.entry("Warps", report::warps_text(answer.base));
  page.title("What if", "each variant alone; slots per iteration and processing block");
  write_variants(page, answer);
  const bool legend = std::any_of(answer.variants.begin(), answer.variants.end(),
                                  [](const VariantRow& row) { return !row.what.empty(); });
  if (legend && options.legend) {
    page.title("Variants");
    report::Table table({"name", "what is different"}, {1});
    for (const VariantRow& row : answer.variants)
      if (!is_not_met(answer, row)) table.row({row.name, row.what});
    table.write(page);
  }
  if (options.instructions) write_instructions(page, answer);
  page.assumptions(answer.base.assumptions);
}

void write_json(std::ostream& out, const WhatIf& answer) {
  const Result& base = answer.base;
  Json document = report::document_of(base);
  document["cycles_per_iteration"] = base.cycles_per_iteration;
  document["slots"] = report::json_slots(base, base.slots);
  document["instructions"] = Json::array();
  for (const InstructionRow& row : base.instructions)
    document["instructions"].push_back(
        {{"address", report::json_address(row.address)},
         {"text", row.text},
         {"lost", report::per_iteration(base, report::lost_slots(row.slots))}});
  document["variants"] = Json::array();
  for (const VariantRow& row : answer.variants)
    document["variants"].push_back(variant_json(answer, row));
  document["assumptions"] = base.assumptions;
  report::write_document(out, document);
}

void write_csv(std::ostream& out, const WhatIf& answer) {
  out << "function,arch,variant,warps,cycles,faster_percent";
  for (const StallReasonInfo& reason : kStallReasons) out << ',' << reason.name;
  out << ",error\n";
  const auto line = [&](const std::string& name, const Result* result, double cycles,
                        const std::string& error) {
    out << fmt::format("{},{},{},", report::csv_field(answer.base.function),
                       report::csv_field(answer.base.arch), report::csv_field(name));
    if (result != nullptr)
      out << fmt::format("{},{},{:.4f}", result->warps, cycles,
                         100 * (base_cycles(answer) / cycles - 1));
    else
      out << ",,";
    for (std::size_t r = 0; r < kStallReasonCount; ++r) {
      out << ',';
      if (result != nullptr)
        out << fmt::format("{}", report::per_iteration(*result, result->slots[r]));
    }
    out << ',' << report::csv_field(error) << '\n';
  };
  line("base", &answer.base, base_cycles(answer), "");
  for (const VariantRow& row : answer.variants)
    line(row.name, row.result ? &*row.result : nullptr, row.cycles, row.error);
}

}  // namespace smsim
