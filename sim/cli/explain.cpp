// SPDX-License-Identifier: MIT
// smsim explain: what a reason, a field of the control word or a sub-command means.
#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "smsim/report.hpp"
#include "view/word_tables.hpp"

namespace smsim::cli {
namespace {

constexpr const char* kExplainExamples =
    "Examples:\n"
    "  smsim explain                     lists the words\n"
    "  smsim explain long_scoreboard\n"
    "  smsim explain wait mask";

struct ExplainWords {
  std::vector<std::string> words;
  std::string color = "auto";
  bool list = false;
};

int explain_words(const ExplainWords& words) {
  if (words.list) {
    std::string text;
    for (const std::string& word : view::all_words()) text += word + "\n";
    return emit(text, "");
  }
  std::string topic;
  for (const std::string& word : words.words) topic += (topic.empty() ? "" : "_") + word;
  std::ostringstream out;
  const auto done = write_explanation(out, topic, {wants_color(words.color, ""), text_width("")});
  if (!done) return report(done.error());
  return emit(out.str(), "");
}

}  // namespace

Command add_explain(CLI::App& app) {
  auto words = std::make_shared<ExplainWords>();
  CLI::App* command =
      app.add_subcommand("explain", "what a reason, a control field or a sub-command means");
  command->footer(kExplainExamples);
  command->add_option("WORD", words->words, "as in a report; none: lists the words")->type_name("");
  command->add_flag("--words", words->list,
                    "every word that there is something to say of, a line each");
  command
      ->add_option("--color", words->color, "auto (default), always or never; auto heeds NO_COLOR")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->type_name("WHEN");
  return {command, [words] { return explain_words(*words); }};
}

}  // namespace smsim::cli
