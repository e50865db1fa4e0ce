// SPDX-License-Identifier: MIT
// Explanations for a terminal: a topic with what holds on each generation, and an example that
// runs.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <sstream>

#include "report/layout.hpp"
#include "smsim/read.hpp"
#include "smsim/report.hpp"
#include "view/topics.hpp"
#include "view/word_tables.hpp"

namespace smsim {
namespace {

using report::Ink;

constexpr const char* kExampleArch = "hopper-gh100";

void write_wrapped(std::ostream& out, std::string_view text, std::size_t indent,
                   std::size_t width) {
  if (text.empty()) return;
  for (const std::string& line : report::wrap(text, width - indent))
    out << std::string(indent, ' ') << line << '\n';
}

void write_generations(std::ostream& out, const view::Topic& topic, const report::Paint& paint,
                       std::size_t width) {
  std::size_t widest = 0;
  for (const auto& [name, text] : topic.generations)
    widest = std::max(widest, report::columns(name));
  for (const auto& [name, text] : topic.generations) {
    bool first = true;
    for (const std::string& line : report::wrap(text, width - widest - 4)) {
      out << "  " << paint(Ink::bold, report::pad_right(first ? name : "", widest)) << "  " << line
          << '\n';
      first = false;
    }
  }
}

/// The example's timeline without its heading and legend's first lines.
Expected<std::string> example(const view::Topic& topic, const TextOptions& options) {
  auto program = read_program_text(topic.code + "[B------:R-:W-:-:S01] EXIT ;\n", "example");
  if (!program) return tl::unexpected(std::move(program.error()));
  const auto arch = load_arch(kExampleArch);
  if (!arch) return tl::unexpected(arch.error());
  SimulateOptions one_warp;
  one_warp.warps = 1;
  const auto recording = record(*program, *arch, one_warp);
  if (!recording) return tl::unexpected(recording.error());
  TimelineOptions shown;
  shown.color = options.color;
  shown.width = options.width;
  shown.heading = false;
  std::ostringstream out;
  write_timeline(out, *recording, shown);
  return std::move(out).str();
}

void write_list(std::ostream& out, const TextOptions& options) {
  const report::Paint paint(options.color);
  constexpr std::array<std::pair<const char*, const char*>, 7> kKinds{
      {{"field", "Fields of the control word"},
       {"reason", "Reasons for which slots are lost"},
       {"bound", "Limits, as `smsim bounds` names them"},
       {"variant", "Variants, as `smsim whatif` names them"},
       {"pipe", "Execution units"},
       {"report", "Other words of reports"},
       {"command", "Sub-commands"}}};
  for (const auto& [kind, title] : kKinds) {
    std::string names;
    for (const view::Topic& topic : view::topics())
      if (std::find(topic.kinds.begin(), topic.kinds.end(), kind) != topic.kinds.end())
        names += (names.empty() ? "" : ", ") + topic.name;
    out << paint(Ink::bold, title) << "\n";
    write_wrapped(out, names, 2, static_cast<std::size_t>(options.width));
    out << '\n';
  }
  write_wrapped(
      out,
      "smsim explain WORD says what one of them means; also a rule of lint, a key of a config, "
      "an instruction class or a field of the JSON outputs.",
      0, static_cast<std::size_t>(options.width));
}

}  // namespace

Expected<void> write_explanation(std::ostream& out, std::string_view word,
                                 const TextOptions& options) {
  if (word.empty()) {
    write_list(out, options);
    return {};
  }
  const view::Topic* topic = view::find_topic(word);
  std::optional<view::Topic> of_tables;
  if (topic == nullptr && (of_tables = view::topic_of_tables(word))) topic = &*of_tables;
  if (topic == nullptr) {
    const std::string near = view::nearest_topic(word);
    return fail(
        ErrorKind::usage, fmt::format("nothing is known about '{}'", word), {},
        near.empty() ? "`smsim explain` lists the words" : fmt::format("did you mean '{}'?", near));
  }
  const report::Paint paint(options.color);
  const auto width = static_cast<std::size_t>(options.width);
  out << paint(Ink::bold, topic->name) << fmt::format("  {}\n\n", fmt::join(topic->kinds, ", "));
  write_wrapped(out, topic->text, 0, width);
  if (!topic->generations.empty()) out << '\n';
  write_generations(out, *topic, paint, width);
  if (!topic->code.empty()) {
    const auto shown = example(*topic, options);
    if (!shown) return tl::unexpected(shown.error());
    out << fmt::format("\nExample, on {}\n\n{}{}", kExampleArch, *shown,
                       topic->note.empty() ? "" : "\n");
    write_wrapped(out, topic->note, 0, width);
  }
  if (!topic->run.empty()) out << fmt::format("\nExample\n  {}\n", topic->run);
  if (!topic->see.empty()) out << '\n';
  if (!topic->see.empty())
    write_wrapped(out, fmt::format("See also {}", fmt::join(topic->see, ", ")), 0, width);
  return {};
}

}  // namespace smsim
