// SPDX-License-Identifier: MIT
// smsim whatif: a loop without each of its limits, or on variants of the device.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <string_view>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/output_words.hpp"
#include "cli/request.hpp"
#include "cli/words.hpp"
#include "smsim/report.hpp"

namespace smsim::cli {
namespace {

constexpr const char* kWhatIfExamples =
    "Examples:\n"
    "  smsim whatif kernel.sass --warps 8\n"
    "  smsim whatif kernel.sass --set reuse_cache.slots=0\n"
    "  smsim whatif kernel.sass --set register_file.banks=4 --set 'register_file.mapping=R mod 4' "
    "\\\n"
    "               --versus --set register_file.read_ports_per_bank=2 --summary\n"
    "  smsim whatif kernel.sass --banks-of turing-tu102 --versus --banks-of kepler-k20m\n"
    "\n"
    "Without --set and --banks-of, each limit that the loop meets is taken away alone. With them,\n"
    "the variants that they describe, --versus between two, stand beside the unchanged device.";

struct WhatIfWords {
  RequestWords request;
  OutputWords output;
  std::vector<std::string> banks_of;
  bool versus = false;
  bool summary = false;
};

/// One variant as written: numbers, and the configs whose register banks it takes.
struct Described {
  std::vector<std::string> overrides;
  std::vector<std::string> banks_of;
  bool empty() const { return overrides.empty() && banks_of.empty(); }
};

/// The words in the order in which they were written, cut at each --versus.
std::vector<Described> described(const WhatIfWords& words) {
  std::vector<Described> variants(1);
  std::size_t sets = 0;
  std::size_t banks = 0;
  for (const CLI::Option* option : words.request.command->parse_order()) {
    const std::string name = option->get_name();
    if (name == "--versus") variants.emplace_back();
    if (name == "--set") variants.back().overrides.push_back(words.request.overrides[sets++]);
    if (name == "--banks-of") variants.back().banks_of.push_back(words.banks_of[banks++]);
  }
  return variants;
}

/// `banks=4 mapping=R mod 4`: the keys without their sections.
std::string name_of_variant(const Described& variant) {
  std::string name;
  for (const std::string& config : variant.banks_of)
    name += fmt::format("{}banks of {}", name.empty() ? "" : ", ", config);
  for (const std::string& word : variant.overrides) {
    const std::size_t section = word.rfind('.', word.find('='));
    name += fmt::format("{}{}", name.empty() ? "" : ", ",
                        section == std::string::npos ? word : word.substr(section + 1));
  }
  return name;
}

/// The operand stage of a config: its register banks, reuse cache, and how it reads them. A base
/// whose operand stage takes two instructions at a time, or waits for registers, keeps its own
/// stage where the other one can do neither, and takes the layout of the banks alone.
Expected<Overrides> bank_overrides(const std::string& config, const Arch& base) {
  const auto arch = load_arch(config);
  if (!arch) return tl::make_unexpected(arch.error());
  const bool keeps_stage =
      arch->operand_read == "read_window" &&
      (base.scheduler.dual_issue || base.scheduler.dependencies == "scoreboard");
  constexpr std::array<std::string_view, 4> kLayout = {
      "register_file.banks", "register_file.mapping", "register_file.read_ports_per_bank",
      "reuse_cache.slots"};
  Overrides overrides;
  for (const Parameter& one : arch->parameters) {
    const std::string_view key = one.key;
    const bool layout = std::find(kLayout.begin(), kLayout.end(), key) != kLayout.end();
    const bool stage = key == "operand_read" || key.starts_with("register_file.") ||
                       key.starts_with("reuse_cache.");
    if (layout || (stage && !keeps_stage)) overrides.emplace_back(one.key, one.value);
  }
  return overrides;
}

Expected<NamedArch> build_variant(const Described& described, const WhatIfWords& words,
                                  const Arch& base) {
  Overrides overrides;
  for (const std::string& config : described.banks_of) {
    const auto banks = bank_overrides(config, base);
    if (!banks) return tl::make_unexpected(banks.error());
    overrides.insert(overrides.end(), banks->begin(), banks->end());
  }
  const auto given = parse_overrides(described.overrides);
  if (!given) return tl::make_unexpected(given.error());
  overrides.insert(overrides.end(), given->begin(), given->end());
  return load_arch(words.request.arch.empty() ? base.name : words.request.arch, overrides)
      .map([&](Arch arch) {
        return NamedArch{name_of_variant(described), std::move(arch)};
      });
}

Expected<WhatIf> compare(const std::vector<Described>& variants, const WhatIfWords& words,
                         const Request& request) {
  std::vector<NamedArch> archs;
  for (const Described& one : variants) {
    if (one.empty())
      return fail(ErrorKind::usage, "--versus without --set or --banks-of on both of its sides");
    auto built = build_variant(one, words, request.arch);
    if (!built) return tl::make_unexpected(std::move(built.error()));
    archs.push_back(std::move(*built));
  }
  return compare_variants(request.program, request.arch, archs, request.options);
}

std::string render(const WhatIf& answer, const WhatIfWords& words, bool compared) {
  std::ostringstream out;
  if (words.output.format == "json") {
    write_json(out, answer);
  } else if (words.output.format == "csv") {
    write_csv(out, answer);
  } else {
    write_text(out, answer,
               {text_options(words.output), !words.summary, compared && !words.summary});
  }
  return std::move(out).str();
}

int run(const WhatIfWords& words) {
  const auto variants = described(words);
  const bool compared = variants.size() > 1 || !variants.front().empty();
  RequestWords unchanged = words.request;
  unchanged.overrides.clear();
  const auto request = read_request(unchanged);
  if (!request) return report(request.error());
  auto answer = compared ? compare(variants, words, *request)
                         : what_if(request->program, request->arch, request->options);
  if (!answer) return report(answer.error());
  answer->base = with_notes(std::move(answer->base), request->notes);
  return emit(render(*answer, words, compared), words.output.out);
}

}  // namespace

Command add_what_if(CLI::App& app) {
  auto words = std::make_shared<WhatIfWords>();
  CLI::App* command = app.add_subcommand(
      "whatif", "a loop without each of its limits, or on variants of the device");
  command->footer(kWhatIfExamples);
  add_request_options(*command, words->request);
  command->get_option("--set")->description("changes a number of a variant (repeatable)");
  command
      ->add_option("--banks-of", words->banks_of,
                   "a variant's banks, reuse cache and operand stage are this config's")
      ->allow_extra_args(false)
      ->type_name("NAME");
  command->add_flag("--versus", words->versus,
                    "the next --set and --banks-of are of another variant");
  command->add_flag("--summary", words->summary, "text without legend and instructions");
  add_output_options(*command, words->output, {"text", "json", "csv"});
  return {command, [words] { return run(*words); }};
}

}  // namespace smsim::cli
