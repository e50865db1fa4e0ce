// SPDX-License-Identifier: MIT
// Chooses what to follow, and follows it.
#include "program/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/number.hpp"
#include "program/code_facts.hpp"
#include "program/walker.hpp"

namespace smsim {
namespace {

using program::Flow;
using program::FlowNode;
using program::index_at;
using program::kNowhere;
using program::Route;
using program::Transfer;
using program::Walker;

/// A number with 0x in front is hexadecimal.
std::optional<std::uint64_t> number(std::string_view text) {
  return text.starts_with("0x") ? parse_number<std::uint64_t>(text.substr(2), 16)
                                : parse_number<std::uint64_t>(text);
}

std::string describe(const std::vector<Loop>& loops) {
  if (loops.empty()) return "the function has no loop; 'all' follows it once";
  std::string text = "loops:";
  for (std::size_t i = 0; i < loops.size(); ++i) {
    text += fmt::format("{} {} at 0x{:04x}-0x{:04x}", i == 0 ? "" : ",", i, loops[i].start,
                        loops[i].end);
  }
  return text;
}

/// The innermost loop with most instructions; the first of equals.
std::size_t choose(const std::vector<Loop>& loops) {
  std::size_t best = loops.size();
  for (std::size_t i = 0; i < loops.size(); ++i) {
    if (!loops[i].innermost) continue;
    if (best == loops.size() || loops[i].instructions > loops[best].instructions) best = i;
  }
  return best;
}

Loop whole(const Function& function) {
  Loop loop;
  loop.start = function.instructions.front().address;
  loop.end = function.instructions.back().address;
  loop.instructions = function.instructions.size();
  return loop;
}

Expected<Path> pass(const Function& function, const Flow& flow, const LoopRequest& request) {
  auto path = Walker(function, flow, request, Route{}).walk();
  if (path) path->loop = whole(function);
  return path;
}

Expected<Path> iterate(const Function& function, const Flow& flow, const LoopRequest& request,
                       const Loop& loop) {
  Route route;
  route.start = index_at(function, loop.start);
  route.closing = index_at(function, loop.end);
  route.is_loop = true;
  auto path = Walker(function, flow, request, route).walk();
  if (path) path->loop = loop;
  return path;
}

/// The backward branch to the start that lies in the range; the last of several.
std::size_t closing_branch(const Flow& flow, std::size_t start, std::size_t end) {
  for (std::size_t i = end + 1; i-- > start;) {
    const FlowNode& node = flow[i];
    if (node.transfer == Transfer::branch && !node.never && node.target == start) return i;
  }
  return kNowhere;
}

Expected<Path> follow_range(const Function& function, const Flow& flow, const LoopRequest& request,
                            const std::vector<Loop>& loops) {
  const std::size_t start = index_at(function, request.start);
  const std::size_t end = index_at(function, request.end);
  const Loop last = whole(function);
  if (start == kNowhere || end == kNowhere || start > end) {
    return fail(ErrorKind::usage,
                fmt::format("no instructions at 0x{:04x}-0x{:04x} of function '{}'", request.start,
                            request.end, function.name),
                {}, fmt::format("it has 0x{:04x}-0x{:04x}", last.start, last.end));
  }
  const std::size_t closing = closing_branch(flow, start, end);
  if (closing == kNowhere && !request.wraps) {
    return fail(ErrorKind::usage,
                fmt::format("no branch in 0x{:04x}-0x{:04x} leads back to its start", request.start,
                            request.end),
                {}, describe(loops));
  }
  Route route;
  route.start = start;
  route.closing = closing;
  route.last = closing == kNowhere ? end : kNowhere;
  route.is_loop = true;
  auto path = Walker(function, flow, request, route).walk();
  if (path) {
    const std::size_t to = closing == kNowhere ? end : closing;
    path->loop = {request.start, function.instructions[to].address, to - start + 1, true};
  }
  return path;
}

/// A choice must name something that may go two ways.
Expected<bool> check_choices(const Function& function, const Flow& flow,
                             const LoopRequest& request) {
  for (const auto& [address, taken] : request.branches) {
    const std::size_t index = index_at(function, address);
    if (index != kNowhere && flow[index].transfer != Transfer::next) continue;
    std::string known;
    for (std::size_t i = 0; i < flow.size() && known.size() < 60; ++i) {
      if (flow[i].transfer == Transfer::next) continue;
      known +=
          fmt::format("{}0x{:04x}", known.empty() ? "" : ", ", function.instructions[i].address);
    }
    return fail(ErrorKind::usage,
                fmt::format("no branch at 0x{:04x} of function '{}'", address, function.name), {},
                known.empty() ? "it has none" : "branches are at " + known);
  }
  return true;
}

Expected<Loop> loop_named(const Function& function, const LoopRequest& request,
                          const std::vector<Loop>& loops) {
  if (request.kind == LoopRequest::Kind::number) {
    if (request.number < loops.size()) return loops[request.number];
    return fail(ErrorKind::usage,
                fmt::format("function '{}' has no loop {}", function.name, request.number), {},
                describe(loops));
  }
  // Of loops that begin together there is one, which ends with the last branch back.
  for (const Loop& loop : loops)
    if (loop.start == request.start) return loop;
  return fail(
      ErrorKind::usage,
      fmt::format("no loop of function '{}' begins at 0x{:04x}", function.name, request.start), {},
      describe(loops));
}

Expected<Path> follow(const Function& function, const Flow& flow, const LoopRequest& request,
                      const std::vector<Loop>& loops) {
  using Kind = LoopRequest::Kind;
  if (request.kind == Kind::all) return pass(function, flow, request);
  if (request.kind == Kind::range) return follow_range(function, flow, request, loops);
  if (request.kind == Kind::automatic) {
    const std::size_t best = choose(loops);
    if (best == loops.size()) return pass(function, flow, request);
    return iterate(function, flow, request, loops[best]);
  }
  return loop_named(function, request, loops).and_then([&](const Loop& loop) {
    return iterate(function, flow, request, loop);
  });
}

/// Puts the file's name and the source line to what has a line number.
Diagnostics locate(const Program& program, Diagnostics errors) {
  for (Diagnostic& one : errors) {
    const std::uint32_t line = one.where.line;
    if (line == 0 || line > program.lines.size()) continue;
    one.where.file = program.source;
    one.excerpt = program.lines[line - 1];
  }
  return errors;
}

}  // namespace

Expected<Loop> named_loop(const Function& function, const LoopRequest& request) {
  return loop_named(function, request, find_loops(function));
}

Expected<LoopRequest> parse_loop_request(std::string_view text) {
  LoopRequest request;
  if (text.empty()) return request;
  if (text == "all") {
    request.kind = LoopRequest::Kind::all;
    return request;
  }
  const std::size_t dash = text.find('-');
  const auto first = number(text.substr(0, dash));
  if (dash == std::string_view::npos && first) {
    const bool address = text.starts_with("0x");
    request.kind = address ? LoopRequest::Kind::address : LoopRequest::Kind::number;
    (address ? request.start : request.number) = *first;
    return request;
  }
  request.kind = LoopRequest::Kind::range;
  const auto last = dash == std::string_view::npos ? std::nullopt : number(text.substr(dash + 1));
  if (first && last) {
    request.start = *first;
    request.end = *last;
    return request;
  }
  return fail(ErrorKind::usage, fmt::format("'{}' names no loop", text), {},
              "a number as `smsim loops` lists them, 0xSTART, 0xSTART-0xEND, or all");
}

Expected<Path> build_path(const Program& program, const Function& function,
                          const LoopRequest& request) {
  return program::code_facts(function)->path(program, function, request);
}

Expected<Path> build_path(const Function& function, const LoopRequest& request) {
  return build_path(Program{}, function, request);
}

Expected<Path> find_path(const Program& program, const Function& function, const Flow& flow,
                         const std::vector<Loop>& loops, const LoopRequest& request) {
  if (function.instructions.empty()) {
    return fail(ErrorKind::usage, fmt::format("function '{}' is empty", function.name));
  }
  const auto checked = check_choices(function, flow, request);
  if (!checked) return tl::make_unexpected(checked.error());
  auto path = follow(function, flow, request, loops);
  if (!path) return tl::make_unexpected(locate(program, std::move(path.error())));
  for (const Loop& loop : loops)
    if (loop.start != path->loop.start || loop.end != path->loop.end)
      path->other_loops.push_back(loop);
  return path;
}

}  // namespace smsim
