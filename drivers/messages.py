"""What the wires say: one small frozen message for each thing a hand or a cable did.

Drivers build them, the daemon's queue carries them, and `Table.take` is the only reader. `seat` is the seat's index
in the layout, `at_ns` the moment it happened on the monotonic clock: for a wired button the kernel's stamp of the
first edge.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum


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


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button went down."""

    seat: int
    button: Button
    at_ns: int
    event: int | None = None  # the link's number of it, to be acknowledged once durable


@dataclass(frozen=True, slots=True)
class Released:
    """A button came up."""

    seat: int
    button: Button
    at_ns: int
    event: int | None = None


@dataclass(frozen=True, slots=True)
class Shaken:
    """A cup began to be shaken."""

    seat: int
    at_ns: int
    event: int | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """A shaken cup stands still and level again; `entropy` is what the shake itself gave."""

    seat: int
    at_ns: int
    entropy: bytes = field(repr=False)  # half of what dice are made of
    event: int | None = None


@dataclass(frozen=True, slots=True)
class Tilted:
    """A cup was lifted to look under it."""

    seat: int
    at_ns: int
    event: int | None = None


@dataclass(frozen=True, slots=True)
class Levelled:
    """A tilted cup is down again: nothing may be seen any more."""

    seat: int
    at_ns: int
    event: int | None = None


@dataclass(frozen=True, slots=True)
class Lost:
    """A device of a seat does not answer; `why` is one sentence for the owner."""

    seat: int
    device: Device
    why: str


@dataclass(frozen=True, slots=True)
class Found:
    """A device of a seat answers (again)."""

    seat: int
    device: Device


Event = Pressed | Released | Shaken | Settled | Tilted | Levelled
Message = Event | Lost | Found
Post = Callable[[Message], None]
