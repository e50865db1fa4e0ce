// SPDX-License-Identifier: MIT
// Kernel run: thread blocks follow each other until the kernel is done; whole periods are skipped.
#include "block/kernel_run.hpp"

#include <algorithm>
#include <vector>

#include "block/compile.hpp"
#include "block/event_sink.hpp"
#include "block/jump.hpp"
#include "block/prepare.hpp"
#include "block/sm.hpp"
#include "block/split_warps.hpp"
#include "block/steady_state.hpp"
#include "block/with_policies.hpp"

namespace smsim {
namespace {

template <typename Machine>
class KernelRun {
 public:
  KernelRun(const CompiledLoop& loop, const Arch& arch, int warps, const KernelLaunch& launch)
      : launch_(launch), sm_(loop, arch, {warps}, launch.iterations, none_), runner_(sm_, true) {
    sm_.blocks().front().queue() = {launch.thread_blocks - warps, launch.launch_cycles};
  }

  /// The cycle of the end; kNever if a warp waits for ever.
  Cycle end() {
    const auto most = launch_.iterations * static_cast<std::uint64_t>(launch_.thread_blocks);
    for (bool repeats = true; repeats;) {
      const auto repeat = runner_.find(most, [] {});
      repeats = repeat.found;
      if (repeats) skip(repeat);
    }
    return runner_.run_until(kNever) ? runner_.now() + skipped_ : kNever;
  }

 private:
  /// Jumps over the periods before the next warp is done. The state tells how many are queued, so
  /// none was done within the period.
  void skip(const typename SteadyStateRunner<Machine>::Repeat& repeat) {
    const std::uint64_t jumps =
        periods_before_end(repeat.each, runner_.iterations(), launch_.iterations);
    const Cycle period = repeat.end - repeat.begin;
    sm_.blocks().front().add_iterations(repeat.each.begin(), jumps);
    skipped_ += static_cast<Cycle>(jumps) * period;
  }

  KernelLaunch launch_;
  NoEvents none_;
  Machine sm_;
  SteadyStateRunner<Machine> runner_;
  Cycle skipped_ = 0;
};

Cycle kernel_end(const CompiledLoop& loop, const Arch& arch, int warps,
                 const KernelLaunch& launch) {
  return with_policies(arch, [&]<typename Scheduler, typename OperandStage>() {
    return KernelRun<Sm<Scheduler, OperandStage, NoEvents>>(loop, arch, warps, launch).end();
  });
}

}  // namespace

Expected<double> kernel_cycles(const Program& program, const Arch& arch,
                               const SimulateOptions& options, const KernelLaunch& launch) {
  if (auto misfit = check_warps(arch, options.warps)) return tl::unexpected(std::move(*misfit));
  const auto prepared = prepare(program, arch, options);
  if (!prepared) return tl::unexpected(prepared.error());
  const auto compiled = compile(program, *prepared->function, prepared->path, arch, options);
  if (!compiled) return tl::unexpected(compiled.error());
  const int warps =
      std::min(split_warps(options.warps, arch.processing_blocks).front(), launch.thread_blocks);
  const Cycle end = kernel_end(compiled->loop, arch, warps, launch);
  if (end >= kNever)
    return fail(ErrorKind::bad_input, "a warp waits for ever", {program.source, 0, 0});
  const double rounds = static_cast<double>(launch.thread_blocks) / warps;
  return static_cast<double>(end) / (rounds * static_cast<double>(launch.iterations));
}

}  // namespace smsim
