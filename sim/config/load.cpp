// SPDX-License-Identifier: MIT
// Loads a device's config: the file, what it inherits, the overrides, then the checks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "config/draft.hpp"
#include "config/locate.hpp"
#include "config/read_ahead.hpp"
#include "config/suggest.hpp"
#include "config/template.hpp"
#include "smsim/arch.hpp"

namespace smsim {
namespace {

namespace fs = std::filesystem;
using namespace config;

constexpr std::size_t kLongestChain = 16;

/// One load: a file after the configs that it builds on.
class Loader {
 public:
  explicit Loader(ErrorLog& log) : log_(log) {}

  /// Applies the file over its bases. False if it could not be read at all.
  bool load(const fs::path& path, Draft& draft) {
    const std::string file = path.string();
    const auto text = read_file(path);
    if (!text) {
      log_.error({file, 0, 0}, "cannot open the config file", {}, ErrorKind::no_file);
      return false;
    }
    if (text->size() > kLargestConfig) {
      log_.error({file, 0, 0}, "too large for a config file");
      return false;
    }
    const Node root = tree_of(file, *text);
    if (!root.is(Node::Kind::map)) return false;
    chain_.push_back(fs::weakly_canonical(path));
    if (const Node* base = root.find("base")) {
      if (!load_base(*base, path, draft)) return false;
    }
    apply_document(root, draft, log_);
    if (draft.arch.name.empty()) draft.arch.name = path.stem().string();
    return true;
  }

 private:
  Node tree_of(const std::string& file, const std::string& text) {
    auto known = read_ahead(file, text);
    if (!known) return read_yaml(file, text, log_);
    log_.add_source(file, text);
    return std::move(*known);
  }

  bool load_base(const Node& base, const fs::path& child, Draft& draft) {
    std::vector<fs::path> directories = config_directories();
    directories.insert(directories.begin(), child.parent_path());
    std::optional<fs::path> file;
    if (is_path(base.text)) {
      file = child.parent_path() / base.text;
      std::error_code ignored;
      if (!fs::is_regular_file(*file, ignored)) file.reset();
    } else if (!base.text.empty()) {
      file = find_by_name(base.text, directories);
    }
    if (!file) {
      std::vector<std::string> names;
      for (const fs::path& one : all_configs(directories)) names.push_back(one.stem().string());
      log_.error(base.where, fmt::format("base '{}' is not a config that can be found", base.text),
                 suggest(base.text, names));
      return false;
    }
    const fs::path canonical = fs::weakly_canonical(*file);
    const bool again = std::find(chain_.begin(), chain_.end(), canonical) != chain_.end();
    if (again || chain_.size() >= kLongestChain) {
      log_.error(base.where, fmt::format("base '{}' leads back to this config", base.text));
      return false;
    }
    if (!load(*file, draft)) return false;
    mark_inherited(draft.arch.name, draft);
    return true;
  }

  ErrorLog& log_;
  std::vector<fs::path> chain_;
};

Expected<Draft> draft_of(const fs::path& path, ErrorLog& log) {
  Draft draft;
  if (!Loader(log).load(path, draft)) return tl::make_unexpected(log.take());
  fill_classes(draft);
  if (!log.empty()) return tl::make_unexpected(log.take());
  return draft;
}

Expected<ArchTemplate> template_of(const fs::path& path) {
  ErrorLog log;
  auto draft = draft_of(path, log);
  if (!draft) return tl::make_unexpected(std::move(draft.error()));
  return ArchTemplate(std::move(*draft), path.string(), std::move(log));
}

Expected<Arch> complete(Draft draft, const Overrides& overrides, const std::string& file,
                        ErrorLog log) {
  for (const auto& [key, value] : overrides) apply_override(key, value, draft, log);
  // What is missing or contradicts is told apart only once each value is right.
  if (!log.empty()) return tl::make_unexpected(log.take());
  Arch arch = finish(std::move(draft), file, log);
  if (!log.empty()) return tl::make_unexpected(log.take());
  return arch;
}

Expected<Arch> load_file(const fs::path& path, const Overrides& overrides) {
  ErrorLog log;
  auto draft = draft_of(path, log);
  if (!draft) return tl::make_unexpected(std::move(draft.error()));
  auto arch = complete(std::move(*draft), overrides, path.string(), ErrorLog());
  if (arch) return arch;
  // As for with(): only errors need the lines of the file, and then what was read is needed again.
  return template_of(path).and_then([&](const ArchTemplate& base) { return base.with(overrides); });
}

/// The lines of a top-level key and of its value; the whole text if no line begins with the key.
std::string_view lines_of(std::string_view key, std::string_view text) {
  constexpr std::string_view kInside = " \t\r\n#-]}";  // begins no line of another key
  std::size_t begin = std::string_view::npos;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    if (begin != std::string_view::npos && kInside.find(line.front()) == std::string_view::npos)
      return text.substr(begin, at - begin);
    if (line.starts_with(key) && line.substr(key.size()).starts_with(":")) begin = at;
    at = end;
  }
  return begin == std::string_view::npos ? text : text.substr(begin);
}

/// What a config says it stands for, without reading the rest of it.
std::vector<int> capabilities_of(const fs::path& path) {
  constexpr std::string_view kKey = "compute_capabilities";
  ErrorLog log;
  Draft draft;
  const auto text = read_file(path);
  if (!text || text->size() > kLargestConfig) return {};
  const Node root = read_yaml(path.string(), std::string(lines_of(kKey, *text)), log);
  Node identity;
  identity.kind = Node::Kind::map;
  for (std::size_t i = 0; i < root.keys.size() && i < root.items.size(); ++i) {
    if (root.keys[i].text != kKey) continue;
    identity.keys.push_back(root.keys[i]);
    identity.items.push_back(root.items[i]);
  }
  apply_document(identity, draft, log);
  return draft.arch.compute_capabilities;
}

}  // namespace

namespace config {
namespace {

Expected<fs::path> locate_sm(int sm) {
  std::vector<std::string> known;
  for (const fs::path& directory : config_directories()) {
    for (const fs::path& file : all_configs({directory})) {
      for (const int capability : capabilities_of(file)) {
        if (capability == sm) return file;
        known.push_back(fmt::format("sm_{} ({})", capability, file.stem().string()));
      }
    }
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return fail(ErrorKind::usage, fmt::format("no architecture config for sm_{}", sm), {},
              fmt::format("known: {}", fmt::join(known, ", ")));
}

Expected<fs::path> locate(const std::string& name_or_path) {
  if (is_path(name_or_path)) return fs::path(name_or_path);
  if (const auto sm = sm_of_alias(name_or_path)) return locate_sm(*sm);
  if (const auto file = find_by_name(name_or_path, config_directories())) return *file;
  return fail(ErrorKind::usage, fmt::format("unknown architecture '{}'", name_or_path), {},
              suggest(name_or_path, list_archs()));
}

}  // namespace

Expected<Arch> ArchTemplate::with(const Overrides& overrides) const {
  auto arch = attempt(overrides, ErrorLog());
  // Only errors need the lines of the file.
  return arch ? std::move(arch) : attempt(overrides, sources_);
}

Expected<Arch> ArchTemplate::numbers_with(const Overrides& overrides, const Arch& known) const {
  ErrorLog log;
  Draft draft = bare_;
  for (const auto& [key, value] : overrides) apply_override(key, value, draft, log);
  Arch arch = finish_values(std::move(draft), known, file_, log);
  return log.empty() ? Expected<Arch>(std::move(arch)) : with(overrides);
}

Expected<Arch> ArchTemplate::attempt(const Overrides& overrides, ErrorLog log) const {
  return complete(draft_, overrides, file_, std::move(log));
}

Expected<ArchTemplate> load_template(const std::string& name_or_path) {
  return locate(name_or_path).and_then(template_of);
}

Expected<ArchTemplate> load_template_for_sm(int sm) { return locate_sm(sm).and_then(template_of); }

}  // namespace config

Expected<Arch> load_arch(const std::string& name_or_path, const Overrides& overrides) {
  return config::locate(name_or_path).and_then([&](const fs::path& file) {
    return load_file(file, overrides);
  });
}

Expected<Arch> load_arch_for_sm(int sm, const Overrides& overrides) {
  return config::locate_sm(sm).and_then(
      [&](const fs::path& file) { return load_file(file, overrides); });
}

std::vector<std::string> list_archs() {
  std::vector<std::string> names;
  for (const fs::path& file : all_configs(config_directories())) {
    names.push_back(file.stem().string());
  }
  return names;
}

}  // namespace smsim
