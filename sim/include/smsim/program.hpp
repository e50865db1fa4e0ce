// SPDX-License-Identifier: MIT
// What was read: functions of decoded instructions with their control words, and the loops in them.
#pragma once

#include <array>
#include <atomic>
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "smsim/diagnostic.hpp"

namespace smsim {

inline constexpr int kRZ = 255;       ///< the zero register; reads and writes nothing
inline constexpr int kURZ = 255;      ///< the uniform zero register (63 in encodings before sm_100)
inline constexpr int kPT = 7;         ///< the always-true predicate
inline constexpr int kNoBarrier = 7;  ///< a barrier field that names no barrier

/// Items that copies share, as long as none of them is edited: the millions of instructions of a
/// long program repeat most of what stands in them. Copies may be used by several threads.
template <typename T>
class SharedArray {
 public:
  SharedArray() = default;
  explicit SharedArray(std::span<const T> items) : block_(make_block(items)) {}
  SharedArray(std::initializer_list<T> items)
      : SharedArray(std::span<const T>(items.begin(), items.size())) {}
  SharedArray(const SharedArray& other) noexcept : block_(other.block_) {
    if (block_ != nullptr) block_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  SharedArray(SharedArray&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  SharedArray& operator=(SharedArray other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~SharedArray() { release(); }

  const T* data() const { return block_ == nullptr ? nullptr : items_of(block_); }
  std::size_t size() const { return block_ == nullptr ? 0 : block_->size; }
  bool empty() const { return block_ == nullptr; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  const T& operator[](std::size_t i) const { return data()[i]; }
  const T& front() const { return *begin(); }
  const T& back() const { return *(end() - 1); }

  /// The items, to be changed: from here on they are this array's own.
  std::span<T> edit() {
    if (block_ != nullptr && block_->owners.load(std::memory_order_acquire) != 1)
      *this = SharedArray(std::span<const T>(data(), size()));
    return {block_ == nullptr ? nullptr : items_of(block_), size()};
  }

 private:
  /// The items lie behind it.
  struct alignas(8) Block {
    std::atomic<std::uint32_t> owners;
    std::uint32_t size;
  };
  static_assert(alignof(T) <= alignof(Block));

  static T* items_of(Block* block) { return reinterpret_cast<T*>(block + 1); }

  static Block* make_block(std::span<const T> items) {
    if (items.empty()) return nullptr;
    void* const memory = ::operator new(sizeof(Block) + items.size_bytes());
    Block* const block = new (memory) Block{1, static_cast<std::uint32_t>(items.size())};
    std::uninitialized_copy(items.begin(), items.end(), items_of(block));
    return block;
  }

  void release() {
    if (block_ == nullptr || block_->owners.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    std::destroy_n(items_of(block_), block_->size);
    ::operator delete(block_);
  }

  Block* block_ = nullptr;
};

/// Characters that copies share; to change them is to assign others.
class Text {
 public:
  Text() = default;
  Text(std::string_view text) : characters_(std::span<const char>(text.data(), text.size())) {}
  Text(const std::string& text) : Text(std::string_view(text)) {}
  Text(const char* text) : Text(std::string_view(text)) {}

  std::string_view view() const { return {characters_.data(), characters_.size()}; }
  std::string str() const { return std::string(view()); }
  operator std::string_view() const { return view(); }
  operator std::string() const { return str(); }

  std::size_t size() const { return characters_.size(); }
  bool empty() const { return characters_.empty(); }
  char front() const { return characters_.front(); }
  char back() const { return characters_.back(); }
  char operator[](std::size_t i) const { return characters_[i]; }
  std::string_view substr(std::size_t from, std::size_t count = std::string_view::npos) const {
    return view().substr(from, count);
  }
  std::size_t find(std::string_view part, std::size_t from = 0) const {
    return view().find(part, from);
  }
  bool starts_with(std::string_view part) const { return view().starts_with(part); }
  bool ends_with(std::string_view part) const { return view().ends_with(part); }

  friend bool operator==(const Text& left, std::string_view right) { return left.view() == right; }
  friend auto operator<=>(const Text& left, std::string_view right) {
    return left.view() <=> right;
  }
  friend std::string operator+(const Text& left, std::string_view right) {
    return left.str().append(right);
  }
  friend std::string operator+(std::string_view left, const Text& right) {
    return std::string(left).append(right.view());
  }
  friend std::ostream& operator<<(std::ostream& out, const Text& text) {
    return out << text.view();
  }

 private:
  SharedArray<char> characters_;
};

enum class OperandKind : std::uint8_t {
  reg,                ///< R0..R254, RZ
  uniform_reg,        ///< UR0..UR62, URZ
  predicate,          ///< P0..P6, PT
  uniform_predicate,  ///< UP0..UP6, UPT
  immediate,          ///< number
  constant,           ///< c[bank][offset], also with a register inside, also cx[UR][offset]
  memory,             ///< [R2.64+UR4+0x10], desc[UR6][R2.64]
  special_reg,        ///< SR_TID.X, SR_CLOCKLO, ...
  convergence,        ///< B0..B15
  scoreboard,         ///< SB0..SB5 of DEPBAR
  label,              ///< a branch target
  other               ///< anything else, kept as text
};

/// Where an operand is read: the three source slots of the encoding, in which reuse flags count.
enum class SourceSlot : std::uint8_t { a = 0, b = 1, c = 2, none = 255 };

/// One operand as written, with the role the opcode table gives it.
struct Operand {
  OperandKind kind = OperandKind::other;
  std::int16_t index =
      -1;  ///< register, predicate or barrier number; memory: the address register; -1: none
  std::int16_t uniform =
      -1;  ///< memory, constant: the uniform register added to the address; -1: none
  std::int16_t descriptor = -1;  ///< memory: the uniform register of desc[URn]; -1: none
  std::uint8_t registers = 1;    ///< consecutive registers read or written (2 for .64, 4 for .128)
  std::uint8_t scale = 1;        ///< memory: the factor of .X4, .X8, .X16 on the address register
  SourceSlot slot = SourceSlot::none;  ///< which source slot reads it
  bool destination = false;            ///< written by the instruction
  bool reuse = false;                  ///< carries the reuse flag
  bool negated = false;                ///< leading - or ! or ~
  std::int64_t value = 0;  ///< immediate, constant or memory offset, branch target (address)
  Text text;               ///< as written
};

/// Whose control word an instruction has. It decides which fields of ControlWord mean anything.
enum class ControlFormat : std::uint8_t {
  volta,    ///< sm_70 and later: in the 128-bit instruction; also where nobody says
  maxwell,  ///< sm_50 to sm_62: 21 bits, one word for three instructions; the same fields
  kepler    ///< sm_30 to sm_37: 8 bits, one word for seven; stall and code only
};

/// The scheduling fields of an instruction, for all generations.
struct ControlWord {
  /// Cycles after which the warp's next instruction may issue: 0..15. Before Volta 0 asks for dual
  /// issue with that instruction. Kepler: 1..32 (what it encodes is one less), or 0.
  std::uint8_t stall = 1;
  bool yield = false;                       ///< yield requested: the raw bit is clear, printed Y
  std::uint8_t write_barrier = kNoBarrier;  ///< 0..5, or kNoBarrier
  std::uint8_t read_barrier = kNoBarrier;   ///< 0..5, or kNoBarrier
  std::uint8_t wait_mask = 0;               ///< bit b: wait for barrier b
  std::uint8_t reuse = 0;                   ///< bit s: keep the operand of slot s
  ControlFormat format = ControlFormat::volta;
  std::uint8_t code = 0;  ///< Kepler: the eight bits as they stand in the control word

  /// Whether it asks to issue in one cycle with the warp's next instruction.
  bool dual_issue() const { return stall == 0 && format != ControlFormat::volta; }
  bool operator==(const ControlWord&) const = default;
};

struct Guard {
  std::int16_t index = kPT;
  bool negated = false;
  bool uniform = false;
};

struct Instruction {
  std::uint64_t address = 0;  ///< bytes from the function's start
  Text text;    ///< `@!P0 BRA 0x80`: guard, opcode, operands; single spaces, no semicolon
  Text opcode;  ///< with suffixes: LDG.E.64
  Guard guard;
  SharedArray<Operand> operands;
  ControlWord control;
  std::optional<std::array<std::uint64_t, 2>>
      encoding;                         ///< low and high word; of 64 bits the low one
  std::optional<std::uint64_t> target;  ///< of a direct branch or call, or of SYNC: address
  std::uint32_t line = 0;               ///< in the source, from 1
  std::uint32_t column = 0;             ///< of the opcode or guard, from 1
};

/// An instruction that a traced warp issued.
struct TraceStep {
  std::uint32_t index = 0;  ///< into Function::instructions
  std::uint32_t lanes = 0;  ///< bit l: lane l takes part; 0: masked off, which issues all the same
  std::uint32_t addresses = 0;  ///< 1 + index into Trace::addresses; 0: none
};

/// What one warp did, from its first instruction to its last.
struct WarpTrace {
  std::uint32_t thread_block = 0;  ///< in the order of the trace
  std::uint32_t warp = 0;          ///< in its thread block
  std::vector<TraceStep> steps;
};

/// A launch of a function as a tracer saw it.
struct Trace {
  int version = 0;                       ///< of Accel-Sim's tracer
  std::uint64_t grid_thread_blocks = 0;  ///< of the launch; the trace may hold fewer
  std::uint32_t thread_blocks = 0;       ///< in the trace
  int threads_per_block = 0;
  int shared_bytes = 0;  ///< of a thread block
  std::vector<WarpTrace> warps;
  std::vector<std::array<std::int64_t, 32>> addresses;  ///< bytes from the first lane's address
};

namespace program {
class KeptFacts;
std::shared_ptr<KeptFacts> keep_facts();
}  // namespace program

struct Function {
  std::string name;
  int sm = 0;         ///< 90 for sm_90; 0 when the input does not say
  int registers = 0;  ///< a thread's, as compiled; 0 when the input does not say
  bool has_control_words = true;
  std::vector<Instruction> instructions;  ///< by ascending address
  std::uint32_t line = 0;
  std::vector<std::pair<std::string, std::uint64_t>> labels;  ///< as written, by address
  std::shared_ptr<const Trace> trace;  ///< of a trace; the instructions are those that it shows
  /// What predictions have found out about the code, for the next ones. Copies share it. Code that
  /// has been changed since is looked at anew, so everything above may be edited freely.
  std::shared_ptr<program::KeptFacts> kept = program::keep_facts();
};

struct Program {
  std::string source;  ///< file name, or <stdin>
  std::string format;  ///< cuobjdump, nvdisasm, bracketed, cubin, maxas, ...
  std::vector<Function> functions;
  std::vector<std::string> lines;  ///< the text, for excerpts in later diagnostics
};

/// A loop: from the target of a backward branch to that branch, both inclusive.
struct Loop {
  std::uint64_t start = 0;       ///< address of the first instruction
  std::uint64_t end = 0;         ///< address of the backward branch
  std::size_t instructions = 0;  ///< how many lie between, both inclusive
  bool innermost = true;         ///< no other loop inside
};

/// The loops of a function, in address order. A self-branch after EXIT (padding) is none.
std::vector<Loop> find_loops(const Function& function);

}  // namespace smsim
