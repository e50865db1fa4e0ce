# SPDX-License-Identifier: MIT
"""smsim: cycles per iteration of a loop of SASS on one streaming multiprocessor.

    import smsim
    program = smsim.read("kernel.sass")
    result = smsim.predict(program, arch="hopper-gh100", warps=16)
    print(result.cycles_per_iteration, result.bottleneck)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict

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

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "Arch", "ControlWord", "Error", "Function", "Instruction", "InstructionRow", "Loop",
    "Operand", "Options", "PHASES", "Parameter", "Program", "REASONS", "Recording", "Request", "Result", "__version__",
    "list_archs", "load_arch", "predict", "predict_many", "read", "read_text", "record",
]


class Options(TypedDict, total=False):
    """What predict(), record() and the requests of predict_many() take beside program, arch and warps."""

    function: str
    loop: str
    overrides: Mapping[str, Any] | None
    branches: Mapping[int, bool] | None
    lane_strides: Mapping[int, int] | None
    unknown_pipe: str
    allow_unset_waits: bool


class Request(Options, total=False):
    """The arguments of predict() by name; `program` has to be there."""

    program: Program
    arch: str | Arch | None
    warps: int


def _plain(arguments: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any]:
    """As the compiled part takes them: only what is given, and dicts for mappings."""
    if strange := arguments.keys() - known:
        raise TypeError(f"unexpected keyword argument '{min(strange)}'; known are {', '.join(sorted(known))}")
    return {name: dict(value) if isinstance(value, Mapping) else value
            for name, value in arguments.items() if value is not None}


_OPTIONS = frozenset(Options.__annotations__)
_REQUEST = _OPTIONS | {"program", "arch", "warps"}


def predict(program: Program, arch: str | Arch | None = None, warps: int = 4, **options: Unpack[Options]) -> Result:
    """Predicts one loop, or one pass where there is none.

    program: what read() returned; edited or not.
    arch: a name (hopper-gh100, sm_90), a YAML file or an Arch; by default the program's own.
    warps: resident on the SM; warp w runs on processing block w mod 4.

    Options, by name:
    function, loop: as the command line's --function and --loop.
    overrides: numbers of the architecture to replace, {"register_file.banks": 4}.
    branches: address of a branch -> whether it is taken.
    lane_strides: address register -> bytes between two lanes' addresses.
    unknown_pipe: the pipe that opcodes which the model does not know are taken to run on.
    allow_unset_waits: a wait on a barrier that nothing sets goes on at once.

    Raises Error.
    """
    return _smsim._run(_smsim._job(program, arch, warps, **_plain(options, _OPTIONS)))


def record(
    program: Program,
    arch: str | Arch | None = None,
    warps: int = 4,
    *,
    first_iteration: int = 0,
    iterations: int = 2,
    max_cycles: int = 20_000,
    **options: Unpack[Options],
) -> Recording:
    """The timeline of some iterations as NumPy arrays: issues, waits, operand reads, write-back.

    first_iteration: from 1; 0 is the first of the steady state.
    iterations: how many of each warp.
    max_cycles: the recording ends so many cycles after its begin.
    The other arguments are predict()'s.

    Raises Error.
    """
    job = _smsim._job(program, arch, warps, **_plain(options, _OPTIONS))
    return _smsim._record(job, first_iteration, iterations, max_cycles)


def predict_many(requests: Iterable[Request], threads: int = 0) -> list[Result]:
    """Predicts many loops at once on `threads` cores (0: all); results in the requests' order.

    Each request holds the arguments of predict() by name, `program` among them. Programs must not
    be edited meanwhile. Raises the first Error of all.
    """
    return _smsim._run_many([_smsim._job(**_plain(request, _REQUEST)) for request in requests], threads)
