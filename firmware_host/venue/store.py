"""A venue's memory: every table event once, match results, and the resulting rankings.

Several processes may write at once. Each stores a batch of messages in one transaction, which locks the rows of its
tables. A table's row has the venue's last event without a gap. Only its successor is taken, so events behind a lost
message wait until the bridge resends that message.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from firmware_host.clients.bridge.topics import Place, Seen, content_of, digest_of, journal_of
from firmware_host.venue.database import Database, Row
from firmware_host.venue.heats import RunningTournament, TournamentChange, Tournaments
from firmware_host.venue.messages import TableEvent, TableName, TableResult, reopened_match
from firmware_host.venue.tournament import Tournament

MAX_RANKED = 15
"""Players in a ranking of the page."""
MAX_TITLE = 40
"""Maximum length in characters of an owner's name for a table or season."""
_ROWS_A_QUERY = 200

Position = tuple[TableName, str, int]
"""A table, an epoch and a number: an event's key."""


class TableRecord(NamedTuple):
    """The row of a table in the database."""

    table: TableName
    seen: Seen
    gaps: int
    title: str
    hidden: bool
    in_conflict: bool = False


class RankedPlayer(NamedTuple):
    """A player in a ranking. Each match brings one point for each player who was out before this one."""

    site: str
    table: str
    player: str
    points: int
    wins: int
    matches: int


class Season(NamedTuple):
    """The matches between two decisions of the owner. The first season has no title."""

    number: int
    title: str


@dataclass
class Taken:
    """The outcome of a batch of messages."""

    seen: dict[TableName, Seen] = field(default_factory=dict)
    """How far the venue has each table of the batch now."""
    events: int = 0
    duplicates: int = 0
    results: int = 0
    moved: set[TableName] = field(default_factory=set)
    """Tables with newly stored events."""
    conflicts: list[Position] = field(default_factory=list)
    """Events with content unlike the stored event with their number, one for each table."""
    refused: list[Position] = field(default_factory=list)
    """Events with a gap before them."""


class Store:
    """The database of a venue."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: set[TableName] = set()
        self._conflicts: dict[TableName, Place] = {}
        self._digests: dict[TableName, tuple[Seen, str]] = {}
        self._tournaments = Tournaments(database)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def take(
        self, messages: Sequence[TableEvent | TableResult], night: str, now_ms: int, accept: Collection[Position] = ()
    ) -> Taken:
        """Store messages in order of arrival; they are on disk when this returns. Events in `accept` are taken despite
        a gap before them: its events are lost for good.
        """
        taken = Taken()
        try:
            with self._database.transaction():
                tables = sorted({message.table for message in messages})
                at = self._hold(tables)
                season = self.season().number
                for message in messages:
                    if isinstance(message, TableResult):
                        taken.results += self._add_result(message, season, night, now_ms)
                self._add_events([each for each in messages if isinstance(each, TableEvent)], at, taken, now_ms, accept)
                if taken.results:
                    self._note_change()
        except BaseException:
            self._known.clear()
            raise
        taken.seen = {table: self._seen(table, *at[table]) for table in tables}
        return taken

    def _seen(self, table: TableName, epoch: str, seq: int) -> Seen:
        """Return the venue's last event for a table without a gap, with its digest."""
        bare = Seen(epoch, seq)
        known, digest = self._digests.get(table, (None, ""))
        if known != bare:
            body = self._body((table, epoch, seq))
            digest = "" if body is None else digest_of(body)
            self._digests[table] = bare, digest
        return Seen(epoch, seq, digest, self._conflicts.get(table))

    def seen(self) -> dict[TableName, Seen]:
        """Return how far the venue is at all tables."""
        return {record.table: self._seen(record.table, record.seen.epoch, record.seen.seq) for record in self.tables()}

    def _hold(self, tables: Sequence[TableName]) -> dict[TableName, tuple[str, int]]:
        """Return how far each table is, and keep other processes from moving it. Always in one order: no deadlocks."""
        new = [table for table in tables if table not in self._known]
        insert = "INSERT INTO tables VALUES (?, ?, '', -1, 0, '', 0) ON CONFLICT DO NOTHING"
        found: dict[TableName, tuple[str, int]] = {}
        while len(found) < len(tables):
            if new:
                self._database.run_all(insert, new)
            found = self._held(tables)
            new = [table for table in tables if table not in found]  # another process has deleted them
        self._known.update(tables)
        return found

    def _held(self, tables: Sequence[TableName]) -> dict[TableName, tuple[str, int]]:
        """Return the progress of these tables, as far as the database has them, and lock their rows."""
        found: dict[TableName, tuple[str, int]] = {}
        for start in range(0, len(tables), _ROWS_A_QUERY):
            some = tables[start : start + _ROWS_A_QUERY]
            values = ", ".join(["(?, ?)"] * len(some))
            rows = self._database.run(
                f"SELECT site, name, epoch, seq FROM tables WHERE (site, name) IN (VALUES {values}) "
                f"ORDER BY site, name{self._database.for_update}",
                [each for table in some for each in table],
            )
            found |= {TableName(site, name): (epoch, seq) for site, name, epoch, seq in rows}
        return found

    def _add_events(
        self,
        events: Sequence[TableEvent],
        at: dict[TableName, tuple[str, int]],
        taken: Taken,
        now_ms: int,
        accept: Collection[Position],
    ) -> None:
        """Add the successors of stored events, and note the others in `taken`; `at` moves on with them."""
        rows: list[tuple[object, ...]] = []
        gaps, kept = dict.fromkeys(at, 0), list[TableEvent]()
        new: dict[Position, bytes] = {}
        for event in events:
            position = (event.table, event.epoch, event.seq)
            epoch, seq = at[event.table]
            follows = event.epoch == epoch and event.seq == seq + 1
            if self._is_in_conflict(event):
                continue
            stored = new.get(position) or (None if follows else self._stored(position, epoch, seq))
            if stored is not None:
                taken.duplicates += 1
                if stored != event.body and content_of(stored) != content_of(event.body):
                    self._conflicts[event.table] = Place(event.epoch, event.seq)
                    taken.conflicts.append(position)
                continue
            is_known = self._is_known(event, epoch)
            if is_known and event.epoch == epoch and event.seq <= seq:
                taken.duplicates += 1
                continue
            is_accepted = position in accept
            lacks_result = event.type == "match-won" and not is_known and not self._has_result(position)
            if (not (follows or event.gap) or lacks_result) and not is_accepted:
                taken.refused.append(position)
                continue
            # A restored table repeats numbers under another epoch of the same journal, without a gap.
            is_restored = journal_of(event.epoch) == journal_of(epoch) and event.epoch != epoch
            goes_on = is_restored and event.seq <= seq + 1
            gaps[event.table] += not follows and epoch != "" and not goes_on
            if is_restored and event.epoch != journal_of(event.epoch):
                origin = "INSERT INTO origins VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
                self._database.change(origin, (*event.table, event.epoch, epoch))
            at[event.table] = event.epoch, event.seq
            new[position] = event.body
            if event.table in self._conflicts and self._conflicts[event.table].epoch != event.epoch:
                del self._conflicts[event.table]
            if is_known:
                taken.duplicates += 1
                continue
            kept.append(event)
            rows.append((*event.table, event.epoch, event.seq, event.type, event.body, now_ms))
        taken.events += len(rows)
        if new:
            self._database.run_all("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", rows)
            taken.moved = {table for table, _, _ in new}
            for table in taken.moved:
                self._digests[table] = Seen(*at[table]), digest_of(new[table, *at[table]])
            self._database.run_all(
                "UPDATE tables SET epoch = ?, seq = ?, gaps = gaps + ? WHERE site = ? AND name = ?",
                [(*at[table], gaps[table], *table) for table in sorted(taken.moved)],
            )
            self._tournaments.play(kept, self._last_before)
            if any(event.type == "match-reopened" for event in kept):
                self._note_change()
            for event in kept:
                if event.type == "match-reopened":
                    self._withdraw_results(event.table, event.epoch, event.seq, reopened_match(event))

    def _last_before(self, event: TableEvent, *types: str) -> tuple[str, bytes] | None:
        """Return the last event of these types before another one of its table, as its type and content."""
        found = self._database.run(
            "SELECT type, body FROM events WHERE site = ? AND name = ? AND epoch = ? AND seq < ? "
            f"AND type IN ({', '.join('?' * len(types))}) ORDER BY seq DESC LIMIT 1",
            (*event.table, event.epoch, event.seq, *types),
        )
        return (str(found[0][0]), bytes(found[0][1])) if found else None

    def _withdraw_results(self, table: TableName, epoch: str, before_seq: int, match: str) -> None:
        """Take back the points for a match's earlier ends. The result rows stay, without standings, so that a resent
        result does not count again.
        """
        found = self._database.run(
            "SELECT epoch, seq, standings, season, night FROM results WHERE site = ? AND name = ? AND epoch = ? "
            "AND seq < ? AND match = ? AND standings != '[]'",
            (*table, epoch, before_seq, match),
        )
        self._withdraw(table, found)

    def _withdraw_copies(self, result: TableResult) -> None:
        """Take back a match's points under another epoch of its restored table."""
        found = self._database.run(
            "SELECT epoch, seq, standings, season, night FROM results WHERE site = ? AND name = ? AND match = ? "
            "AND epoch <> ? AND standings != '[]'",
            (*result.table, result.match, result.epoch),
        )
        journal = journal_of(result.epoch)
        self._withdraw(result.table, [row for row in found if journal_of(row[0]) == journal])

    def _withdraw(self, table: TableName, results: Sequence[Row]) -> None:
        for epoch, seq, standings, season, night in results:
            player = (season, night, *table)
            self._database.run_all(
                "UPDATE scores SET points = points - ?, wins = wins - ?, matches = matches - 1 "
                "WHERE season = ? AND night = ? AND site = ? AND name = ? AND player = ?",
                [(points, wins, *player, name) for name, points, wins in points_of(msgspec.json.decode(standings))],
            )
            self._database.change(
                "DELETE FROM scores WHERE season = ? AND night = ? AND site = ? AND name = ? AND matches <= 0", player
            )
            withdrawn = "UPDATE results SET standings = '[]' WHERE site = ? AND name = ? AND epoch = ? AND seq = ?"
            self._database.change(withdrawn, (*table, epoch, seq))

    def _is_in_conflict(self, event: TableEvent) -> bool:
        """Return whether an event is in conflict or follows a conflicting one. Its bridge sends it under another
        epoch."""
        place = self._conflicts.get(event.table)
        return place is not None and event.epoch == place.epoch and event.seq >= place.seq

    def _is_known(self, event: TableEvent, epoch: str) -> bool:
        """Return whether a restored table resends an event stored under one of its origin epochs."""
        journal = journal_of(event.epoch)
        if journal == event.epoch:
            return False
        found = self._database.run(
            "WITH RECURSIVE earlier(epoch) AS (VALUES (?), (?), (?) UNION "
            "SELECT origin FROM origins JOIN earlier ON origins.epoch = earlier.epoch WHERE site = ? AND name = ?) "
            "SELECT body FROM events WHERE site = ? AND name = ? AND seq = ? AND epoch <> ? "
            "AND epoch IN (SELECT epoch FROM earlier)",
            (journal, epoch if journal_of(epoch) == journal else journal, event.epoch, *event.table, *event.table,
             event.seq, event.epoch),
        )  # fmt: skip
        return any(content_of(bytes(body)) == content_of(event.body) for (body,) in found)

    def _stored(self, position: Position, epoch: str, seq: int) -> bytes | None:
        """Return a stored event, or None."""
        _, of, number = position
        return None if of == epoch and number > seq else self._body(position)

    def _body(self, position: Position) -> bytes | None:
        table, epoch, seq = position
        found = "SELECT body FROM events WHERE site = ? AND name = ? AND epoch = ? AND seq = ?"
        rows = self._database.run(found, (*table, epoch, seq))
        return bytes(rows[0][0]) if rows else None

    def _has_result(self, position: Position) -> bool:
        table, epoch, seq = position
        found = "SELECT 1 FROM results WHERE site = ? AND name = ? AND epoch = ? AND seq = ?"
        return bool(self._database.run(found, (*table, epoch, seq)))

    def _add_result(self, result: TableResult, season: int, night: str, now_ms: int) -> int:
        """Add a result and its points, once. Its table's row is locked against other processes.

        A table restarting at the end of a match reports the winner again, so a match's last result counts.
        """
        key = (*result.table, result.epoch, result.seq)
        if self._is_of_another_match(result):
            return 0
        later = "SELECT 1 FROM results WHERE site = ? AND name = ? AND epoch = ? AND seq > ? AND match = ?"
        stands = () if self._database.run(later, (*key, result.match)) else result.standings
        standings = msgspec.json.encode(stands).decode()
        added = self._database.change(
            "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (*key, result.match, result.rules, standings, season, night, now_ms),
        )
        if added:
            self._withdraw_results(result.table, result.epoch, result.seq, result.match)
            self._withdraw_copies(result)
            self._database.run_all(
                "INSERT INTO scores VALUES (?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT(season, night, site, name, player) "
                "DO UPDATE SET points = scores.points + excluded.points, wins = scores.wins + excluded.wins, "
                "matches = scores.matches + 1",
                [(season, night, *result.table, player, points, wins) for player, points, wins in points_of(stands)],
            )
        return added

    def _is_of_another_match(self, result: TableResult) -> bool:
        """Return whether a result's number is that of another event: the table was restored, and repeats."""
        found = "SELECT type FROM events WHERE site = ? AND name = ? AND epoch = ? AND seq = ?"
        rows = self._database.run(found, (*result.table, result.epoch, result.seq))
        return bool(rows) and rows[0][0] != "match-won"

    # What the page shows

    def season(self) -> Season:
        """Return the current season."""
        return Season(*self._database.run("SELECT number, title FROM seasons ORDER BY number DESC LIMIT 1")[0])

    def tables(self) -> list[TableRecord]:
        """Return all known tables."""
        rows = self._database.run("SELECT site, name, epoch, seq, gaps, title, hidden FROM tables ORDER BY site, name")
        return [
            TableRecord(
                TableName(site, name), Seen(epoch, seq), gaps, title, bool(hidden), (site, name) in self._conflicts
            )
            for site, name, epoch, seq, gaps, title, hidden in rows
        ]

    def ranking(
        self, *, night: str | None = None, season: int | None = None, limit: int = MAX_RANKED
    ) -> list[RankedPlayer]:
        """Return the best players in a night, a season, or all time, without hidden tables."""
        wanted = {"night": night, "season": season}
        chosen = [f"scores.{name} = ?" for name, value in wanted.items() if value is not None]
        rows = self._database.run(
            "SELECT scores.site, scores.name, player, CAST(SUM(points) AS BIGINT) AS points, "
            "CAST(SUM(wins) AS BIGINT) AS wins, CAST(SUM(matches) AS BIGINT) AS matches "
            "FROM scores JOIN tables ON tables.site = scores.site AND tables.name = scores.name AND hidden = 0 "
            f"WHERE {' AND '.join(chosen) or '1 = 1'} GROUP BY scores.site, scores.name, player "
            "ORDER BY points DESC, wins DESC, matches, scores.site, scores.name, player LIMIT ?",
            [*(value for value in wanted.values() if value is not None), limit],
        )
        return [RankedPlayer(*row) for row in rows]

    def revision(self) -> int:
        """Return a number growing with every change to the rankings."""
        return int(self._database.run("SELECT number FROM revisions")[0][0])

    def latest_result_ms(self) -> int:
        """Return the time of the last stored result, by the storing computer's clock; 0 without one."""
        rows = self._database.run("SELECT COALESCE(MAX(taken_ms), 0) FROM results")
        return int(rows[0][0])

    def tournament(self) -> RunningTournament | None:
        """Return the latest tournament."""
        return self._tournaments.latest()

    # What the owner changes

    def start_tournament(self, tournament: Tournament) -> bool:
        """Begin a tournament. Raises `TournamentError`."""
        with self._database.transaction():
            self._tournaments.start(tournament)
        return True

    def change_tournament(self, revision: int, change: TournamentChange | None) -> bool:
        """Change the tournament, or close it. Raises `TournamentError`."""
        with self._database.transaction():
            self._tournaments.change(revision, change)
        return True

    def set_title(self, table: TableName, title: str) -> bool:
        """Give a table another name on the page, or its own again; return whether there is such a table."""
        changed = "UPDATE tables SET title = ? WHERE site = ? AND name = ?"
        return bool(self._database.change(changed, (title, *table)))

    def hide(self, table: TableName, *, hidden: bool) -> bool:
        """Hide a table from the page and the rankings, or show it again; return whether the table exists."""
        changed = "UPDATE tables SET hidden = ? WHERE site = ? AND name = ?"
        with self._database.transaction():
            self._note_change()
            return bool(self._database.change(changed, (int(hidden), *table)))

    def delete(self, table: TableName) -> bool:
        """Delete a table, its events and its points; return whether there was such a table."""
        with self._database.transaction():
            for kept in ("scores", "results", "events", "origins"):
                self._database.change(f"DELETE FROM {kept} WHERE site = ? AND name = ?", table)
            was_there = self._database.change("DELETE FROM tables WHERE site = ? AND name = ?", table)
            self._note_change()
        self._known.discard(table)
        for memory in (self._conflicts, self._digests):
            memory.pop(table, None)
        return bool(was_there)

    def _note_change(self) -> None:
        """Note a change to the rankings, for this process and for others."""
        self._database.change("UPDATE revisions SET number = number + 1")

    def end_season(self, number: int, title: str, now_ms: int) -> bool:
        """Begin the season after this number; return False if another process already has."""
        begun = "INSERT INTO seasons VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        with self._database.transaction():
            self._note_change()
            return self.season().number == number and bool(self._database.change(begun, (number + 1, title, now_ms)))


def points_of(standings: Sequence[str | None]) -> list[tuple[str, int, int]]:
    """Return each player's points and wins in a match: one point for each player who was out before.

    A name that occurs twice gets the points of both. A robot, None, counts as beaten and gets no points.
    """
    points: dict[str, tuple[int, int]] = {}
    for place, player in enumerate(standings):
        if player is None:
            continue
        before = points.get(player, (0, 0))
        points[player] = before[0] + len(standings) - 1 - place, before[1] + (place == 0)
    return [(player, *both) for player, both in sorted(points.items())]
