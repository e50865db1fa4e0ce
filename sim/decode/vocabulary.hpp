// SPDX-License-Identifier: MIT
// Instructions of a text with the roles of their operands; those met before share what they have.
#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "decode/instruction_text.hpp"
#include "decode/known.hpp"
#include "smsim/program.hpp"

namespace smsim::decode {

class Vocabulary {
 public:
  /// As parse_instruction, with roles as the opcodes of that generation give them; reuse flags are
  /// as written.
  tl::expected<Instruction, TextError> parse(std::string_view text, ControlFormat format);

 private:
  Words words_;
  Known<Instruction> instructions_;
  ControlFormat format_ = ControlFormat::volta;
};

}  // namespace smsim::decode
