"""How much threads do, as a number that is the same on any machine: calls and lines of the project's own code.

    with WorkMeter() as meter:
        ...
        meter.count

Not counted are the far ends of the wires, and `framing`, whose loop goes by the zeros of a frame and so by dice: the
bench section `hands` shows what that comes to in microseconds.
"""

import gc
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any, Self

import drivers
import engine
import firmware_host

_COUNTED = tuple(f"{Path(package.__file__ or '').parent}/" for package in (drivers, engine, firmware_host))
_PLANTED = "/test_planted_"


class WorkMeter:
    """Counts what each thread does from `__enter__` on, this one and those that begin later."""

    def __init__(self) -> None:
        self._done = _Done()
        self._counted: dict[CodeType, bool] = {}

    @property
    def count(self) -> int:
        """How much the running thread has done."""
        return self._done.count

    def __enter__(self) -> Self:
        gc.collect()  # else generators that an earlier test left suspended end in this one, and their lines count
        self._before, self._before_in_threads = sys.gettrace(), threading.gettrace()
        threading.settrace(self._called)
        sys.settrace(self._called)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        sys.settrace(self._before)
        threading.settrace(self._before_in_threads)  # type: ignore[arg-type]  # None is what it was

    def _called(self, frame: FrameType, event: str, argument: object) -> Any:
        code = frame.f_code
        counts = self._counted.get(code)
        if counts is None:
            name = code.co_filename
            counts = self._counted[code] = name.startswith(_COUNTED) or _PLANTED in name
        return self._ran if counts else None

    def _ran(self, frame: FrameType, event: str, argument: object) -> Any:
        self._done.count += 1
        return self._ran


class _Done(threading.local):
    """One thread's."""

    count = 0
