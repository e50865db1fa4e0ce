// SPDX-License-Identifier: MIT
// Recorded figures of suites, and whether the model still reaches them.
#include "accuracy/reached.hpp"

#include <fmt/format.h>

#include <charconv>
#include <span>

#include "config/node.hpp"

namespace smsim::accuracy {
namespace {

using config::ErrorLog;
using config::Node;
using validate::Summary;

constexpr double kRoundingPercent = 0.001;  ///< of the figures in the file

/// A count of a summary under its name in the file.
struct Count {
  const char* key;
  std::size_t& (*of)(Summary&);
};

constexpr Count kCounts[] = {{"loops", [](Summary& s) -> std::size_t& { return s.loops; }},
                             {"failed", [](Summary& s) -> std::size_t& { return s.failed; }},
                             {"exact", [](Summary& s) -> std::size_t& { return s.exact; }},
                             {"exact_of", [](Summary& s) -> std::size_t& { return s.exact_of; }},
                             {"inside", [](Summary& s) -> std::size_t& { return s.inside; }},
                             {"inside_of", [](Summary& s) -> std::size_t& { return s.inside_of; }}};

/// Those of a class of time stamps.
constexpr Count kStampCounts[] = {
    {"stamped", [](Summary& s) -> std::size_t& { return s.stamps.loops; }},
    {"stamped_exact", [](Summary& s) -> std::size_t& { return s.stamps.exact; }},
    {"stamped_within_one", [](Summary& s) -> std::size_t& { return s.stamps.near; }},
    {"stamps", [](Summary& s) -> std::size_t& { return s.stamps.stamps; }},
    {"stamps_within_one", [](Summary& s) -> std::size_t& { return s.stamps.stamps_near; }}};

struct Percentage {
  const char* key;
  double Summary::*member;
};

constexpr Percentage kPercentages[] = {{"mean_error_percent", &Summary::mean_error_percent},
                                       {"max_error_percent", &Summary::max_error_percent}};

template <typename Value>
void read_value(const Node& value, Value& into, ErrorLog& log) {
  const char* end = value.text.data() + value.text.size();
  const auto [stop, error] = std::from_chars(value.text.data(), end, into);
  if (!value.is(Node::Kind::scalar) || error != std::errc() || stop != end)
    log.error(value.where, fmt::format("'{}' is not a number that fits here", value.text));
}

void read_field(const Node& key, const Node& value, Summary& summary, ErrorLog& log) {
  for (const auto& counts : {std::span<const Count>(kCounts), std::span<const Count>(kStampCounts)})
    for (const Count& count : counts)
      if (key.text == count.key) return read_value(value, count.of(summary), log);
  for (const Percentage& percentage : kPercentages) {
    if (key.text == percentage.key) return read_value(value, summary.*percentage.member, log);
  }
  log.error(key.where, fmt::format("unknown key '{}' in recorded figures", key.text));
}

/// Calls `visit(key, value)` for each entry of a map; anything else is an error.
template <typename Visit>
void each_entry(const Node& node, const char* what, ErrorLog& log, Visit visit) {
  if (!node.is(Node::Kind::map)) {
    log.error(node.where, fmt::format("{} is a map, not {}", what, config::describe(node.kind)));
    return;
  }
  for (std::size_t i = 0; i < node.keys.size(); ++i) visit(node.keys[i], node.items[i]);
}

/// One class of one suite, now beside then.
class ClassComparison {
 public:
  ClassComparison(std::string name, const Summary& now, const Summary& then, Comparison& out)
      : name_(std::move(name)), now_(now), then_(then), out_(out) {}

  void run() {
    if (now_.loops != then_.loops || now_.exact_of != then_.exact_of) {
      out_.worse.push_back(fmt::format("{}: {} loops, recorded {}: the suite is another one", name_,
                                       now_.loops, then_.loops));
      return;
    }
    more_is_better("exact", now_.exact, then_.exact);
    more_is_better("inside", now_.inside, then_.inside);
    more_is_better("simulated", now_.loops - now_.failed, then_.loops - then_.failed);
    less_is_better("mean distance", now_.mean_error_percent, then_.mean_error_percent);
    less_is_better("largest distance", now_.max_error_percent, then_.max_error_percent);
  }

  void run_stamps() {
    const validate::StampSummary& now = now_.stamps;
    const validate::StampSummary& then = then_.stamps;
    if (now.loops != then.loops || now.stamps != then.stamps) {
      out_.worse.push_back(fmt::format("{}: {} stamps of {} loops, recorded {} of {}", name_,
                                       now.stamps, now.loops, then.stamps, then.loops));
      return;
    }
    more_is_better("exact", now.exact, then.exact);
    more_is_better("within one cycle", now.near, then.near);
    more_is_better("stamps within one cycle", now.stamps_near, then.stamps_near);
  }

 private:
  void more_is_better(const char* what, std::size_t now, std::size_t then) {
    if (now == then) return;
    (now < then ? out_.worse : out_.better)
        .push_back(fmt::format("{}: {} {}, recorded {}", name_, what, now, then));
  }

  void less_is_better(const char* what, double now, double then) {
    if (now <= then + kRoundingPercent && now >= then - kRoundingPercent) return;
    (now > then ? out_.worse : out_.better)
        .push_back(fmt::format("{}: {} {:.3f} %, recorded {:.3f} %", name_, what, now, then));
  }

  std::string name_;
  const Summary& now_;
  const Summary& then_;
  Comparison& out_;
};

}  // namespace

std::string reached_yaml(const std::vector<SuiteAccuracy>& suites) {
  std::string text =
      "# SPDX-License-Identifier: MIT\n"
      "# Written by `smsim accuracy --record`; `smsim accuracy --check` holds what is here.\n";
  const auto add_counts = [&](std::span<const Count> counts, Summary summary) {
    for (const Count& count : counts)
      text += fmt::format("    {}: {}\n", count.key, count.of(summary));
  };
  for (const SuiteAccuracy& suite : suites) {
    text += fmt::format("{}:\n", suite.name);
    for (const Part& part : by_warps(suite.rows)) {
      text += fmt::format("  {}:\n", part.name);
      add_counts(kCounts, part.summary);
      for (const Percentage& percentage : kPercentages)
        text += fmt::format("    {}: {:.3f}\n", percentage.key, part.summary.*percentage.member);
    }
    for (const Part& part : stamp_parts(suite.rows)) {
      text += fmt::format("  {}:\n", part.name);
      add_counts(kStampCounts, part.summary);
    }
  }
  return text;
}

Expected<Reached> parse_reached(const std::string& text, const std::string& file) {
  ErrorLog log;
  Reached reached;
  const Node root = config::read_yaml(file, text, log);
  if (log.empty()) {
    each_entry(root, "the file", log, [&](const Node& suite, const Node& classes) {
      each_entry(classes, "a suite", log, [&](const Node& name, const Node& fields) {
        Summary& summary = reached[suite.text][name.text];
        each_entry(fields, "a class of warps", log, [&](const Node& key, const Node& value) {
          read_field(key, value, summary, log);
        });
      });
    });
  }
  if (!log.empty()) return tl::make_unexpected(log.take());
  return reached;
}

Comparison compare(const std::vector<SuiteAccuracy>& now, const Reached& recorded) {
  Comparison result;
  for (const SuiteAccuracy& suite : now) {
    const auto then = recorded.find(suite.name);
    if (then == recorded.end()) {
      result.worse.push_back(suite.name + ": nothing is recorded");
      continue;
    }
    const auto each = [&](const std::vector<Part>& parts, void (ClassComparison::*run)()) {
      for (const Part& part : parts) {
        const std::string name = fmt::format("{}, {}", suite.name, part.name);
        const auto figures = then->second.find(part.name);
        if (figures == then->second.end()) {
          result.worse.push_back(name + ": nothing is recorded");
        } else {
          ClassComparison comparison(name, part.summary, figures->second, result);
          (comparison.*run)();
        }
      }
    };
    each(by_warps(suite.rows), &ClassComparison::run);
    each(stamp_parts(suite.rows), &ClassComparison::run_stamps);
  }
  return result;
}

}  // namespace smsim::accuracy
