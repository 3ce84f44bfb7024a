"""The topics of one table on a broker, and the JSON in them; docs/bridge.md is their description."""

import hashlib
from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import Meta

from firmware_host.public import MAX_NUMBER, Number

PREFIX = "dudo/v1"
MAX_SEEN_BYTES = 1024
"""The most bytes of a message on `seen` or `status` that is read."""


class Place(msgspec.Struct, frozen=True):
    """The place of an event: its epoch and its number."""

    epoch: str
    seq: Number


class Seen(msgspec.Struct, frozen=True):
    """The last event that the venue has, with all before it. Without an epoch it has none.

    `digest` is that of this event. `conflict` is the first event that came with other content than the one that the
    venue has under its number.
    """

    epoch: str = ""
    seq: Annotated[int, Meta(ge=-1, le=MAX_NUMBER)] = -1
    digest: str = ""
    conflict: Place | None = None


class Status(msgspec.Struct, frozen=True):
    """Whether a bridge is connected, and whether it can read its table. `instance` tells two bridges apart."""

    instance: str
    online: bool
    playing: bool = False  # it can read its table
    version: Number = 1


class Result(msgspec.Struct, frozen=True):
    """A match that is over. `standings` has the names of its players, the winner first; `robots` has their levels."""

    site: str
    table: str
    epoch: str
    seq: int
    match: str
    rules: str
    standings: tuple[str, ...]
    robots: tuple[str | None, ...] = ()  # in the same order, null for a person


_SEEN = msgspec.json.Decoder(Seen)
_STATUS = msgspec.json.Decoder(Status)


class SeatFacts(msgspec.Struct, frozen=True):
    """A seat in a public state: `name` is its player's if one was entered and is public, `place` the layout's."""

    name: str
    color: str = ""
    robot: str | None = None
    place: str = ""


class ShowdownFacts(msgspec.Struct, frozen=True):
    """The end of a round, as far as a light shows it."""

    right: bool = False
    loser: Number | None = None


class LineFacts(msgspec.Struct, frozen=True):
    """The fields of a public line that the bridge itself reads; it passes on all of it."""

    type: str
    seats: tuple[SeatFacts, ...] = ()
    turn: Number | None = None
    match: str | None = None
    rules: str = ""
    seat: Number | None = None
    action: str = ""
    showdown: ShowdownFacts | None = None
    standings: tuple[Number, ...] = ()
    players: tuple[Number, ...] = ()
    robots: tuple[str | None, ...] = ()  # by player, in the beginning of a match


_OF_THE_BRIDGE = ("site", "table", "epoch", "late", "gap")
"""The fields that a bridge adds to a line."""


def journal_of(epoch: str) -> str:
    """Return the journal of the events of an epoch, whose name begins with it."""
    return epoch.partition("-")[0]


def content_of(line: bytes) -> bytes:
    """Return the content of an event's line, the same before and after a bridge has published it."""
    try:
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return line
    kept = {name: bytes(fields[name]) for name in sorted(fields) if name not in _OF_THE_BRIDGE}
    return b"\n".join(name.encode() + b"\t" + value for name, value in kept.items())


def digest_of(line: bytes) -> str:
    """Return a hash of an event's content."""
    return hashlib.sha256(content_of(line)).hexdigest()[:16]


read_line = msgspec.json.Decoder(LineFacts).decode


@dataclass(frozen=True)
class Topics:
    """The topics of the table of this name at this site; neither holds a slash, a plus or a hash."""

    site: str
    table: str

    def __getitem__(self, name: str) -> str:
        return f"{PREFIX}/{self.site}/{self.table}/{name}"

    def line(self, raw: bytes, epoch: str, **more: bool) -> bytes:
        """Return a public line, which is a JSON object, with the site, table and epoch from which it comes."""
        extra = msgspec.json.encode({"site": self.site, "table": self.table, "epoch": epoch, **more})
        return raw[:-1] + b"," + extra[1:]


def read_seen(payload: object) -> Seen | None:
    """Return how far a venue is; None for a message that no venue sends."""
    found = _read(_SEEN, payload)
    return found if isinstance(found, Seen) else None


def read_status(payload: object) -> Status | None:
    """Return the status of a bridge; None for a message that no bridge sends."""
    found = _read(_STATUS, payload)
    return found if isinstance(found, Status) else None


def _read(decoder: "msgspec.json.Decoder[Seen] | msgspec.json.Decoder[Status]", payload: object) -> object:
    if not isinstance(payload, bytes | bytearray) or len(payload) > MAX_SEEN_BYTES:
        return None
    try:
        return decoder.decode(payload)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
