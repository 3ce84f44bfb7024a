"""A Pico and its leads on strip-board: which hole takes each leg, and where the copper is cut.

The board carries a Pico with soldered pins, on two sockets. A cut between the sockets gives every pin a strip of its
own, so its leads go into the strip beside it, and the strip of each ground pin is a ground bus: the Pico joins them.
The layout follows from a seat board's `Diagram`, like its wiring drawing; `strip_board_sheet` draws it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from hardware.boards.pico_pins import GROUNDS, PICO
from hardware.drawing.wiring.netlist import WIRE_STYLES, Diagram, SeatBox, Terminal

PITCH_MM = 2.54
PICO_ROWS = len(PICO) // 2
ROWS, COLUMNS = PICO_ROWS + 3, 18
"""Strips, and holes of each. The strips below the Pico are unused, for two screws."""
SOCKETS = (6, 13)
"""Columns of the sockets for a Pico's two rows of pins, 17.78 mm apart."""
SPLIT = 9
"""The column of the cuts between the sockets."""
_MAX_LEADS = 3  # of a strip, so that the drawing stays legible


class Hole(NamedTuple):
    """A hole seen from the component side, by its row and column from 1; printed as `R15`."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"{chr(ord('A') + self.column - 1)}{self.row}"


SCREWS = (Hole(22, 2), Hole(22, 17))
"""Holes to widen for the screws that hold the board, in unused strips."""


class Lead(NamedTuple):
    """A wire from a part to a hole: the part's terminal, its words in the drawing, the kind of wire, and its hole.

    `towards` is the row of its part's other wire, the row itself where there is none.
    """

    terminal: Terminal
    words: str
    kind: str
    hole: Hole
    towards: int

    @property
    def is_right(self) -> bool:
        """Whether the lead leaves the board on its right."""
        return self.hole.column > SPLIT


class Resistor(NamedTuple):
    """The light's resistor, across a cut in its pin's strip."""

    inner: Hole
    cut: Hole
    outer: Hole


class StripBoard(NamedTuple):
    """A whole layout. `resistor` is None without a light."""

    cuts: tuple[Hole, ...]
    resistor: Resistor | None
    leads: tuple[Lead, ...]


def pin_hole(number: int) -> Hole:
    """Return the hole for a Pico's pin, by its number on the board."""
    pin = PICO[number - 1]
    return Hole(pin.row + 1, SOCKETS[pin.column])


def strip_board(diagram: Diagram) -> StripBoard:
    """Lay out the board for a seat board's diagram."""
    (seat,) = diagram.seats
    cuts = tuple(Hole(row, SPLIT) for row in range(1, PICO_ROWS + 1))
    resistor = _resistor(diagram) if "light" in seat.switches else None
    leads = _Leads(diagram, seat).leads(has_light=resistor is not None)
    return StripBoard((*cuts, resistor.cut) if resistor else cuts, resistor, tuple(leads))


def _resistor(diagram: Diagram) -> Resistor:
    hole = next(pin_hole(int(net.ends[0].name)) for net in diagram.nets if net.kind == "light")
    out = 1 if hole.column > SPLIT else -1
    inner, cut, outer = (Hole(hole.row, hole.column + out * away) for away in (1, 3, 4))
    return Resistor(inner, cut, outer)


class _Leads:
    """The leads in the making: first the strip of each, then its hole there."""

    def __init__(self, diagram: Diagram, seat: SeatBox) -> None:
        self._sources = {
            end.name: (net.kind, pin_hole(int(net.ends[0].name))) for net in diagram.nets for end in net.ends[1:]
        }
        self._seat = seat
        self._in_strip: dict[Hole, list[Lead]] = {}

    def leads(self, *, has_light: bool) -> Iterator[Lead]:
        """Yield the leads of the seat's switches, two each, and of its modules."""
        for name in self._seat.switches:
            kind, pin = self._sources[name]
            legs = ("long leg", "short leg") if has_light and name == "light" else ("one leg", "other leg")
            ground = self._ground_near(pin)
            self._add(name, f"{WIRE_STYLES[kind].label}, {legs[0]}", kind, pin, ground.row)
            self._add(f"{name} GND", f"{WIRE_STYLES[kind].label}, {legs[1]}", "GND", ground, pin.row)
        for module, names in self._seat.module_terminals():
            part = module.caption[0].split()[0]
            clock = self._sources[names[module.terminals.index("SCL")]][1]
            for printed, name in zip(module.terminals, names, strict=True):
                kind, pin = self._sources[name]
                if printed == "GND":
                    self._add(name, f"{part} {printed}", kind, self._ground_near(clock), clock.row)
                else:
                    self._add(name, f"{part} {printed}", kind, pin, pin.row)
        for leads in self._in_strip.values():
            yield from _in_holes(leads)

    def _add(self, name: str, words: str, kind: str, pin: Hole, towards: int) -> None:
        lead = Lead(Terminal(self._seat.name, name), words, kind, pin, towards)
        self._in_strip.setdefault(pin, []).append(lead)

    def _ground_near(self, pin: Hole) -> Hole:
        """Return the nearest ground pin with room in its strip, on the same side if possible."""
        grounds = [pin_hole(ground.number) for ground in GROUNDS]
        free = [ground for ground in grounds if len(self._in_strip.get(ground, ())) < _MAX_LEADS]
        return min(free, key=lambda ground: (ground.column != pin.column, abs(ground.row - pin.row), ground.row))


def _in_holes(leads: list[Lead]) -> Iterator[Lead]:
    """Move a strip's leads from the pin to holes at the board's edge, from the top down.

    The middle one of three has the outermost hole: it leaves straight, and the others pass above and below it.
    """
    leads = sorted(leads, key=lambda lead: lead.towards)
    places = (2, 1, 3) if len(leads) == _MAX_LEADS else (1, 2)
    for lead, place in zip(leads, places, strict=False):
        yield lead._replace(hole=Hole(lead.hole.row, COLUMNS + 1 - place if lead.is_right else place))
