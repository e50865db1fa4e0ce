// SPDX-License-Identifier: MIT
// Timelines in Python: the events of a few iterations as structured NumPy arrays, and as a picture
// of one cell a cycle.

#include <pybind11/numpy.h>

#include <algorithm>

#include "python/job.hpp"
#include "smsim/record.hpp"
#include "smsim/report.hpp"
#include "view/cells.hpp"

namespace smsim::python {
namespace {

namespace py = pybind11;

/// The values as an array of their own, a field a member.
template <typename T>
py::array_t<T> array_of(const std::vector<T>& values) {
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

template <typename T>
void add_array(py::class_<Recording>& c, const char* name, std::vector<T> Recording::*member,
               const char* help) {
  c.def_property_readonly(
      name, [member](const Recording& self) { return array_of(self.*member); }, help);
}

void describe_types() {
  PYBIND11_NUMPY_DTYPE(RecordedInstruction, block, warp, step, iteration, waits_from, issue, left,
                       execute_begin, write_begin, write_end, first_wait, wait_count, first_read,
                       read_count);
  PYBIND11_NUMPY_DTYPE(RecordedWait, begin, end, reason, barriers);
  PYBIND11_NUMPY_DTYPE(RecordedRead, at, reg, bank, slot, from);
  PYBIND11_NUMPY_DTYPE(RecordedStop, at, reason, block, instruction);
  PYBIND11_NUMPY_DTYPE(RecordedBarrier, at, block, warp, barrier, up, instruction);
  PYBIND11_NUMPY_DTYPE(RecordedDependence, step, distance, kind, index);
}

py::array_t<std::uint8_t> cells(const Recording& recording) {
  std::vector<view::CellRow> rows;
  std::int64_t end = recording.begin;
  for (std::size_t i = 0; i < recording.instructions.size(); ++i) {
    rows.push_back(view::cells_of(recording, i));
    end = std::max(end, rows.back().end());
  }
  const auto columns = static_cast<py::ssize_t>(end - recording.begin);
  py::array_t<std::uint8_t> picture({static_cast<py::ssize_t>(rows.size()), columns});
  auto out = picture.mutable_unchecked<2>();
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (py::ssize_t c = 0; c < columns; ++c)
      out(static_cast<py::ssize_t>(i), c) =
          static_cast<std::uint8_t>(rows[i].at(recording.begin + c).phase);
  return picture;
}

py::list steps(const Recording& recording) {
  py::list texts;
  for (const RecordedStep& step : recording.steps) texts.append(step.text);
  return texts;
}

Recording run(const Job& job, std::uint64_t first_iteration, std::uint64_t iterations,
              std::int64_t max_cycles) {
  Expected<Recording> recording;
  {
    const py::gil_scoped_release release;
    recording =
        record(*job.program, *job.arch, job.options, {first_iteration, iterations, max_cycles});
  }
  return value_or_raise(std::move(recording));
}

}  // namespace

void bind_recording(py::module_& m) {
  describe_types();
  m.attr("PHASES") = py::make_tuple("nothing", "wait", "issue", "stage", "read", "held", "conflict",
                                    "queue", "execute", "write");
  py::class_<Recording> c(m, "Recording",
                          "What happened in each cycle of a few iterations. Times are cycles from "
                          "the start of the run; -1: that does not happen.");
  c.def_readonly("result", &Recording::result, "What predict() says of the same loop.")
      .def_readonly("begin", &Recording::begin, "First cycle of the recording.")
      .def_readonly("end", &Recording::end, "Behind the last event.")
      .def_readonly("first_iteration", &Recording::first_iteration, "From 1.")
      .def_readonly("last_iteration", &Recording::last_iteration)
      .def_readonly("complete", &Recording::complete, "False: max_cycles ended it early.")
      .def_property_readonly("steps", &steps, "Texts of the iteration's instructions.")
      .def_property_readonly(
          "cells", &cells,
          "Array (instructions, cycles): what each recorded instruction does in each cycle from "
          "`begin` on, as an index into PHASES.");
  add_array(c, "instructions", &Recording::instructions,
            "Structured array, a row for each instruction that a warp issued.");
  add_array(c, "waits", &Recording::waits,
            "Structured array of cycles [begin, end) in which a warp did not issue; reason is an "
            "index into REASONS.");
  add_array(c, "reads", &Recording::reads,
            "Structured array of operand reads; `from` is 0 for a bank, 1 for the reuse cache, 2 "
            "for the feed of the memory queue.");
  add_array(c, "stops", &Recording::stops,
            "Structured array of cycles in which the front end of a block stood still.");
  add_array(c, "barriers", &Recording::barriers,
            "Structured array of dependency barriers going up and down.");
  m.def("_record", &run, py::arg("job"), py::arg("first_iteration"), py::arg("iterations"),
        py::arg("max_cycles"));
}

}  // namespace smsim::python
