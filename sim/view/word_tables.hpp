// SPDX-License-Identifier: MIT
// Words that have a table of their own: rules of lint, keys of configs, classes of instructions,
// fields of the JSON outputs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "view/topics.hpp"

namespace smsim::view {

/// What one of these tables says of a word; folded as find_topic() does. None: nothing.
std::optional<Topic> topic_of_tables(std::string_view word);

/// All words of these tables.
std::vector<std::string> words_of_tables();

/// Those, the topics' and what else they are called; folded, by the alphabet.
std::vector<std::string> all_words();

}  // namespace smsim::view
