// SPDX-License-Identifier: MIT
// Which notation a text is written in: decided from the whole of it, or by the user.
#include "decode/dialect.hpp"

#include <algorithm>

#include "decode/line_parts.hpp"
#include "decode/text.hpp"

namespace smsim::decode {
namespace {

struct DialectName {
  std::string_view name;
  Dialect dialect;
};
constexpr DialectName kDialectNames[] = {{"disassembly", Dialect::disassembly},
                                         {"cuasm", Dialect::disassembly},
                                         {"maxas", Dialect::maxas},
                                         {"turingas", Dialect::turingas},
                                         {"kepleras", Dialect::kepleras},
                                         {"yaml", Dialect::yaml}};

/// Lines among which the first one in five fields must stand.
constexpr int kLinesToLookAt = 2000;

template <typename Visitor>
void for_each_line(std::string_view text, Visitor visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!visit(trim(text.substr(0, end)))) return;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Opcodes that only one of the generations has.
constexpr std::string_view kOnlyMaxwell[] = {"XMAD",   "BFE", "BFI", "ISCADD", "SYNC", "SSY",
                                             "MOV32I", "SHL", "SHR", "LOP",    "CAL"};
constexpr std::string_view kOnlyVolta[] = {"IMAD.MOV", "IMAD.WIDE", "BSSY", "BSYNC", "HMMA",
                                           "IMMA",     "UMOV",      "ULDC", "LDSM"};

template <typename List>
bool has_opcode(std::string_view instruction, const List& list) {
  if (instruction.starts_with('@')) {
    instruction.remove_prefix(std::min(instruction.find(' '), instruction.size()));
    instruction = trim_left(instruction);
  }
  return std::any_of(std::begin(list), std::end(list), [&](std::string_view name) {
    if (!instruction.starts_with(name)) return false;
    return instruction.size() == name.size() ||
           std::string_view(" .;\t").find(instruction[name.size()]) != std::string_view::npos;
  });
}

bool is_barrier_of(std::string_view field, std::string_view values) {
  return field.size() == 1 && values.find(field[0]) != std::string_view::npos;
}

/// What speaks for which dialect.
struct Marks {
  bool kepleras = false;
  bool maxas = false;
  bool turingas = false;

  int count() const { return int{kepleras} + int{maxas} + int{turingas}; }
};

/// Headers and blocks decide, then the values of fields, then opcodes.
struct Evidence {
  Marks words, fields, opcodes;
  std::uint32_t first_line = 0;
};

void weigh_words(std::string_view line, Marks& marks) {
  for (const std::string_view block : {"<regs>", "<params>", "<kernel", "<registers>"}) {
    marks.turingas |= line.starts_with(block);
  }
  for (const std::string_view block : {"<REGISTER_MAPPING", "<CONSTANT_MAPPING", "<SCHEDULE"}) {
    marks.maxas |= line.starts_with(block);
  }
  const std::size_t arch = line.find("Arch: sm_");
  if (!line.starts_with('#') || arch == line.npos) return;
  const int sm = parse_sm(line.substr(arch + 9));
  marks.turingas |= sm >= 70;
  marks.maxas |= sm >= 50 && sm < 70;
  marks.kepleras |= sm != 0 && sm < 50;
}

void weigh_fields(const FiveFields& line, Marks& marks) {
  if (line.fields[0].size() == 1) {
    marks.kepleras = true;
    return;
  }
  for (const int barrier : {1, 2}) {
    marks.turingas |= is_barrier_of(line.fields[barrier], "07");
  }
  marks.maxas |= line.fields[0].find_first_of("abcdefABCDEF") != std::string_view::npos;
}

Evidence weigh(std::string_view text) {
  Evidence evidence;
  std::uint32_t number = 0;
  for_each_line(text, [&](std::string_view line) {
    ++number;
    weigh_words(line, evidence.words);
    if (const auto parts = split_five_fields(line)) {
      if (evidence.first_line == 0) evidence.first_line = number;
      weigh_fields(*parts, evidence.fields);
      evidence.opcodes.maxas |= has_opcode(parts->rest, kOnlyMaxwell);
      evidence.opcodes.turingas |= has_opcode(parts->rest, kOnlyVolta);
    }
    return true;
  });
  return evidence;
}

tl::unexpected<Diagnostics> undecided(const std::string& source, const Evidence& evidence,
                                      const char* message) {
  return fail(ErrorKind::bad_input, message, {source, evidence.first_line, 1},
              "say which with --input-format, or with a line '# Arch: sm_52' or '# Arch: sm_75'");
}

}  // namespace

std::optional<Dialect> dialect_named(std::string_view name) {
  for (const DialectName& one : kDialectNames) {
    if (one.name == name) return one.dialect;
  }
  return std::nullopt;
}

const std::vector<std::string_view>& dialect_names() {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> names;
    for (const DialectName& one : kDialectNames) names.push_back(one.name);
    return names;
  }();
  return kNames;
}

std::optional<FiveFields> split_five_fields(std::string_view line) {
  FiveFields parts;
  line = trim_left(line);
  for (int i = 0; i < 5; ++i) {
    const std::size_t end = std::min(line.find_first_of(i < 4 ? ": \t;" : " \t"), line.size());
    parts.fields[i] = line.substr(0, end);
    const bool separated = end < line.size() && (i == 4 || line[end] == ':');
    if (end == 0 || end > 2 || !separated) return std::nullopt;
    line.remove_prefix(end + (i < 4 ? 1 : 0));
  }
  constexpr std::string_view kAllowed = "0123456789abcdefABCDEF-YyTGDS";
  for (int i = 0; i < 4; ++i) {
    if (parts.fields[i].find_first_not_of(kAllowed) != std::string_view::npos) return std::nullopt;
  }
  parts.rest = trim(line);
  return parts;
}

Expected<Dialect> find_dialect(std::string_view text, const std::string& source) {
  int looked = 0;
  bool yaml = false, five = false;
  for_each_line(text, [&](std::string_view line) {
    yaml = line.starts_with("format:") && line.find("smsim-loop/") != line.npos;
    five = split_five_fields(line).has_value();
    return !yaml && !five && ++looked < kLinesToLookAt;
  });
  if (yaml) return Dialect::yaml;
  if (!five) return Dialect::disassembly;
  const Evidence evidence = weigh(text);
  for (const Marks& marks : {evidence.words, evidence.fields, evidence.opcodes}) {
    if (marks.count() > 1) {
      return undecided(source, evidence,
                       "this has marks of more than one of maxas, turingas and KeplerAs");
    }
    if (marks.kepleras) return Dialect::kepleras;
    if (marks.maxas) return Dialect::maxas;
    if (marks.turingas) return Dialect::turingas;
  }
  return undecided(source, evidence,
                   "this may be maxas or turingas, which give barriers other numbers");
}

WrongKind wrong_kind(std::string_view text) {
  struct Mark {
    std::string_view word;
    const char* message;
    const char* hint;
  };
  constexpr const char* kCompile = "compile it first: nvcc -cubin -arch=sm_NN";
  constexpr const char* kNvidia = "smsim reads machine code of NVIDIA GPUs";
  constexpr Mark kMarks[] = {
      {"nvdisasm fatal", "this is an error message of nvdisasm", "see what it says"},
      {"nvdisasm error", "this is an error message of nvdisasm", "see what it says"},
      {"cuobjdump fatal", "this is an error message of cuobjdump", "see what it says"},
      {"command not found", "this is an error message of a shell", "see what it says"},
      {".address_size", "this is PTX, which is not yet machine code", kCompile},
      {".visible .entry", "this is PTX, which is not yet machine code", kCompile},
      {"__global__", "this is CUDA C++", kCompile},
      {"#include", "this is C or C++", kCompile},
      {"amdgcn", "this is assembly of an AMD GPU", kNvidia},
      {"s_waitcnt", "this is assembly of an AMD GPU", kNvidia},
      {"s_endpgm", "this is assembly of an AMD GPU", kNvidia},
      {".cfi_startproc", "this is assembly of a host processor", kNvidia},
      {"%rsp", "this is assembly of a host processor", kNvidia},
      {"%rax", "this is assembly of a host processor", kNvidia},
      {"target datalayout", "this is LLVM's representation", kCompile},
  };
  // A listing's beginning says what it is.
  const std::string_view start = text.substr(0, std::size_t{1} << 20);
  for (const Mark& mark : kMarks) {
    if (start.find(mark.word) != std::string_view::npos) return {mark.message, mark.hint};
  }
  return {};
}

}  // namespace smsim::decode
