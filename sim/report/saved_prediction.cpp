// SPDX-License-Identifier: MIT
// JSON reports read back, for comparisons.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "report/diff.hpp"

namespace smsim::report {
namespace {

using Json = nlohmann::ordered_json;

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

SavedPrediction saved(const Json& document) {
  SavedPrediction out;
  out.key = fmt::format("{} {} {} warps", document.at("function").get<std::string>(),
                        document.at("arch").get<std::string>(), document.at("warps").get<int>());
  out.cycles = document.at("cycles_per_iteration").get<double>();
  // Per iteration and block that has warps, as reports say it; the others' slots are no reason.
  const double share =
      document.at("window").at("iterations").get<double>() *
      std::min(document.at("warps").get<double>(), document.at("processing_blocks").get<double>());
  for (const auto& [reason, slots] : document.at("slots").items())
    if (reason != "misc/no_warp") out.reasons.push_back({reason, slots.get<double>() / share});
  for (const Json& row : document.at("instructions")) {
    double lost = 0;
    for (const auto& [reason, slots] : row.at("slots").items())
      if (reason != "selected") lost += slots.get<double>();
    out.instructions.push_back({row.at("text").get<std::string>(), lost / share});
  }
  return out;
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
  } catch (const nlohmann::json::exception& error) {
    return fail(ErrorKind::bad_input, fmt::format("not a report of smsim: {}", error.what()),
                {source, 0, 0}, "smsim predict --format json writes one");
  }
  if (all.empty())
    return fail(ErrorKind::bad_input, "no report in the file", {source, 0, 0},
                "smsim predict --format json writes one");
  return all;
}

}  // namespace smsim::report
