// SPDX-License-Identifier: MIT
// JSON reports read back, for comparisons.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/diff.hpp"
#include "report/document.hpp"

namespace smsim::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLeastCycles = 1e-9;
constexpr double kMost = 1e18;

/// Documents behind each other, or a list of them.
std::vector<Json> documents(std::string_view text) {
  std::vector<Json> all;
  std::istringstream in{std::string(text)};
  while (in >> std::ws, in.peek() != std::char_traits<char>::eof()) {
    Json document;
    in >> document;
    if (document.is_array())
      all.insert(all.end(), document.begin(), document.end());
    else
      all.push_back(std::move(document));
  }
  return all;
}

/// Thrown at what smsim would not have written.
struct NotAReport {
  std::string why;
};

double number(const Json& from, const char* key, double least, double most) {
  const Json& value = from.at(key);
  if (!value.is_number() || !(value.get<double>() >= least && value.get<double>() <= most))
    throw NotAReport{fmt::format(
        "'{}' is {}, no number from {} to {}", key,
        value.dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, 40), least, most)};
  return value.get<double>();
}

void check_version(const Json& document) {
  const double version = number(document, "schema_version", 0, kMost);
  if (version != kSchemaVersion)
    throw NotAReport{
        fmt::format("its schema_version is {}, and {} is what is read", version, kSchemaVersion)};
}

SavedPrediction saved(const Json& document) {
  check_version(document);
  SavedPrediction out;
  out.key = fmt::format("{} {} {} warps", document.at("function").get<std::string>(),
                        document.at("arch").get<std::string>(),
                        static_cast<int>(number(document, "warps", 1, 1e6)));
  out.cycles = number(document, "cycles_per_iteration", kLeastCycles, kMost);
  // Per iteration and block that has warps, as reports say it; the others' slots are no reason.
  const double share =
      number(document.at("window"), "iterations", 1, kMost) *
      std::min(number(document, "warps", 1, 1e6), number(document, "processing_blocks", 1, 1e6));
  const Json& all = document.at("slots");
  for (const auto& [reason, slots] : all.items())
    if (reason != "misc/no_warp")
      out.reasons.push_back({reason, number(all, reason.c_str(), 0, kMost) / share});
  for (const Json& row : document.at("instructions")) {
    double lost = 0;
    for (const auto& [reason, slots] : row.at("slots").items())
      if (reason != "selected") lost += number(row.at("slots"), reason.c_str(), 0, kMost);
    out.instructions.push_back({row.at("text").get<std::string>(), lost / share});
  }
  return out;
}

/// What the library calls `key 'slots' not found`.
std::string missing_key(std::string_view text) {
  const std::size_t begin = text.find('\'');
  const std::size_t end = text.rfind('\'');
  if (begin == text.npos || end == begin) return "a field is missing";
  return fmt::format("it has no {}", text.substr(begin, end - begin + 1));
}

tl::unexpected<Diagnostics> no_report(const std::string& why, const std::string& source) {
  return fail(ErrorKind::bad_input, fmt::format("not a report of smsim: {}", why), {source, 0, 0},
              "smsim predict --format json writes one");
}

}  // namespace

Expected<std::vector<SavedPrediction>> parse_saved(std::string_view text,
                                                   const std::string& source) {
  std::vector<SavedPrediction> all;
  std::map<std::string, int> seen;
  try {
    for (const Json& document : documents(text)) {
      SavedPrediction& one = all.emplace_back(saved(document));
      if (const int n = ++seen[one.key]; n > 1) one.key += fmt::format(" #{}", n);
    }
  } catch (const nlohmann::json::parse_error& error) {
    return fail(ErrorKind::bad_input,
                fmt::format("not JSON, as byte {} shows, so no saved prediction", error.byte),
                {source, 0, 0}, "smsim predict --format json writes one");
  } catch (const nlohmann::json::out_of_range& error) {
    return no_report(missing_key(error.what()), source);
  } catch (const nlohmann::json::exception&) {
    return no_report("a field is not of the type that it should have", source);
  } catch (const NotAReport& wrong) {
    return no_report(wrong.why, source);
  }
  if (all.empty())
    return fail(ErrorKind::bad_input, "no report in the file", {source, 0, 0},
                "smsim predict --format json writes one");
  return all;
}

}  // namespace smsim::report
