// SPDX-License-Identifier: MIT
// Programs in Python: functions, instructions, operands and control words, readable and editable.

#include <pybind11/stl_bind.h>

#include <array>
#include <stdexcept>

#include "isa/rename.hpp"
#include "python/module.hpp"
#include "smsim/read.hpp"

namespace smsim::python {
namespace {

namespace py = pybind11;

constexpr const char* kStall =
    "Cycles after which the warp's next instruction may issue: 0 to 15 (before Volta 0 asks for "
    "dual issue; Kepler 1 to 32).";

/// A field that has to lie in a range, so that Python code cannot make what no encoding holds.
template <typename Class, typename Field>
void ranged(py::class_<Class>& c, const char* name, Field Class::*field, int low, int high,
            const char* help) {
  c.def_property(
      name, [field](const Class& self) { return static_cast<int>(self.*field); },
      [=](Class& self, int value) {
        if (value < low || value > high)
          throw py::value_error(std::string(name) + " is " + std::to_string(low) + " to " +
                                std::to_string(high) + ", not " + std::to_string(value));
        self.*field = static_cast<Field>(value);
      },
      help);
}

void bind_control(py::module_& m) {
  py::class_<ControlWord> c(m, "ControlWord", "The scheduling fields of an instruction.");
  ranged(c, "stall", &ControlWord::stall, 0, 32, kStall);
  c.def_readwrite("yield_", &ControlWord::yield, "Whether the instruction asks to yield.");
  ranged(c, "write_barrier", &ControlWord::write_barrier, 0, kNoBarrier,
         "Dependency barrier set until the result is written: 0 to 5, 7 for none.");
  ranged(c, "read_barrier", &ControlWord::read_barrier, 0, kNoBarrier,
         "Dependency barrier set until the operands are read: 0 to 5, 7 for none.");
  ranged(c, "wait_mask", &ControlWord::wait_mask, 0, 63, "Bit b: wait for barrier b.");
  ranged(c, "reuse", &ControlWord::reuse, 0, 15, "Bit s: keep the operand of source slot s.");
}

const char* kind_name(OperandKind kind) {
  constexpr std::array kNames{"register",    "uniform_register", "predicate", "uniform_predicate",
                              "immediate",   "constant",         "memory",    "special_register",
                              "convergence", "scoreboard",       "label",     "other"};
  return kNames.at(static_cast<std::size_t>(kind));
}

void bind_operand(py::module_& m) {
  py::class_<Operand> c(m, "Operand", "One operand as written, with its role.");
  c.def_property_readonly(
       "text", [](const Operand& op) { return op.text.str(); }, "As written.")
      .def_property_readonly(
          "kind", [](const Operand& op) { return kind_name(op.kind); },
          "register, predicate, immediate, constant, memory, uniform_register, ...")
      .def_readonly("index", &Operand::index, "Register, predicate or barrier number; -1: none.")
      .def_readonly("registers", &Operand::registers, "Consecutive registers: 2 for 64 bits.")
      .def_readonly("destination", &Operand::destination, "Written by the instruction.")
      .def_readonly("value", &Operand::value, "Immediate, offset or address.")
      .def_property_readonly(
          "slot",
          [](const Operand& op) {
            return op.slot == SourceSlot::none ? -1 : static_cast<int>(op.slot);
          },
          "Source slot 0, 1 or 2 (a, b, c); -1: none.");
  py::bind_vector<std::vector<Operand>>(m, "Operands");
}

void rename(Instruction& in, std::size_t operand, int reg) {
  if (operand >= in.operands.size()) throw py::index_error("no such operand");
  if (!isa::rename_register(in, operand, reg))
    throw py::value_error("operand '" + in.operands[operand].text + "' cannot name register " +
                          std::to_string(reg));
}

void bind_instruction(py::module_& m) {
  py::class_<Instruction> c(m, "Instruction", "One instruction with its control word.");
  c.def_readonly("address", &Instruction::address, "Bytes from the function's start.")
      .def_property_readonly(
          "text", [](const Instruction& in) { return in.text.str(); },
          "Guard, opcode and operands.")
      .def_property_readonly(
          "opcode", [](const Instruction& in) { return in.opcode.str(); }, "With its suffixes.")
      .def_readonly("line", &Instruction::line, "Line of the source, from 1.")
      .def_property_readonly(
          "guard", [](const Instruction& in) { return static_cast<int>(in.guard.index); },
          "Number of the predicate that decides whether it executes; 7: none.")
      .def_readwrite("control", &Instruction::control, "Stall, yield, barriers, reuse.")
      .def_property_readonly("operands",
                             [](const Instruction& in) {
                               return std::vector<Operand>(in.operands.begin(), in.operands.end());
                             })
      .def("set_register", &rename, py::arg("operand"), py::arg("register"),
           "Gives operand number `operand` another register. Raises ValueError where the operand "
           "names no vector register, or a wide one would not be aligned.")
      .def("__repr__", [](const Instruction& in) { return "<" + in.text + ">"; });
  py::bind_vector<std::vector<Instruction>>(m, "Instructions");
}

void bind_function(py::module_& m) {
  py::class_<Loop>(m, "Loop", "From the target of a backward branch to that branch.")
      .def_readonly("start", &Loop::start, "Address of the first instruction.")
      .def_readonly("end", &Loop::end, "Address of the backward branch.")
      .def_readonly("instructions", &Loop::instructions)
      .def_readonly("innermost", &Loop::innermost);
  py::class_<Function>(m, "Function", "A kernel or device function.")
      .def_readonly("name", &Function::name)
      .def_readonly("sm", &Function::sm, "90 for sm_90; 0 when the input does not say.")
      .def_readonly("instructions", &Function::instructions)
      .def("loops", &find_loops, "The loops, in address order.");
  py::bind_vector<std::vector<Function>>(m, "Functions");
}

}  // namespace

void bind_program(py::module_& m) {
  bind_control(m);
  bind_operand(m);
  bind_instruction(m);
  bind_function(m);
  py::class_<Program>(m, "Program", "What was read. copy.copy() gives one to edit apart.")
      .def_readonly("source", &Program::source, "File name.")
      .def_readonly("format", &Program::format)
      .def_readonly("functions", &Program::functions)
      .def("__copy__", [](const Program& self) { return Program(self); })
      .def("__deepcopy__", [](const Program& self, const py::dict&) { return Program(self); });
  m.def(
      "read", [](const std::string& path) { return value_or_raise(read_program(path)); },
      py::arg("path"), "Reads a file of SASS; '-' is standard input. Raises smsim.Error.");
  m.def(
      "read_text",
      [](const std::string& text, const std::string& source) {
        return value_or_raise(read_program_text(text, source));
      },
      py::arg("text"), py::arg("source") = "<text>", "The same for text. Raises smsim.Error.");
}

}  // namespace smsim::python
