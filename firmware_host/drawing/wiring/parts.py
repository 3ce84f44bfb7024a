"""What stands on a sheet of wires: connectors with two rows of pins, boxes with terminals, and seats with their parts.

Parts are values without a place; `sheet` gives each one and draws it through `faces`.
"""

from typing import NamedTuple

from firmware_host.drawing.wiring.nets import Net


class Pin(NamedTuple):
    """A pin of a connector: its number, what it is, and where it stands."""

    number: int
    role: str
    row: int
    column: int


class Connector(NamedTuple):
    """A board with 20 rows of two pins. `inside` says that its pins stand at its edges, as a Pico's do."""

    name: str
    words: tuple[str, ...]
    pins: tuple[Pin, ...]
    inside: bool = False
    terminals: tuple[str, ...] = ()


class Box(NamedTuple):
    """A part on the left that is not looked into, with its terminals one under the other."""

    name: str
    words: tuple[str, ...]
    terminals: tuple[str, ...]


class Module(NamedTuple):
    """A part of a seat that is bought as one, with its terminals as they are printed on it."""

    words: tuple[str, ...]
    terminals: tuple[str, ...]


class Seat(NamedTuple):
    """A part on the right: switches to ground, modules, and what plugs in.

    A module that has a GND shares it with the switches above; with no such module the switches have a GND of their own.
    """

    name: str
    title: str
    color: str | None
    switches: tuple[str, ...]
    modules: tuple[Module, ...]
    plugs: tuple[Module, ...] = ()

    @property
    def terminals(self) -> tuple[str, ...]:
        """All places where a wire ends, downwards; a name that stands there twice is told apart by its module's."""
        listed = [*self.switches]
        if self.switches and not any("GND" in module.terminals for module in self.modules[:1]):
            listed.append("GND")
        for module in (*self.modules, *self.plugs):
            listed += [own(module, name, listed) for name in module.terminals]
        return tuple(listed)


def own(module: Module, name: str, taken: list[str]) -> str:
    """The name of a module's terminal in its seat: its own, or with the module's where another has it."""
    return f"{module.words[0]} {name}" if name in taken else name


class Plan(NamedTuple):
    """All that a sheet shows: parts on the left, seats on the right, the wires between them, and what to say below."""

    title: str
    left: tuple[Connector | Box, ...]
    seats: tuple[Seat, ...]
    nets: tuple[Net, ...]
    notes: tuple[str, ...]
