// SPDX-License-Identifier: MIT
// What lint found, as text in the style of compilers, as JSON and as SARIF.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "smsim/lint.hpp"
#include "smsim/version.hpp"

namespace smsim {
namespace {

using nlohmann::ordered_json;

std::string where(const LintReport& report, const LintFinding& finding) {
  if (finding.place.line == 0)
    return fmt::format("{}:{}+0x{:04x}", report.source, finding.function, finding.place.address);
  return fmt::format("{}:{}:{}", report.source, finding.place.line, finding.place.column);
}

std::string counted(std::size_t n, std::string_view what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

ordered_json place_json(const LintPlace& place) {
  ordered_json out;
  out["line"] = place.line;
  out["column"] = place.column;
  out["address"] = fmt::format("0x{:04x}", place.address);
  out["instruction"] = place.text;
  return out;
}

/// SARIF knows three levels; what is only slow is a note.
std::string_view sarif_level(LintLevel level) {
  return level == LintLevel::hint ? "note" : name_of(level);
}

ordered_json sarif_rules() {
  ordered_json rules = ordered_json::array();
  for (const LintRule& rule : lint_rules()) {
    ordered_json one;
    one["id"] = rule.id;
    one["shortDescription"]["text"] = rule.summary;
    one["defaultConfiguration"]["level"] = sarif_level(rule.level);
    rules.push_back(std::move(one));
  }
  return rules;
}

ordered_json sarif_location(const LintReport& report, const std::string& function,
                            const LintPlace& place) {
  ordered_json out;
  ordered_json& physical = out["physicalLocation"];
  physical["artifactLocation"]["uri"] = report.source;
  if (place.line > 0) {
    physical["region"]["startLine"] = place.line;
    physical["region"]["startColumn"] = std::max(1U, place.column);
  }
  ordered_json logical;
  logical["name"] = function;
  logical["fullyQualifiedName"] = fmt::format("{}+0x{:04x}", function, place.address);
  logical["kind"] = "function";
  out["logicalLocations"] = ordered_json::array({std::move(logical)});
  return out;
}

ordered_json sarif_result(const LintReport& report, const LintFinding& finding) {
  const auto& rules = lint_rules();
  const auto rule = std::find_if(rules.begin(), rules.end(),
                                 [&](const LintRule& one) { return one.id == finding.rule; });
  ordered_json out;
  out["ruleId"] = finding.rule;
  out["ruleIndex"] = rule - rules.begin();
  out["level"] = sarif_level(finding.level);
  out["message"]["text"] = finding.message;
  out["locations"] = ordered_json::array({sarif_location(report, finding.function, finding.place)});
  if (finding.related) {
    ordered_json other = sarif_location(report, finding.function, *finding.related);
    other["message"]["text"] = finding.related->text;
    out["relatedLocations"] = ordered_json::array({std::move(other)});
  }
  return out;
}

void print(std::ostream& out, const ordered_json& document) {
  out << document.dump(2, ' ', false, ordered_json::error_handler_t::replace) << '\n';
}

}  // namespace

void write_lint_text(std::ostream& out, const LintReport& report) {
  for (const LintFinding& finding : report.findings)
    out << fmt::format("{}: {}: {} [{}]\n", where(report, finding), name_of(finding.level),
                       finding.message, finding.rule);
  for (const std::string& note : report.notes) out << fmt::format("note: {}\n", note);
  out << fmt::format("{}: {}, {}, {} in {} with {}\n", report.source,
                     counted(report.count(LintLevel::error), "error"),
                     counted(report.count(LintLevel::warning), "warning"),
                     counted(report.count(LintLevel::hint), "hint"),
                     counted(report.functions, "function"),
                     counted(report.instructions, "instruction"));
}

void write_lint_json(std::ostream& out, const LintReport& report) {
  ordered_json document;
  document["schema_version"] = 1;
  document["tool"] = "smsim";
  document["version"] = version();
  document["source"] = report.source;
  document["archs"] = report.archs;
  document["functions"] = report.functions;
  document["instructions"] = report.instructions;
  document["errors"] = report.count(LintLevel::error);
  document["warnings"] = report.count(LintLevel::warning);
  document["hints"] = report.count(LintLevel::hint);
  document["notes"] = report.notes;
  ordered_json& findings = document["findings"] = ordered_json::array();
  for (const LintFinding& finding : report.findings) {
    ordered_json one;
    one["rule"] = finding.rule;
    one["level"] = name_of(finding.level);
    one["message"] = finding.message;
    one["function"] = finding.function;
    one["place"] = place_json(finding.place);
    if (finding.related) one["related"] = place_json(*finding.related);
    findings.push_back(std::move(one));
  }
  print(out, document);
}

void write_lint_sarif(std::ostream& out, const LintReport& report) {
  ordered_json driver;
  driver["name"] = "smsim lint";
  driver["version"] = version();
  driver["rules"] = sarif_rules();
  ordered_json run;
  run["tool"]["driver"] = std::move(driver);
  run["columnKind"] = "unicodeCodePoints";
  ordered_json& results = run["results"] = ordered_json::array();
  for (const LintFinding& finding : report.findings)
    results.push_back(sarif_result(report, finding));
  ordered_json document;
  document["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  document["version"] = "2.1.0";
  document["runs"] = ordered_json::array({std::move(run)});
  print(out, document);
}

}  // namespace smsim
