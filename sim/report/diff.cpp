// SPDX-License-Identifier: MIT
// Two sets of predictions beside each other: what got slower, by how much, and where the slots
// went.

#include "report/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/document.hpp"
#include "report/layout.hpp"

namespace smsim::report {
namespace {

using report::Json;
using Loss = SavedPrediction::Loss;

constexpr double kSame = 1e-9;

/// The entry that grew most; empty if none did. Equal names count in order: the second FFMA of one
/// is compared with the second of the other.
Loss most_grown(const std::vector<Loss>& before, const std::vector<Loss>& after) {
  std::map<std::string, std::vector<double>> old;
  for (const Loss& loss : before) old[loss.name].push_back(loss.cycles);
  std::map<std::string, std::size_t> used;
  Loss best;
  for (const Loss& loss : after) {
    const auto& values = old[loss.name];
    const std::size_t n = used[loss.name]++;
    const double grown = loss.cycles - (n < values.size() ? values[n] : 0);
    if (grown > best.cycles + kSame) best = {loss.name, grown};
  }
  return best;
}

/// The same for lists that correspond by position: a loop whose registers or flags were changed.
Loss most_grown_in_place(const std::vector<Loss>& before, const std::vector<Loss>& after) {
  Loss best;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const double grown = after[i].cycles - before[i].cycles;
    if (grown > best.cycles + kSame) best = {after[i].name, grown};
  }
  return best;
}

std::string why(const SavedPrediction& before, const SavedPrediction& after) {
  const Loss reason = most_grown(before.reasons, after.reasons);
  if (reason.name.empty()) return {};
  const std::string head = fmt::format("{} +{}", reason.name, short_number(reason.cycles));
  const Loss at = before.instructions.size() == after.instructions.size()
                      ? most_grown_in_place(before.instructions, after.instructions)
                      : most_grown(before.instructions, after.instructions);
  if (at.name.empty()) return head;
  return fmt::format("{}; most before {}", head, at.name);
}

std::string percent_change(const Change& change) {
  return fmt::format("{:+.1f} %", 100 * change.relative());
}

std::string row(const Change& change, double allowed, std::size_t key_width) {
  const auto cycles = [](double c) { return c > 0 ? short_number(c) : std::string("-"); };
  std::string state;
  if (!change.both())
    state = change.before > 0 ? "gone" : "new";
  else
    state = percent_change(change);
  const bool slower = change.both() && change.relative() > allowed + kSame;
  std::string line = fmt::format(
      "{} {}  {}  {}  {}", slower ? "!" : " ", pad_right(change.key, key_width),
      pad_left(cycles(change.before), 9), pad_left(cycles(change.after), 9), pad_left(state, 9));
  if (!change.why.empty()) line += "  " + change.why;
  return line + "\n";
}

}  // namespace

std::vector<Change> compare(const std::vector<SavedPrediction>& before,
                            const std::vector<SavedPrediction>& after) {
  std::map<std::string, const SavedPrediction*> fresh;
  for (const SavedPrediction& p : after) fresh[p.key] = &p;
  // One loop in each file: somebody compares two versions of it, whatever they are called.
  if (before.size() == 1 && after.size() == 1 && before[0].key != after[0].key)
    return {{before[0].key + " -> " + after[0].key, before[0].cycles, after[0].cycles,
             why(before[0], after[0])}};
  std::vector<Change> changes;
  for (const SavedPrediction& old : before) {
    const auto now = fresh.find(old.key);
    if (now == fresh.end()) {
      changes.push_back({old.key, old.cycles, 0, {}});
      continue;
    }
    const bool same = std::abs(now->second->cycles - old.cycles) <= kSame;
    changes.push_back(
        {old.key, old.cycles, now->second->cycles, same ? std::string() : why(old, *now->second)});
    fresh.erase(now);
  }
  for (const SavedPrediction& p : after)
    if (fresh.contains(p.key)) changes.push_back({p.key, 0, p.cycles, {}});
  return changes;
}

std::size_t regressions(const std::vector<Change>& changes, double allowed) {
  return static_cast<std::size_t>(
      std::count_if(changes.begin(), changes.end(),
                    [&](const Change& c) { return c.both() && c.relative() > allowed + kSame; }));
}

std::string diff_text(const std::vector<Change>& changes, double allowed) {
  std::size_t width = 4;
  for (const Change& change : changes) width = std::max(width, columns(change.key));
  std::string text =
      fmt::format("  {}  {}  {}  {}  why\n", pad_right("loop", width), pad_left("before", 9),
                  pad_left("after", 9), pad_left("change", 9));
  for (const Change& change : changes) text += row(change, allowed, width);
  const std::size_t slower = regressions(changes, allowed);
  text += fmt::format("\n{} of {} slower by more than {} %", slower,
                      counted(changes.size(), "loop"), short_number(100 * allowed));
  const auto alone =
      std::count_if(changes.begin(), changes.end(), [](const Change& c) { return !c.both(); });
  if (alone > 0) text += fmt::format("; {} in one of the files only", alone);
  text += "\n";
  return text;
}

std::string diff_json(const std::vector<Change>& changes, double allowed) {
  Json rows = Json::array();
  for (const Change& change : changes)
    rows.push_back({{"loop", change.key},
                    {"before", change.before > 0 ? Json(change.before) : Json()},
                    {"after", change.after > 0 ? Json(change.after) : Json()},
                    {"change", change.both() ? Json(change.relative()) : Json()},
                    {"regression", change.both() && change.relative() > allowed + kSame},
                    {"why", change.why}});
  const Json document = {{"schema_version", report::kSchemaVersion},
                         {"max_regression", allowed},
                         {"regressions", regressions(changes, allowed)},
                         {"loops", std::move(rows)}};
  return document_text(document);
}

}  // namespace smsim::report
