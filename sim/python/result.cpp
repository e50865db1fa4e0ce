// SPDX-License-Identifier: MIT
// Results in Python: plain attributes, dicts by reason, and slots as a NumPy array.

#include <pybind11/numpy.h>

#include <sstream>

#include "python/module.hpp"
#include "smsim/report.hpp"

namespace smsim::python {
namespace {

namespace py = pybind11;

py::dict by_reason(const Slots& slots) {
  py::dict out;
  for (std::size_t r = 0; r < kStallReasonCount; ++r)
    if (slots[r] != 0) out[py::str(kStallReasons[r].name.data())] = slots[r];
  return out;
}

py::array_t<std::uint64_t> slot_matrix(const Result& result) {
  const auto rows = static_cast<py::ssize_t>(result.instructions.size());
  py::array_t<std::uint64_t> matrix({rows, static_cast<py::ssize_t>(kStallReasonCount)});
  auto cells = matrix.mutable_unchecked<2>();
  for (py::ssize_t i = 0; i < rows; ++i)
    for (std::size_t r = 0; r < kStallReasonCount; ++r)
      cells(i, static_cast<py::ssize_t>(r)) =
          result.instructions[static_cast<std::size_t>(i)].slots[r];
  return matrix;
}

template <typename Write>
std::string written(const Result& result, Write write) {
  std::ostringstream out;
  write(out, result);
  return out.str();
}

std::string json(const Result& result) {
  return written(result, [](std::ostream& out, const Result& r) { write_json(out, r); });
}

std::string text(const Result& result) {
  return written(result, [](std::ostream& out, const Result& r) { write_text(out, r); });
}

py::dict busy_pipes(const Result& result) {
  py::dict out;
  for (const PipeUse& use : result.pipes) out[py::str(use.name)] = use.busy;
  return out;
}

void bind_row(py::module_& m) {
  py::class_<InstructionRow>(m, "InstructionRow", "One instruction of the iteration.")
      .def_readonly("index", &InstructionRow::index, "Into the function's instructions.")
      .def_readonly("address", &InstructionRow::address)
      .def_readonly("text", &InstructionRow::text)
      .def_readonly("pipe", &InstructionRow::pipe)
      .def_readonly("issued", &InstructionRow::issued, "Times issued in the window.")
      .def_property_readonly(
          "slots", [](const InstructionRow& row) { return by_reason(row.slots); },
          "Issue slots by reason, over the window.");
}

}  // namespace

void bind_result(py::module_& m) {
  bind_row(m);
  py::list reasons;
  for (const StallReasonInfo& reason : kStallReasons) reasons.append(reason.name);
  m.attr("REASONS") = py::tuple(reasons);
  py::class_<Result>(m, "Result", "A prediction.")
      .def_readonly("arch", &Result::arch)
      .def_readonly("function", &Result::function)
      .def_readonly("is_loop", &Result::is_loop)
      .def_readonly("loop", &Result::loop)
      .def_readonly("warps", &Result::warps, "Resident on the SM.")
      .def_readonly("processing_blocks", &Result::processing_blocks)
      .def_readonly("cycles_per_iteration", &Result::cycles_per_iteration,
                    "SM cycles in which all resident warps complete one iteration.")
      .def_readonly("instructions_per_cycle", &Result::warp_instructions_per_cycle,
                    "Warp instructions of the whole SM.")
      .def_property_readonly("periodic", [](const Result& r) { return r.steady_state.periodic; })
      .def_readonly("window_cycles", &Result::window_cycles, "Cycles that the slots cover.")
      .def_readonly("window_iterations", &Result::window_iterations, "Of each warp.")
      .def_readonly("instructions", &Result::instructions)
      .def_property_readonly(
          "slots", [](const Result& r) { return by_reason(r.slots); },
          "Issue slots by reason; they sum to window_cycles x processing_blocks.")
      .def_property_readonly("slot_matrix", &slot_matrix,
                             "Array (instructions, len(REASONS)) of slots over the window.")
      .def_property_readonly("pipes", &busy_pipes, "Share of the window that each pipe was busy.")
      .def_readonly("bottleneck", &Result::bottleneck, "One sentence.")
      .def_readonly("assumptions", &Result::assumptions)
      .def_readonly("incomplete", &Result::incomplete)
      .def_readonly("dependency_mode", &Result::dependency_mode,
                    "The input had no control words; they were made up from latencies.")
      .def("to_json", &json, "The document that docs/predict.schema.json describes.")
      .def("to_dict",
           [](const Result& r) { return py::module_::import("json").attr("loads")(json(r)); })
      .def("__str__", &text)
      .def("__repr__", [](const Result& r) {
        return "<smsim.Result " + std::to_string(r.cycles_per_iteration) + " cycles on " + r.arch +
               ">";
      });
}

}  // namespace smsim::python
