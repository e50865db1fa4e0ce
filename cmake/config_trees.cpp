// SPDX-License-Identifier: MIT
// A step of the build: reads the configs once, so that the program need not do so at each start.
// usage: OUTPUT CONFIG...

#include <fstream>
#include <iostream>
#include <sstream>

#include "config/node.hpp"

namespace {

using smsim::config::Node;

/// A node, its keys and its values, one behind the other; config/read_ahead.cpp reads them back.
void put(const Node& node, std::ostream& out) {
  out << static_cast<int>(node.kind) << ' ' << node.where.line << ' ' << node.where.column << ' '
      << node.keys.size() << ' ' << node.items.size() << ' ' << node.text.size() << ' '
      << node.text;
  for (const Node& key : node.keys) put(key, out);
  for (const Node& item : node.items) put(item, out);
}

/// A string literal, in pieces that every compiler takes.
std::string literal(const std::string& text) {
  constexpr std::size_t kPiece = 8000;
  std::string all;
  for (std::size_t at = 0; at < text.size(); at += kPiece)
    all += "R\"tree(" + text.substr(at, kPiece) + ")tree\"\n";
  return all.empty() ? "\"\"" : all;
}

}  // namespace

int main(int argc, char** argv) {
  std::ostringstream out;
  out << "// Generated from the configs.\n#pragma once\n\n#include <string_view>\n\n"
         "namespace smsim::config {\nstruct ReadAhead {\n  std::string_view text;\n"
         "  std::string_view tree;\n};\ninline constexpr ReadAhead kReadAhead[] = {\n";
  for (int i = 2; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    smsim::config::ErrorLog log;
    std::ostringstream tree;
    put(smsim::config::read_yaml(argv[i], text.str(), log), tree);
    // What is wrong is told when somebody uses it.
    if (in && log.empty())
      out << "{" << literal(text.str()) << ",\n" << literal(tree.str()) << "},\n";
  }
  out << "{{}, {}}};\n}  // namespace smsim::config\n";
  std::ofstream(argv[1], std::ios::binary) << out.str();
}
