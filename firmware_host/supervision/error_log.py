"""What nobody catches: a thread's exception, a callback's, one in a finaliser. All of it is told.

`run` puts it in place for as long as the loop runs. Drivers have wards that restart them; what ends up here belongs to
nobody, so it is written to the log. A thread that brings edges and has died can't be started again in this process:
then `gone` is told, and the daemon makes room for the next.

What was raised where nobody expected it, for the log: each kind once, then how often by now.

An error's own text is not written down: it may quote what a driver was about to draw, and that may be dice.
"""

import asyncio
import logging
import os
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Any, Self

log = logging.getLogger(__name__)

MOST_KINDS = 100
"""So many are told apart; there are not so many places where anything can go wrong."""

INDISPENSABLE = ("lgpio",)
"""The modules whose threads nothing stands in for: lgpio has one that brings all edges, from its import on."""


class Mishaps:
    """Told with `tell`; a kind is what was raised, and the line that raised it."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def __repr__(self) -> str:
        return f"<Mishaps: {self._counts.total()} of {len(self._counts)} kinds>"

    def tell(self, where: str, error: BaseException) -> None:
        """Something was raised in `where`, the part of the program that it belongs to."""
        kind = f"{where}/{type(error).__name__}/{_line(error)}"
        if kind not in self._counts and len(self._counts) >= MOST_KINDS:
            kind = "others"
        self._counts[kind] += 1
        count = self._counts[kind]
        if count == 1:
            log.error("%s failed: %s\n%s", where, named(error), "".join(traceback.format_tb(error.__traceback__)))
        elif _is_round(count):
            log.error("%s failed for the %dth time: %s", where, count, named(error))


def named(error: BaseException) -> str:
    """An error in a few words that quote nothing."""
    known = isinstance(error, OSError) and error.errno
    return f"{type(error).__name__} ({os.strerror(known)})" if known else type(error).__name__


def _line(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def _is_round(count: int) -> bool:
    """10, 100, 1000: what goes on for ever fills no disk."""
    return count >= 10 and count == 10 ** (len(str(count)) - 1)


class Unseen:
    """Put in place with `with`. `gone` is told, in whatever thread, of a thread that the table can't do without."""

    def __init__(self, mishaps: Mishaps, *, loop: asyncio.AbstractEventLoop, gone: Callable[[str], None]) -> None:
        self._mishaps = mishaps
        self._loop = loop
        self._gone = gone

    def __enter__(self) -> Self:
        self._before = threading.excepthook, sys.unraisablehook, self._loop.get_exception_handler()
        threading.excepthook = self._in_thread
        sys.unraisablehook = self._unraisable
        self._loop.set_exception_handler(self._on_loop)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        threading.excepthook, sys.unraisablehook, handler = self._before
        self._loop.set_exception_handler(handler)

    def __repr__(self) -> str:
        return f"<Unseen {self._mishaps!r}>"

    def _in_thread(self, args: threading.ExceptHookArgs) -> None:
        thread = args.thread
        name = thread.name if thread is not None else "a thread"
        self._mishaps.tell(f"the thread {name}", args.exc_value or args.exc_type())
        if thread is not None and type(thread).__module__.split(".")[0] in INDISPENSABLE:
            self._gone(f"the thread {name} has died, and with it every button")

    def _unraisable(self, args: "sys.UnraisableHookArgs") -> None:
        self._mishaps.tell("a part that was being put away", args.exc_value or args.exc_type())

    def _on_loop(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception") or RuntimeError(context.get("message", ""))
        self._mishaps.tell(_belonging(context), error)


def _belonging(context: dict[str, Any]) -> str:
    """Whose callback or task it was, by its name in the program."""
    handle = context.get("handle")
    callback = getattr(handle, "_callback", None)
    task = context.get("task") or context.get("future")
    if isinstance(task, asyncio.Task):
        callback = task.get_coro()
    while isinstance(callback, partial):
        callback = callback.func
    if callback is not None:  # the message would quote what it was given
        return str(getattr(callback, "__qualname__", type(callback).__name__))
    return str(context.get("message") or "the loop")
