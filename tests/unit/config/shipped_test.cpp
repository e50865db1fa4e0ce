// SPDX-License-Identifier: MIT
// The configs that come with smsim: all load, all are complete, and their names lead to them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "config/class_names.hpp"
#include "config/locate.hpp"
#include "config/read_ahead.hpp"
#include "temp_config.hpp"

namespace {

using smsim::Arch;
using smsim::load_arch;
using smsim::load_arch_for_sm;
using smsim::Status;
using smsim::test::parameter;
using smsim::test::TempConfig;

const std::vector<std::string> kShipped = smsim::list_archs();

Arch loaded(const std::string& name) {
  auto arch = load_arch(name);
  REQUIRE_MESSAGE(arch, smsim::to_string(arch.error()));
  return *arch;
}

std::string error_text(const std::string& name) {
  const auto arch = load_arch(name);
  REQUIRE_FALSE(arch);
  CHECK(arch.error().front().kind == smsim::ErrorKind::usage);
  return arch.error().front().message + "; " + arch.error().front().hint;
}

}  // namespace

TEST_CASE("the list of configs holds every shipped one") {
  const std::set<std::string> found(kShipped.begin(), kShipped.end());
  for (const char* name :
       {"kepler-k20m", "maxwell-gm107", "maxwell-gm204", "pascal-gp100", "pascal-gp104",
        "volta-v100", "turing-tu102", "ampere-ga100", "ampere-ga102", "ada-ad102", "hopper-gh100",
        "blackwell-gb100", "blackwell-gb202"})
    CHECK_MESSAGE(found.contains(name), name);
  CHECK(std::is_sorted(kShipped.begin(), kShipped.end()));
}

namespace {

bool same(const smsim::config::Node& a, const smsim::config::Node& b) {
  const auto all = [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
  };
  return a.kind == b.kind && a.text == b.text && a.where.file == b.where.file &&
         a.where.line == b.where.line && a.where.column == b.where.column && all(a.keys, b.keys) &&
         all(a.items, b.items);
}

}  // namespace

TEST_CASE("what the build has read of a config is what reading it gives; a changed one is read") {
  for (const std::string& name : kShipped) {
    const auto text =
        smsim::config::read_file(std::string(SMSIM_SOURCE_DIR "/configs/") + name + ".yaml");
    REQUIRE(text);
    smsim::config::ErrorLog log;
    const auto known = smsim::config::read_ahead("a.yaml", *text);
    REQUIRE_MESSAGE(known, name);
    CHECK_MESSAGE(same(*known, smsim::config::read_yaml("a.yaml", *text, log)), name);
    CHECK_FALSE(smsim::config::read_ahead("a.yaml", *text + "\n"));
  }
}

TEST_CASE("every shipped config loads under its own name and times every class once") {
  for (const std::string& name : kShipped) {
    CAPTURE(name);
    const Arch arch = loaded(name);
    CHECK(arch.name == name);
    CHECK(arch.title != "");
    CHECK_FALSE(arch.compute_capabilities.empty());
    std::set<std::string> timed;
    for (const auto& one : arch.timings) {
      timed.insert(one.instruction_class);
      CHECK(one.pipe < arch.pipes.size());
      CHECK(one.initiation_interval_cycles >= 1);
    }
    CHECK(timed.size() == arch.timings.size());
    CHECK(timed.size() == smsim::config::class_names().size());
  }
}

TEST_CASE("every number of a shipped config has a source, and none is a silent default") {
  for (const std::string& name : kShipped) {
    const Arch arch = loaded(name);
    CHECK(arch.parameters.size() > 100);
    for (const smsim::Parameter& row : arch.parameters) {
      CAPTURE(name);
      CAPTURE(row.key);
      CHECK(row.source != "");
      CHECK(row.status != Status::overridden);
    }
  }
}

TEST_CASE("every source that a shipped config defines is used by it") {
  for (const std::string& name : kShipped) {
    std::ifstream in(std::string(SMSIM_SOURCE_DIR) + "/configs/" + name + ".yaml");
    std::stringstream text;
    text << in.rdbuf();
    const std::string all = text.str();
    const std::size_t begin = all.find("\nsources:\n");
    REQUIRE(begin != std::string::npos);
    const std::regex definition("\n  ([a-z0-9-]+):");
    const std::string block = all.substr(begin + 9, all.find("\n\n", begin + 9) - begin - 9);
    for (std::sregex_iterator one(block.begin(), block.end(), definition), end; one != end; ++one) {
      const std::string id = (*one)[1];
      const std::regex use("(source: |, )" + id + "[\\],}\n]");
      CHECK_MESSAGE(std::regex_search(all, use), name, ": ", id);
    }
  }
}

TEST_CASE("each sm alias leads to exactly one config") {
  const std::vector<std::pair<int, std::string>> expected = {
      {35, "kepler-k20m"},      {37, "kepler-k20m"},      {50, "maxwell-gm107"},
      {52, "maxwell-gm204"},    {60, "pascal-gp100"},     {61, "pascal-gp104"},
      {70, "volta-v100"},       {72, "volta-v100"},       {75, "turing-tu102"},
      {80, "ampere-ga100"},     {86, "ampere-ga102"},     {87, "ampere-ga102"},
      {89, "ada-ad102"},        {90, "hopper-gh100"},     {100, "blackwell-gb100"},
      {103, "blackwell-gb100"}, {120, "blackwell-gb202"}, {121, "blackwell-gb202"}};
  for (const auto& [sm, name] : expected) {
    const auto arch = load_arch_for_sm(sm);
    REQUIRE(arch);
    CHECK(arch->name == name);
    CHECK(loaded("sm_" + std::to_string(sm)).name == name);
  }
  std::set<int> seen;
  for (const std::string& name : kShipped) {
    for (const int sm : loaded(name).compute_capabilities) CHECK(seen.insert(sm).second);
  }
}

TEST_CASE("an architecture-specific alias means the same device") {
  CHECK(loaded("sm_90a").name == "hopper-gh100");
  CHECK(loaded("sm_120f").name == "blackwell-gb202");
}

TEST_CASE("an unknown name suggests a near one, an unknown sm lists those that there are") {
  CHECK(error_text("hoper-gh100") ==
        "unknown architecture 'hoper-gh100'; did you mean 'hopper-gh100'?");
  CHECK(error_text("nonsense").find("known: ada-ad102, ") != std::string::npos);
  CHECK(error_text("sm_33").find("no architecture config for sm_33; known: ") == 0);
  CHECK(error_text("sm_33").find("sm_90 (hopper-gh100)") != std::string::npos);
  CHECK(error_text("").find("unknown architecture ''") == 0);
}

TEST_CASE("SMSIM_CONFIG_PATH comes before the shipped configs") {
  const TempConfig file("base: volta-v100\ncompute_capabilities: [90]\n", "my-hopper");
  const std::string path = "/nowhere:" + file.directory().string();
  REQUIRE(setenv("SMSIM_CONFIG_PATH", path.c_str(), 1) == 0);
  CHECK(loaded("my-hopper").name == "my-hopper");
  CHECK(loaded("sm_90").name == "my-hopper");
  CHECK(loaded("hopper-gh100").name == "hopper-gh100");
  unsetenv("SMSIM_CONFIG_PATH");
  CHECK(loaded("sm_90").name == "hopper-gh100");
}

TEST_CASE("an alias finds a config however its compute capabilities are written") {
  const std::vector<std::string> notations = {
      "compute_capabilities: [233]",
      "base: volta-v100\ncompute_capabilities:  # none\n  - 232\n# and\n\n  - 233\ntitle: mine\n",
      "base: volta-v100\r\ncompute_capabilities: [232,\r\n  233\r\n]\r\ntitle: mine\r\n",
      "compute_capabilities:\n- 233\nbase: volta-v100",
      "{base: volta-v100, compute_capabilities: [233]}",
      "\"compute_capabilities\": [233]\nbase: volta-v100\n"};
  for (const std::string& text : notations) {
    CAPTURE(text);
    const bool has_base = text.find("base") != std::string::npos;
    const TempConfig file(has_base ? text : text + "\nbase: volta-v100\n", "mine");
    REQUIRE(setenv("SMSIM_CONFIG_PATH", file.directory().c_str(), 1) == 0);
    CHECK(loaded("sm_233").name == "mine");
    unsetenv("SMSIM_CONFIG_PATH");
  }
}
