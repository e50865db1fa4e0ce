// SPDX-License-Identifier: MIT
// Resource use: how many cycles of each issue slot, pipe, register bank and memory unit one
// iteration of a warp takes, as a matrix of instructions by resources.
#include "block/resources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "block/bank_reads.hpp"

namespace smsim {
namespace {

/// What a column is called, before anybody needs a string of it: `pipe/` and `alu`.
struct Name {
  std::string_view kind;
  std::string_view of = {};

  bool is(std::string_view whole) const {
    return whole.size() == kind.size() + of.size() && whole.starts_with(kind) &&
           whole.ends_with(of);
  }
};

/// Gathers entries column by column; columns that stay empty are left out.
class Columns {
 public:
  explicit Columns(std::size_t rows) : rows_(static_cast<Eigen::Index>(rows)) {}

  void add(const Name& name, std::string_view help, std::size_t row, double cycles,
           bool of_sm = false) {
    if (cycles > 0) column(name, help, of_sm)[static_cast<Eigen::Index>(row)] += cycles;
  }

  /// Of each row so many cycles.
  template <typename Cycles>
  void add_all(const Name& name, std::string_view help, Cycles cycles_of) {
    Eigen::VectorXd* to = nullptr;
    for (Eigen::Index row = 0; row < rows_; ++row) {
      const double cycles = cycles_of(static_cast<std::size_t>(row));
      if (cycles <= 0) continue;
      if (to == nullptr) to = &column(name, help, false);
      (*to)[row] += cycles;
    }
  }

  ResourceMatrix take() {
    ResourceMatrix matrix;
    matrix.use.resize(rows_, static_cast<Eigen::Index>(columns_.size()));
    for (std::size_t c = 0; c < columns_.size(); ++c)
      matrix.use.col(static_cast<Eigen::Index>(c)) = columns_[c];
    matrix.resources = std::move(resources_);
    return matrix;
  }

 private:
  /// One of a dozen, as a rule that of the entry before.
  Eigen::VectorXd& column(const Name& name, std::string_view help, bool of_sm) {
    if (last_ < columns_.size() && name.is(resources_[last_].name)) return columns_[last_];
    for (last_ = 0; last_ < columns_.size(); ++last_)
      if (name.is(resources_[last_].name)) return columns_[last_];
    resources_.push_back({std::string(name.kind).append(name.of), help, of_sm});
    return columns_.emplace_back(Eigen::VectorXd::Zero(rows_));
  }

  Eigen::Index rows_;
  std::size_t last_ = 0;
  std::vector<Resource> resources_;
  std::vector<Eigen::VectorXd> columns_;
};

/// Every instruction takes an issue slot, two that may issue together one; IMAD.WIDE and the like
/// let the front end stand still.
void add_issue(const CompiledLoop& loop, Columns& columns) {
  columns.add_all({"issue_slots"}, "an instruction a cycle and processing block",
                  [&](std::size_t i) {
                    const StaticInst& inst = loop.code[i];
                    const std::size_t before = i == 0 ? loop.length - 1 : i - 1;
                    const bool paired = inst.dual || loop.code[before].dual;
                    const int held = inst.route == Route::dispatch ? inst.hold : 0;
                    return (paired ? 0.5 : 1) + held;
                  });
}

/// A pipe has a column for what only it can run. Two pipes that share instructions have one more,
/// in which each counts half.
void add_pipes(const StaticInst& inst, std::size_t i, const Arch& arch, Columns& columns) {
  if (inst.route != Route::dispatch && inst.route != Route::special) return;
  const std::string& first = arch.pipes[inst.pipe].name;
  const auto one = [&](const std::string& name) {
    columns.add({"pipe/", name}, "instructions that only this pipe takes", i, inst.interval);
  };
  if (inst.second_pipe < 0) return one(first);
  const std::string& second = arch.pipes[static_cast<std::size_t>(inst.second_pipe)].name;
  if (!inst.needs_both) return;
  one(first);
  one(second);
}

void add_pipe_pairs(const CompiledLoop& loop, const Arch& arch, Columns& columns) {
  std::map<std::pair<std::uint16_t, std::uint16_t>, bool> pairs;
  for (std::size_t i = 0; i < loop.length; ++i) {
    const StaticInst& inst = loop.code[i];
    if (inst.route == Route::dispatch && inst.second_pipe >= 0 && !inst.needs_both)
      pairs[std::minmax(inst.pipe, static_cast<std::uint16_t>(inst.second_pipe))] = true;
  }
  for (const auto& [pair, used] : pairs) {
    const std::uint16_t a = pair.first, b = pair.second;
    const std::string both = fmt::format("{}+{}", arch.pipes[a].name, arch.pipes[b].name);
    const auto inside = [&](int pipe) { return pipe == a || pipe == b; };
    columns.add_all({"pipe/", both}, "instructions that take either or both of these pipes",
                    [&](std::size_t i) {
                      const StaticInst& inst = loop.code[i];
                      const bool mine =
                          inside(inst.pipe) && (inst.second_pipe < 0 || inside(inst.second_pipe));
                      if (inst.route != Route::dispatch || !mine) return 0.0;
                      return inst.interval / (inst.needs_both ? 1.0 : 2.0);
                    });
  }
}

void add_banks(const CompiledLoop& loop, const Arch& arch, Columns& columns) {
  const auto reads = fewest_bank_reads(loop, arch);
  const auto banks = static_cast<std::size_t>(arch.register_file.banks);
  for (std::size_t b = 0; b < banks; ++b) {
    const std::string bank = std::to_string(b);
    columns.add_all({"bank/", bank}, "reads of this register bank", [&](std::size_t i) {
      return static_cast<double>(reads[i * banks + b]) / arch.register_file.read_ports_per_bank;
    });
  }
}

void add_memory(const StaticInst& inst, std::size_t i, const Arch& arch, Columns& columns) {
  const MemorySpec& spec = arch.memory;
  const MemoryOp& op = inst.memory;
  int fed = inst.route == Route::special ? inst.read_count : 0;
  if (inst.route == Route::memory) fed = op.data_count + op.address_count;
  columns.add({"register_feed"}, "registers read for memory and special functions", i,
              fed * spec.register_interval_cycles);
  if (inst.route != Route::memory) return;
  if (op.wavefronts == 0)
    return columns.add({"special_registers"}, "reads of special registers by the SM", i,
                       spec.special_interval_cycles, true);
  const double busy = std::max<int>(spec.wavefront_interval_cycles * op.wavefronts, op.tag_cycles);
  columns.add({"load_store_unit/block"}, "wavefronts and L1 lines of one processing block", i,
              busy);
  columns.add({"load_store_unit/sm"}, "wavefronts and L1 lines of the SM", i,
              std::max(1.0, busy / spec.unit_slots), true);
  columns.add({"address_bus"}, "memory instructions of the SM that send an address", i,
              op.address_count > 0 ? 1 : 0, true);
  columns.add({"data_bus"}, "registers of data that the SM sends to memory", i, op.data_count,
              true);
  columns.add({"load_return"}, "passes in which results return to the SM's blocks", i,
              op.returns ? op.passes : 0, true);
}

/// Instructions of a block that may have issued and not yet passed their unit.
double in_flight(const Arch& arch) {
  return arch.register_file.read_delay_cycles + arch.register_file.read_window_cycles +
         arch.memory.queue_entries + arch.memory.unit_credits + arch.memory.special_entries;
}

}  // namespace

ResourceMatrix resource_use(const CompiledLoop& loop, const Arch& arch) {
  Columns columns(loop.length);
  add_issue(loop, columns);
  for (std::size_t i = 0; i < loop.length; ++i) add_pipes(loop.code[i], i, arch, columns);
  add_pipe_pairs(loop, arch, columns);
  add_banks(loop, arch, columns);
  for (std::size_t i = 0; i < loop.length; ++i) add_memory(loop.code[i], i, arch, columns);
  ResourceMatrix matrix = columns.take();
  for (std::size_t r = 0; r < matrix.resources.size(); ++r) {
    Resource& resource = matrix.resources[r];
    const double most = matrix.use.col(static_cast<Eigen::Index>(r)).maxCoeff();
    resource.slack = most * in_flight(arch) * (resource.of_sm ? arch.processing_blocks : 1);
    if (resource.name == "issue_slots" && most <= 1) resource.slack = 0;
  }
  return matrix;
}

Eigen::VectorXd busy_cycles(const ResourceMatrix& matrix, bool is_loop, int warps,
                            const Arch& arch) {
  const int on_block = (warps + arch.processing_blocks - 1) / arch.processing_blocks;
  Eigen::VectorXd cycles = matrix.use.colwise().sum().transpose();
  for (std::size_t r = 0; r < matrix.resources.size(); ++r) {
    const auto at = static_cast<Eigen::Index>(r);
    cycles[at] *= matrix.resources[r].of_sm ? warps : on_block;
    if (!is_loop) cycles[at] = std::max(0.0, cycles[at] - matrix.resources[r].slack);
  }
  return cycles;
}

}  // namespace smsim
