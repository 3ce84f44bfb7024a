"""The board of all tables now: each one's latest messages, and its card for the page.

Pure, and in memory alone: a broker keeps every table's latest status and state, so a new process gets them at once.
`follower` hands over messages, `server` reads cards.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec

from firmware_host.clients.bridge.topics import BridgeStatus
from firmware_host.venue.messages import TableEvent, TableName, TableState, TableStatus
from firmware_host.venue.store import TableRecord
from firmware_host.wire import PublicState, StandingBid

MAX_TABLES = 5_000
"""Tables at once; those beyond are ignored, because everybody may publish on a broker."""

Follow = Callable[[bytes], None]
"""Called with each public line of a table."""


class CardSeat(msgspec.Struct, frozen=True):
    """A player on a card."""

    name: str
    color: str
    dice: int
    turn: bool
    away: bool
    robot: bool


class Card(msgspec.Struct, frozen=True):
    """A table on the page. `attention` has its problems by code, with a seat name where one is concerned."""

    site: str
    table: str
    title: str
    hidden: bool
    reached: bool
    scene: str
    rules: str
    paused: bool
    chairs: tuple[CardSeat, ...]
    standing: StandingBid | None
    winner: str | None
    attention: tuple[tuple[str, str], ...]


@dataclass
class _Table:
    record: TableRecord | None = None
    status: BridgeStatus | None = None
    state: TableState | None = None
    event: tuple[str, int] = ("", -1)  # the last one followed
    followers: list[Follow] = field(default_factory=list)
    changed: int = 0


class TableBoard:
    """A broker's tables. `on_change` is called whenever a card may have changed."""

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self._tables: dict[TableName, _Table] = {}
        self.on_change = on_change
        self.version = 0
        """A number growing with every change."""
        self.is_full = False
        """Whether a table was ignored because there are too many."""
        self._removed: dict[TableName, int] = {}
        self.ignored: Counter[str] = Counter()
        """How many messages were ignored, by the reason."""

    def __contains__(self, table: TableName) -> bool:
        return table in self._tables

    def __len__(self) -> int:
        return len(self._tables)

    def has_room_for(self, table: TableName) -> bool:
        """Return whether a table is known, or may become so."""
        if table in self._tables or len(self._tables) < MAX_TABLES:
            return True
        self.ignored["a table more than there may be"] += 1
        if not self.is_full:
            self.is_full = True
            self.on_change()
        return False

    def remove(self, table: TableName) -> None:
        """Forget a table, and make room for another one."""
        if self._tables.pop(table, None) is not None:
            self.version += 1
            self._removed[table] = self.version
            self.is_full = False
            self.on_change()

    def removed(self, since: int) -> list[TableName]:
        """Return the tables removed since this version of the board."""
        return [table for table, version in self._removed.items() if version > since]

    def update(self, records: Sequence[TableRecord]) -> None:
        """Take over the database's tables. A table missing there was deleted by another process, and is removed."""
        kept = {record.table for record in records}
        for name in [name for name, table in self._tables.items() if table.record is not None and name not in kept]:
            self.remove(name)
        for record in records[:MAX_TABLES]:
            table = self._table(record.table)
            known, table.record = table.record, record
            if known is None or known[2:] != record[2:]:
                self._changed(table)

    def take_status(self, read: TableStatus) -> None:
        """Note whether a table can be reached."""
        table = self._table(read.table)
        if table.status != read.status:
            table.status = read.status
            self._changed(table)

    def take_state(self, read: TableState) -> None:
        """Note a table's latest state. A state older than the shown one is dropped."""
        table = self._table(read.table)
        before = table.state
        if before is not None and before.state.epoch == read.state.epoch and read.seq < before.seq:
            return
        table.state = read
        for follower in table.followers:
            follower(read.line)
        self._changed(table)

    def take_event(self, event: TableEvent) -> None:
        """Pass a new event on to the table's followers, but not a repeated one."""
        table = self._table(event.table)
        epoch, seq = table.event
        if event.late or (event.epoch == epoch and event.seq <= seq):
            return
        table.event = event.epoch, event.seq
        for follower in table.followers:
            follower(event.body)

    def follow(self, name: TableName, follower: Follow) -> Callable[[], None]:
        """Call `follower` with a table's latest state, and with each line from now on; return its end."""
        table = self._table(name)
        table.followers.append(follower)
        if table.state is not None:
            follower(table.state.line)
        return lambda: table.followers.remove(follower)

    def is_reached(self, name: TableName) -> bool:
        """Return whether a table is publishing."""
        table = self._tables.get(name)
        status = None if table is None else table.status
        return status is not None and status.online and status.playing

    def cards(self, since: int = -1) -> list[Card]:
        """Return the cards changed since this version of the board."""
        return [_card(name, table) for name, table in sorted(self._tables.items()) if table.changed > since]

    def _table(self, name: TableName) -> _Table:
        self._removed.pop(name, None)
        return self._tables.setdefault(name, _Table())

    def _changed(self, table: _Table) -> None:
        self.version += 1
        table.changed = self.version
        self.on_change()


def _card(name: TableName, table: _Table) -> Card:
    state, record = table.state and table.state.state, table.record
    return Card(
        name.site,
        name.name,
        record.title if record else "",
        bool(record and record.hidden),
        bool(table.status and table.status.online and table.status.playing),
        state.scene if state else "",
        state.rules if state else "",
        bool(state and state.paused),
        _chairs(state) if state else (),
        state.standing if state else None,
        state.seats[state.winner].name if state and state.winner is not None else None,
        tuple(_attention(table)),
    )


def _chairs(state: PublicState) -> tuple[CardSeat, ...]:
    return tuple(
        CardSeat(seat.name, seat.color, seat.dice, number == state.turn, seat.away, seat.robot is not None)
        for number, seat in enumerate(state.seats)
        if seat.playing
    )


def _attention(table: _Table) -> list[tuple[str, str]]:
    """Return a table's problems, those hindering a match first."""
    found: list[tuple[str, str]] = []
    if table.status is None or not table.status.online:
        found.append(("offline", ""))
    elif not table.status.playing:
        found.append(("silent", ""))
    elif table.state is not None:
        state = table.state.state
        found += [(trouble, "") for trouble in state.troubles]
        found += [(device, seat.name) for seat in state.seats for device in seat.missing]
        found += [("away", seat.name) for seat in state.seats if seat.away]
    if table.record is not None and table.record.in_conflict:
        found.append(("conflict", ""))
    if table.record is not None and table.record.gaps:
        found.append(("gaps", ""))
    return found
