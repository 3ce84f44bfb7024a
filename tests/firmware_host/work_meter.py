"""How much a thread does, as a number that is the same on any machine: calls and lines of the project's own code.

    with WorkMeter() as meter:
        ...
        meter.count

Not counted are the far ends of the wires, and `framing`, whose loop goes by the zeros of a frame and so by dice: bench's
`hands` shows what that comes to in microseconds.
"""

import sys
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any, Self

import drivers
import engine
import firmware_host

_COUNTED = tuple(f"{Path(package.__file__ or '').parent}/" for package in (drivers, engine, firmware_host))
_PLANTED = "test_planted_leaks.py"


class WorkMeter:
    """Counts what its thread does from `__enter__` on."""

    def __init__(self) -> None:
        self.count = 0
        self._counted: dict[CodeType, bool] = {}

    def __enter__(self) -> Self:
        self._before = sys.gettrace()
        sys.settrace(self._called)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        sys.settrace(self._before)

    def _called(self, frame: FrameType, event: str, argument: object) -> Any:
        code = frame.f_code
        counts = self._counted.get(code)
        if counts is None:
            counts = self._counted[code] = code.co_filename.startswith(_COUNTED) or code.co_filename.endswith(_PLANTED)
        return self._ran if counts else None

    def _ran(self, frame: FrameType, event: str, argument: object) -> Any:
        self.count += 1
        return self._ran
