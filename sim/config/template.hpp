// SPDX-License-Identifier: MIT
// A config that has been read once, to make many architectures of: each with overrides of its own.
#pragma once

#include <string>

#include "config/draft.hpp"
#include "smsim/arch.hpp"
#include "smsim/diagnostic.hpp"

namespace smsim::config {

class ArchTemplate {
 public:
  /// `file` is the name for diagnostics, `sources` knows the lines of all files.
  ArchTemplate(Draft draft, std::string file, ErrorLog sources)
      : draft_(std::move(draft)), file_(std::move(file)), sources_(std::move(sources)) {
    bare_.arch = draft_.arch;
    bare_.arch.parameters.clear();
    bare_.classes = draft_.classes;
  }

  /// The architecture with these numbers changed. Errors: bad_config.
  Expected<Arch> with(const Overrides& overrides) const;

  /// The same numbers in a small part of the time, but `Arch::parameters` names only those that
  /// were changed. For a template that with({}) has completed as `known`.
  Expected<Arch> numbers_with(const Overrides& overrides, const Arch& known) const;

 private:
  Expected<Arch> attempt(const Overrides& overrides, ErrorLog log) const;

  Draft draft_;
  Draft bare_;  ///< without what is only told, not computed with
  std::string file_;
  ErrorLog sources_;
};

/// As load_arch() and load_arch_for_sm(), which are this and with(). Errors: bad_config, no_file,
/// usage.
Expected<ArchTemplate> load_template(const std::string& name_or_path);
Expected<ArchTemplate> load_template_for_sm(int sm);

}  // namespace smsim::config
