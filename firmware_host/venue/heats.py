"""A venue's tournament in its database: staff change it, and matches at the tables begin and end its heats.

A heat is played at a table by the seats that join there. Its players sit in page order, from the first playing seat on.
So tables need not know about it, and may report later. A robot plays for no one: a player with a robot at their seat
misses the heat.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec

from firmware_host.venue.database import Database
from firmware_host.venue.messages import TableEvent, TableName
from firmware_host.venue.tournament import Rank, Tournament, TournamentError
from firmware_host.wire import AnyLine, MatchBegan, MatchWon, Seat, read_known

MAX_RANKS = 240
MIN_PEOPLE = 2
"""The people in a match that can be a heat: robots alone are no opponents."""


class RunningTournament(NamedTuple):
    """The latest tournament; `revision` grows with each change. A tournament closed by staff is hidden."""

    number: int
    revision: int
    is_closed: bool
    tournament: Tournament


class HeatShown(msgspec.Struct, frozen=True):
    """A heat on the page, with its table by site and name."""

    number: int
    draw: int
    table: str
    is_running: bool
    players: tuple[str, ...]
    standings: tuple[str, ...]


class TournamentShown(msgspec.Struct, frozen=True):
    """A tournament on the page."""

    number: int
    revision: int
    draw: int
    draws: int
    is_over: bool
    can_draw: bool
    present: tuple[str, ...]
    heats: tuple[HeatShown, ...]
    ranking: tuple[tuple[str, int, int], ...]
    """Name, points and heats, the best first."""


class TournamentChange(Protocol):
    """A step by staff. Raises `TournamentError` if it is impossible."""

    def __call__(self, before: Tournament) -> Tournament:
        """Return the tournament after it."""


class LastBefore(Protocol):
    """A finder for the last event of some types before another at its table, as type and content."""

    def __call__(self, event: TableEvent, *types: str) -> tuple[str, bytes] | None:
        """Return it, or None."""


_DECODER = msgspec.json.Decoder(Tournament)


def key_of(table: TableName) -> str:
    """Return a table's key in a tournament."""
    return f"{table.site}/{table.name}"


class Tournaments:
    """Tournaments in a database. Callers run each method in a transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def latest(self, *, to_change: bool = False) -> RunningTournament | None:
        """Return the latest tournament; to change it, lock out other processes."""
        held = self._database.for_update if to_change else ""
        rows = self._database.run(
            f"SELECT number, revision, is_closed, body FROM tournaments ORDER BY number DESC LIMIT 1{held}"
        )
        if not rows:
            return None
        number, revision, is_closed, body = rows[0]
        return RunningTournament(number, revision, bool(is_closed), _DECODER.decode(body))

    def start(self, tournament: Tournament) -> None:
        """Begin a tournament. Raises `TournamentError` while another one is open."""
        before = self.latest(to_change=True)
        if before is not None and not before.is_closed:
            raise TournamentError("a tournament is being played; close it first")
        added = "INSERT INTO tournaments VALUES (?, 1, 0, ?) ON CONFLICT DO NOTHING"
        number = 1 if before is None else before.number + 1
        if not self._database.change(added, (number, msgspec.json.encode(tournament))):
            raise TournamentError("somebody else has just begun a tournament")

    def change(self, revision: int, change: TournamentChange | None) -> None:
        """Change the tournament shown to staff at a revision, or close it. Raises `TournamentError`."""
        before = self.latest(to_change=True)
        if before is None or before.is_closed:
            raise TournamentError("no tournament is being played")
        if before.revision != revision:
            raise TournamentError("the tournament has changed meanwhile; look again")
        after = before.tournament if change is None else change(before.tournament)
        self._save(before, after, close=change is None)

    def play(self, events: Sequence[TableEvent], last_before: LastBefore) -> None:
        """Begin, end and reopen heats by new events. `last_before` finds earlier ones."""
        told = [event for event in events if event.type in ("match-began", "match-won", "match-reopened")]
        running = self.latest(to_change=True) if told else None
        if running is None or running.is_closed:
            return
        after = running.tournament
        for event in told:
            after = _played(after, event, last_before)
        if after is not running.tournament:
            self._save(running, after)

    def _save(self, before: RunningTournament, after: Tournament, *, close: bool = False) -> None:
        self._database.change(
            "UPDATE tournaments SET revision = ?, is_closed = ?, body = ? WHERE number = ?",
            (before.revision + 1, int(close), msgspec.json.encode(after), before.number),
        )


def _played(tournament: Tournament, event: TableEvent, last_before: LastBefore) -> Tournament:
    """Return a tournament after a match began, ended or was reopened, unchanged if the match is not a heat."""
    table = key_of(event.table)
    heat = tournament.over_at(table) if event.type == "match-reopened" else tournament.at(table)
    if heat is None:
        return tournament
    if event.type == "match-began":
        begins = not heat.is_running and len(_seated(read_known(event.body), heat.players)) >= MIN_PEOPLE
        return tournament.began(table) if begins else tournament
    began, end = last_before(event, "match-began"), ("match-won", event.body)
    if event.type == "match-reopened":
        end = last_before(event, "match-began", "match-won", "match-broken-off") or end
    begun, won = read_known(began[1]) if began else None, read_known(end[1])
    who = _seated(begun, heat.players)
    if not isinstance(begun, MatchBegan) or not isinstance(won, MatchWon) or not who:
        return tournament  # staff know who played
    if not {*won.standings} <= {*begun.players}:
        return tournament
    standings = [who[seat] for seat in won.standings if seat in who]
    try:
        if event.type == "match-reopened":
            return tournament.reopened(table, standings)
        return tournament.reported(table, standings) if heat.is_running else tournament
    except TournamentError:
        return tournament


def _seated(line: AnyLine | None, names: Sequence[str]) -> dict[Seat, str]:
    """Return each seat's player, if these players sit in this order in a beginning match; empty if the numbers differ.

    A robot sits at an absent player's seat, or is one more than the players.
    """
    if not isinstance(line, MatchBegan):
        return {}
    robots = {seat for seat, level in zip(line.players, line.robots, strict=False) if level is not None}
    seats = sorted({*line.players})
    people = [seat for seat in seats if seat not in robots]
    if len(people) == len(names):
        return dict(zip(people, names, strict=True))
    if len(seats) != len(names):
        return {}
    return {seat: name for seat, name in zip(seats, names, strict=True) if seat not in robots}


def shown(running: RunningTournament | None) -> TournamentShown | None:
    """Return a tournament's page form."""
    if running is None or running.is_closed:
        return None
    tournament = running.tournament
    heats = tuple(
        HeatShown(heat.number, heat.draw, heat.table, heat.is_running, heat.players, heat.standings)
        for heat in tournament.heats
    )
    ranking: tuple[Rank, ...] = tournament.ranking()[:MAX_RANKS]
    return TournamentShown(
        running.number,
        running.revision,
        tournament.draw,
        tournament.format.draws,
        tournament.is_over,
        not tournament.is_over and not tournament.open_heats,
        tournament.present,
        heats,
        tuple((rank.name, rank.points, rank.heats) for rank in ranking),
    )
