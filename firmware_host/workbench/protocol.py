"""What a page and the workbench say to each other over `/live`: a struct for each message, JSON in text frames.

Pictures go in binary frames: a byte for the seat, then 64 rows of 16 bytes, the highest bit the left dot, 1 lit.
"""

from typing import Literal

import msgspec

from hardware.emulated.seat import CupIs

MESSAGE_BYTES = 4096
"""No message of a page is as long as this."""

SHOWN_CHARACTERS = 40

# From the page. Each has what it is in "do".


class Motion(msgspec.Struct, frozen=True, tag_field="do", tag=str.lower):
    """Something a page wants done at a seat, by its number in the layout."""

    seat: int


class Sit(Motion, frozen=True):
    """Take a chair, whoever sits there."""


class Shake(Motion, frozen=True):
    """Shake the cup and put it down."""


class Tilt(Motion, frozen=True):
    """Lift the cup to look under it."""


class Level(Motion, frozen=True):
    """Put the cup down."""


class Press(Motion, frozen=True):
    """Put a finger on a button."""

    button: str


class Release(Motion, frozen=True):
    """Take it off."""

    button: str


class Unplug(Motion, frozen=True):
    """Pull a cable."""

    device: str


class Plug(Motion, frozen=True):
    """Put it in again."""

    device: str


class Uncover(Motion, frozen=True):
    """Look at somebody's panel."""


class Cover(Motion, frozen=True):
    """Look away."""


class Stand(msgspec.Struct, frozen=True, tag_field="do", tag=str.lower):
    """Get up and let a robot have the chair."""


Do = Sit | Stand | Press | Release | Shake | Tilt | Level | Unplug | Plug | Uncover | Cover
Handiwork = Press | Release | Shake | Tilt | Level | Unplug | Plug

# To the page. Each has what it is in "type".


class Word(msgspec.Struct, frozen=True, tag_field="type", tag=str.lower):
    """Something the page is told."""


class Seat(msgspec.Struct, frozen=True):
    """A seat's furniture."""

    name: str
    color: str
    buttons: tuple[str, ...]
    devices: tuple[str, ...]


class Table(Word, frozen=True):
    """The furniture; first and once."""

    name: str
    seats: tuple[Seat, ...]


class Chairs(Word, frozen=True):
    """Who sits where, by seat; a free chair waits for somebody who is away or has not come yet."""

    you: int | None
    chairs: tuple[Literal["you", "robot", "person", "free"], ...]


class Hands(Word, frozen=True):
    """What the hands at a seat do, and which of its cables are pulled."""

    seat: int
    pressed: tuple[str, ...]
    cup: CupIs
    unplugged: tuple[str, ...]


class Covered(Word, frozen=True):
    """The seats whose panels this page is not sent."""

    seats: tuple[int, ...]


class Public(Word, frozen=True):
    """A line of docs/events.md; the first one is a state."""

    line: msgspec.Raw


class Told(Word, frozen=True):
    """A sentence for the person."""

    text: str


class ProtocolError(ValueError):
    """A message that is none; the text is for whoever sent it."""


_READER: msgspec.json.Decoder[Do] = msgspec.json.Decoder(Do)
_WRITER = msgspec.json.Encoder()


def read(text: str) -> Do:
    """A page's message. Raises `ProtocolError`, which quotes what is wrong."""
    try:
        return _READER.decode(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ProtocolError(f"That was no message for the table: {quoted(text)} ({quoted(str(error), '')}).") from error


def write(word: Word) -> str:
    """The text frame of a message."""
    return _WRITER.encode(word).decode()


def quoted(value: str, quote: str = "'") -> str:
    """A stranger's text, short and on one line."""
    line = "".join(letter if letter.isprintable() else "?" for letter in value)
    limit = SHOWN_CHARACTERS if quote else 2 * SHOWN_CHARACTERS
    return f"{quote}{line if len(line) <= limit else line[: limit - 1] + '…'}{quote}"
