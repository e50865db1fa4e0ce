// SPDX-License-Identifier: MIT
// A request of Python's, in a form that runs without the interpreter.
#pragma once

#include <memory>
#include <optional>

#include "python/arch.hpp"
#include "smsim/simulate.hpp"

namespace smsim::python {

/// One prediction, ready to run without Python. It keeps its program alive.
struct Job {
  pybind11::object owner;
  const Program* program = nullptr;
  std::shared_ptr<const Arch> arch;
  SimulateOptions options;
  std::optional<Expected<Result>> result;

  void run();
};

}  // namespace smsim::python
