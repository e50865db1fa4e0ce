// SPDX-License-Identifier: MIT
// Sweep: a loop over a grid of architectures, numbers and warps, on all cores, rows in order.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "block/prepare.hpp"
#include "config/template.hpp"
#include "core/parallel.hpp"
#include "program/named.hpp"
#include "smsim/analysis.hpp"
#include "smsim/read.hpp"
#include "smsim/version.hpp"

namespace smsim {
namespace {

constexpr std::size_t kChunk = 16;  ///< points that are handed to a thread at a time

/// 64-bit FNV-1a.
class Digest {
 public:
  void add(std::string_view text) {
    for (const char c : text) step(static_cast<unsigned char>(c));
    step(0xff);  // no text holds it: ends are told apart
  }
  void add(std::int64_t number) { add(fmt::format("{}", number)); }
  /// What a simulation sees of it. A file's text does not do: of traces and of very long ones it is
  /// not kept.
  void add(const Function& function);
  std::uint64_t value() const { return value_; }

 private:
  void step(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3U; }
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

void Digest::add(const Function& function) {
  add(function.name);
  add(function.sm);
  for (const Instruction& in : function.instructions) {
    const ControlWord& c = in.control;
    add(fmt::format("{:x} {} {} {} {} {} {} {} {}", in.address, in.text, c.stall, c.yield,
                    c.write_barrier, c.read_barrier, c.wait_mask, c.reuse, c.code));
  }
  if (!function.trace) return;
  for (const WarpTrace& warp : function.trace->warps) {
    add(fmt::format("{} {}", warp.thread_block, warp.warp));
    for (const TraceStep& step : warp.steps)
      add(fmt::format("{} {:x} {}", step.index, step.lanes, step.addresses));
  }
  for (const auto& lanes : function.trace->addresses) add(fmt::format("{}", fmt::join(lanes, " ")));
}

/// One input on one architecture: what all its points share.
struct Target {
  std::string file;
  std::shared_ptr<const config::ArchTemplate> base;
  Arch plain;  ///< without overrides
  Expected<Prepared> prepared;
};

std::string first_message(const Diagnostics& diagnostics) {
  return diagnostics.empty() ? "failed" : diagnostics.front().message;
}

}  // namespace

/// The grid with everything that has been read for it.
class SweepPlan::Data {
 public:
  explicit Data(SweepSpec spec) : spec_(std::move(spec)) {}

  /// Reads inputs and configs. Errors: those of reading, and a grid that is empty or too large.
  std::optional<Diagnostics> load() {
    for (const std::string& file : spec_.files) {
      auto program = read_program(file);
      if (!program) return program.error();
      programs_.push_back(std::make_unique<Program>(std::move(*program)));
      digest_.add(file);
      for (const Function& function : programs_.back()->functions) digest_.add(function);
      if (auto failed = add_targets(file, *programs_.back())) return failed;
    }
    return count();
  }

  std::uint64_t points() const { return points_; }
  const SweepSpec& spec() const { return spec_; }

  std::string id() const { return fmt::format("{:016x}-{}", digest_.value(), points_); }

  /// Rows of the points begin <= i < end; the architecture is built once for neighbours that differ
  /// in their warps alone.
  std::vector<SweepRow> run(std::uint64_t begin, std::uint64_t end) const {
    std::vector<SweepRow> rows;
    std::optional<std::uint64_t> built;
    Expected<Arch> arch = fail(ErrorKind::internal, "no architecture");
    for (std::uint64_t i = begin; i < end; ++i) {
      SweepRow row = describe(i);
      const Target& target = targets_[static_cast<std::size_t>(i / points_of_target_)];
      const std::uint64_t variant = i / spec_.warps.size();
      if (built != variant) arch = target.base->numbers_with(overrides_of(row), target.plain);
      built = variant;
      simulate_row(target, arch, row);
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  std::optional<Diagnostics> add_targets(const std::string& file, const Program& program) {
    if (!spec_.archs.empty()) {
      for (const std::string& name : spec_.archs)
        if (auto failed = add_target(file, program, config::load_template(name))) return failed;
      return std::nullopt;
    }
    const auto functions = program::functions_named(program, spec_.options.function);
    if (functions.empty())
      return program::no_function_named(program, spec_.options.function).value();
    if (const int sm = program::default_of(functions).sm; sm != 0)
      return add_target(file, program, config::load_template_for_sm(sm));
    return fail(ErrorKind::usage, "the input does not say which architecture it is for",
                {file, 0, 0}, "give --arch")
        .value();
  }

  std::optional<Diagnostics> add_target(const std::string& file, const Program& program,
                                        Expected<config::ArchTemplate> base) {
    if (!base) return base.error();
    auto arch = base->with({});
    if (!arch) return arch.error();
    digest_.add(arch->name);
    for (const Parameter& p : arch->parameters) {
      digest_.add(p.key);
      digest_.add(p.value);
    }
    if (auto failed = check_axes(*base)) return failed;
    auto prepared = prepare(program, *arch, spec_.options);
    if (!prepared && targets_.empty() && spec_.files.size() == 1) return prepared.error();
    targets_.push_back({file, std::make_shared<const config::ArchTemplate>(std::move(*base)),
                        std::move(*arch), std::move(prepared)});
    return std::nullopt;
  }

  /// A number that no value of an axis fits is a mistake of the sweep, not of its points.
  std::optional<Diagnostics> check_axes(const config::ArchTemplate& base) const {
    for (const SweepAxis& axis : spec_.axes) {
      std::optional<Diagnostics> first;
      for (const std::string& value : axis.values) {
        const auto arch = base.with({{axis.key, value}});
        if (arch) {
          first.reset();
          break;
        }
        if (!first) first = arch.error();
      }
      if (first && targets_.empty()) return first;
    }
    return std::nullopt;
  }

  std::optional<Diagnostics> count() {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
    points_of_target_ = spec_.warps.size();
    for (const SweepAxis& axis : spec_.axes) {
      points_of_target_ *= axis.values.size();
      if (points_of_target_ > kMost) return too_large();
      digest_.add(axis.key);
      for (const std::string& value : axis.values) digest_.add(value);
    }
    points_ = points_of_target_ * targets_.size();
    if (points_ > kMost) return too_large();
    if (points_ == 0)
      return fail(ErrorKind::usage, "the sweep has no points", {},
                  "each --set and --warps needs a value")
          .value();
    for (const int w : spec_.warps) digest_.add(w);
    digest_options();
    return std::nullopt;
  }

  static Diagnostics too_large() {
    return fail(ErrorKind::usage, "the sweep has more than 2^40 points").value();
  }

  void digest_options() {
    const SimulateOptions& o = spec_.options;
    digest_.add(version());
    digest_.add(o.function);
    digest_.add(o.loop);
    digest_.add(o.unknown_pipe);
    digest_.add(o.allow_unset_waits ? 1 : 0);
    for (const auto& [address, taken] : o.branches) {
      digest_.add(static_cast<std::int64_t>(address));
      digest_.add(taken ? 1 : 0);
    }
    for (const auto& [reg, bytes] : o.lane_stride_bytes) {
      digest_.add(reg);
      digest_.add(bytes);
    }
  }

  /// Warps change fastest, then the last axis, and so on; the input changes last.
  SweepRow describe(std::uint64_t point) const {
    SweepRow row;
    row.point = point;
    std::uint64_t rest = point;
    row.warps = spec_.warps[static_cast<std::size_t>(rest % spec_.warps.size())];
    rest /= spec_.warps.size();
    row.values.resize(spec_.axes.size());
    for (std::size_t a = spec_.axes.size(); a-- > 0;) {
      const auto& values = spec_.axes[a].values;
      row.values[a] = values[static_cast<std::size_t>(rest % values.size())];
      rest /= values.size();
    }
    const Target& target = targets_[static_cast<std::size_t>(rest)];
    row.file = target.file;
    row.arch = target.plain.name;
    return row;
  }

  Overrides overrides_of(const SweepRow& row) const {
    Overrides overrides;
    for (std::size_t a = 0; a < spec_.axes.size(); ++a)
      overrides.emplace_back(spec_.axes[a].key, row.values[a]);
    return overrides;
  }

  void simulate_row(const Target& target, const Expected<Arch>& arch, SweepRow& row) const {
    if (!target.prepared) row.error = first_message(target.prepared.error());
    if (!arch) row.error = first_message(arch.error());
    if (!row.error.empty()) return;
    SimulateOptions options = spec_.options;
    options.warps = row.warps;
    row.function = target.prepared->function->name;
    auto result = simulate(*target.prepared, *arch, options);
    if (result) {
      row.result = std::move(*result);
    } else {
      row.error = first_message(result.error());
    }
  }

  SweepSpec spec_;
  std::vector<std::unique_ptr<Program>> programs_;
  std::vector<Target> targets_;
  std::uint64_t points_of_target_ = 0;
  std::uint64_t points_ = 0;
  Digest digest_;
};

SweepPlan::SweepPlan(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

Expected<SweepPlan> SweepPlan::make(SweepSpec spec) {
  auto data = std::make_shared<Data>(std::move(spec));
  if (auto failed = data->load()) return tl::unexpected(std::move(*failed));
  return SweepPlan(std::move(data));
}

std::uint64_t SweepPlan::points() const { return data_->points(); }
std::string SweepPlan::id() const { return data_->id(); }
const SweepSpec& SweepPlan::spec() const { return data_->spec(); }

void SweepPlan::run(std::uint64_t begin, std::uint64_t end, unsigned jobs,
                    const std::function<bool(const std::vector<SweepRow>&)>& take) const {
  end = std::min(end, points());
  if (begin >= end) return;
  const auto chunks = static_cast<std::size_t>((end - begin + kChunk - 1) / kChunk);
  const auto work = [&](std::size_t chunk) {
    const std::uint64_t from = begin + chunk * kChunk;
    return data_->run(from, std::min<std::uint64_t>(from + kChunk, end));
  };
  in_order<std::vector<SweepRow>>(chunks, jobs, work, take);
}

}  // namespace smsim
