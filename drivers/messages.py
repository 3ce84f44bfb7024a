"""What the wires say: one small frozen message for each thing a hand or a cable did.

Drivers build them, the daemon's queue carries them, and `Table.handle` is the only reader. `seat` is the seat's index
in the layout, `at_ns` the moment it happened on the monotonic clock: for a wired button the kernel's stamp of the
first edge.

They are msgspec's structs, as are the table's effects and events: a frozen dataclass of slots takes half a millisecond
to make, and fifty of them would keep the panels dark for longer than opening the wires does.
"""

from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct


class Button(StrEnum):
    """The four buttons of a seat; a layout may leave DUDO out."""

    LEFT = "left"
    RIGHT = "right"
    OK = "ok"
    DUDO = "dudo"


class Device(StrEnum):
    """What a seat can lose when a cable is pulled."""

    BUTTONS = "buttons"
    CUP = "cup"
    PANEL = "panel"
    BOARD = "board"


class Light(StrEnum):
    """How brightly a panel shines: dim and then dark where nobody has touched anything for a while."""

    BRIGHT = "bright"
    DIM = "dim"
    DARK = "dark"


class Pressed(Struct, frozen=True):
    """A button went down."""

    seat: int
    button: Button
    at_ns: int
    event: int | None = None  # the link's number of it, to be acknowledged once durable


class Released(Struct, frozen=True):
    """A button came up."""

    seat: int
    button: Button
    at_ns: int
    event: int | None = None


class Shaken(Struct, frozen=True):
    """A cup began to be shaken."""

    seat: int
    at_ns: int
    event: int | None = None


class Settled(Struct, frozen=True):
    """A shaken cup stands still and level again.

    `entropy` is what the shake itself gave a switch on a pin; a cup with a program keeps its own until it is opened.
    """

    seat: int
    at_ns: int
    entropy: bytes
    event: int | None = None

    def __repr__(self) -> str:
        # half of what dice are made of is for no log
        return f"Settled(seat={self.seat}, at_ns={self.at_ns}, event={self.event})"


class Tilted(Struct, frozen=True):
    """A cup was lifted to look under it."""

    seat: int
    at_ns: int
    event: int | None = None


class Levelled(Struct, frozen=True):
    """A tilted cup is down again: nothing may be seen any more."""

    seat: int
    at_ns: int
    event: int | None = None


class Lost(Struct, frozen=True):
    """A device of a seat does not answer; `why` is one sentence for the owner."""

    seat: int
    device: Device
    why: str


class Found(Struct, frozen=True):
    """A device of a seat answers (again)."""

    seat: int
    device: Device


class Replaced(Struct, frozen=True):
    """From now on another cup or board is this seat's."""

    seat: int
    device: Device


class Drawn(Struct, frozen=True):
    """A cup with a program has drawn its entropy for a deal and commits to it; both are of 32 bytes."""

    seat: int
    deal: bytes
    commitment: bytes


class Opened(Struct, frozen=True):
    """A cup with a program gives its entropy for a deal, 32 bytes."""

    seat: int
    deal: bytes
    entropy: bytes

    def __repr__(self) -> str:
        return f"Opened(seat={self.seat}, deal={self.deal!r})"


Event = Pressed | Released | Shaken | Settled | Tilted | Levelled
Message = Event | Lost | Found | Replaced | Drawn | Opened
Post = Callable[[Message], None]
