// SPDX-License-Identifier: MIT
// Recorded figures of suites, and whether the model still reaches them.
#include "accuracy/reached.hpp"

#include <fmt/format.h>

#include <charconv>

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
  std::size_t Summary::*member;
};

constexpr Count kCounts[] = {{"loops", &Summary::loops},   {"failed", &Summary::failed},
                             {"exact", &Summary::exact},   {"exact_of", &Summary::exact_of},
                             {"inside", &Summary::inside}, {"inside_of", &Summary::inside_of}};

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
  for (const Count& count : kCounts) {
    if (key.text == count.key) return read_value(value, summary.*count.member, log);
  }
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
  for (const SuiteAccuracy& suite : suites) {
    text += fmt::format("{}:\n", suite.name);
    for (const Part& part : by_warps(suite.rows)) {
      text += fmt::format("  {}:\n", part.name);
      for (const Count& count : kCounts)
        text += fmt::format("    {}: {}\n", count.key, part.summary.*count.member);
      for (const Percentage& percentage : kPercentages)
        text += fmt::format("    {}: {:.3f}\n", percentage.key, part.summary.*percentage.member);
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
    for (const Part& part : by_warps(suite.rows)) {
      const std::string name = fmt::format("{}, {}", suite.name, part.name);
      const auto figures = then->second.find(part.name);
      if (figures == then->second.end()) {
        result.worse.push_back(name + ": nothing is recorded");
      } else {
        ClassComparison(name, part.summary, figures->second, result).run();
      }
    }
  }
  return result;
}

}  // namespace smsim::accuracy
