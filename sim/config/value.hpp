// SPDX-License-Identifier: MIT
// One value of a config: checks it against its key's row and stores it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/keys.hpp"
#include "config/node.hpp"

namespace smsim::config {

/// A key together with the place that its value goes to.
struct Slot {
  const KeyInfo* info = nullptr;
  Target target;
};

/// The slots of one owner, in table order.
template <typename Owner>
std::vector<Slot> slots_of(std::span<const Key<Owner>> keys, Owner& owner) {
  std::vector<Slot> slots;
  slots.reserve(keys.size());
  for (const Key<Owner>& key : keys) slots.push_back({&key.info, key.target(owner)});
  return slots;
}

/// Stores the value; the complaint if it does not fit, as the rest of a sentence that begins with
/// the key's name.
std::optional<std::string> store(const Slot& slot, const Node& value);

/// Words separated by '|', one by one.
std::vector<std::string> split_choices(std::string_view choices);

}  // namespace smsim::config
