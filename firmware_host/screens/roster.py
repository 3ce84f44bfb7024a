"""Everybody with dice, in order of play: the name, and a small dot for each die."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from engine import Position
from firmware_host.screens import phrases
from firmware_host.screens.canvas import Box, Canvas
from firmware_host.screens.fonts import SMALL, TINIEST, TINY, Font, shorten, width
from firmware_host.screens.words import Words
from firmware_host.screens.zones import ROSTER
from firmware_host.table.seat_view import SeatView

_NONE: Mapping[int, str] = MappingProxyType({})
_CELLS = Box(ROSTER.left + 1, ROSTER.top, ROSTER.width - 1, ROSTER.height)  # a plate begins a dot before its name
_NAME = 8  # rows
_APART = 3  # columns between a name and the next one: two plates and what is between them


class _Dots(NamedTuple):
    """How a die is drawn: dots across, dots down, and from one to the next."""

    across: int
    down: int
    pitch: int


_USUAL = _Dots(2, 2, 3)
_CROWDED = _Dots(1, 3, 2)
"""Where five of the usual ones would run into the next player's."""


def roster(
    canvas: Canvas,
    view: SeatView,
    words: Words,
    seats: Sequence[int],
    dots: Mapping[int, int],
    *,
    lit: Collection[int] = (),
    more: Mapping[int, str] = _NONE,
) -> None:
    """Name these players; those in `lit` on a plate. `dots` are drawn below a name, `more` is written behind it."""
    faulty = {missing.name for missing in view.missing}
    names = {seat: words(phrases.YOU) if seat == view.me else view.names[seat] for seat in seats}
    behind = {seat: "!" if view.names[seat] in faulty else more.get(seat, "") for seat in seats}
    cells = {seat: _CELLS.column(index, len(seats)) for index, seat in enumerate(seats)}
    font = _font([names[seat] + behind[seat] for seat in seats], _CELLS.width // max(len(seats), 1))
    for seat, cell in cells.items():
        _name(canvas, names[seat], behind[seat], cell, font, lit=seat in lit)
        _dice(canvas, dots.get(seat, 0), cell)


def of_the_round(canvas: Canvas, view: SeatView, words: Words, position: Position) -> None:
    """Everybody's dice, and on plates whom the table waits for."""
    banked = {seat: f"+{kept}" for seat, kept in enumerate(position.banked) if kept}
    dots = dict(enumerate(position.dice))
    roster(canvas, view, words, position.living, dots, lit=view.waiting_for, more=banked)


def _name(canvas: Canvas, name: str, behind: str, cell: Box, font: Font, *, lit: bool) -> None:
    room = Box(cell.left, cell.top, cell.width - _APART, _NAME)
    shown, across = canvas.shortened(name, behind, room, font)
    left = room.left + (room.width - across) // 2
    if lit:
        canvas.fill(Box(left - 1, room.top + 1, across + 2, _NAME - 1))  # a row apart from what stands above
    canvas.text(shown, Box(left, room.top, across, _NAME), font, light=not lit)


def _font(names: Sequence[str], room: int) -> Font:
    """The widest in which all names are whole; else the widest that shows three letters of any."""
    if all(len(shorten(name, room - _APART, _NAME, SMALL)) == len(name) for name in names):
        return SMALL
    return TINY if width("www", TINY) <= room - _APART + 1 else TINIEST


def _dice(canvas: Canvas, number: int, cell: Box) -> None:
    dot = _USUAL if cell.width > 16 else _CROWDED
    across = number * dot.pitch - (dot.pitch - dot.across)
    left = cell.left + (cell.width - _APART - across) // 2
    for index in range(number):
        canvas.fill(Box(left + index * dot.pitch, cell.top + _NAME + 1, dot.across, dot.down))
