"""What the table wants done, in the order in which it wants it: the shell carries out each and decides nothing.

A `Record` comes before whatever rests on it: the shell lets nothing that follows it out before it is on disk.
"""

from dataclasses import dataclass, field

from engine import View
from firmware_host.table.events import PublicEvent
from firmware_host.table.menu import Menu
from firmware_host.table.public import PublicState
from firmware_host.table.scene import Scene
from firmware_host.table.seat_view import SeatView


@dataclass(frozen=True, slots=True)
class Record:
    """Make this scene durable: it is all that the evening rests on."""

    scene: Scene


@dataclass(frozen=True, slots=True)
class Show:
    """Put this on a seat's glass; `look` is what may be seen while the gate is open, None where there is no peeking."""

    seat: int
    view: SeatView
    menu: Menu
    look: View | None


@dataclass(frozen=True, slots=True)
class Gate:
    """Open or close the peek at a seat."""

    seat: int
    open: bool


@dataclass(frozen=True, slots=True)
class Announce:
    """Tell the whole room: the page, the story, the socket."""

    event: PublicEvent


@dataclass(frozen=True, slots=True)
class Publish:
    """This is now what everybody may know; comes after the events that led to it, and only where it has changed."""

    state: PublicState


@dataclass(frozen=True, slots=True)
class WantSeed:
    """Answer with `Seeded`: fresh bytes that nobody could foresee."""


@dataclass(frozen=True, slots=True)
class Seeded:
    """The shell's answer to `WantSeed`, 32 bytes; the table draws no random number itself."""

    seed: bytes = field(repr=False)


Effect = Record | Show | Gate | Announce | Publish | WantSeed
