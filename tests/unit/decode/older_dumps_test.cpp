// SPDX-License-Identifier: MIT
// The compiler's code for Kepler, Maxwell and Pascal: what the text shows of control words is what
// is decoded, and the decoded counts fit the results that they protect.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "isa/accesses.hpp"
#include "isa/code_layout.hpp"
#include "isa/control_word.hpp"
#include "isa/opcode.hpp"
#include "sample.hpp"

using namespace smsim;
using namespace smsim::test;
using isa::OpClass;

namespace {

struct Dump {
  const char* path;
  int sm;
  std::size_t functions;
};

constexpr Dump kKepler[] = {
    {"kepler/kernels.sm_35.cuobjdump.sass.gz", 35, 32},
    {"kepler/kernels.sm_35.nvdisasm-hex.sass.gz", 35, 32},
    {"kepler/kernels.sm_37.cuobjdump.sass.gz", 37, 32},
};

constexpr Dump kMaxwell[] = {
    {"maxwell/kernels.sm_50.cuobjdump.sass.gz", 50, 32},
    {"maxwell/kernels.sm_52.cuobjdump.sass.gz", 52, 32},
    {"maxwell/kernels.sm_52.nvdisasm-hex.sass.gz", 52, 32},
    {"pascal/kernels.sm_60.cuobjdump.sass.gz", 60, 33},
    {"pascal/kernels.sm_61.cuobjdump.sass.gz", 61, 33},
    {"pascal/kernels.sm_61.nvdisasm-hex.sass.gz", 61, 33},
};

std::vector<Dump> all_dumps() {
  std::vector<Dump> all(std::begin(kKepler), std::end(kKepler));
  all.insert(all.end(), std::begin(kMaxwell), std::end(kMaxwell));
  return all;
}

Program read_dump(const char* path) {
  CAPTURE(path);
  auto program = read_program(kTraces + path);
  REQUIRE_MESSAGE(program.has_value(), to_string(program ? Diagnostics{} : program.error()));
  return *std::move(program);
}

const std::string& line_of(const Program& program, const Instruction& instruction) {
  return program.lines.at(instruction.line - 1);
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// The flags that the text shows, as bits of the slots that the table gives the operands.
int flags_in_text(const Instruction& instruction) {
  int flags = 0;
  for (const Operand& operand : instruction.operands) {
    if (!has(operand.text, ".reuse")) continue;
    REQUIRE(operand.slot != SourceSlot::none);
    flags |= 1 << static_cast<int>(operand.slot);
  }
  return flags;
}

/// The words of a function as they are printed, which is the order of their addresses.
std::vector<std::uint64_t> words_of(const Program& program, const Function& function) {
  std::vector<std::uint64_t> words;
  for (std::size_t l = function.line; l < program.lines.size(); ++l) {
    const std::string& line = program.lines[l];
    if (has(line, "Function :") || has(line, ".section\t")) break;
    for (std::size_t at = line.find("/* 0x"); at != std::string::npos;
         at = line.find("/* 0x", at + 1)) {
      words.push_back(std::stoull(line.substr(at + 3, 18), nullptr, 16));
    }
  }
  return words;
}

constexpr OpClass kArithmetic[] = {OpClass::ffma, OpClass::fadd, OpClass::fmul, OpClass::iadd,
                                   OpClass::lop,  OpClass::mov,  OpClass::shf};

bool is_arithmetic(OpClass op_class) {
  return std::find(std::begin(kArithmetic), std::end(kArithmetic), op_class) !=
         std::end(kArithmetic);
}

/// Cycles between a result and the arithmetic that reads it, at the least, by the result's class.
/// Memory, special functions and textures read later, and may follow sooner.
class Distances {
 public:
  void run(const Function& function) {
    std::set<std::uint64_t> targets;
    for (const Instruction& one : function.instructions) {
      if (one.target) targets.insert(*one.target);
    }
    std::int64_t now = 0;
    for (const Instruction& one : function.instructions) {
      const isa::OpcodeRow* row = isa::find_opcode(one.opcode, one.control.format);
      if (row == nullptr || targets.contains(one.address)) written_.clear();
      if (row == nullptr) continue;
      const isa::Accesses accesses = isa::accesses(row, one);
      if (is_arithmetic(row->op_class)) {
        for (const auto& read : accesses.reads) note(read, now);
      }
      for (const auto& write : accesses.writes) {
        for (int r = 0; r < write.count; ++r) written_[write.first + r] = {row->op_class, now};
      }
      now += one.control.stall;
      if (one.target) written_.clear();
    }
    written_.clear();
  }

  std::map<OpClass, std::int64_t> least;

 private:
  void note(const isa::RegisterAccess& read, std::int64_t now) {
    for (int r = 0; r < read.count; ++r) {
      const auto writer = written_.find(read.first + r);
      if (writer == written_.end()) continue;
      const std::int64_t distance = now - writer->second.second;
      const auto [at, fresh] = least.emplace(writer->second.first, distance);
      if (!fresh) at->second = std::min(at->second, distance);
    }
  }

  std::map<int, std::pair<OpClass, std::int64_t>> written_;
};

}  // namespace

TEST_CASE("older dumps: all functions are read, with their architecture and generation") {
  for (const Dump& dump : all_dumps()) {
    CAPTURE(dump.path);
    const Program program = read_dump(dump.path);
    CHECK(program.functions.size() == dump.functions);
    for (const Function& function : program.functions) {
      CHECK(function.sm == dump.sm);
      CHECK(function.instructions.front().address == 8);
      for (const Instruction& one : function.instructions) {
        CHECK(one.control.format == isa::code_layout(dump.sm).format);
      }
    }
  }
}

TEST_CASE("older dumps: every opcode is in the table") {
  for (const Dump& dump : all_dumps()) {
    CAPTURE(dump.path);
    for (const Function& function : read_dump(dump.path).functions) {
      for (const Instruction& one : function.instructions) {
        CHECK_MESSAGE(isa::find_opcode(one.opcode) != nullptr, one.text);
      }
    }
  }
}

TEST_CASE("older dumps: every function has its loops, and every branch leads to an instruction") {
  for (const Dump& dump : all_dumps()) {
    CAPTURE(dump.path);
    std::size_t meetings = 0;
    for (const Function& function : read_dump(dump.path).functions) {
      CAPTURE(function.name);
      CHECK_FALSE(find_loops(function).empty());
      std::set<std::uint64_t> addresses;
      for (const Instruction& one : function.instructions) addresses.insert(one.address);
      for (const Instruction& one : function.instructions) {
        CAPTURE(one.text);
        const bool meets = one.opcode == "SYNC" || one.opcode.ends_with(".S");
        const bool jumps = one.opcode == "BRA" || one.opcode == "CAL" || meets;
        meetings += meets ? 1 : 0;
        REQUIRE(one.target.has_value() == jumps);
        if (one.target) CHECK(addresses.contains(*one.target));
      }
    }
    CHECK(meetings > 10);
  }
}

TEST_CASE("a brace pair is a first with stall count 0 and a second without, and nothing else is") {
  std::size_t pairs = 0;
  std::size_t across = 0;
  for (const Dump& dump : kMaxwell) {
    CAPTURE(dump.path);
    const Program program = read_dump(dump.path);
    for (const Function& function : program.functions) {
      const Instruction* first = nullptr;
      for (const Instruction& one : function.instructions) {
        CAPTURE(one.text);
        const std::string& line = line_of(program, one);
        const bool opens = has(line, " {  ");
        const bool closes = has(line, "  }");
        if (one.opcode == "NOP") continue;  // padding behind the end has stall count 0 as well
        CHECK((one.control.stall == 0) == opens);
        CHECK(one.control.dual_issue() == opens);
        CHECK((first != nullptr) == closes);
        if (closes) {
          ++pairs;
          across += one.address - first->address == 16 ? 1 : 0;
        }
        first = opens ? &one : nullptr;
      }
    }
  }
  CHECK(pairs == 139 + 139 + 139 + 154 + 153 + 153);
  CHECK(across > 100);
}

TEST_CASE("older dumps: every reuse flag in the text is a bit of the control word, and none more") {
  std::size_t flagged = 0;
  for (const Dump& dump : kMaxwell) {
    CAPTURE(dump.path);
    const Program program = read_dump(dump.path);
    for (const Function& function : program.functions) {
      const std::vector<std::uint64_t> words = words_of(program, function);
      for (const Instruction& one : function.instructions) {
        CAPTURE(one.text);
        REQUIRE((one.address & ~31ULL) / 8 < words.size());
        const std::uint64_t word = words[(one.address & ~31ULL) / 8];
        const std::uint64_t slot = one.address % 32 / 8 - 1;
        CHECK((*one.encoding)[0] == words[one.address / 8]);
        CHECK(isa::decode_control_bits(word >> 21 * slot).reuse == flags_in_text(one));
        CHECK(one.control.reuse == flags_in_text(one));
        flagged += one.control.reuse != 0 ? 1 : 0;
      }
    }
  }
  CHECK(flagged > 1000);
}

TEST_CASE("Kepler pairs two instructions of one bundle, never three") {
  std::size_t pairs = 0;
  for (const Dump& dump : kKepler) {
    CAPTURE(dump.path);
    for (const Function& function : read_dump(dump.path).functions) {
      bool before = false;
      for (const Instruction& one : function.instructions) {
        CAPTURE(one.text);
        const int code = one.control.code;
        CHECK((code == 0x00 || code == 0x04 || code == 0xc2 || (code >= 0x20 && code < 0x40)));
        CHECK((code == 0xc2) == (one.opcode == "TEXDEPBAR"));
        const bool pair = one.control.dual_issue();
        if (pair) CHECK(one.address % 64 != 56);
        CHECK_FALSE((pair && before));
        before = pair;
        pairs += pair ? 1 : 0;
      }
    }
  }
  CHECK(pairs > 1000);
}

TEST_CASE("Kepler's delays put a reader nine cycles behind an arithmetic result, at the least") {
  // Were the field n and not n + 1 cycles, the least would be 4 to 8, as many instructions lie
  // between; were bit 4 no part of it, a load from shared memory would be read after 8.
  Distances distances;
  for (const Dump& dump : kKepler) {
    for (const Function& function : read_dump(dump.path).functions) distances.run(function);
  }
  for (const OpClass one : kArithmetic) {
    CAPTURE(isa::name(one));
    CHECK(distances.least.at(one) >= 9);
    if (one != OpClass::mov) CHECK(distances.least.at(one) == 9);
  }
  CHECK(distances.least.at(OpClass::lds) == 24);
  CHECK(distances.least.at(OpClass::lds_128) == 24);
}

TEST_CASE("Maxwell's stall counts put a reader six cycles behind an arithmetic result") {
  Distances distances;
  for (const Dump& dump : kMaxwell) {
    for (const Function& function : read_dump(dump.path).functions) distances.run(function);
  }
  for (const OpClass one : kArithmetic) {
    CAPTURE(isa::name(one));
    CHECK(distances.least.at(one) >= 6);
    if (one != OpClass::mov) CHECK(distances.least.at(one) == 6);
  }
}

TEST_CASE("older dumps: nvdisasm and cuobjdump texts of one binary give the same instructions") {
  for (const auto& [left, right] :
       {std::pair{kKepler[0].path, kKepler[1].path}, std::pair{kMaxwell[1].path, kMaxwell[2].path},
        std::pair{kMaxwell[4].path, kMaxwell[5].path}}) {
    const Program cuobjdump = read_dump(left);
    const Program nvdisasm = read_dump(right);
    CHECK(nvdisasm.format == "nvdisasm");
    std::map<std::string, const Function*> by_name;
    for (const Function& function : nvdisasm.functions) by_name[function.name] = &function;
    for (const Function& function : cuobjdump.functions) {
      CAPTURE(function.name);
      REQUIRE(by_name.contains(function.name));
      const auto& other = by_name[function.name]->instructions;
      // nvdisasm leaves out some of the padding behind the end.
      REQUIRE(other.size() <= function.instructions.size());
      for (std::size_t i = 0; i < other.size(); ++i) {
        CHECK(other[i].address == function.instructions[i].address);
        CHECK(other[i].encoding == function.instructions[i].encoding);
        CHECK(other[i].target == function.instructions[i].target);
        CHECK(other[i].control == function.instructions[i].control);
      }
    }
  }
}

namespace {

/// The lines of a dump's first function, with what stands in front of it.
std::vector<std::string> first_function(const char* path) {
  const Program program = read_dump(path);
  const auto& lines = program.lines;
  const std::size_t end = program.functions[1].line - 1;
  return {lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(end)};
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// Reuse flags of bracketed notation: in front, [RR--:B------:...], or beside the operands.
int stated_flags(const std::string& line, const Instruction& instruction) {
  const std::size_t open = line.find('[');
  if (line[open + 1] == 'B') return flags_in_text(instruction);
  int flags = 0;
  for (std::size_t slot = 0; slot < 4; ++slot) {
    flags |= line[open + 1 + slot] == 'R' ? 1 << slot : 0;
  }
  return flags;
}

/// What is read of a text that lacks lines is right, or it is an error with a place.
void check_damaged(const std::string& text, const std::map<std::uint64_t, Instruction>& whole,
                   std::size_t& errors) {
  const auto program = read_program_text(text, "test.sass");
  if (!program) {
    ++errors;
    REQUIRE_FALSE(program.error().empty());
    for (const Diagnostic& one : program.error()) CHECK(one.where.line > 0);
    return;
  }
  for (const Function& function : program->functions) {
    for (const Instruction& one : function.instructions) {
      CAPTURE(one.text);
      REQUIRE(whole.contains(one.address));
      const Instruction& right = whole.at(one.address);
      CHECK(one.text == right.text);
      CHECK(one.encoding == right.encoding);
      CHECK(one.control == right.control);
    }
  }
}

}  // namespace

TEST_CASE(
    "older dumps: lines that are missing are an error, or what is read is right without them") {
  std::mt19937 random(20260101);
  std::size_t errors = 0;
  constexpr int kRounds = 200;
  const char* const paths[] = {kKepler[0].path, kKepler[1].path, kMaxwell[0].path,
                               kMaxwell[5].path};
  for (const char* path : paths) {
    CAPTURE(path);
    const std::vector<std::string> lines = first_function(path);
    std::map<std::uint64_t, Instruction> whole;
    const Program undamaged = read(joined(lines));
    for (const Instruction& one : undamaged.functions.front().instructions) {
      whole.emplace(one.address, one);
    }
    for (int round = 0; round < kRounds; ++round) {
      std::vector<std::string> fewer = lines;
      const int count = 1 + round % 3;
      for (int i = 0; i < count; ++i) {
        // What names the architecture stays.
        std::uniform_int_distribution<std::size_t> place(12, fewer.size() - 1);
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(place(random)));
      }
      check_damaged(joined(fewer), whole, errors);
    }
    for (std::size_t length = 0; length < lines.size(); ++length) {
      check_damaged(joined({lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(length)}),
                    whole, errors);
    }
  }
  CHECK(errors > 2 * kRounds);
}

TEST_CASE(
    "the loops of Maxwell's published suite are read with the control words that they state") {
  const auto bytes = read_bytes(kTraces + "suites/maxwell/published.jsonl.gz");
  REQUIRE(bytes.has_value());
  std::istringstream rows(*bytes);
  std::size_t count = 0;
  for (std::string row; std::getline(rows, row); ++count) {
    const auto document = nlohmann::json::parse(row);
    CAPTURE(document["id"].get<std::string>());
    const Program program = read(document["sass"].get<std::string>());
    CHECK(program.format == "bracketed");
    const Function& function = program.functions.front();
    for (const Instruction& one : function.instructions) {
      CAPTURE(one.text);
      const std::string& line = line_of(program, one);
      const std::size_t stall = line.find(":S");
      CHECK(one.control.stall == std::stoi(line.substr(stall + 2, 2)));
      CHECK(one.control.yield == has(line, ":Y:S"));
      CHECK(one.control.reuse == stated_flags(line, one));
    }
    CHECK(find_loops(function).size() == 1);
  }
  CHECK(count == 770);
}
