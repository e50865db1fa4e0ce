// SPDX-License-Identifier: MIT
// Configs that the build has read already: most of a start's time would go into reading YAML.
#include "config/read_ahead.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "config/trees.hpp"

namespace smsim::config {
namespace {

/// Reads back what cmake/config_trees.cpp has written.
class TreeReader {
 public:
  TreeReader(const std::string& file, std::string_view tree) : file_(file), left_(tree) {}

  Node node() {
    Node node;
    node.kind = static_cast<Node::Kind>(number());
    node.where = {file_, number(), number()};
    const std::uint32_t keys = number();
    const std::uint32_t items = number();
    const std::uint32_t length = number();
    node.text = left_.substr(0, length);
    left_.remove_prefix(length);
    node.keys.reserve(keys);
    for (std::uint32_t i = 0; i < keys; ++i) node.keys.push_back(this->node());
    node.items.reserve(items);
    for (std::uint32_t i = 0; i < items; ++i) node.items.push_back(this->node());
    return node;
  }

 private:
  /// And the blank behind it.
  std::uint32_t number() {
    std::uint32_t value = 0;
    const auto end = std::from_chars(left_.data(), left_.data() + left_.size(), value).ptr;
    left_.remove_prefix(static_cast<std::size_t>(end - left_.data()) + 1);
    return value;
  }

  const std::string& file_;
  std::string_view left_;
};

}  // namespace

std::optional<Node> read_ahead(const std::string& file, std::string_view text) {
  const auto* known = std::find_if(std::begin(kReadAhead), std::end(kReadAhead),
                                   [&](const ReadAhead& one) { return one.text == text; });
  if (known == std::end(kReadAhead) || text.empty()) return std::nullopt;
  return TreeReader(file, known->tree).node();
}

}  // namespace smsim::config
