// SPDX-License-Identifier: MIT
// Topics: what the words of reports and control words mean, on each generation.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsim::view {

struct Topic {
  std::string name;
  std::vector<std::string> kinds;  ///< reason, field, command
  std::vector<std::string> also;   ///< other words for it
  std::string text;
  std::vector<std::pair<std::string, std::string>> generations;  ///< name, what holds there
  std::string code;  ///< an example in bracketed notation, for Hopper; may be empty
  std::string note;  ///< what the example shows
  std::vector<std::string> see;
  std::string run;  ///< a command line as an example; may be empty
};

/// All of them, in the order in which they are listed.
const std::vector<Topic>& topics();

/// Lower case, with underscores for blanks and dashes.
std::string folded(std::string_view word);

/// By its name, another word for it, or a stall reason's full name; upper and lower case, blanks,
/// dashes and underscores count alike. What stands behind a slash may be anything that the
/// part before it is about: pipe/alu is told of as pipe/. Null if there is none.
const Topic* find_topic(std::string_view word);

/// The topic whose name is nearest to a mistyped word; empty if none is near.
std::string nearest_topic(std::string_view word);

}  // namespace smsim::view
