"""One table's topics on a broker, and their JSON; docs/bridge.md describes them."""

import hashlib
from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import Meta

from firmware_host.wire import MAX_NUMBER, MAX_SEATS, BySeat, LineHead, Number, PublicState, Word

PREFIX = "dudo/v1"
MAX_SEEN_BYTES = 1024
"""Maximum size in bytes of a message on `seen` or `status`."""

Epoch = Annotated[str, Meta(max_length=64, pattern=r"^[0-9A-Za-z_-]+\Z")]
"""A table's numbering on a broker: its journal's name, with a suffix after a restoration."""


class Place(msgspec.Struct, frozen=True):
    """An event's place: epoch and number."""

    epoch: str
    seq: Number


class Seen(msgspec.Struct, frozen=True):
    """The venue's last event, with everything before it. An empty epoch means no event yet.

    `digest` is that event's. `conflict` is the first event unlike the venue's event with its number.
    """

    epoch: str = ""
    seq: Annotated[int, Meta(ge=-1, le=MAX_NUMBER)] = -1
    digest: str = ""
    conflict: Place | None = None


class BridgeStatus(msgspec.Struct, frozen=True):
    """Whether a bridge is connected, and whether it can read its table. `instance` tells two bridges apart."""

    instance: str
    online: bool
    playing: bool = False  # whether it can read its table
    version: Number = 1


class Published(LineHead, frozen=True, kw_only=True):
    """The head of a line on a broker. A `late` event may have come before; a `gap` marks those before it as lost."""

    site: str
    table: str
    epoch: Epoch
    late: bool = False
    gap: bool = False


class PublishedState(PublicState, frozen=True, kw_only=True):
    """A state as on a broker."""

    site: str
    table: str
    epoch: Epoch


class MatchResult(msgspec.Struct, frozen=True):
    """A finished match. `standings` has the players' names, winner first; `robots` has their levels."""

    site: str
    table: str
    epoch: Epoch
    seq: Number
    match: Word
    rules: Word
    standings: Annotated[tuple[Word, ...], Meta(min_length=1, max_length=MAX_SEATS)]
    robots: BySeat[Word | None] = ()  # in the same order, null for a person


_SEEN = msgspec.json.Decoder(Seen)
_STATUS = msgspec.json.Decoder(BridgeStatus)


_OF_THE_BRIDGE = frozenset(Published.__struct_fields__) - frozenset(LineHead.__struct_fields__)
"""The fields added to a line by a bridge."""


def journal_of(epoch: str) -> str:
    """Return an epoch's journal, the beginning of its name."""
    return epoch.partition("-")[0]


def content_of(line: bytes) -> bytes:
    """Return an event line's content, equal before and after a bridge has published it."""
    try:
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return line
    kept = {name: bytes(fields[name]) for name in sorted(fields) if name not in _OF_THE_BRIDGE}
    return b"\n".join(name.encode() + b"\t" + value for name, value in kept.items())


def digest_of(line: bytes) -> str:
    """Return a hash of an event's content."""
    return hashlib.sha256(content_of(line)).hexdigest()[:16]


@dataclass(frozen=True)
class Topics:
    """Topics for the table `name` at a site; slash, plus and hash sign are illegal in both."""

    site: str
    table: str

    def __getitem__(self, name: str) -> str:
        return f"{PREFIX}/{self.site}/{self.table}/{name}"

    def line(self, raw: bytes, epoch: str, **more: bool) -> bytes:
        """Return a public line, a JSON object, with its site, table and epoch added."""
        extra = msgspec.json.encode({"site": self.site, "table": self.table, "epoch": epoch, **more})
        return raw[:-1] + b"," + extra[1:]


def read_seen(payload: object) -> Seen | None:
    """Return a venue's position; None for an invalid message."""
    found = _read(_SEEN, payload)
    return found if isinstance(found, Seen) else None


def read_status(payload: object) -> BridgeStatus | None:
    """Return a bridge's status; None for an invalid message."""
    found = _read(_STATUS, payload)
    return found if isinstance(found, BridgeStatus) else None


def _read(decoder: "msgspec.json.Decoder[Seen] | msgspec.json.Decoder[BridgeStatus]", payload: object) -> object:
    if not isinstance(payload, bytes | bytearray) or len(payload) > MAX_SEEN_BYTES:
        return None
    try:
        return decoder.decode(payload)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
