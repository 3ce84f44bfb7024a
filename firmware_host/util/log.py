"""The daemon's log: its format, and uncaught exceptions, the first of each kind in full, later ones as a count.

In a terminal a line has the program's name, in the system's journal a level: the journal knows the program, and takes
the level from a prefix such as `<3>`, sd-daemon(3). So `journalctl -p err` finds errors.

`daemon.app` installs `ExceptionHooks` while the loop runs: for exceptions in threads, callbacks and finalisers. A
failing driver is restarted by its `SupervisedDriver` and only logged here. A dead thread that delivered edges can't be
restarted in this process: then `on_fatal` is called, and the daemon ends and is restarted.

An error's own text stays out of the log: it may quote a driver's drawing, including dice.
"""

import asyncio
import logging
import os
import sys
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from types import TracebackType
from typing import Any, Self

TERMINAL_FORMAT = "dudo-table: %(message)s"
PRIORITIES = {logging.CRITICAL: 2, logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6, logging.DEBUG: 7}
"""The priorities of syslog(3)."""
MAX_KINDS = 100
"""Kinds counted apart; the program has fewer places for exceptions."""

INDISPENSABLE = ("lgpio",)
"""Modules with irreplaceable threads: lgpio has one for all edges, from its import on."""

log = logging.getLogger(__name__)


class LevelFormatter(logging.Formatter):
    """A formatter with the level before every line, including a traceback's."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record's lines."""
        level = next((mark for least, mark in PRIORITIES.items() if record.levelno >= least), 7)
        return "\n".join(f"<{level}>{line}" for line in super().format(record).splitlines())


def configure_logging(environment: Mapping[str, str] = os.environ) -> None:
    """Log to stderr, in the format for its destination."""
    handler = logging.StreamHandler()
    handler.setFormatter(LevelFormatter() if _is_system_journal(environment) else logging.Formatter(TERMINAL_FORMAT))
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def _is_system_journal(environment: Mapping[str, str]) -> bool:
    """Return whether stderr itself leads to the journal. A child process may write elsewhere."""
    try:
        stderr = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):  # closed, or no file
        return False
    return environment.get("JOURNAL_STREAM") == f"{stderr.st_dev}:{stderr.st_ino}"


class ErrorCounter:
    """A log of unexpected exceptions; a kind is a program part, an exception type and the raising line."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def __repr__(self) -> str:
        return f"<ErrorCounter: {self._counts.total()} of {len(self._counts)} kinds>"

    def log(self, where: str, error: BaseException) -> None:
        """Log an exception from `where`, a program part."""
        kind = f"{where}/{type(error).__name__}/{_line(error)}"
        if kind not in self._counts and len(self._counts) >= MAX_KINDS:
            kind = "others"
        self._counts[kind] += 1
        count = self._counts[kind]
        if count == 1:
            log.error(
                "%s failed: %s\n%s", where, describe_error(error), "".join(traceback.format_tb(error.__traceback__))
            )
        elif _is_round(count):
            log.error("%s failed for the %dth time: %s", where, count, describe_error(error))


def describe_error(error: BaseException) -> str:
    """Describe an error in a few words without quoting its text."""
    known = isinstance(error, OSError) and error.errno
    return f"{type(error).__name__} ({os.strerror(known)})" if known else type(error).__name__


def _line(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def _is_round(count: int) -> bool:
    """Return whether it is 10, 100, 1000: an endlessly recurring error must not fill the disk."""
    return count >= 10 and count == 10 ** (len(str(count)) - 1)


class ExceptionHooks:
    """The hooks for uncaught exceptions, installed with `with`. `on_fatal` may be called on any thread."""

    def __init__(
        self, errors: ErrorCounter, *, loop: asyncio.AbstractEventLoop, on_fatal: Callable[[str], None]
    ) -> None:
        self._errors = errors
        self._loop = loop
        self._on_fatal = on_fatal

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
        return f"<ExceptionHooks {self._errors!r}>"

    def _in_thread(self, args: threading.ExceptHookArgs) -> None:
        thread = args.thread
        name = thread.name if thread is not None else "a thread"
        self._errors.log(f"the thread {name}", args.exc_value or args.exc_type())
        if thread is not None and type(thread).__module__.split(".")[0] in INDISPENSABLE:
            self._on_fatal(f"the thread {name} has died, and with it every button")

    def _unraisable(self, args: "sys.UnraisableHookArgs") -> None:
        self._errors.log("a part that was being put away", args.exc_value or args.exc_type())

    def _on_loop(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception") or RuntimeError(context.get("message", ""))
        self._errors.log(_name_of(context), error)


def _name_of(context: dict[str, Any]) -> str:
    """Return the name of the raising callback's or task's function."""
    handle = context.get("handle")
    callback = getattr(handle, "_callback", None)
    task = context.get("task") or context.get("future")
    if isinstance(task, asyncio.Task):
        callback = task.get_coro()
    while isinstance(callback, partial):
        callback = callback.func
    if callback is not None:  # the message would quote its arguments
        return str(getattr(callback, "__qualname__", type(callback).__name__))
    return str(context.get("message") or "the loop")
