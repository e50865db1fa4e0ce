// SPDX-License-Identifier: MIT
// The version that the library was built as.

#include "smsim/version.hpp"

namespace smsim {

const char* version() { return SMSIM_VERSION; }

}  // namespace smsim
