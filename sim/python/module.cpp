// SPDX-License-Identifier: MIT
// The Python module: programs, architectures and predictions as Python objects.

#include "python/module.hpp"

#include "smsim/version.hpp"

PYBIND11_MODULE(_smsim, m) {
  m.doc() = "smsim's C++ library";
  m.attr("__version__") = smsim::version();
  smsim::python::bind_program(m);
  smsim::python::bind_arch(m);
  smsim::python::bind_result(m);
  smsim::python::bind_predict(m);
  smsim::python::bind_recording(m);
}
