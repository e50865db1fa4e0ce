// SPDX-License-Identifier: MIT
// What the parts of the Python module share: lists that stay C++ lists, and errors as exceptions.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <vector>

#include "smsim/diagnostic.hpp"
#include "smsim/program.hpp"
#include "smsim/simulate.hpp"

// Edits of an element must reach the program, so these lists are not copied.
PYBIND11_MAKE_OPAQUE(std::vector<smsim::Function>)
PYBIND11_MAKE_OPAQUE(std::vector<smsim::Instruction>)
PYBIND11_MAKE_OPAQUE(std::vector<smsim::Operand>)

namespace smsim::python {

void bind_program(pybind11::module_& m);
void bind_arch(pybind11::module_& m);
void bind_result(pybind11::module_& m);
void bind_predict(pybind11::module_& m);
void bind_recording(pybind11::module_& m);

/// Raises smsim.Error with these diagnostics.
[[noreturn]] void raise(const Diagnostics& diagnostics);

/// The value, or smsim.Error.
template <typename T>
T value_or_raise(Expected<T> value) {
  if (!value) raise(value.error());
  return std::move(*value);
}

}  // namespace smsim::python
