// SPDX-License-Identifier: MIT
// Traces of Accel-Sim (.traceg) to a Program: the code that they show, and what each warp did.
#include "decode/trace_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "decode/line_parts.hpp"
#include "decode/text.hpp"
#include "decode/text_reader.hpp"
#include "decode/trace_code.hpp"
#include "isa/opcode.hpp"

namespace smsim::decode {
namespace {

constexpr std::string_view kHeadDisagrees =
    "the trace's head says so, and its content otherwise: is the file damaged?";
constexpr std::size_t kMostSteps = std::size_t{1} << 24;
constexpr std::size_t kMostInstructions = std::size_t{1} << 20;
constexpr int kOldestVersion = 2;
constexpr int kNewestVersion = 5;
/// Before it each line begins with the thread block's three numbers and the warp's.
constexpr int kFirstWithoutPlace = 3;
constexpr std::size_t kHead = 1 << 16;

template <typename Number>
std::optional<Number> number(std::string_view text) {
  text = trim(text);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc()) return std::nullopt;
  return value;
}

/// The product of `(55,1,1)`.
std::uint64_t product(std::string_view text) {
  std::uint64_t all = 1;
  text = trim(text);
  if (!text.starts_with('(')) return 0;
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::size_t end = std::min(text.find_first_of(",)"), text.size());
    const auto one = number<std::uint32_t>(text.substr(0, end));
    if (!one || *one == 0 || all > (std::uint64_t{1} << 40)) return 0;
    all *= *one;
    text.remove_prefix(end);
    if (text.starts_with(')')) return all;
  }
  return 0;
}

/// `-kernel id = 593`: the value behind a key; nullopt for another key.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  if (!line.starts_with('-') || !line.substr(1).starts_with(key)) return std::nullopt;
  const std::string_view rest = trim_left(line.substr(1 + key.size()));
  if (!rest.starts_with('=')) return std::nullopt;
  return trim(rest.substr(1));
}

class TraceReader {
 public:
  explicit TraceReader(const std::string& source)
      : source_(source), trace_(std::make_shared<Trace>()) {}

  Expected<Program> read(std::string_view text) {
    while (!text.empty() && errors_.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      line_ = trim(text.substr(0, end));
      ++number_;
      on_line();
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (errors_.empty()) end_warp();
    if (errors_.empty() && trace_->warps.empty()) {
      error("this trace holds no instructions", "is the file complete?");
    }
    if (!errors_.empty()) return tl::make_unexpected(std::move(errors_));
    return build();
  }

 private:
  /// An instruction of the code, as it was first seen.
  struct Seen {
    std::uint32_t index = 0;  ///< in the order of first sight
    std::string code;
    std::string text;
    std::uint32_t line = 0;
    std::optional<std::uint64_t> target;  ///< where it went on when not behind itself
    bool fell_through = false;
  };

  void error(std::string message, std::string hint) {
    errors_ = fail(ErrorKind::bad_input, std::move(message), {source_, number_, 1}, std::move(hint),
                   std::string(line_.substr(0, 200)))
                  .value();
  }

  void on_line() {
    if (line_.empty()) return;
    if (line_.starts_with('-')) return on_header();
    if (line_.starts_with("#BEGIN_TB")) return begin_thread_block();
    if (line_.starts_with('#')) return;
    if (line_.starts_with("thread block")) return;
    if (line_.starts_with("warp =")) return begin_warp(line_.substr(6));
    if (line_.starts_with("insts =")) {
      wanted_ = number<std::uint64_t>(line_.substr(7));
      return;
    }
    on_instruction();
  }

  void on_header() {
    if (const auto name = value_of(line_, "kernel name")) name_ = *name;
    if (const auto grid = value_of(line_, "grid dim")) trace_->grid_thread_blocks = product(*grid);
    if (const auto block = value_of(line_, "block dim")) on_block(product(*block));
    if (const auto bytes = value_of(line_, "shmem"))
      trace_->shared_bytes = number<int>(*bytes).value_or(0);
    if (const auto count = value_of(line_, "nregs")) registers_ = number<int>(*count).value_or(0);
    if (const auto sm = value_of(line_, "binary version")) sm_ = number<int>(*sm).value_or(0);
    if (const auto lines = value_of(line_, "enable lineinfo")) lineinfo_ = *lines == "1";
    if (const auto version = value_of(line_, "accelsim tracer version")) on_version(*version);
  }

  void on_block(std::uint64_t threads) {
    constexpr std::uint64_t kMostThreads = 1024;
    if (threads > kMostThreads)
      return error(fmt::format("a thread block of {} threads", threads),
                   fmt::format("it has {} at most", kMostThreads));
    trace_->threads_per_block = static_cast<int>(threads);
  }

  void begin_thread_block() {
    const std::uint64_t grid = trace_->grid_thread_blocks;
    if (++trace_->thread_blocks <= grid || grid == 0) return;
    error(fmt::format("thread block {} of a grid of {}", trace_->thread_blocks, grid),
          std::string(kHeadDisagrees));
  }

  void on_version(std::string_view text) {
    trace_->version = number<int>(text).value_or(0);
    if (trace_->version >= kOldestVersion && trace_->version <= kNewestVersion) return;
    error(fmt::format("tracer version '{}' is not known", text),
          "versions 2 to 5 of Accel-Sim's tracer are read");
  }

  void begin_warp(std::string_view text) {
    end_warp();
    const auto warp = number<std::uint32_t>(text);
    if (!warp || trace_->thread_blocks == 0) {
      return error("expected '#BEGIN_TB', then 'warp = N'", "is the file complete?");
    }
    const int threads = trace_->threads_per_block;
    if (threads > 0 && std::uint64_t{*warp} * kLanes >= static_cast<std::uint64_t>(threads))
      return error(fmt::format("warp {} of a thread block of {} threads", *warp, threads),
                   std::string(kHeadDisagrees));
    trace_->warps.push_back({trace_->thread_blocks - 1, *warp, {}});
    wanted_.reset();
  }

  /// A warp's count of instructions and what follows must agree.
  void end_warp() {
    last_ = nullptr;
    if (trace_->warps.empty() || !wanted_) return;
    const std::size_t found = trace_->warps.back().steps.size();
    if (found != *wanted_) {
      error(fmt::format("a warp has {} instructions where 'insts = {}' was said", found, *wanted_),
            "the trace is cut off or damaged");
    }
    if (found == 0) trace_->warps.pop_back();
    wanted_.reset();
  }

  void on_instruction() {
    if (trace_->warps.empty()) {
      return error("an instruction in front of any 'warp = N'",
                   "traces must be post-processed (post-traces-processing), so that warps are in "
                   "order");
    }
    const int place = trace_->version != 0 && trace_->version < kFirstWithoutPlace ? 4 : 0;
    const auto parsed = parse_trace_line(line_, place + (lineinfo_ ? 1 : 0));
    if (!parsed) {
      return error("this is no line of a trace",
                   "expected PC, mask, destinations, opcode, sources, width and addresses; the "
                   "header's version says what stands in front");
    }
    if (++steps_ > kMostSteps) {
      return error("more than 16 million traced instructions",
                   "take fewer thread blocks, or a shorter kernel");
    }
    Seen* const seen = see(*parsed);
    if (seen == nullptr) return;
    follow(parsed->pc, *seen);
    trace_->warps.back().steps.push_back(
        {seen->index, parsed->mask, parsed->has_addresses ? keep(parsed->addresses) : 0});
  }

  Seen* see(const TraceLine& line) {
    const auto [at, fresh] = code_.try_emplace(line.pc);
    Seen& seen = at->second;
    if (!fresh) {
      if (seen.code == line.code) return &seen;
      error(fmt::format("at 0x{:04x} stood '{}' before (line {})", line.pc, seen.code, seen.line),
            "a trace is of one kernel");
      return nullptr;
    }
    auto text = trace_instruction(line.code);
    if (!text || code_.size() > kMostInstructions) {
      error(text ? "more than a million instructions at different addresses"
                 : "the instruction is not of the form that the tracer writes",
            "");
      return nullptr;
    }
    seen.index = static_cast<std::uint32_t>(code_.size() - 1);
    seen.code = std::string(line.code);
    seen.text = *std::move(text);
    seen.line = number_;
    return &seen;
  }

  /// Where the instruction before this one went.
  void follow(std::uint64_t pc, Seen& seen) {
    if (last_ != nullptr) {
      const std::uint64_t behind = last_pc_ + (sm_ >= 30 && sm_ < 70 ? 8 : 16);
      const bool next = pc == behind || (pc > behind && pc - behind <= 8 && sm_ < 70);
      if (next) last_->fell_through = true;
      if (!next && !last_->target) last_->target = pc;
    }
    last_ = &seen;
    last_pc_ = pc;
  }

  std::uint32_t keep(const std::array<std::int64_t, 32>& addresses) {
    const auto [at, fresh] =
        known_.try_emplace(addresses, static_cast<std::uint32_t>(trace_->addresses.size() + 1));
    if (fresh) trace_->addresses.push_back(addresses);
    return at->second;
  }

  // The program.

  std::string listing() const {
    std::string out;
    if (sm_ >= 30) out += fmt::format("\t.target sm_{}\n", sm_);
    out += fmt::format("\t.section .text.{}\n", name_);
    for (const auto& [pc, seen] : code_) {
      const auto* row = isa::find_opcode(seen.text.substr(0, seen.text.find(' ')));
      const bool jumps = row != nullptr && isa::is_branch(row->op_class) && seen.target;
      fmt::format_to(std::back_inserter(out), "        /*{:04x}*/  {}{} ;\n", pc, seen.text,
                     jumps ? fmt::format(" 0x{:x}", *seen.target) : std::string());
    }
    return out;
  }

  Expected<Program> build() {
    auto program = read_text(listing(), source_);
    if (!program) return program;
    program->format = fmt::format("Accel-Sim trace, tracer version {}", trace_->version);
    Function& function = program->functions.front();
    function.registers = registers_ >= 1 && registers_ <= 255 ? registers_ : 0;
    // Lines are those of the trace, where an instruction was first seen.
    program->lines.clear();
    function.line = 0;
    std::vector<std::uint32_t> place(code_.size());
    std::uint32_t at = 0;
    for (const auto& [pc, seen] : code_) {
      mark_conditional(seen, function.instructions[at]);
      function.instructions[at].line = seen.line;
      function.instructions[at].column = 0;
      place[seen.index] = at++;
    }
    for (WarpTrace& warp : trace_->warps)
      for (TraceStep& step : warp.steps) step.index = place[step.index];
    function.trace = std::move(trace_);
    return program;
  }

  /// A branch that went both ways has a predicate that the trace does not name.
  static void mark_conditional(const Seen& seen, Instruction& instruction) {
    if (instruction.target && seen.fell_through) instruction.guard.index = 0;
  }

  const std::string& source_;
  std::shared_ptr<Trace> trace_;
  Diagnostics errors_;
  std::string name_ = "unnamed";
  std::string_view line_;
  std::uint32_t number_ = 0;
  int sm_ = 0;
  int registers_ = 0;
  bool lineinfo_ = false;
  std::optional<std::uint64_t> wanted_;
  std::size_t steps_ = 0;
  std::map<std::uint64_t, Seen> code_;
  std::map<std::array<std::int64_t, 32>, std::uint32_t> known_;
  Seen* last_ = nullptr;
  std::uint64_t last_pc_ = 0;
};

std::string_view first_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = trim(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

bool is_launch(std::string_view line) {
  return line.starts_with("kernel-") && line.find(".trace") != std::string_view::npos &&
         line.find_first_of(" \t") == std::string_view::npos;
}

}  // namespace

bool is_trace(std::string_view text) {
  const std::string_view head = text.substr(0, kHead);
  return head.starts_with("-kernel name") || head.find("\n#traces format") != head.npos ||
         head.find("\n-accelsim tracer version") != head.npos;
}

Expected<Program> read_trace(std::string_view text, const std::string& source) {
  return TraceReader(source).read(text);
}

bool is_trace_list(std::string_view text) {
  std::string_view rest = text.substr(0, kHead);
  bool any = false;
  const bool whole = rest.size() == text.size();
  while (!rest.empty()) {
    const std::string_view line = first_line(rest);
    if (line.empty() || (rest.empty() && !whole)) continue;
    if (!is_launch(line) && !line.starts_with("Memcpy")) return false;
    any = true;
  }
  return any;
}

std::vector<std::string> traces_of(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::string_view line = first_line(list);
    if (is_launch(line)) names.emplace_back(line);
  }
  return names;
}

}  // namespace smsim::decode
