// SPDX-License-Identifier: MIT
// What lint found, as text in the style of compilers, as JSON and as SARIF.
#include "smsim/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ostream>

#include "report/document.hpp"
#include "report/layout.hpp"
#include "smsim/version.hpp"

namespace smsim {
namespace {

using report::counted;
using report::hex_address;
using report::Json;

std::string where(const LintReport& report, const LintFinding& finding) {
  if (finding.place.line == 0)
    return fmt::format("{}:{}+{}", report.source, finding.function,
                       hex_address(finding.place.address));
  return fmt::format("{}:{}:{}", report.source, finding.place.line, finding.place.column);
}

Json place_json(const LintPlace& place) {
  Json out;
  out["line"] = place.line;
  out["column"] = place.column;
  out["address"] = hex_address(place.address);
  out["instruction"] = place.text;
  return out;
}

/// SARIF knows three levels; what is only slow is a note.
std::string_view sarif_level(LintLevel level) {
  return level == LintLevel::hint ? "note" : name_of(level);
}

Json sarif_rules() {
  Json rules = Json::array();
  for (const LintRule& rule : lint_rules()) {
    Json one;
    one["id"] = rule.id;
    one["shortDescription"]["text"] = rule.summary;
    one["defaultConfiguration"]["level"] = sarif_level(rule.level);
    rules.push_back(std::move(one));
  }
  return rules;
}

/// A path as a URI reference of RFC 3986, which has no blanks, brackets or bytes above 127; a colon
/// in it would end a scheme.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kPlain = "/-._~";
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte < 0x80 && std::isalnum(byte) != 0) || kPlain.find(c) != kPlain.npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

Json sarif_location(const LintReport& report, const std::string& function, const LintPlace& place) {
  Json out;
  Json& physical = out["physicalLocation"];
  physical["artifactLocation"]["uri"] = uri_of(report.source);
  if (place.line > 0) {
    physical["region"]["startLine"] = place.line;
    physical["region"]["startColumn"] = std::max(1U, place.column);
  }
  Json logical;
  logical["name"] = function;
  logical["fullyQualifiedName"] = function + "+" + hex_address(place.address);
  logical["kind"] = "function";
  out["logicalLocations"] = Json::array({std::move(logical)});
  return out;
}

Json sarif_result(const LintReport& report, const LintFinding& finding) {
  const auto& rules = lint_rules();
  const auto rule = std::find_if(rules.begin(), rules.end(),
                                 [&](const LintRule& one) { return one.id == finding.rule; });
  Json out;
  out["ruleId"] = finding.rule;
  out["ruleIndex"] = rule - rules.begin();
  out["level"] = sarif_level(finding.level);
  out["message"]["text"] = finding.message;
  out["locations"] = Json::array({sarif_location(report, finding.function, finding.place)});
  if (finding.related) {
    Json other = sarif_location(report, finding.function, *finding.related);
    other["message"]["text"] = finding.related->text;
    out["relatedLocations"] = Json::array({std::move(other)});
  }
  return out;
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
  Json document = report::document_head();
  document["source"] = report.source;
  document["archs"] = report.archs;
  document["functions"] = report.functions;
  document["instructions"] = report.instructions;
  document["errors"] = report.count(LintLevel::error);
  document["warnings"] = report.count(LintLevel::warning);
  document["hints"] = report.count(LintLevel::hint);
  document["notes"] = report.notes;
  Json& findings = document["findings"] = Json::array();
  for (const LintFinding& finding : report.findings) {
    Json one;
    one["rule"] = finding.rule;
    one["level"] = name_of(finding.level);
    one["message"] = finding.message;
    one["function"] = finding.function;
    one["place"] = place_json(finding.place);
    if (finding.related) one["related"] = place_json(*finding.related);
    findings.push_back(std::move(one));
  }
  report::write_document(out, document);
}

void write_lint_sarif(std::ostream& out, const LintReport& report) {
  Json driver;
  driver["name"] = "smsim lint";
  driver["version"] = version();
  driver["rules"] = sarif_rules();
  Json run;
  run["tool"]["driver"] = std::move(driver);
  run["columnKind"] = "unicodeCodePoints";
  Json& results = run["results"] = Json::array();
  for (const LintFinding& finding : report.findings)
    results.push_back(sarif_result(report, finding));
  Json document;
  document["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  document["version"] = "2.1.0";
  document["runs"] = Json::array({std::move(run)});
  report::write_document(out, document);
}

}  // namespace smsim
