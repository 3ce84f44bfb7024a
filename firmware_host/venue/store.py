"""The memory of a venue: every event of every table once, the results of matches, and the rankings made from them.

Several processes may write at once. Each takes messages in one transaction for each batch, which holds the rows of its
tables: the row of a table says how far the venue has its events without a gap. An event is taken only if it follows
that one, so that nothing behind a lost message is taken before the bridge has sent that message again.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from firmware_host.bridge.topics import Seen
from firmware_host.venue.database import Database
from firmware_host.venue.heats import Change, Running, Tournaments, match_of
from firmware_host.venue.messages import TableEvent, TableName, TableResult
from firmware_host.venue.tournament import Tournament

MAX_RANKED = 15
"""Players in a ranking of the page."""
MAX_TITLE = 40
"""Characters of the name that an owner gives to a table or a season."""
_ROWS_A_QUERY = 200

Position = tuple[TableName, str, int]
"""A table, an epoch and a number: what an event is known by."""


class TableRecord(NamedTuple):
    """The row of a table in the database."""

    table: TableName
    seen: Seen
    gaps: int
    title: str
    hidden: bool


class Score(NamedTuple):
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
    """Tables of which events were taken."""
    refused: list[Position] = field(default_factory=list)
    """Events before which others are missing."""


class Store:
    """The database of a venue."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: set[TableName] = set()
        self._tournaments = Tournaments(database)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def take(
        self, messages: Sequence[TableEvent | TableResult], night: str, now_ms: int, accept: Collection[Position] = ()
    ) -> Taken:
        """Take messages in the order in which they came; they are on disk when this returns.

        The events in `accept` are taken although others are missing before them: nobody has those any more.
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
        except BaseException:
            self._known.clear()
            raise
        taken.seen = {table: Seen(*at[table]) for table in tables}
        return taken

    def _hold(self, tables: Sequence[TableName]) -> dict[TableName, tuple[str, int]]:
        """Return how far each table is, and keep other processes from moving it. Always in one order: no deadlocks."""
        new = [table for table in tables if table not in self._known]
        insert = "INSERT INTO tables VALUES (?, ?, '', -1, 0, '', 0) ON CONFLICT DO NOTHING"
        if new:
            self._database.run_all(insert, new)
            self._known.update(new)
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
        """Add the events that follow those in the database, and note the others in `taken`; `at` moves on with them."""
        rows: list[tuple[object, ...]] = []
        gaps, kept = dict.fromkeys(at, 0), list[TableEvent]()
        new = set[Position]()
        for event in events:
            position = (event.table, event.epoch, event.seq)
            epoch, seq = at[event.table]
            follows = event.epoch == epoch and event.seq == seq + 1
            if position in new or (not follows and self._has(position, epoch, seq)):
                taken.duplicates += 1
                continue
            is_accepted = position in accept
            lacks_result = event.type == "match-won" and not self._has_result(position)
            if (not (follows or event.gap) or lacks_result) and not is_accepted:
                taken.refused.append(position)
                continue
            gaps[event.table] += not follows and epoch != ""
            at[event.table] = event.epoch, event.seq
            new.add(position)
            kept.append(event)
            rows.append((*event.table, event.epoch, event.seq, event.type, event.body, now_ms))
        taken.events += len(rows)
        if rows:
            self._database.run_all("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", rows)
            taken.moved = {table for table, _, _ in new}
            self._database.run_all(
                "UPDATE tables SET epoch = ?, seq = ?, gaps = gaps + ? WHERE site = ? AND name = ?",
                [(*at[table], gaps[table], *table) for table in sorted(taken.moved)],
            )
            self._tournaments.play(kept, self._last_before)
            for event in kept:
                if event.type == "match-reopened":
                    self._withdraw_results(event.table, event.epoch, event.seq, match_of(event.body))

    def _last_before(self, event: TableEvent, *types: str) -> tuple[str, bytes] | None:
        """Return the last event of these types before another one of its table, as its type and what it says."""
        found = self._database.run(
            "SELECT type, body FROM events WHERE site = ? AND name = ? AND epoch = ? AND seq < ? "
            f"AND type IN ({', '.join('?' * len(types))}) ORDER BY seq DESC LIMIT 1",
            (*event.table, event.epoch, event.seq, *types),
        )
        return (str(found[0][0]), bytes(found[0][1])) if found else None

    def _withdraw_results(self, table: TableName, epoch: str, before_seq: int, match: str) -> None:
        """Take back the points of the ends that a match had before.

        The rows of such results stay, without standings: a result that the broker brings again counts no second time.
        """
        key = "site = ? AND name = ? AND epoch = ? AND seq"
        found = self._database.run(
            f"SELECT seq, standings, season, night FROM results WHERE {key} < ? AND match = ? AND standings != '[]'",
            (*table, epoch, before_seq, match),
        )
        for seq, standings, season, night in found:
            player = (season, night, *table)
            self._database.run_all(
                "UPDATE scores SET points = points - ?, wins = wins - ?, matches = matches - 1 "
                "WHERE season = ? AND night = ? AND site = ? AND name = ? AND player = ?",
                [(points, wins, *player, name) for name, points, wins in points_of(msgspec.json.decode(standings))],
            )
            self._database.change(
                "DELETE FROM scores WHERE season = ? AND night = ? AND site = ? AND name = ? AND matches <= 0", player
            )
            withdrawn = f"UPDATE results SET standings = '[]' WHERE {key} = ?"
            self._database.change(withdrawn, (*table, epoch, seq))

    def _has(self, position: Position, epoch: str, seq: int) -> bool:
        """Return whether an event was taken before."""
        table, of, number = position
        if of == epoch and number > seq:
            return False
        found = "SELECT 1 FROM events WHERE site = ? AND name = ? AND epoch = ? AND seq = ?"
        return bool(self._database.run(found, (*table, of, number)))

    def _has_result(self, position: Position) -> bool:
        table, epoch, seq = position
        found = "SELECT 1 FROM results WHERE site = ? AND name = ? AND epoch = ? AND seq = ?"
        return bool(self._database.run(found, (*table, epoch, seq)))

    def _add_result(self, result: TableResult, season: int, night: str, now_ms: int) -> int:
        """Add a result and the points that it brings, once. The row of its table is held, so no other process does.

        A table that restarts at the end of a match tells its winner again, so the last result of a match counts.
        """
        key = (*result.table, result.epoch, result.seq)
        later = "SELECT 1 FROM results WHERE site = ? AND name = ? AND epoch = ? AND seq > ? AND match = ?"
        stands = () if self._database.run(later, (*key, result.match)) else result.standings
        standings = msgspec.json.encode(stands).decode()
        added = self._database.change(
            "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (*key, result.match, result.rules, standings, season, night, now_ms),
        )
        if added:
            self._withdraw_results(result.table, result.epoch, result.seq, result.match)
            self._database.run_all(
                "INSERT INTO scores VALUES (?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT(season, night, site, name, player) "
                "DO UPDATE SET points = scores.points + excluded.points, wins = scores.wins + excluded.wins, "
                "matches = scores.matches + 1",
                [(season, night, *result.table, player, points, wins) for player, points, wins in points_of(stands)],
            )
        return added

    # What the page shows

    def season(self) -> Season:
        """Return the season that is being played."""
        return Season(*self._database.run("SELECT number, title FROM seasons ORDER BY number DESC LIMIT 1")[0])

    def tables(self) -> list[TableRecord]:
        """Return all tables that the venue knows."""
        rows = self._database.run("SELECT site, name, epoch, seq, gaps, title, hidden FROM tables ORDER BY site, name")
        return [
            TableRecord(TableName(site, name), Seen(epoch, seq), gaps, title, bool(hidden))
            for site, name, epoch, seq, gaps, title, hidden in rows
        ]

    def ranking(self, *, night: str | None = None, season: int | None = None, limit: int = MAX_RANKED) -> list[Score]:
        """Return the best players of a night, of a season, or of all time, without those of hidden tables."""
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
        return [Score(*row) for row in rows]

    def latest_result_ms(self) -> int:
        """Return when the last result was taken, by the clock of the computer that took it; 0 if none was."""
        rows = self._database.run("SELECT COALESCE(MAX(taken_ms), 0) FROM results")
        return int(rows[0][0])

    def tournament(self) -> Running | None:
        """Return the latest tournament."""
        return self._tournaments.latest()

    # What the owner changes

    def start_tournament(self, tournament: Tournament) -> bool:
        """Begin a tournament. Raises `TournamentError`."""
        with self._database.transaction():
            self._tournaments.start(tournament)
        return True

    def change_tournament(self, revision: int, change: Change | None) -> bool:
        """Change the tournament, or close it. Raises `TournamentError`."""
        with self._database.transaction():
            self._tournaments.change(revision, change)
        return True

    def set_title(self, table: TableName, title: str) -> bool:
        """Give a table another name on the page, or its own again; return whether there is such a table."""
        changed = "UPDATE tables SET title = ? WHERE site = ? AND name = ?"
        return bool(self._database.change(changed, (title, *table)))

    def hide(self, table: TableName, *, hidden: bool) -> bool:
        """Leave a table out of the page and of the rankings, or not any more; return whether there is such a table."""
        changed = "UPDATE tables SET hidden = ? WHERE site = ? AND name = ?"
        return bool(self._database.change(changed, (int(hidden), *table)))

    def end_season(self, number: int, title: str, now_ms: int) -> bool:
        """Begin a season after the one of that number; return False if somebody else has."""
        begun = "INSERT INTO seasons VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        with self._database.transaction():
            return self.season().number == number and bool(self._database.change(begun, (number + 1, title, now_ms)))


def points_of(standings: Sequence[str | None]) -> list[tuple[str, int, int]]:
    """Return each player's points and wins of a match: one point for each player who was out before.

    A name that a match has twice gets the points of both. A robot, which is None, counts as beaten and gets none.
    """
    points: dict[str, tuple[int, int]] = {}
    for place, player in enumerate(standings):
        if player is None:
            continue
        before = points.get(player, (0, 0))
        points[player] = before[0] + len(standings) - 1 - place, before[1] + (place == 0)
    return [(player, *both) for player, both in sorted(points.items())]
