// SPDX-License-Identifier: MIT
// What if: a loop beside its variants, each simulated.
#include <algorithm>

#include "analysis/variants.hpp"
#include "block/compile.hpp"
#include "core/parallel.hpp"
#include "smsim/analysis.hpp"

namespace smsim {
namespace {

using namespace analysis;

/// The base, ready to be varied.
struct Base {
  Prepared prepared;
  Result result;
};

Expected<Base> run_base(const Program& program, const Arch& arch, const SimulateOptions& options) {
  auto prepared = prepare(program, arch, options);
  if (!prepared) return tl::unexpected(std::move(prepared.error()));
  auto result = simulate(*prepared, arch, options);
  if (!result) return tl::unexpected(std::move(result.error()));
  return Base{std::move(*prepared), std::move(*result)};
}

std::string one_line(const Diagnostics& diagnostics) {
  return diagnostics.empty() ? "failed" : diagnostics.front().message;
}

void take(Expected<Result> result, int base_warps, VariantRow& row) {
  if (!result) {
    row.error = one_line(result.error());
    return;
  }
  // with other warps an iteration of all of them is another amount of work
  row.cycles = result->cycles_per_iteration * base_warps / result->warps;
  row.result = std::move(*result);
}

}  // namespace

Expected<WhatIf> what_if(const Program& program, const Arch& arch, const SimulateOptions& options) {
  auto base = run_base(program, arch, options);
  if (!base) return tl::unexpected(std::move(base.error()));
  const Prepared& prepared = base->prepared;
  const auto compiled = compile(program, *prepared.function, prepared.path, arch, options);
  if (!compiled) return tl::unexpected(compiled.error());
  const auto variants = limits_taken_away(compiled->loop, arch, options.warps);
  WhatIf answer;
  answer.variants.resize(variants.size());
  in_parallel(variants.size(), 0, [&](std::size_t i) {
    VariantInput input{arch, *prepared.function, options.warps};
    variants[i].change(input);
    VariantRow& row = answer.variants[i];
    row.name = variants[i].name;
    row.what = variants[i].what;
    take(simulate_variant(prepared, input, options), options.warps, row);
  });
  // those that gain most first, those that could not be simulated last
  std::stable_sort(answer.variants.begin(), answer.variants.end(),
                   [](const VariantRow& a, const VariantRow& b) {
                     if (a.result.has_value() != b.result.has_value()) return a.result.has_value();
                     return a.result && a.cycles < b.cycles;
                   });
  answer.base = std::move(base->result);
  return answer;
}

Expected<WhatIf> compare_variants(const Program& program, const Arch& arch,
                                  const std::vector<NamedArch>& variants,
                                  const SimulateOptions& options) {
  auto base = run_base(program, arch, options);
  if (!base) return tl::unexpected(std::move(base.error()));
  WhatIf answer;
  answer.variants.resize(variants.size());
  in_parallel(variants.size(), 0, [&](std::size_t i) {
    answer.variants[i].name = variants[i].name;
    take(simulate(base->prepared, variants[i].arch, options), options.warps, answer.variants[i]);
  });
  answer.base = std::move(base->result);
  return answer;
}

}  // namespace smsim
