// SPDX-License-Identifier: MIT
// Control codes against what the hardware needs: where they are unsafe, and where they waste time.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "smsim/arch.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/program.hpp"

namespace smsim {

enum class LintLevel : std::uint8_t {
  error,    ///< unsafe: the code may compute something else than it says
  warning,  ///< does not mean what it seems to, or may be unsafe
  hint      ///< safe, but costs time
};

/// The level as findings and JSON spell it.
std::string_view name_of(LintLevel level);

/// One thing that lint looks for; docs/lint.md says more of each.
struct LintRule {
  std::string_view id;  ///< early-read
  LintLevel level = LintLevel::error;
  std::string_view summary;
};

/// All of them, in the order of docs/lint.md.
const std::vector<LintRule>& lint_rules();

/// A place of the code.
struct LintPlace {
  std::uint32_t line = 0;    ///< of the source, from 1; 0: it has none (a cubin)
  std::uint32_t column = 0;  ///< from 1
  std::uint64_t address = 0;
  std::string text;  ///< the instruction
};

struct LintFinding {
  std::string_view rule;  ///< LintRule::id
  LintLevel level = LintLevel::error;
  std::string message;  ///< without a line end
  std::string function;
  LintPlace place;
  std::optional<LintPlace> related;  ///< the instruction that the finding is also about
};

/// Which hints are wanted; errors and warnings always are.
enum class LintHints : std::uint8_t { none, loops, all };

struct LintOptions {
  std::string arch;      ///< name, alias or path; empty: each function's own
  std::string function;  ///< exact name or glob; empty: all
  LintHints hints = LintHints::loops;
  std::string loop;  ///< what is looked at, as SimulateOptions::loop names it; empty: everything
};

struct LintReport {
  std::string source;
  std::size_t functions = 0;
  std::size_t instructions = 0;
  std::vector<std::string> archs;     ///< configs that were used
  std::vector<LintFinding> findings;  ///< by function, then by address
  std::vector<std::string> notes;     ///< what could not be looked at, and why
  std::size_t count(LintLevel level) const;
  bool safe() const { return count(LintLevel::error) == 0; }
};

/// Looks at every function that `options` names. Errors: usage (no such function, an architecture
/// that nobody names), bad_input (code without control words), and what load_arch() says.
Expected<LintReport> lint(const Program& program, const LintOptions& options = {});

/// What it finds in one function that has control words.
std::vector<LintFinding> lint(const Function& function, const Arch& arch, LintHints hints);

/// `file:line:col: error: text [rule]` a finding (`file:function+0xaddress:` in what has no lines),
/// then how many there are.
void write_lint_text(std::ostream& out, const LintReport& report);

/// One JSON document as docs/lint.schema.json describes.
void write_lint_json(std::ostream& out, const LintReport& report);

/// SARIF 2.1.0, as code hosts and editors read it.
void write_lint_sarif(std::ostream& out, const LintReport& report);

struct ScheduleOptions {
  std::string arch;      ///< name, alias or path; empty: each function's own
  std::string function;  ///< exact name or glob; empty: all
  int warps = 4;         ///< with which the loops are predicted
  std::string loop;      ///< the one that may change, as SimulateOptions::loop names it; empty: all
};

/// One control word that is another one now.
struct ScheduleChange {
  LintPlace place;
  ControlWord before;
  ControlWord after;
};

/// A loop's cycles per iteration with the control codes as given and as they are now.
struct ScheduledLoop {
  Loop loop;
  double before = 0;
  double after = 0;
};

struct FunctionSchedule {
  std::string function;
  std::string arch;
  std::size_t instructions = 0;
  std::size_t errors = 0;               ///< unsafe codes as given; now there are none
  std::vector<ScheduleChange> changes;  ///< by address
  std::vector<ScheduledLoop> loops;     ///< innermost ones, those that can be predicted
  std::string note;                     ///< what the figures rest on; may be empty
};

struct Schedule {
  Program program;  ///< the functions that were asked for, with their new control codes
  std::vector<FunctionSchedule> functions;
};

/// The smallest stall counts, waits and barriers that are safe for the given order of instructions,
/// and yields where they pay. What is unsafe is mended; what has no predicted gain, or would get
/// slower, stays as it is. Errors: those of lint(); bad_input, if codes cannot be made safe.
Expected<Schedule> schedule(const Program& program, const ScheduleOptions& options = {});

/// The bytes of a cubin with the control words of `schedule`, which was made of `given`; no other
/// bit differs, and reading it again gives the scheduled functions. For Maxwell and later. Errors:
/// bad_input, where the cubin does not hold the given functions; usage, for Kepler; internal.
Expected<std::string> patch_cubin(std::string_view bytes, const std::string& source,
                                  const Program& given, const Schedule& schedule);

}  // namespace smsim
