// SPDX-License-Identifier: MIT
// Diagnostics as the exception smsim.Error, which has the first one's place and hint.

#include "python/module.hpp"

namespace smsim::python {
namespace {

namespace py = pybind11;

const char* kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::bad_input:
      return "bad_input";
    case ErrorKind::no_file:
      return "no_file";
    case ErrorKind::bad_config:
      return "bad_config";
    default:
      return "internal";
  }
}

py::dict described(const Diagnostic& d) {
  py::dict out;
  out["kind"] = kind_name(d.kind);
  out["message"] = d.message;
  out["file"] = d.where.file;
  out["line"] = d.where.line;
  out["column"] = d.where.column;
  out["hint"] = d.hint;
  return out;
}

}  // namespace

void raise(const Diagnostics& diagnostics) {
  const py::object type = py::module_::import("smsim._errors").attr("Error");
  py::list all;
  for (const Diagnostic& d : diagnostics) all.append(described(d));
  const py::object error = type(to_string(diagnostics), all);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw py::error_already_set();
}

}  // namespace smsim::python
