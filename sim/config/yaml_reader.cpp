// SPDX-License-Identifier: MIT
// Turns YAML text into a tree of nodes; the only file that knows the YAML library.
#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <sstream>
#include <utility>

#include "config/node.hpp"

namespace smsim::config {
namespace {

/// Builds the tree from the parser's events. The library's own node type keeps the first of two
/// equal keys silently, so the keys of a map are compared here.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string file, ErrorLog& log) : file_(std::move(file)), log_(log) {}

  Node take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    add(make(Node::Kind::null, mark));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    log_.error(place(mark), "aliases (*name) are not supported",
               "write the value out, or inherit with 'base:'");
    add(make(Node::Kind::null, mark));
  }

  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                const std::string& value) override {
    Node node = make(Node::Kind::scalar, mark);
    node.text = value;
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open_.emplace_back().node = make(Node::Kind::list, mark);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open_.emplace_back().node = make(Node::Kind::map, mark);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    Node node;
    Node key;
    bool has_key = false;
    std::map<std::string, std::uint32_t> lines;  ///< of a map's keys so far
  };

  SourceLocation place(const YAML::Mark& mark) const {
    // The library counts from zero.
    return {file_, static_cast<std::uint32_t>(mark.line + 1),
            static_cast<std::uint32_t>(mark.column + 1)};
  }

  Node make(Node::Kind kind, const YAML::Mark& mark) const {
    Node node;
    node.kind = kind;
    node.where = place(mark);
    return node;
  }

  void close() {
    Node node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }

  void add(Node node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = open_.back();
    if (frame.node.is(Node::Kind::list)) {
      frame.node.items.push_back(std::move(node));
    } else if (!frame.has_key) {
      frame.key = std::move(node);
      frame.has_key = true;
    } else {
      add_pair(frame, std::move(node));
    }
  }

  void add_pair(Frame& frame, Node value) {
    frame.has_key = false;
    if (!frame.key.is(Node::Kind::scalar)) {
      log_.error(frame.key.where, fmt::format("{} is not a key", describe(frame.key.kind)));
      return;
    }
    // The library gives an absent value the place of whatever comes next.
    if (value.is(Node::Kind::null)) value.where = frame.key.where;
    const auto [first, is_new] = frame.lines.emplace(frame.key.text, frame.key.where.line);
    if (!is_new) {
      log_.error(frame.key.where, fmt::format("duplicate key '{}'", frame.key.text),
                 fmt::format("the first one is in line {}", first->second));
      return;
    }
    frame.node.keys.push_back(std::move(frame.key));
    frame.node.items.push_back(std::move(value));
  }

  std::string file_;
  ErrorLog& log_;
  Node root_;
  std::vector<Frame> open_;
};

/// The library's words, without the bytes of a binary file that it may quote.
std::string reason(const YAML::Exception& error) {
  if (dynamic_cast<const YAML::DeepRecursion*>(&error) != nullptr) return "nested too deeply";
  std::string text = error.msg;
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].text == key) return &items[i];
  }
  return nullptr;
}

std::string_view describe(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::scalar:
      return "a single value";
    case Node::Kind::list:
      return "a list";
    case Node::Kind::map:
      return "a map of keys";
  }
  return "nothing";
}

Node read_yaml(const std::string& file, const std::string& text, ErrorLog& log) {
  log.add_source(file, text);
  TreeBuilder builder(file, log);
  std::istringstream in(text);
  try {
    YAML::Parser parser(in);
    parser.HandleNextDocument(builder);
    if (parser) {
      log.error({file, 0, 0}, "a config file holds one YAML document, this one holds several");
    }
  } catch (const YAML::Exception& error) {
    const SourceLocation where{file, static_cast<std::uint32_t>(error.mark.line + 1),
                               static_cast<std::uint32_t>(error.mark.column + 1)};
    log.error(where, "not valid YAML: " + reason(error));
    return {};
  }
  Node root = builder.take();
  if (!root.is(Node::Kind::map)) {
    log.error({file, 1, 1},
              fmt::format("a config file is a map of keys, not {}", describe(root.kind)));
  }
  return root;
}

}  // namespace smsim::config
