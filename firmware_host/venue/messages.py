"""A venue's incoming messages, from bridges only.

Anyone may publish on a broker, so every message is checked first: its topic, its size, its types, and whether its table
name matches its topic. Pure; `follower` hands over every message.
"""

import re
from typing import NamedTuple

import msgspec

from firmware_host.clients.bridge.topics import (
    PREFIX,
    BridgeStatus,
    MatchResult,
    Published,
    PublishedState,
    read_status,
)
from firmware_host.wire import MatchReopened, Numbering, read_known

KINDS = ("status", "state", "event", "result")
"""A table's topics followed by a venue."""
MAX_BYTES = 256 * 1024
"""Maximum length of a table's message."""
MAX_STATE_BYTES = 16 * 1024
"""Maximum length of a table's state: the board keeps one for each table, and eight seats take some 3 kB."""

_TOPIC = re.compile(rf"{PREFIX}/([0-9A-Za-z_-]{{1,32}})/([0-9A-Za-z_-]{{1,32}})/({'|'.join(KINDS)})", re.ASCII)


class NonsenseError(Exception):
    """A message unlike any bridge's; its text is the kind of nonsense."""


class TableName(NamedTuple):
    """A table's site and name, unique together."""

    site: str
    name: str


class TableEvent(NamedTuple):
    """A table's public event. A `gap` marks events before it as lost for good."""

    table: TableName
    epoch: str
    seq: int
    type: str
    body: bytes
    gap: bool
    late: bool


class TableResult(NamedTuple):
    """A finished match. `standings` has its players' names, the winner first, and None for each robot."""

    table: TableName
    epoch: str
    seq: int
    match: str
    rules: str
    standings: tuple[str | None, ...]


class TableState(NamedTuple):
    """A table's latest state and its number, with its original line."""

    table: TableName
    state: PublishedState
    seq: int
    line: bytes


class TableStatus(NamedTuple):
    """Whether a table's bridge is connected, and whether it can read its table."""

    table: TableName
    status: BridgeStatus


Message = TableEvent | TableResult | TableState | TableStatus

_EVENT = msgspec.json.Decoder(Published)
_RESULT = msgspec.json.Decoder(MatchResult)
_STATE = msgspec.json.Decoder(PublishedState)


def read(topic: str, payload: object) -> Message:
    """Return a topic's message. Raises `NonsenseError`."""
    found = _TOPIC.fullmatch(topic)
    if found is None:
        raise NonsenseError("a topic that is none of a table")
    table, kind = TableName(found[1], found[2]), found[3]
    most = MAX_STATE_BYTES if kind == "state" else MAX_BYTES
    if not isinstance(payload, bytes | bytearray) or len(payload) > most:
        raise NonsenseError(f"{'a state' if kind == 'state' else 'a message'} that is too long")
    if kind == "status":
        if (status := read_status(payload)) is None:
            raise NonsenseError("a status that none can read")
        return TableStatus(table, status)
    try:
        return _line(table, kind, bytes(payload))
    except (msgspec.MsgspecError, ValueError, RecursionError):  # ValueError: no UTF-8
        raise NonsenseError(f"{'an' if kind == 'event' else 'a'} {kind} that none can read") from None


def _line(table: TableName, kind: str, line: bytes) -> Message:
    line.decode()  # the decoders skip some text unchecked, and a browser would refuse it
    match kind:
        case "event":
            event = _EVENT.decode(line)
            _check_table(table, event.site, event.table)
            return TableEvent(table, event.epoch, _seq(event), event.type, line, event.gap, event.late)
        case "result":
            result = _RESULT.decode(line)
            _check_table(table, result.site, result.table)
            robots = result.robots or (None,) * len(result.standings)
            players = zip(result.standings, robots, strict=True)
            names = tuple(stored(name) if robot is None else None for name, robot in players)
            return TableResult(table, result.epoch, result.seq, stored(result.match), stored(result.rules), names)
    state = _STATE.decode(line)
    _check_table(table, state.site, state.table)
    seats = range(len(state.seats))
    if any(seat is not None and seat not in seats for seat in (state.turn, state.winner)):
        raise ValueError("a seat that there is not")
    return TableState(table, state, _seq(state), line)


def _seq(line: Numbering) -> int:
    if line.seq is None:
        raise ValueError("a line without a number")
    return line.seq


def _check_table(table: TableName, site: str, name: str) -> None:
    if table != (site, name):
        raise NonsenseError("a message that names another table than its topic")


def reopened_match(event: TableEvent) -> str:
    """Return the name of the match reopened by an event, empty for an unreadable event."""
    line = read_known(event.body)
    return stored(line.match) if isinstance(line, MatchReopened) else ""


def stored(text: str) -> str:
    """Return a text in a form for every database: PostgreSQL texts can't hold a zero byte."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")
