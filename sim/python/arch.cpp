// SPDX-License-Identifier: MIT
// Architectures in Python, and a cache of those that were asked for by name.

#include "python/arch.hpp"

#include <map>
#include <string>

#include "config/provenance.hpp"

namespace smsim::python {

namespace py = pybind11;

namespace {

std::string text_of(const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "true" : "false";
  return py::str(value);
}

Arch load(const std::string& name, const py::dict& overrides) {
  Overrides changes;
  for (const auto& [key, value] : overrides) changes.emplace_back(py::str(key), text_of(value));
  return value_or_raise(load_arch(name, changes));
}

}  // namespace

std::shared_ptr<const Arch> arch_of(const py::object& arch, const py::dict& overrides) {
  if (py::isinstance<Arch>(arch)) {
    if (!overrides.empty())
      throw py::value_error("overrides go with an architecture's name; load_arch takes them too");
    return arch.cast<std::shared_ptr<Arch>>();
  }
  // the interpreter's lock guards it
  static std::map<std::string, std::shared_ptr<const Arch>> by_name;
  const auto name = arch.cast<std::string>();
  if (!overrides.empty()) return std::make_shared<const Arch>(load(name, overrides));
  auto& known = by_name[name];
  if (!known) known = std::make_shared<const Arch>(load(name, overrides));
  return known;
}

void bind_arch(py::module_& m) {
  py::class_<Parameter>(m, "Parameter", "One number of an architecture with its provenance.")
      .def_readonly("key", &Parameter::key, "As overrides name it: register_file.banks")
      .def_readonly("value", &Parameter::value)
      .def_readonly("unit", &Parameter::unit)
      .def_property_readonly(
          "status", [](const Parameter& p) { return std::string(config::name_of(p.status)); },
          "How the number is known: measured, published, fitted, assumed, overridden.")
      .def_readonly("source", &Parameter::source)
      .def_readonly("help", &Parameter::help);
  py::class_<Arch, std::shared_ptr<Arch>>(m, "Arch", "A streaming multiprocessor's numbers.")
      .def_readonly("name", &Arch::name)
      .def_readonly("title", &Arch::title)
      .def_readonly("processing_blocks", &Arch::processing_blocks)
      .def_readonly("max_warps", &Arch::max_warps, "Resident on one SM.")
      .def_readonly("parameters", &Arch::parameters)
      .def("__repr__", [](const Arch& arch) { return "<smsim.Arch " + arch.name + ">"; });
  m.def("load_arch", &load, py::arg("name"), py::arg("overrides") = py::dict(),
        "An architecture by name (hopper-gh100), alias (sm_90) or YAML file, with numbers "
        "replaced. Raises smsim.Error.");
  m.def("list_archs", &list_archs, "Names of the architectures that can be found.");
}

}  // namespace smsim::python
