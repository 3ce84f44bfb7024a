"""Driver messages: a frozen struct for each kind of device event.
Drivers build them, the daemon's inbox carries them, and `Table.handle` reads them. `seat` is the seat's index in the
layout, `at_ns` the event's time on the monotonic clock: for a wired button the kernel's stamp of the first edge.

They are msgspec structs, as are the table's effects and events: defining a frozen dataclass with slots takes half a
millisecond, and fifty would delay the first picture by more than opening the ports does.
"""

from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct


class Button(StrEnum):
    """A seat's four buttons; a layout may leave DUDO out."""

    LEFT = "left"
    RIGHT = "right"
    OK = "ok"
    DUDO = "dudo"


class Device(StrEnum):
    """A part that a seat may be missing."""

    BUTTONS = "buttons"
    CUP = "cup"
    PANEL = "panel"
    BOARD = "board"
    PHONE = "phone"


WHOLE_SEATS = (Device.BOARD, Device.PHONE)
"""The devices that are all a seat has: without one of them it has neither cup nor buttons nor display."""


class Brightness(StrEnum):
    """A display's brightness: dim and later dark while the table is untouched."""

    BRIGHT = "bright"
    DIM = "dim"
    DARK = "dark"


class Pressed(Struct, frozen=True):
    """A button went down."""

    seat: int
    button: Button
    at_ns: int
    event: int | None = None  # number on the link, to be acknowledged once durable


class Released(Struct, frozen=True):
    """A button came up."""

    seat: int
    button: Button
    at_ns: int
    event: int | None = None


class Shaken(Struct, frozen=True):
    """A player began to shake a cup."""

    seat: int
    at_ns: int
    event: int | None = None


class Settled(Struct, frozen=True):
    """A shaken cup stands still and level again.
    `entropy` comes from the edges of a switch on a pin; a cup with a program keeps its own until it has to open it.
    """

    seat: int
    at_ns: int
    entropy: bytes
    event: int | None = None

    def __repr__(self) -> str:
        # the dice are made from it, so it must not be logged
        return f"Settled(seat={self.seat}, at_ns={self.at_ns}, event={self.event})"


class Tilted(Struct, frozen=True):
    """A player tilted a cup to look under it."""

    seat: int
    at_ns: int
    event: int | None = None


class Levelled(Struct, frozen=True):
    """A tilted cup is down again, so its dice must be hidden."""

    seat: int
    at_ns: int
    event: int | None = None


class Lost(Struct, frozen=True):
    """A seat's device does not answer; `why` is one sentence for the owner."""

    seat: int
    device: Device
    why: str


class Found(Struct, frozen=True):
    """A seat's device answers, for the first time or again."""

    seat: int
    device: Device


class Introduced(Struct, frozen=True):
    """A guest's phone has told its person's language, a code of two letters, and name, perhaps empty."""

    seat: int
    language: str
    name: str

    def __repr__(self) -> str:
        return f"Introduced(seat={self.seat}, language={self.language!r})"  # names stay out of the log


class Replaced(Struct, frozen=True):
    """Another cup or board has been assigned to a seat."""

    seat: int
    device: Device


class KeyTurned(Struct, frozen=True):
    """The service key was turned: the staff menu opens or closes at the service seat."""

    seat: int
    is_on: bool
    at_ns: int


class Drawn(Struct, frozen=True):
    """A cup with a program has drawn its entropy for a deal; the commitment to it has 32 bytes."""

    seat: int
    deal: bytes
    commitment: bytes


class Opened(Struct, frozen=True):
    """A cup with a program opens its entropy for a deal, 32 bytes."""

    seat: int
    deal: bytes
    entropy: bytes

    def __repr__(self) -> str:
        return f"Opened(seat={self.seat}, deal={self.deal!r})"


class DeviceEvent(Struct, frozen=True):
    """A repeatable event's key: the device's name, the same in every run, and the driver's number."""

    device: str
    event: int


Event = Pressed | Released | Shaken | Settled | Tilted | Levelled
Message = Event | Lost | Found | Introduced | Replaced | KeyTurned | Drawn | Opened
Post = Callable[[Message], None]
