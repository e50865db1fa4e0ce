// SPDX-License-Identifier: MIT
// Looks: the class of a cell's colour in pictures and pages, and what it means.
#include "view/look.hpp"

#include "report/layout.hpp"

namespace smsim::view {

Look look_of_wait(StallReason reason) {
  switch (reason) {
    case StallReason::short_scoreboard:
    case StallReason::long_scoreboard:
      return {"score", "waits for a barrier"};
    case StallReason::math_pipe_throttle:
    case StallReason::mio_throttle:
    case StallReason::lg_throttle:
    case StallReason::tex_throttle:
      return {"busy", "waits for its pipe or queue"};
    default:
      return {"wait", "waits otherwise"};
  }
}

Look look_of(const Cell& cell) {
  switch (cell.phase) {
    case Phase::wait:
      return look_of_wait(cell.reason);
    case Phase::issue:
      return {"issue", "issue"};
    case Phase::stage:
      return {"stage", "read pipeline"};
    case Phase::read:
      return {"read", "reads banks"};
    case Phase::held:
      return {"held", "stands still"};
    case Phase::conflict:
      return {"conflict", "bank conflict"};
    case Phase::queue:
      return {"queue", "queue"};
    case Phase::execute:
      return {"execute", "execute"};
    default:
      return {"write", "write back"};
  }
}

}  // namespace smsim::view
