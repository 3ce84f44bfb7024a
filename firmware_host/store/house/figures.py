"""Match statistics: matches played, winners, and memorable moments."""

import sqlite3
from dataclasses import dataclass
from typing import NamedTuple

MIN_CALLS = 10
"""Minimum number of calls for a share of right ones."""


class Selection(NamedTuple):
    """The selected matches: those since a day, those under one rule set, or all."""

    since: str = ""
    rules: str = ""


EVERYTHING = Selection()


class RulesFigures(NamedTuple):
    """A rule set with means per match."""

    rules: str
    matches: int
    rounds: float
    actions: float


class PlayerFigures(NamedTuple):
    """A player. Shares are None below a minimum of cases."""

    name: str
    matches: int
    won: int
    calls: int
    calls_right: int
    exact_right: int
    comebacks: int
    best_streak: int
    slain: int

    @property
    def share_right(self) -> float | None:
        """The share of right calls."""
        return self.calls_right / self.calls if self.calls >= MIN_CALLS else None


class BluffFigures(NamedTuple):
    """The boldest bluff: a standing bid, and its excess dice."""

    name: str
    day: str
    quantity: int
    face: int
    missing: int


class Length(NamedTuple):
    """A match by its length."""

    day: str
    rules: str
    players: int
    rounds: int


@dataclass(frozen=True)
class Figures:
    """All statistics for a selection. People, and robots by their level, are ordered by matches won.

    Ties go to the player with fewer matches played.
    """

    first_day: str
    last_day: str
    matches: int
    broken_off: int
    rounds: int
    rules: tuple[RulesFigures, ...]
    players: tuple[PlayerFigures, ...]
    robots: tuple[PlayerFigures, ...]
    bluffs: tuple[BluffFigures, ...]
    longest: Length | None
    shortest: Length | None


_SELECTED = "day >= :since AND (:rules = '' OR rules = :rules)"
_MATCHES = f"""
SELECT rules, count(*), avg(rounds), avg(actions), sum(is_over), sum(rounds), min(day), max(day)
FROM matches WHERE {_SELECTED} GROUP BY rules ORDER BY count(*) DESC, rules
"""
_PLAYERS = """
SELECT {by}, count(*), sum(has_won), sum(dudo_right + dudo_wrong + exact_right + exact_wrong),
    sum(dudo_right + exact_right), sum(exact_right), sum(is_comeback), max(streak), sum(slain)
FROM players {joined} JOIN names ON names.id = players.name WHERE {who} GROUP BY {by}
"""
_ROBOT = "% [robot %]"
"""The names of robots in scores (`fairness.chain.player_name`)."""
_LEVEL = "rtrim(substr(names.name, instr(names.name, ' [robot ') + 8), ']')"
_BLUFFS = """
SELECT names.name, day, quantity, face, missing FROM players JOIN matches ON matches.id = match
JOIN names ON names.id = players.name
WHERE missing > 0 AND names.name NOT LIKE '{robot}' AND {selected} ORDER BY missing DESC, quantity DESC, match LIMIT 3
"""
_LENGTH = f"""
SELECT day, rules, players, rounds FROM matches WHERE is_over AND {_SELECTED} ORDER BY rounds {{order}}, id LIMIT 1
"""


def figures(house: sqlite3.Connection, selection: Selection = EVERYTHING) -> Figures:
    """Return statistics for the selected matches."""
    chosen = selection._asdict()
    by_rules = house.execute(_MATCHES, chosen).fetchall()
    joined = f"JOIN matches ON matches.id = match AND {_SELECTED}" if any(selection) else ""
    people = _PLAYERS.format(joined=joined, who=f"names.name NOT LIKE '{_ROBOT}'", by="names.name")
    robots = _PLAYERS.format(joined=joined, who=f"names.name LIKE '{_ROBOT}'", by=_LEVEL)
    matches = sum(row[1] for row in by_rules)
    return Figures(
        first_day=min((row[6] for row in by_rules), default=""),
        last_day=max((row[7] for row in by_rules), default=""),
        matches=matches,
        broken_off=matches - sum(row[4] for row in by_rules),
        rounds=sum(row[5] for row in by_rules),
        rules=tuple(RulesFigures(*row[:4]) for row in by_rules),
        players=_players(house, people, chosen),
        robots=_players(house, robots, chosen),
        bluffs=tuple(
            BluffFigures(*row) for row in house.execute(_BLUFFS.format(selected=_SELECTED, robot=_ROBOT), chosen)
        ),
        longest=_length(house, chosen, "DESC"),
        shortest=_length(house, chosen, "ASC"),
    )


def last_evening(house: sqlite3.Connection) -> str:
    """Return the last evening with a match, or an empty text."""
    found: str | None = house.execute("SELECT max(day) FROM matches").fetchone()[0]
    return found or ""


def _players(house: sqlite3.Connection, query: str, chosen: dict[str, str]) -> tuple[PlayerFigures, ...]:
    found = [PlayerFigures(*row) for row in house.execute(query, chosen)]
    return tuple(sorted(found, key=lambda one: (-one.won, one.matches, one.name)))


def _length(house: sqlite3.Connection, chosen: dict[str, str], order: str) -> Length | None:
    row = house.execute(_LENGTH.format(order=order), chosen).fetchone()
    return Length(*row) if row else None
