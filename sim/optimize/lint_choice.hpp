// SPDX-License-Identifier: MIT
// Which functions of a file are meant, and the config of each.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "smsim/arch.hpp"
#include "smsim/program.hpp"

namespace smsim::optimize {

/// Those of that exact name, else those that the glob matches; all for an empty one. Where a loop
/// is asked for only the first of them that has one. Errors: usage.
Expected<std::vector<const Function*>> chosen_functions(const Program& program,
                                                        const std::string& pattern,
                                                        const std::string& loop);

/// The loop that `words` names as --loop does; nullopt for no words, and for all. Errors: usage.
Expected<std::optional<Loop>> chosen_loop(const Function& function, const std::string& words);

/// What to say where no function has control words.
Diagnostics no_control_words(const Program& program);

/// Configs, each loaded once: the one that is named, or each function's own.
class ArchChoice {
 public:
  ArchChoice(const Program& program, std::string name)
      : program_(program), name_(std::move(name)) {}

  /// Errors: usage, if nobody says which architecture it is for; those of load_arch().
  Expected<const Arch*> of(const Function& function);

  std::vector<std::string> names() const;

 private:
  const Program& program_;
  std::string name_;
  std::map<int, Arch> loaded_;  ///< by architecture; by 0 the one that is named
};

}  // namespace smsim::optimize
