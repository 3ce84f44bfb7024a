"""The messages between a page and the workbench over `/live`: a struct for each, JSON in text frames.

Pictures go in binary frames: a byte for the seat, one for `LIT` and `DICE`, then 64 rows of 16 bytes, the highest bit
the left pixel, 1 lit.
"""

from typing import Annotated, Literal

import msgspec

from engine import Rules
from firmware_host.screens.spoken import SpokenHand
from firmware_host.table.cues import Cue
from firmware_host.wire import Seat
from hardware.emulated.seat import CupIs

MESSAGE_BYTES = 4096
"""The longest message of a page that is accepted."""

MAX_QUOTED_CHARACTERS = 40

LIT, DICE = 1, 2
"""Bits of a picture's second byte: the light is on, and dice under the cup may be on the display."""

# From the page. The field "do" has the kind.


class PageMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", tag=str.lower):
    """A page's message, with the number of the last `Beat` it received."""

    beat: int = 0


class SeatMessage(PageMessage, frozen=True):
    """A request about a seat, by its number in the layout."""

    seat: Seat


class Sit(SeatMessage, frozen=True):
    """Take a chair, even from another person."""


class Shake(SeatMessage, frozen=True):
    """Shake the cup and put it down."""


class Tilt(SeatMessage, frozen=True):
    """Lift the cup to look under it."""


class Level(SeatMessage, frozen=True):
    """Put the cup down."""


class Press(SeatMessage, frozen=True):
    """Press a button."""

    button: str


class Release(SeatMessage, frozen=True):
    """Release a button."""

    button: str


class Advise(SeatMessage, frozen=True):
    """Ask for advice at the own seat."""


class Unplug(SeatMessage, frozen=True):
    """Unplug a device."""

    device: str


class Plug(SeatMessage, frozen=True):
    """Plug a device in again."""

    device: str


class Turn(SeatMessage, frozen=True):
    """Turn the service key on or off."""

    on: bool


class Uncover(SeatMessage, frozen=True):
    """Start looking at a seat's display."""


class Cover(SeatMessage, frozen=True):
    """Stop looking at a seat's display."""


class TakeBack(SeatMessage, frozen=True):
    """Take a seat back from its guest."""


class Stand(PageMessage, frozen=True):
    """Leave the chair to a robot."""


class Speak(PageMessage, frozen=True):
    """Choose the language of display texts; an unknown one is English."""

    language: str


class Introduce(PageMessage, frozen=True):
    """Tell the person's name, perhaps empty."""

    name: Annotated[str, msgspec.Meta(max_length=64)]


SeatAction = Press | Release | Shake | Tilt | Level | Unplug | Plug | Turn
ClientMessage = SeatAction | Sit | Stand | Speak | Introduce | Advise | Uncover | Cover | TakeBack
NEVER_LATE = (Release, Level, Cover, Speak, Introduce)
"""The messages that are carried out however long they took: letting go always is."""

# To the page. The field "type" has the kind.


class ServerMessage(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower):
    """A message to the page."""


class Beat(ServerMessage, frozen=True):
    """A heartbeat: after a while without one, the page reports a lost connection."""

    number: int


class PageSeat(msgspec.Struct, frozen=True):
    """A seat and its devices; without buttons it is a phone's. A robot plays on there for a person, or nobody does."""

    name: str
    color: str
    buttons: tuple[str, ...]
    devices: tuple[str, ...]
    has_key: bool
    has_robot: bool


class Table(ServerMessage, frozen=True):
    """The table's seats and rules; the first message after a `Beat`, sent once.

    `names` maps each kind of round that the rules rename to the other kind's name.
    """

    name: str
    seats: tuple[PageSeat, ...]
    rules: Rules
    names: dict[str, str]


class Chairs(ServerMessage, frozen=True):
    """The occupant of each chair, by seat; a free chair waits for a person who is away or yet to come.

    `soon` is the seat that a robot leaves to this page's person after the round.
    """

    you: Seat | None
    chairs: tuple[Literal["you", "robot", "person", "free"], ...]
    soon: Seat | None = None


class Party(ServerMessage, frozen=True):
    """The guest at each seat, and the next guest's link, also as the SVG `qr`; empty without a free seat."""

    seats: tuple[Literal["open", "guest", "away", "host"], ...]
    link: str = ""
    qr: str = ""


class Hands(ServerMessage, frozen=True):
    """A seat's pressed buttons, cup and unplugged devices, and whether its service key is turned."""

    seat: Seat
    pressed: tuple[str, ...]
    cup: CupIs
    unplugged: tuple[str, ...]
    key: bool


class Covered(ServerMessage, frozen=True):
    """Seats with displays hidden from this page."""

    seats: tuple[Seat, ...]


class State(ServerMessage, frozen=True):
    """The public state, as on the public socket (docs/events.md)."""

    line: msgspec.Raw


class Cues(ServerMessage, frozen=True):
    """The current reveal's cues so far; None once all is told."""

    reached: tuple[Cue, ...] | None


class Story(ServerMessage, frozen=True):
    """The latest public events of this run of `play` in sentences, for a new page or another language."""

    sentences: tuple[str, ...]


class Happened(ServerMessage, frozen=True):
    """A public event in sentences."""

    sentences: tuple[str, ...]


class Spoken(ServerMessage, frozen=True):
    """A display in words, for a screen reader, and its dice while they are shown.

    `choice` is the present effect of OK there, for the page's hint; empty without one.
    """

    seat: Seat
    text: str
    hands: tuple[SpokenHand, ...]
    choice: str = ""


class Advice(ServerMessage, frozen=True):
    """Advice for the person in a seat's chair alone: it depends on dice seen under the cup.

    `action` is `bid`, a call, `pass` or a kind of round; `look` before the first look, `wait`, or `nothing`.
    """

    seat: Seat
    action: str
    percent: int | None = None
    quantity: int | None = None
    face: int | None = None


ADVICE_CHARACTERS = 128
"""Length of a frame with advice, which is longer than any needs."""


Refusal = Literal[
    "late",
    "taken",
    "panel-of-another",
    "chair-of-another",
    "covered",
    # where guests play
    "party",
    "place-of-a-guest",
    "no-guest",
    "after-the-round",
]


class Notice(ServerMessage, frozen=True, tag="told"):
    """A sentence for the person at the page; the page words a refusal at a seat in its own language."""

    text: str
    why: Refusal | None = None
    seat: Seat | None = None


class ProtocolError(ValueError):
    """An invalid message; the text goes back to its sender."""


_READER: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_WRITER = msgspec.json.Encoder()


def decode(text: str) -> ClientMessage:
    """Decode a page's message. Raises `ProtocolError`, which quotes the error."""
    try:
        return _READER.decode(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ProtocolError(f"That was no message for the table: {quoted(text)} ({quoted(str(error), '')}).") from error


def encode(message: ServerMessage) -> str:
    """Encode a message as a text frame. All advice is equally long: frame lengths can be measured over Wi-Fi."""
    text = _WRITER.encode(message).decode()
    return text.ljust(ADVICE_CHARACTERS) if isinstance(message, Advice) else text


def quoted(value: str, quote: str = "'") -> str:
    """Quote untrusted text, shortened and on one line."""
    line = "".join(letter if letter.isprintable() else "?" for letter in value)
    limit = MAX_QUOTED_CHARACTERS if quote else 2 * MAX_QUOTED_CHARACTERS
    return f"{quote}{line if len(line) <= limit else line[: limit - 1] + '…'}{quote}"
