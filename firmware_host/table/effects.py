"""What the table wants done, in the order in which it wants it: the shell carries out each and decides nothing.

A `Record` comes before whatever rests on it: the shell lets nothing that follows it out before it is on disk.
"""

from msgspec import Struct

from engine import View
from firmware_host.table.alerts import AlertCleared, AlertRaised
from firmware_host.table.events import PublicEvent
from firmware_host.table.menu import Menu
from firmware_host.table.public_state import PublicState
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat_view import SeatView


class Record(Struct, frozen=True):
    """Make this scene durable: it is all that the evening rests on."""

    scene: Scene


class Show(Struct, frozen=True):
    """Put this on a seat's glass; `look` is what may be seen while the gate is open, None where there is no peeking."""

    seat: int
    view: SeatView
    menu: Menu
    look: View | None


class SetPeek(Struct, frozen=True):
    """Open or close the peek at a seat."""

    seat: int
    open: bool


class Announce(Struct, frozen=True):
    """Tell the whole room: the page, the story, the socket."""

    event: PublicEvent


class Publish(Struct, frozen=True):
    """This is now what everybody may know; comes after the events that led to it, and only where it has changed."""

    state: PublicState


class RequestSeed(Struct, frozen=True):
    """Answer with `Seeded`: fresh bytes that nobody could foresee."""


class RequestCommitment(Struct, frozen=True):
    """Have a seat's cup bind itself to entropy for this deal; it answers with `Drawn`, every time with the same."""

    seat: int
    deal: bytes


class RequestEntropy(Struct, frozen=True):
    """Have a seat's cup open what it was bound to, now that this is the head of the chain; it answers with `Opened`."""

    seat: int
    deal: bytes
    head: bytes


class Seeded(Struct, frozen=True):
    """The shell's answer to `RequestSeed`, 32 bytes; the table draws no random number itself."""

    seed: bytes

    def __repr__(self) -> str:
        return "Seeded(…)"  # half of what dice are made of


HostMessage = Seeded | AlertRaised | AlertCleared
"""Messages that no wire brings: the shell itself says so."""

Effect = Record | Show | SetPeek | Announce | Publish | RequestSeed | RequestCommitment | RequestEntropy
