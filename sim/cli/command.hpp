// SPDX-License-Identifier: MIT
// The sub-commands: each adds its words and options to the parser and says how it runs.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace smsim::cli {

struct Command {
  CLI::App* app = nullptr;   ///< parsed() tells whether it was asked for
  std::function<int()> run;  ///< returns the process's exit code
};

Command add_predict(CLI::App& app);
Command add_loops(CLI::App& app);
Command add_archs(CLI::App& app);
Command add_report(CLI::App& app);
Command add_explain(CLI::App& app);
Command add_timeline(CLI::App& app);
Command add_validate(CLI::App& app);
Command add_accuracy(CLI::App& app);
Command add_graph(CLI::App& app);
Command add_bounds(CLI::App& app);
Command add_remap(CLI::App& app);
Command add_what_if(CLI::App& app);
Command add_occupancy(CLI::App& app);
Command add_sweep(CLI::App& app);
Command add_merge(CLI::App& app);
Command add_diff(CLI::App& app);
Command add_convert(CLI::App& app);
Command add_lint(CLI::App& app);
Command add_schedule(CLI::App& app);
Command add_completion(CLI::App& app);

/// Help of options that several sub-commands have: --loop where a file is looked at function by
/// function, and --input-format.
inline constexpr const char* kOneLoopHelp = "only this one: N of `smsim loops` or 0xSTART[-0xEND]";
inline constexpr const char* kInputFormatHelp =
    "cuasm, maxas, turingas, kepleras or yaml; default: by content";

}  // namespace smsim::cli
