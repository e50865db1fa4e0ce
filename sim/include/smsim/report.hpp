// SPDX-License-Identifier: MIT
// A Result as text, JSON or CSV, and a Recording as a timeline. Each writes the same bytes for the
// same input.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string_view>
#include <vector>

#include "smsim/analysis.hpp"
#include "smsim/lint.hpp"
#include "smsim/record.hpp"
#include "smsim/remap.hpp"
#include "smsim/simulate.hpp"

namespace smsim {

struct TextOptions {
  bool color = false;  ///< ANSI colours; the command line sets it on terminals only
  int width = 100;     ///< columns
  bool cut = true;     ///< lines of tables that are longer; else only prose keeps to the width
};

/// Summary, issue-slot breakdown, the loop a line an instruction, pipes and banks, assumptions.
void write_text(std::ostream& out, const Result& result, const TextOptions& options = {});

/// One JSON document as docs/predict.schema.json describes.
void write_json(std::ostream& out, const Result& result);

/// A header and one row an instruction.
void write_csv(std::ostream& out, const Result& result);

struct TimelineOptions {
  bool color = false;       ///< ANSI colours; the command line sets it on terminals only
  int width = 100;          ///< columns
  int block = 0;            ///< processing block; -1: all
  std::int64_t cycles = 0;  ///< at most so many; 0: all
  bool heading = true;      ///< which loop, iterations and cycles it shows
};

/// A row an instruction, a column a cycle: waits with their reasons, issue, operand reads with
/// their banks, execution, write-back. Wrapped into panels that fit the width.
void write_timeline(std::ostream& out, const Recording& recording,
                    const TimelineOptions& options = {});

/// The bounds beside the simulation, largest first.
void write_text(std::ostream& out, const Bounds& bounds, const TextOptions& options = {});

/// One JSON document as docs/bounds.schema.json describes.
void write_json(std::ostream& out, const Bounds& bounds);

/// A header and one row a bound.
void write_csv(std::ostream& out, const Bounds& bounds);

/// The critical cycle, and how many dependences of each kind there are.
void write_text(std::ostream& out, const DependencyGraph& graph, const TextOptions& options = {});

/// One JSON document as docs/graph.schema.json describes.
void write_json(std::ostream& out, const DependencyGraph& graph);

/// Graphviz: solid edges within an iteration, dashed ones to the next, red the critical cycle.
void write_dot(std::ostream& out, const DependencyGraph& graph);

/// The instructions as a list, dependences within an iteration as arcs on its right and those to
/// the next one on its left. A picture of its own, light or dark as the reader's page is.
void write_svg(std::ostream& out, const DependencyGraph& graph);

/// Table of cycles and slots over warps with a bar each, JSON, CSV, and the curve as a picture.
void write_text(std::ostream& out, const Occupancy& curve, const TextOptions& options = {});
void write_json(std::ostream& out, const Occupancy& curve);
void write_csv(std::ostream& out, const Occupancy& curve);
void write_svg(std::ostream& out, const Occupancy& curve);

struct WhatIfTextOptions {
  TextOptions text;
  bool legend = true;         ///< what each variant is, in words
  bool instructions = false;  ///< slots lost before each instruction, base and variants
};

/// A line a variant: cycles, gain, and where the slots went.
void write_text(std::ostream& out, const WhatIf& answer, const WhatIfTextOptions& options = {});

/// One JSON document as docs/whatif.schema.json describes.
void write_json(std::ostream& out, const WhatIf& answer);

/// A header, the base, and one row a variant.
void write_csv(std::ostream& out, const WhatIf& answer);

/// Cycles before and after, the bound, and what changes, an instruction a line.
void write_text(std::ostream& out, const Remapped& remapped, const TextOptions& options = {});

/// One JSON document as docs/remap.md describes.
void write_json(std::ostream& out, const Remapped& remapped);

/// The timeline as an SVG picture; colour and width do not count.
void write_svg_timeline(std::ostream& out, const Recording& recording,
                        const TimelineOptions& options = {});

/// The log that the pipeline viewer Konata opens (Kanata 0004).
void write_konata(std::ostream& out, const Recording& recording);

/// Trace-event JSON, which Perfetto and chrome://tracing open. A cycle is a microsecond there.
void write_trace_events(std::ostream& out, const Recording& recording);

/// One JSON document as docs/record.schema.json describes.
void write_record_json(std::ostream& out, const Recording& recording);

/// What a stall reason, a field of the control word or a sub-command means on each generation, with
/// an example; an empty word lists them. Error: usage, for a word that nothing is known about.
Expected<void> write_explanation(std::ostream& out, std::string_view word,
                                 const TextOptions& options = {});

/// What a report page shows.
struct LoopReport {
  Recording recording;
  Bounds bounds;
  WhatIf what_if;
  DependencyGraph graph;
  Occupancy occupancy;
  std::vector<LintFinding> findings;  ///< unsafe control codes, and what wastes time
};

/// Records, and asks every analysis. Errors: those of record().
Expected<LoopReport> make_report(const Program& program, const Arch& arch,
                                 const SimulateOptions& options = {},
                                 const RecordOptions& window = {});

/// One HTML file that needs no network: summary, issue slots, the loop with its control words
/// explained, an interactive timeline, register banks cycle by cycle, bounds, what-if, dependences,
/// occupancy, what lint finds.
void write_html(std::ostream& out, const LoopReport& report);

}  // namespace smsim
