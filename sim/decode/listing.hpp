// SPDX-License-Identifier: MIT
// The bytes of a function to lines of text: address, instruction, encoding.
#pragma once

#include <string>
#include <string_view>

namespace smsim::decode {

/// Appends the function as cuobjdump would print it, with its register count, if that is not 0. An
/// opcode that the tables do not have is printed as UNKNOWN_ and its bits; a suffix UNLISTED says
/// that an instruction has bits of which nothing is known. Code for sm_32 and later.
void list_function(int sm, std::string_view name, int registers, std::string_view code,
                   std::string& out);

}  // namespace smsim::decode
