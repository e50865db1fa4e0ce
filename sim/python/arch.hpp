// SPDX-License-Identifier: MIT
// Architectures in Python, and a cache of those that were asked for by name.
#pragma once

#include <memory>

#include "python/module.hpp"
#include "smsim/arch.hpp"

namespace smsim::python {

/// `arch` is a name or an Arch. Raises smsim.Error, or ValueError for overrides of an Arch.
std::shared_ptr<const Arch> arch_of(const pybind11::object& arch, const pybind11::dict& overrides);

}  // namespace smsim::python
