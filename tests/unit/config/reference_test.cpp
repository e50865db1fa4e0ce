// SPDX-License-Identifier: MIT
// docs/configs.md shows the key table as it is, and docs/arch.schema.json is it. SMSIM_UPDATE=1
// rewrites them.
#include "config/reference.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "config/schema.hpp"

namespace {

const std::string kBegin = "<!-- keys: begin; written by SMSIM_UPDATE=1 ctest -R reference -->\n";
const std::string kEnd = "<!-- keys: end -->";

std::string read(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("the key reference in docs/configs.md is the table that the loader follows") {
  const std::string path = std::string(SMSIM_SOURCE_DIR) + "/docs/configs.md";
  const std::string text = read(path);
  const std::size_t begin = text.find(kBegin);
  const std::size_t end = text.find(kEnd);
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  const std::string expected = text.substr(0, begin + kBegin.size()) + "\n" +
                               smsim::config::key_reference() + "\n" + text.substr(end);
  if (std::getenv("SMSIM_UPDATE") != nullptr) std::ofstream(path) << expected;
  CHECK(read(path) == expected);
}

TEST_CASE("docs/arch.schema.json is the key table that the reference test of the loader follows") {
  const std::string path = std::string(SMSIM_SOURCE_DIR) + "/docs/arch.schema.json";
  if (std::getenv("SMSIM_UPDATE") != nullptr) std::ofstream(path) << smsim::config::key_schema();
  CHECK(read(path) == smsim::config::key_schema());
}
