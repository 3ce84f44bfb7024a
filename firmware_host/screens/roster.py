"""Everybody with dice, in order of play: the name, lit if it called, a mark before it, and a dot for each die below."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from engine import Position
from firmware_host.i18n import phrases
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.glyphs import Mark
from firmware_host.screens.graphics.regions import ROSTER
from firmware_host.screens.graphics.text import SMALL, TINIEST, TINY, Font, rasterise, width
from firmware_host.screens.graphics.typesetting import shorten
from firmware_host.table.seat_view import SeatView

ACROSS = 3
"""Columns."""

_NAME = 8  # rows
_NOTHING: Mapping[int, str] = MappingProxyType({})


class _Dots(NamedTuple):
    """How a die is drawn: dots across, dots down, and from one to the next."""

    across: int
    down: int
    pitch: int


_USUAL = _Dots(2, 2, 3)
_CROWDED = _Dots(1, 3, 2)
"""Where five of the usual ones would run into the next player's."""
_CROWD = 13  # columns for a name, at most
_APART = 3
"""Columns between a name and the next one's mark: at a glance it must not seem to be the first one's."""


def draw_roster(
    canvas: Canvas,
    view: SeatView,
    words: Words,
    seats: Sequence[int],
    dots: Mapping[int, int],
    marks: Mapping[int, Mark],
    behind: Mapping[int, str] = _NOTHING,
    caller: int | None = None,
) -> None:
    """Name these players, each with a mark before and `behind` after the name, and with dots below it.

    Who has called has the name on a plate: the same one from the call through its reveal.
    """
    faulty = {missing.name for missing in view.missing}
    names = {seat: words(phrases.YOU) if seat == view.me else view.names[seat] for seat in seats}
    ends = {seat: "!" if view.names[seat] in faulty else behind.get(seat, "") for seat in seats}
    rooms = {seat: _room(index, len(seats)) for index, seat in enumerate(seats)}
    narrowest = min((room.width for room in rooms.values()), default=0)
    font = _font([names[seat] + ends[seat] for seat in seats], narrowest)
    for seat, room in rooms.items():
        shown, across = canvas.shortened(names[seat], ends[seat], room, font)
        inked = rasterise(shown, font)
        left = min(room.left + (room.width - across) // 2, ROSTER.right - inked.left - inked.mask.width)
        if seat == caller:
            canvas.fill(_plate(left + inked.left, inked.mask.width, room.top))
        canvas.text(shown, Box(left, room.top, across, _NAME), font, light=seat != caller)
        if seat in marks:
            is_crowded = narrowest <= _CROWD
            beside_a_plate = seat == caller and not is_crowded
            canvas.mark(marks[seat], max(0, left - ACROSS - 1 - beside_a_plate), room.top, crowded=is_crowded)
        _dice(canvas, dots.get(seat, 0), room, _USUAL if narrowest > _CROWD else _CROWDED)


def draw_round_roster(
    canvas: Canvas, view: SeatView, words: Words, position: Position, caller: int | None = None
) -> None:
    """Everybody's dice; whom the table waits for, who has bid and who has called."""
    marks = {} if position.bidder is None else {position.bidder: Mark.BIDDER}
    marks |= dict.fromkeys(view.waiting_for, Mark.AWAITED)
    draw_roster(canvas, view, words, position.living, dict(enumerate(position.dice)), marks, _banked(position), caller)


def _banked(position: Position) -> dict[int, str]:
    return {seat: f"+{kept}" for seat, kept in enumerate(position.banked) if kept}


def _room(index: int, of: int) -> Box:
    """What is left of a player's cell beside the mark; in a crowd the next one's mark follows at once."""
    cell = ROSTER.column(index, of)
    apart = _APART if cell.width > _CROWD + ACROSS else 0
    return Box(cell.left + ACROSS + 1, cell.top, cell.width - ACROSS - apart, _NAME)


def _plate(left: int, across: int, top: int) -> Box:
    """Behind a name of so many columns, one more on either side."""
    right = min(left + across + 1, ROSTER.right)
    return Box(left - 1, top, right - left + 1, _NAME)


def _font(names: Sequence[str], room: int) -> Font:
    """The widest in which all names are whole; else the widest that shows three letters of any."""
    if all(len(shorten(name, room, _NAME, SMALL)) == len(name) for name in names):
        return SMALL
    return TINY if width("www", TINY) <= room else TINIEST


def _dice(canvas: Canvas, number: int, room: Box, dot: _Dots) -> None:
    across = number * dot.pitch - (dot.pitch - dot.across)
    left = room.left + (room.width - 1 - across) // 2
    for index in range(number):
        canvas.fill(Box(left + index * dot.pitch, room.top + _NAME + 1, dot.across, dot.down))
