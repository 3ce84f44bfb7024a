"""A wiring diagram's netlist: its components with their terminals, and the nets between them.
These are values without a position on a sheet. `table` makes a diagram from a layout, `seat_board` makes one from a
Pico's wiring, and `sheet` draws either.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Terminal(NamedTuple):
    """A point where a wire can end: a component, and the name printed there (a header's pin by its number)."""

    component: str
    name: str


class Net(NamedTuple):
    """Joined terminals, and the kind of wire, one of `WIRE_STYLES`. The first terminal is the source.
    A net with more than two terminals is a rail with taps.
    """

    kind: str
    ends: tuple[Terminal, ...]


class WireStyle(NamedTuple):
    """A wire kind's look in the diagram and its legend; `dashes` and `width` in pixels.
    Kinds differ by lightness and dashes too, for readers or prints without colour.
    """

    label: str
    color: str
    dashes: str = ""
    width: float = 2.4
    hollow: bool = False


# Okabe and Ito's palette for colour-blind readers, its light colours a little darker for white paper.
WIRE_STYLES: Mapping[str, WireStyle] = {
    "left": WireStyle("button left", "#0072b2", width=2.2),
    "right": WireStyle("button right", "#2f97d3", "7 3"),
    "ok": WireStyle("button OK", "#00795a", "14 3 3 3"),
    "dudo": WireStyle("button DUDO", "#d55e00", width=3.4),
    "tilt": WireStyle("tilt switch", "#a8417f", "4 2.5"),
    "light": WireStyle("light", "#c88a00", "14 3 3 3"),
    "key": WireStyle("service key", "#8a5a00", "10 2 2 2"),
    "SDA": WireStyle("SDA, data", "#7a4fbf", "16 5"),
    "SCL": WireStyle("SCL, clock", "#5a5a5a", "1.8 2.6"),
    "DIN": WireStyle("DIN, data", "#7a4fbf", "16 5"),
    "CLK": WireStyle("CLK, clock", "#5a5a5a", "1.8 2.6"),
    "CS": WireStyle("CS, select", "#c88a00"),
    "DC": WireStyle("DC", "#00795a", "4 2.5"),
    "RES": WireStyle("RES, reset", "#a8417f", "10 3"),
    "5V": WireStyle("5 V, to the regulator only", "#8a5a00", "9 4", width=5.2, hollow=True),
    "3V3": WireStyle("3V3, power", "#c1121f", width=4.4, hollow=True),
    "GND": WireStyle("GND, ground", "#111111", width=3.6),
    "USB": WireStyle("USB cable", "#4a4a4a", width=4.4, hollow=True),
    "radio": WireStyle("by radio", "#2f97d3", "1 6", width=3.6),
}

RAILS = ("3V3", "GND")
"""Wire kinds for any component: their label names the rail, not the wire's end."""


class NetBuilder:
    """Nets in the making, one for each source terminal."""

    def __init__(self) -> None:
        self._nets: dict[Terminal, Net] = {}

    def connect(self, kind: str, source: Terminal, end: Terminal) -> None:
        """Add `end` to the net from `source`. The first call for a source decides its net's kind."""
        net = self._nets.get(source, Net(kind, (source,)))
        self._nets[source] = Net(net.kind, (*net.ends, end))

    def nets(self) -> tuple[Net, ...]:
        """Return all nets, the oldest first."""
        return tuple(self._nets.values())


class ConnectorPin(NamedTuple):
    """A pin of a connector: its number, its label, and its row and column on the board."""

    number: int
    label: str
    row: int
    column: int


class Connector(NamedTuple):
    """A board with 20 rows of two pins. `pins_at_edges` is true for a Pico, false for a Pi's header.

    `terminals` are further places for a wire, below the pins.
    """

    name: str
    caption: tuple[str, ...]
    pins: tuple[ConnectorPin, ...]
    pins_at_edges: bool = False
    terminals: tuple[str, ...] = ()


class PartBox(NamedTuple):
    """A component on the left, drawn as a box with its terminals in one column."""

    name: str
    caption: tuple[str, ...]
    terminals: tuple[str, ...]


class SeatModule(NamedTuple):
    """A ready-made part of a seat, such as a panel, with its terminals as they are printed on it."""

    caption: tuple[str, ...]
    terminals: tuple[str, ...]


class SeatBox(NamedTuple):
    """A seat on the right: its switches to ground, its modules, and its plug-in devices.

    Switches share the GND of the first module. Without such a GND they have their own GND terminal.
    """

    name: str
    title: str
    color: str | None
    switches: tuple[str, ...]
    modules: tuple[SeatModule, ...]
    plugs: tuple[SeatModule, ...] = ()

    @property
    def own_terminals(self) -> tuple[str, ...]:
        """The terminals above the modules': switches, and their GND if the first module lacks one."""
        if self.switches and not any("GND" in module.terminals for module in self.modules[:1]):
            return (*self.switches, "GND")
        return self.switches

    def module_terminals(self) -> tuple[tuple[SeatModule, tuple[str, ...]], ...]:
        """Return each module and plug with its terminals as the seat names them."""
        return name_terminals((*self.modules, *self.plugs), self.own_terminals)

    @property
    def terminals(self) -> tuple[str, ...]:
        """The names of all terminals, from the top down."""
        return (*self.own_terminals, *(name for _, names in self.module_terminals() for name in names))


def name_terminals(
    modules: Iterable[SeatModule], taken: Iterable[str]
) -> tuple[tuple[SeatModule, tuple[str, ...]], ...]:
    """Name modules' terminals apart: a taken name gets its module's as a prefix."""
    names = [*taken]
    named: list[tuple[SeatModule, tuple[str, ...]]] = []
    for module in modules:
        own = tuple(f"{module.caption[0]} {name}" if name in names else name for name in module.terminals)
        names += own
        named.append((module, own))
    return tuple(named)


class Diagram(NamedTuple):
    """The content of a sheet: components on the left, seats on the right, nets between them, notes below."""

    title: str
    left: tuple[Connector | PartBox, ...]
    seats: tuple[SeatBox, ...]
    nets: tuple[Net, ...]
    notes: tuple[str, ...]
