"""What is joined to what, before any of it has a place on a sheet.

`table` joins what a layout says, `board` what a Pico's wiring says; `sheet` draws either.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Terminal(NamedTuple):
    """Where a wire can end: a part, and what is written at that place of it (a header's pin by its number)."""

    part: str
    name: str


class Net(NamedTuple):
    """A wire: its kind, one of `LOOKS`, and where it ends. One with more than two ends is a rail with taps."""

    kind: str
    ends: tuple[Terminal, ...]


class Look(NamedTuple):
    """How wires of a kind are drawn: told apart by colour, by lightness and by their dashes. Dashes in pixels."""

    words: str
    color: str
    dashes: str = ""
    width: float = 2.4
    hollow: bool = False


# Okabe and Ito's colours, which colour-blind eyes tell apart, the light ones a little darker for white paper.
LOOKS: Mapping[str, Look] = {
    "left": Look("button left", "#0072b2", width=2.2),
    "right": Look("button right", "#2f97d3", "7 3"),
    "ok": Look("button OK", "#00795a", "14 3 3 3"),
    "dudo": Look("button DUDO", "#d55e00", width=3.4),
    "tilt": Look("tilt switch", "#a8417f", "4 2.5"),
    "light": Look("light", "#c88a00", "14 3 3 3"),
    "SDA": Look("SDA, data", "#7a4fbf", "16 5"),
    "SCL": Look("SCL, clock", "#5a5a5a", "1.8 2.6"),
    "DIN": Look("DIN, data", "#7a4fbf", "16 5"),
    "CLK": Look("CLK, clock", "#5a5a5a", "1.8 2.6"),
    "CS": Look("CS, select", "#c88a00"),
    "DC": Look("DC", "#00795a", "4 2.5"),
    "RES": Look("RES, reset", "#a8417f", "10 3"),
    "5V": Look("5 V, to the regulator only", "#8a5a00", "9 4", width=5.2, hollow=True),
    "3V3": Look("3V3, power", "#c1121f", width=4.4, hollow=True),
    "GND": Look("GND, ground", "#111111", width=3.6),
    "USB": Look("USB cable", "#4a4a4a", width=4.4, hollow=True),
    "radio": Look("by radio", "#2f97d3", "1 6", width=3.6),
}


RAILS = ("3V3", "GND")
"""Kinds of which every part may have one, so that where it comes from says more than where it goes."""


class Wires:
    """Wires by the place they come from; one that is drawn from the same place again gets another end."""

    def __init__(self) -> None:
        self._nets: dict[Terminal, Net] = {}

    def join(self, kind: str, source: Terminal, end: Terminal) -> None:
        """Draw a wire from `source` to `end`; the first one from there names the kind."""
        net = self._nets.get(source, Net(kind, (source,)))
        self._nets[source] = Net(net.kind, (*net.ends, end))

    def nets(self) -> tuple[Net, ...]:
        """All wires, in the order in which they were begun."""
        return tuple(self._nets.values())
