// SPDX-License-Identifier: MIT
// The version of smsim, of these headers and of the library: semantic versioning.
#pragma once

#define SMSIM_VERSION_MAJOR 0
#define SMSIM_VERSION_MINOR 1
#define SMSIM_VERSION_PATCH 0
#define SMSIM_VERSION "0.1.0"

namespace smsim {

/// The version of the library that is linked, for example "0.1.0"; SMSIM_VERSION is that of the
/// headers.
const char* version();

}  // namespace smsim
