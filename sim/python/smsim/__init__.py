# SPDX-License-Identifier: MIT
"""smsim: cycles per iteration of a loop of SASS on one streaming multiprocessor.

    import smsim
    program = smsim.read("kernel.sass")
    result = smsim.predict(program, arch="hopper-gh100", warps=16)
    print(result.cycles_per_iteration, result.bottleneck)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ._errors import Error
from ._smsim import (
    PHASES,
    REASONS,
    Arch,
    ControlWord,
    Function,
    Instruction,
    InstructionRow,
    Loop,
    Operand,
    Parameter,
    Program,
    Recording,
    Result,
    __version__,
    list_archs,
    load_arch,
    read,
    read_text,
)
from . import _smsim

__all__ = [
    "Arch", "ControlWord", "Error", "Function", "Instruction", "InstructionRow", "Loop",
    "Operand", "PHASES", "Parameter", "Program", "REASONS", "Recording", "Result", "__version__",
    "list_archs", "load_arch", "predict", "predict_many", "read", "read_text", "record",
]


def predict(
    program: Program,
    arch: str | Arch | None = None,
    warps: int = 4,
    *,
    function: str = "",
    loop: str = "",
    overrides: Mapping[str, Any] | None = None,
    branches: Mapping[int, bool] | None = None,
    lane_strides: Mapping[int, int] | None = None,
    unknown_pipe: str = "",
    allow_unset_waits: bool = False,
) -> Result:
    """Predicts one loop, or one pass where there is none.

    program: what read() returned; edited or not.
    arch: a name (hopper-gh100, sm_90), a YAML file or an Arch; by default the program's own.
    warps: resident on the SM; warp w runs on processing block w mod 4.
    function, loop: as the command line's --function and --loop.
    overrides: numbers of the architecture to replace, {"register_file.banks": 4}.
    branches: address of a branch -> whether it is taken.
    lane_strides: address register -> bytes between two lanes' addresses.

    Raises Error.
    """
    job = _smsim._job(program, arch, warps, function, loop, dict(overrides or {}),
                      dict(branches or {}), dict(lane_strides or {}), unknown_pipe,
                      allow_unset_waits)
    return _smsim._run(job)


def record(
    program: Program,
    arch: str | Arch | None = None,
    warps: int = 4,
    *,
    first_iteration: int = 0,
    iterations: int = 2,
    max_cycles: int = 20_000,
    function: str = "",
    loop: str = "",
    overrides: Mapping[str, Any] | None = None,
    branches: Mapping[int, bool] | None = None,
    lane_strides: Mapping[int, int] | None = None,
    unknown_pipe: str = "",
    allow_unset_waits: bool = False,
) -> Recording:
    """The timeline of some iterations as NumPy arrays: issues, waits, operand reads, write-back.

    first_iteration: from 1; 0 is the first of the steady state.
    iterations: how many of each warp.
    max_cycles: the recording ends so many cycles after its begin.
    The other arguments are predict()'s.

    Raises Error.
    """
    job = _smsim._job(program, arch, warps, function, loop, dict(overrides or {}),
                      dict(branches or {}), dict(lane_strides or {}), unknown_pipe,
                      allow_unset_waits)
    return _smsim._record(job, first_iteration, iterations, max_cycles)


def predict_many(requests: Iterable[Mapping[str, Any]], threads: int = 0) -> list[Result]:
    """Predicts many loops at once on `threads` cores (0: all); results in the requests' order.

    Each request holds the arguments of predict() by name, `program` among them. Programs must not
    be edited meanwhile. Raises the first Error of all.
    """
    return _smsim.predict_many([dict(request) for request in requests], threads)
