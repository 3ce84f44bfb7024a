"""Which parts of a controller's memory to write so that all marked bytes are in them and the fewest go over the wire.

`marks` are 1024 bytes, not zero where a byte must be sent. A part costs its bytes and what it takes to say where it
lies; two that lie close together are cheaper as one.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from hardware.link.messages import PANEL_PAGES, PANEL_WIDTH

PAGED_BYTES = 7
"""What a window on one page costs besides its own bytes: two address and two control bytes, three commands."""

STACKED_BYTES = 10
"""What one over several pages costs: six commands; three of them stay away when the pages are those of the last."""

_RUN = re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % PAGED_BYTES)


class Part(NamedTuple):
    """Some columns of some neighbouring pages; `end` is the column after the last, `below` the page after it."""

    page: int
    below: int
    column: int
    end: int

    @property
    def size(self) -> int:
        """How many bytes lie in it."""
        return (self.below - self.page) * (self.end - self.column)

    def cut(self, memory: bytes) -> bytes:
        """Its bytes, page by page."""
        rows = range(self.page * PANEL_WIDTH, self.below * PANEL_WIDTH, PANEL_WIDTH)
        return b"".join(memory[row + self.column : row + self.end] for row in rows)


WHOLE = Part(0, PANEL_PAGES, 0, PANEL_WIDTH)


def runs(marks: bytes) -> Iterator[Part]:
    """Yield parts of one page each, page by page; a gap that is cheaper than another part is filled."""
    for page in range(PANEL_PAGES):
        start = page * PANEL_WIDTH
        for run in _RUN.finditer(marks[start : start + PANEL_WIDTH]):
            yield Part(page, page + 1, *run.span())


def stacks(marks: bytes) -> list[Part]:
    """Return parts over several pages, those on the same pages in a row; at worst the whole."""
    parts: list[Part] = []
    for run in runs(marks):
        _add(parts, run)
    parts.sort()
    is_less = sum(part.size + STACKED_BYTES for part in parts) < WHOLE.size + STACKED_BYTES
    return parts if is_less else [WHOLE]


def _add(parts: list[Part], part: Part) -> None:
    """Add a part, joined with others as long as that saves bytes."""
    while near := [other for other in parts if other.below >= part.page]:
        best = max(near, key=lambda other: _saved(other, part))
        if _saved(best, part) <= 0:
            break
        parts.remove(best)
        part = _joined(best, part)
    parts.append(part)


def _saved(one: Part, other: Part) -> int:
    on_same_pages = one.page == other.page and one.below == other.below
    saying_where = PAGED_BYTES if on_same_pages else STACKED_BYTES
    return saying_where + one.size + other.size - _joined(one, other).size


def _joined(one: Part, other: Part) -> Part:
    return Part(
        min(one.page, other.page), max(one.below, other.below), min(one.column, other.column), max(one.end, other.end)
    )
