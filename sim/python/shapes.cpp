// SPDX-License-Identifier: MIT
// Shapes: what a prediction finds out of the code alone (the way through a loop, the lanes'
// addresses), kept for the next one of the same code with other control words or numbers.

#include "python/shapes.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "block/prepare.hpp"

namespace smsim::python {
namespace {

/// The shapes known last; some 50 kB each for 250 instructions.
class Shapes {
 public:
  std::shared_ptr<const Path> find(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    const auto known = shapes_.find(key);
    return known == shapes_.end() ? nullptr : known->second;
  }

  void keep(const std::string& key, std::shared_ptr<const Path> path) {
    const std::lock_guard lock(mutex_);
    if (shapes_.size() >= kMost) shapes_.clear();  // who renames registers all the time comes here
    shapes_.emplace(key, std::move(path));
  }

 private:
  static constexpr std::size_t kMost = 512;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const Path>> shapes_;
};

Shapes& shapes() {
  static Shapes all;
  return all;
}

/// The function, if choosing it takes no look at what is in it.
const Function* obvious_function(const Program& program, const std::string& wanted) {
  if (wanted.empty()) return program.functions.size() == 1 ? &program.functions.front() : nullptr;
  const auto named = [&](const Function& f) { return f.name == wanted; };
  const auto found = std::find_if(program.functions.begin(), program.functions.end(), named);
  if (found == program.functions.end()) return nullptr;
  const bool twice = std::any_of(found + 1, program.functions.end(), named);
  return twice ? nullptr : &*found;
}

/// All that the path and the lanes' addresses follow from.
std::string key_of(const Function& function, const SimulateOptions& options) {
  std::string key = options.loop;
  for (const auto& [address, taken] : options.branches)
    key += " " + std::to_string(address) + (taken ? "+" : "-");
  key += "\n" + std::to_string(function.sm);
  for (const Instruction& in : function.instructions) {
    key += '\n';
    key.append(reinterpret_cast<const char*>(&in.address), sizeof in.address);
    key += in.text;
  }
  return key;
}

bool has_memory(const Function& function) {
  return std::any_of(
      function.instructions.begin(), function.instructions.end(), [](const Instruction& in) {
        return std::any_of(in.operands.begin(), in.operands.end(),
                           [](const Operand& op) { return op.kind == OperandKind::memory; });
      });
}

}  // namespace

Expected<Result> simulate_shared(const Program& program, const Arch& arch,
                                 const SimulateOptions& options) {
  const Function* function = obvious_function(program, options.function);
  const bool is_shared = function != nullptr && function->has_control_words && !function->trace;
  if (!is_shared) return simulate(program, arch, options);
  if (auto misfit = check_warps(arch, options.warps)) return tl::unexpected(std::move(*misfit));
  const std::string key = key_of(*function, options);
  Prepared prepared;
  prepared.program = &program;
  prepared.function = prepared.given = function;
  if (const auto known = shapes().find(key)) {
    prepared.path = *known;
  } else {
    auto fresh = prepare(program, arch, options);
    if (!fresh) return tl::unexpected(std::move(fresh.error()));
    if (has_memory(*function)) infer_lanes(*fresh);
    shapes().keep(key, std::make_shared<const Path>(fresh->path));
    prepared.path = std::move(fresh->path);
  }
  return simulate(prepared, arch, options);
}

}  // namespace smsim::python
