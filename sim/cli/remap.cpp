// SPDX-License-Identifier: MIT
// smsim remap: other register names and reuse flags for a loop, as a table and as code.
#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/output_words.hpp"
#include "cli/request.hpp"
#include "smsim/read.hpp"
#include "smsim/report.hpp"

namespace smsim::cli {
namespace {

constexpr const char* kRemapExamples =
    "Examples:\n"
    "  smsim remap gemm.sass --warps 8 -o faster.sass\n"
    "  smsim remap gemm.sass --loop 0x220-0x3f0 --max-registers 96\n"
    "  smsim remap gemm.cubin --patch gemm.cubin -o faster.cubin\n"
    "\n"
    "The table goes to standard output, the code to OUT. Nothing but registers and reuse flags\n"
    "changes, and no value can meet another one: names that a part of a kernel shares with the "
    "rest\n"
    "stay as they are.";

struct RemapWords {
  RequestWords request;
  OutputWords output;
  int max_registers = 0;
  std::string patch;
};

std::string render(const Remapped& found, const OutputWords& words) {
  std::ostringstream out;
  if (words.format == "json") {
    write_json(out, found);
  } else {
    // The code goes to the file; the table goes where it is read.
    write_text(out, found, {wants_color(words.color, ""), text_width("")});
  }
  return std::move(out).str();
}

Expected<std::string> code(const Request& request, const Remapped& found, const RemapWords& words) {
  if (words.patch.empty()) return rewritten_text(request.program, found);
  return read_bytes(words.patch).and_then([&](const std::string& bytes) {
    return patch_cubin(bytes, words.patch, found);
  });
}

int run(const RemapWords& words) {
  if (!words.patch.empty() && (words.output.out.empty() || words.output.out == "-"))
    return report(fail(ErrorKind::usage, "--patch without a file to write to", {},
                       "name it with -o; CUBIN itself is not changed")
                      .value());
  if (words.patch.empty())
    if (const auto text = text_for_a_binary(words.output.out, "--patch CUBIN writes a binary"))
      return report(*text);
  const auto request = read_request(words.request);
  if (!request) return report(request.error());
  auto found = remap(request->program, request->arch, request->options, {words.max_registers});
  if (!found) return report(found.error());
  found->after = with_notes(std::move(found->after), request->notes);
  const std::string table = render(*found, words.output);
  if (words.output.out.empty()) return emit(table, "");
  const auto text = code(*request, *found, words);
  if (!text) return report(text.error());
  const int written = emit(*text, words.output.out);
  if (written != 0) return written;
  if (words.output.out != "-") return emit(table, "");
  std::cerr << table;
  return 0;
}

}  // namespace

Command add_remap(CLI::App& app) {
  auto words = std::make_shared<RemapWords>();
  CLI::App* command =
      app.add_subcommand("remap", "register names and reuse flags that make a loop faster");
  command->footer(kRemapExamples);
  add_request_options(*command, words->request);
  command
      ->add_option("--max-registers", words->max_registers,
                   "use R0 to R(N-1); default: as many as the function has")
      ->check(CLI::Range(1, kRZ))
      ->type_name("N");
  command
      ->add_option("--patch", words->patch,
                   "writes this binary with the new registers and flags to OUT")
      ->type_name("CUBIN");
  add_output_options(*command, words->output, {"text", "json"});
  return {command, [words] { return run(*words); }};
}

}  // namespace smsim::cli
