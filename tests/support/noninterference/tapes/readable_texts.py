"""What could be read of a daemon: its log, and what a careless log line could make of anything that it holds."""

import asyncio
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

_BY_CHANCE = re.compile(
    r"0x([0-9a-f]{6,})|Task-([0-9]+)|f(?<!\wf)d=([0-9]+)|_done\(([0-9]+)|os\.stat_result(\([^)]+\))"
    r"|/([^\s'\"]+/)(?=album|journal\.sqlite|events\.sock)"
)
"""Each group differs between any two rounds. An alternative begins with a letter, so that most of a text is skipped."""


class _LogHandler(logging.Handler):
    """Hears every record of every logger, with its traceback as it would be written."""

    def __init__(self, record: Callable[[object], None]) -> None:
        super().__init__(logging.DEBUG)
        self._record = record

    def emit(self, record: logging.LogRecord) -> None:
        self._record((record.name, record.levelno, written(self.format(record))))


@contextmanager
def listening(record: Callable[[object], None]) -> Iterator[None]:
    root, handler = logging.getLogger(), _LogHandler(record)
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        root.setLevel(level)
        root.removeHandler(handler)


def texts(things: Iterable[object]) -> list[str]:
    """Return every text that a careless log line could make of these things and of the loop's tasks."""
    tasks = asyncio.all_tasks()
    stacks = [(task.get_name(), task.get_coro(), *task.get_stack(limit=1)) for task in tasks]
    return [*shown_as_text(things), *sorted(written(repr(stack)) for stack in stacks)]


def shown_as_text(things: Iterable[object]) -> list[str]:
    return [written(text) for thing in things for text in (repr(thing), str(thing))]


def parts(thing: object) -> Iterable[object]:
    """Return an object's values, and those of its scene."""
    scene = getattr(thing, "scene", None)
    game = scene and (scene.game or scene.ended)
    return [*vars(thing).values(), *([game, game.match] if game else [])]


def written(text: str) -> str:
    """Return a text without what differs between any two rounds: where things lie, how many tasks there were."""
    return _BY_CHANCE.sub(lambda found: found[0][: found.start(found.lastindex or 0) - found.start()], text)
