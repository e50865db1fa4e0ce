// SPDX-License-Identifier: MIT
// Words of the command line with a grammar of their own: 0x80=taken, R14=16, key=value, 0x40-0x80.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "smsim/arch.hpp"
#include "smsim/diagnostic.hpp"
#include "smsim/record.hpp"

namespace smsim::cli {

/// 0x1f0; nothing else.
std::optional<std::uint64_t> parse_address(std::string_view word);

/// --branch 0xADDR=taken|not
Expected<std::map<std::uint64_t, bool>> parse_branches(const std::vector<std::string>& words);

/// --lane-stride R14=16
Expected<std::map<int, int>> parse_lane_strides(const std::vector<std::string>& words);

/// --set key=value
Expected<Overrides> parse_overrides(const std::vector<std::string>& words);

/// --iterations A..B or A, from 1; empty: `count` iterations from the first of the steady state.
Expected<RecordOptions> parse_iterations(const std::string& word, std::uint64_t count);

/// --unknown assume:<pipe>, to the pipe's name.
Expected<std::string> parse_unknown(const std::string& word);

}  // namespace smsim::cli
