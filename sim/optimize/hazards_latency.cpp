// SPDX-License-Identifier: MIT
// How long a result of fixed latency keeps its readers waiting, by who wrote it and who reads it.
#include "optimize/hazards_latency.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace smsim::optimize {
namespace {

using isa::OpClass;

struct KindRow {
  int first_sm;
  int last_sm;
  OpClass op_class;
  Kind kind;
};

constexpr KindRow kKinds[] = {
#define SMSIM_KIND(first, last, op_class, kind) {first, last, OpClass::op_class, Kind::kind},
#include "optimize/hazards_latency.def"
};

struct ProtectionRow {
  int first_sm;
  int last_sm;
  OpClass op_class;
  Protection protection;
};

constexpr ProtectionRow kProtections[] = {
#define SMSIM_COUNTED(first, last, op_class) {first, last, OpClass::op_class, Protection::counted},
#define SMSIM_WAITED(first, last, op_class) {first, last, OpClass::op_class, Protection::waited},
#include "optimize/hazards_latency.def"
};

struct OrderedRow {
  int first_sm;
  int last_sm;
  OpClass op_class;
  QueueOrder order;
};

constexpr OrderedRow kOrdered[] = {
#define SMSIM_ORDERED(first, last, op_class, queue, results) \
  {first, last, OpClass::op_class, {Queue::queue, results}},
#include "optimize/hazards_latency.def"
};

struct BehindRow {
  int first_sm;
  int last_sm;
  OpClass op_class;
  Kind kind;
  Latency latency;
};

constexpr BehindRow kBehind[] = {
#define SMSIM_BEHIND(first, last, op_class, kind, source, cycles) \
  {first, last, OpClass::op_class, Kind::kind, {cycles, source}},
#include "optimize/hazards_latency.def"
};

struct OverwriteRow {
  int first_sm;
  int last_sm;
  Space space;
  Kind writer;
  std::string_view source;
  struct {
    int read, fast, slow, mma, uniform, umove;
  } after;
};

constexpr OverwriteRow kOverwrites[] = {
#define SMSIM_OVERWRITE(first, last, space, kind, source, ...) \
  {first, last, Space::space, Kind::kind, source, {__VA_ARGS__}},
#include "optimize/hazards_latency.def"
};

/// Columns of the table, in its order.
enum class Column : std::uint8_t {
  alu,
  dual,
  fma,
  wide_low,
  wide_high,
  half,
  half_mma,
  fp64,
  wide64,
  mma,
  mma2,
  dmma,
  uniform,
  umove,
  count
};

struct ReadRow {
  int first_sm;
  int last_sm;
  Space space;
  Kind reader;
  std::string_view source;
  std::array<std::uint8_t, static_cast<std::size_t>(Column::count)> cycles;
};

constexpr ReadRow kReads[] = {
#define SMSIM_READ(first, last, space, reader, source, ...) \
  {first, last, Space::space, Kind::reader, source, {__VA_ARGS__}},
#include "optimize/hazards_latency.def"
};

/// Kind::wide has two columns, for its halves.
Column column_of(Kind writer, OpClass op_class, int part) {
  switch (writer) {
    case Kind::alu:
      return Column::alu;
    case Kind::dual:
      return Column::dual;
    case Kind::fma:
      return Column::fma;
    case Kind::wide:
      return op_class == OpClass::imad_hi || part > 0 ? Column::wide_high : Column::wide_low;
    case Kind::half:
      return Column::half;
    case Kind::half_mma:
      return Column::half_mma;
    case Kind::fp64:
      return Column::fp64;
    case Kind::wide64:
      return Column::wide64;
    case Kind::mma:
      return Column::mma;
    case Kind::mma2:
      return Column::mma2;
    case Kind::dmma:
      return Column::dmma;
    case Kind::uniform:
      return Column::uniform;
    case Kind::umove:
    case Kind::uldc:
      return Column::umove;
    default:
      return Column::count;
  }
}

/// Which row of the table a read is of.
Kind reader_of(int sm, const Node& reader, const PlaceRead& read) {
  const Kind kind = kind_of(sm, reader.op_class);
  if (kind == Kind::branch) return kind;
  const bool predicate =
      read.place.space == Space::predicate || read.place.space == Space::uniform_predicate;
  if (predicate && read.use == Use::guard) return kind == Kind::decoupled ? kind : Kind::any;
  if (kind == Kind::wide && predicate) return Kind::fma;
  if (kind == Kind::wide && read.slot == SourceSlot::c)
    return read.part == 0 ? Kind::wide_c : Kind::wide_c_high;
  return kind == Kind::mma2 || kind == Kind::dmma ? Kind::mma : kind;
}

const ReadRow* find_row(int sm, Space space, Kind reader) {
  const auto found = std::find_if(std::rbegin(kReads), std::rend(kReads), [&](const ReadRow& row) {
    return row.first_sm <= sm && sm <= row.last_sm && row.space == space && row.reader == reader;
  });
  return found == std::rend(kReads) ? nullptr : &*found;
}

}  // namespace

Kind kind_of(int sm, OpClass op_class) {
  while (true) {
    const auto found =
        std::find_if(std::rbegin(kKinds), std::rend(kKinds), [&](const KindRow& row) {
          return row.first_sm <= sm && sm <= row.last_sm && row.op_class == op_class;
        });
    if (found != std::rend(kKinds)) return found->kind;
    const OpClass general = isa::general_class(op_class);
    if (general == op_class) return Kind::none;
    op_class = general;
  }
}

Protection protection_of(int sm, OpClass op_class) {
  const auto* const found =
      std::find_if(std::begin(kProtections), std::end(kProtections), [&](const ProtectionRow& row) {
        return row.first_sm <= sm && sm <= row.last_sm && row.op_class == op_class;
      });
  return found == std::end(kProtections) ? Protection::as_config : found->protection;
}

QueueOrder queue_order(int sm, OpClass op_class) {
  for (OpClass now = op_class;; now = isa::general_class(now)) {
    const auto* const found =
        std::find_if(std::begin(kOrdered), std::end(kOrdered), [&](const OrderedRow& row) {
          return row.first_sm <= sm && sm <= row.last_sm && row.op_class == now;
        });
    if (found != std::end(kOrdered)) return found->order;
    if (isa::general_class(now) == now) return {};
  }
}

namespace {

Latency look_up(int sm, const Node& writer, const PlaceWrite& write, Kind reader) {
  const Column column = column_of(kind_of(sm, writer.op_class), writer.op_class, write.part);
  if (column == Column::count) return {};
  const ReadRow* row = find_row(sm, write.place.space, reader);
  if (row == nullptr) row = find_row(sm, write.place.space, Kind::any);
  if (row == nullptr) return {};
  return {row->cycles[static_cast<std::size_t>(column)], row->source};
}

}  // namespace

Latency read_latency(int sm, const Node& writer, const PlaceWrite& write, const Node& reader,
                     const PlaceRead& read) {
  return look_up(sm, writer, write, reader_of(sm, reader, read));
}

Latency result_latency(int sm, const Node& writer, const PlaceWrite& write) {
  return look_up(sm, writer, write, Kind::alu);
}

int longest_latency(int sm, const Node& writer, const PlaceWrite& write) {
  const Column column = column_of(kind_of(sm, writer.op_class), writer.op_class, write.part);
  if (column == Column::count) return 0;
  int longest = 0;
  for (const ReadRow& row : kReads)
    if (row.first_sm <= sm && sm <= row.last_sm && row.space == write.place.space)
      longest = std::max<int>(longest, row.cycles[static_cast<std::size_t>(column)]);
  return longest;
}

Latency distance_behind(int sm, OpClass first, OpClass second) {
  const Kind kind = kind_of(sm, second);
  for (const BehindRow& row : kBehind) {
    const bool fits = row.first_sm <= sm && sm <= row.last_sm && row.op_class == first;
    if (fits && (row.kind == kind || row.kind == Kind::any)) return row.latency;
  }
  return {};
}

namespace {

const OverwriteRow* find_overwrite(int sm, Space space, OpClass writer) {
  const Kind kind = kind_of(sm, writer);
  const auto* const found =
      std::find_if(std::begin(kOverwrites), std::end(kOverwrites), [&](const OverwriteRow& row) {
        return row.first_sm <= sm && sm <= row.last_sm && row.space == space && row.writer == kind;
      });
  return found == std::end(kOverwrites) ? nullptr : found;
}

}  // namespace

Latency distance_after_read(int sm, Space space, OpClass reader, OpClass writer) {
  const OverwriteRow* row = find_overwrite(sm, space, writer);
  if (row == nullptr) return {};
  // Uniform moves are fast enough to overtake only the uniform datapath's own reading.
  if (space == Space::uniform_reg && kind_of(sm, reader) != Kind::uniform) return {};
  return {row->after.read, row->source};
}

Latency distance_after_write(int sm, Space space, OpClass first, OpClass second) {
  const OverwriteRow* row = find_overwrite(sm, space, second);
  if (row == nullptr) return {};
  switch (kind_of(sm, first)) {
    case Kind::half_mma:
    case Kind::fp64:
      return {row->after.slow, row->source};
    case Kind::mma:
    case Kind::mma2:
    case Kind::dmma:
      return {row->after.mma, row->source};
    case Kind::uniform:
      return {row->after.uniform, row->source};
    case Kind::umove:
    case Kind::uldc:
      return {row->after.umove, row->source};
    default:
      return {row->after.fast, row->source};
  }
}

}  // namespace smsim::optimize
