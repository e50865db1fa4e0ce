// SPDX-License-Identifier: MIT
// Code facts: what follows from a function's instructions whatever their control words and the
// architecture are, found once and kept with the function.
#include "program/code_facts.hpp"

#include <algorithm>

#include "program/fingerprint.hpp"
#include "program/flow.hpp"

namespace smsim::program {

/// The facts of the last few versions of a function: who edits it and its copies by turns finds
/// each of them again.
class KeptFacts {
 public:
  std::shared_ptr<const CodeFacts> find(std::uint64_t code) {
    const std::lock_guard lock(mutex_);
    const auto known = std::find_if(versions_.begin(), versions_.end(),
                                    [&](const Version& one) { return one.code == code; });
    if (known == versions_.end()) return nullptr;
    std::rotate(known, known + 1, versions_.end());
    return versions_.back().facts;
  }

  /// Those, or what somebody else has found out of the same code meanwhile.
  std::shared_ptr<const CodeFacts> keep(std::uint64_t code,
                                        std::shared_ptr<const CodeFacts> facts) {
    const std::lock_guard lock(mutex_);
    for (const Version& one : versions_)
      if (one.code == code) return one.facts;
    if (versions_.size() == kMost) versions_.erase(versions_.begin());
    versions_.push_back({code, std::move(facts)});
    return versions_.back().facts;
  }

 private:
  struct Version {
    std::uint64_t code;  ///< fingerprint
    std::shared_ptr<const CodeFacts> facts;
  };
  static constexpr std::size_t kMost = 4;

  std::mutex mutex_;
  std::vector<Version> versions_;  ///< the one used last at the end
};

std::shared_ptr<KeptFacts> keep_facts() { return std::make_shared<KeptFacts>(); }

CodeFacts::CodeFacts(const Function& function) : loops_(loops_of(function, build_flow(function))) {}

std::shared_ptr<const LaneTable> CodeFacts::lanes(const Function& function) const {
  const std::lock_guard lock(mutex_);
  if (lanes_ == nullptr) lanes_ = std::make_shared<const LaneTable>(infer_lane_offsets(function));
  return lanes_;
}

Expected<Path> CodeFacts::path(const Program& program, const Function& function,
                               const LoopRequest& request) const {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [known, path] : paths_)
      if (known == request) return *path;
  }
  auto path = find_path(program, function, build_flow(function), loops_, request);
  if (!path) return path;
  const std::lock_guard lock(mutex_);
  if (paths_.size() == kMostPaths) paths_.erase(paths_.begin());
  paths_.emplace_back(request, std::make_shared<const Path>(*path));
  return path;
}

std::shared_ptr<const CodeFacts> code_facts(const Function& function) {
  if (function.kept == nullptr) return std::make_shared<const CodeFacts>(function);  // moved from
  const std::uint64_t code = fingerprint(function);
  if (auto known = function.kept->find(code)) return known;
  // not under the lock: others may be at work on other versions
  return function.kept->keep(code, std::make_shared<const CodeFacts>(function));
}

}  // namespace smsim::program
