"""A tournament: draws of heats for everybody, points, and a final for the best. Values and functions alone.

A *heat* is one match at one table. A *draw* seats everybody who is present in heats. With fewer tables than heats, some
wait until a table is free. `docs/tournaments.md` tells how staff run one; the venue's page is the caller.

    cup = Tournament.of(("Ana", "Bo", …), Format(draws=3), seed=7)
    cup = cup.drawn().called(("window", "bar"))     # who plays where
    cup = cup.began("window").reported("window", ("Bo", "Ana", …))
    cup.ranking()

Every method returns another tournament and leaves its own as it is. It raises `TournamentError`, with a text for staff,
if the request is impossible. A tournament holds names, numbers and tuples only, so `msgspec` writes and reads it as
JSON.
"""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeVar

from firmware_host.errors import UserError
from firmware_host.venue.seating import seating

MIN_HEAT = 4
"""Players of a heat at least, where their number allows it."""
MAX_PLAYERS, MAX_NAME, MAX_DRAWS = 240, 32, 12
WINNER_POINTS = 10

T = TypeVar("T")


class TournamentError(UserError):
    """An impossible request. The text names the player, table or number, and the remedy."""


@dataclass(frozen=True)
class Format:
    """A tournament's format: heats for each player, players at a table, players in the final (0: no final)."""

    draws: int = 3
    seats: int = 6
    final: int = 6

    def __post_init__(self) -> None:
        for value, least, most, what in (
            (self.draws, 1, MAX_DRAWS, "heats of each player"),
            (self.seats, MIN_HEAT, 8, "players at a table"),
            (self.final, 0, self.seats, "players in the final"),
        ):
            if not least <= value <= most or (what.endswith("final") and value == 1):
                raise TournamentError(f"{value} {what}: choose {least} to {most}")


@dataclass(frozen=True)
class Entrant:
    """A player. `has_left` is true once they are no longer seated."""

    name: str
    has_left: bool = False


@dataclass(frozen=True)
class Heat:
    """A tournament match; `draw` is 0 in the final. It waits, is called to a table, runs there, and is over.

    `players` sit in this order, from the first seat on. `standings` has the actual players, the winner first.
    """

    number: int
    draw: int
    players: tuple[str, ...]
    table: str = ""
    is_running: bool = False
    standings: tuple[str, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether it has a result."""
        return bool(self.standings)

    @property
    def can_change(self) -> bool:
        """Whether its seating may still change: it neither runs nor is over."""
        return not self.is_running and not self.is_over


@dataclass(frozen=True)
class Rank:
    """A player's results, in deciding order; the lot is drawn once for the whole tournament."""

    name: str
    points: int
    places: tuple[int, ...]  # heats won, heats as second, …
    lot: int
    heats: int


@dataclass(frozen=True)
class Tournament:
    """A tournament at one moment."""

    format: Format
    seed: int
    players: tuple[Entrant, ...]
    heats: tuple[Heat, ...] = ()

    @classmethod
    def of(cls, names: Iterable[str], format: Format = Format(), *, seed: int) -> "Tournament":
        """Return a tournament for these players before any draw. `seed` decides everything random."""
        tournament = cls(format, seed, ())
        for name in names:
            tournament = tournament.entered(name)
        return tournament

    # Its state

    @property
    def present(self) -> tuple[str, ...]:
        """The players who have not left."""
        return tuple(player.name for player in self.players if not player.has_left)

    @property
    def draw(self) -> int:
        """The number of the last draw, 0 before the first."""
        return max((heat.draw for heat in self.heats), default=0)

    @property
    def final(self) -> Heat | None:
        """The final, once it is drawn."""
        return next((heat for heat in self.heats if heat.draw == 0), None)

    @property
    def open_heats(self) -> tuple[Heat, ...]:
        """The heats without a result."""
        return tuple(heat for heat in self.heats if not heat.is_over)

    @property
    def is_over(self) -> bool:
        """Whether the last match has been played."""
        last = self.final if self.format.final else self.draw == self.format.draws
        return bool(last) and not self.open_heats

    def at(self, table: str) -> Heat | None:
        """Return the heat called to this table or running there."""
        return next((heat for heat in self.open_heats if heat.table == table), None)

    def over_at(self, table: str) -> Heat | None:
        """Return the table's last finished heat; None if another one is called there or the draw is past."""
        if self.at(table) is not None:
            return None
        played = [heat for heat in self.heats if heat.table == table and heat.is_over]
        return played[-1] if played and played[-1].draw == self.heats[-1].draw else None

    def ranking(self) -> tuple[Rank, ...]:
        """Return all players who have played or may play, the best first: the final decides, then the results."""
        lots = self._random("lots").sample(range(len(self.players)), len(self.players))
        points: Counter[str] = Counter()
        places: dict[str, Counter[int]] = {player.name: Counter() for player in self.players}
        for heat in self.heats:
            if heat.draw:
                for place, name in enumerate(heat.standings):
                    points[name] += points_of(place, len(heat.standings))
                    places[name][place] += 1
        ranks = [
            Rank(
                player.name,
                points[player.name],
                tuple(places[player.name][place] for place in range(self.format.seats)),
                lot,
                places[player.name].total(),
            )
            for player, lot in zip(self.players, lots, strict=True)
            if not player.has_left or places[player.name]
        ]
        in_final = self.final.standings if self.final else ()
        return tuple(sorted(ranks, key=lambda rank: (_place(in_final, rank.name), *(-n for n in _figures(rank)))))

    def meetings(self) -> Counter[frozenset[str]]:
        """Return how many heats each pair shares, including drawn ones."""
        return Counter(frozenset(pair) for heat in self.heats for pair in combinations(heat.players, 2))

    # Players

    def entered(self, name: str) -> "Tournament":
        """Return the tournament with another player: new, late, or back after leaving.

        A late player takes a free seat in a heat that has not begun, else plays from the next draw on. Heats in past
        draws are missed, and do not count.
        """
        if self.final is not None:
            raise TournamentError(f"{name}: the final is drawn, nobody can enter any more")
        known = next((player for player in self.players if player.name.casefold() == name.casefold()), None)
        if known is None:
            if not (1 <= len(name) <= MAX_NAME and name.isprintable() and name == name.strip()):
                raise TournamentError(f"{name[:MAX_NAME]!r} is no name: write 1 to {MAX_NAME} letters")
            if len(self.players) == MAX_PLAYERS:
                raise TournamentError(f"{name}: a tournament has {MAX_PLAYERS} players at most")
            entered = replace(self, players=(*self.players, Entrant(name)))
        elif known.has_left:
            name = known.name
            entered = replace(self, players=_with(self.players, known, replace(known, has_left=False)))
        else:
            raise TournamentError(f"{name}: is in the tournament already; give one of the two another name")
        heat = next((heat for heat in self.heats if heat.draw == self.draw and name in heat.players), None)
        if heat is not None:
            return entered  # back while the heat that they left runs
        free = [heat for heat in self.heats if heat.can_change and len(heat.players) < self.format.seats]
        if not free:
            return entered
        heat = min(free, key=lambda heat: (len(heat.players), heat.number))
        return entered._seated(heat, (*heat.players, name))

    def left(self, name: str) -> "Tournament":
        """Return the tournament without a player who went home or never came: they are seated no more.

        A heat yet to begin continues without them, and takes somebody from a larger one if fewer than four are left. A
        running heat is left alone. In the final, the next in the ranking moves up.
        """
        player = next((player for player in self.players if player.name == name), None)
        if player is None or player.has_left:
            raise TournamentError(f"{name}: is not in the tournament")
        gone = replace(self, players=_with(self.players, player, replace(player, has_left=True)))
        return gone._without(name)

    def absent(self, name: str) -> "Tournament":
        """Return the tournament without a player in this heat; they may come to the next one."""
        if not any(name in heat.players for heat in self.heats if heat.can_change):
            raise TournamentError(f"{name}: has no seat in a heat that waits")
        if self.final is not None:
            raise TournamentError(f"{name}: there is no heat after the final; let them leave the tournament")
        return self._without(name)

    # Heats

    def drawn(self) -> "Tournament":
        """Return the tournament with the next draw, or the final: every present player has a seat."""
        if self.open_heats:
            number = len(self.open_heats)
            raise TournamentError(f"{number} {'heat is' if number == 1 else 'heats are'} not over yet")
        if self.is_over:
            raise TournamentError("the tournament is over")
        if len(self.present) < 2:
            raise TournamentError(f"{len(self.present)} players: at least 2 play a tournament")
        if self.draw == self.format.draws:
            best = [rank.name for rank in self.ranking() if rank.name in self.present][: self.format.final]
            return self._with_heats(0, [best])
        shuffle = self._random(f"draw {self.draw + 1}")
        return self._with_heats(self.draw + 1, seating(self.present, self.format.seats, self.meetings(), shuffle))

    def called(self, tables: Iterable[str]) -> "Tournament":
        """Return the tournament with waiting heats called to free tables."""
        free = [table for table in dict.fromkeys(tables) if self.at(table) is None]
        waiting = [heat for heat in self.open_heats if not heat.table]
        called = {heat.number: replace(heat, table=table) for heat, table in zip(waiting, free, strict=False)}
        return replace(self, heats=tuple(called.get(heat.number, heat) for heat in self.heats))

    def began(self, table: str) -> "Tournament":
        """Return the tournament with the table's heat running; its seating is now fixed."""
        return self._changed(self._heat_at(table), is_running=True)

    def reported(self, table: str, standings: Sequence[str]) -> "Tournament":
        """Return the tournament with the result of the table's heat: its actual players, the winner first.

        A player missing from the standings did not play. A table without network reports later: its heat stays open
        until then, or until staff enter the result.
        """
        return self._ended(self._heat_at(table), standings)

    def corrected(self, number: int, standings: Sequence[str]) -> "Tournament":
        """Return the tournament with another result for a heat in the latest draw, before any later draw."""
        heat = next((heat for heat in self.heats if heat.number == number), None)
        if heat is None or not heat.is_over or heat.draw != self.heats[-1].draw:
            raise TournamentError(f"heat {number}: has no result that can be corrected; choose one of the latest draw")
        return self._ended(heat, standings)

    def _ended(self, heat: Heat, standings: Sequence[str]) -> "Tournament":
        strange = [name for name in standings if name not in heat.players]
        if strange or len(set(standings)) != len(standings) or len(standings) < 2:
            place = f"table {heat.table}: " if heat.table else ""
            raise TournamentError(
                f"{place}{', '.join(standings) or 'nobody'} can't be the result of heat {heat.number}; "
                f"name at least two of its players once each: {', '.join(heat.players)}"
            )
        return self._changed(heat, is_running=False, standings=tuple(standings))

    def reopened(self, table: str, standings: Sequence[str]) -> "Tournament":
        """Return the tournament with the heat of this result running again, because its match continues at the table.

        Any other result stays: staff entered it, or the next draw depends on it.
        """
        heat = self.over_at(table)
        if heat is None or heat.standings != tuple(standings):
            return self
        return self._changed(heat, is_running=True, standings=())

    def released(self, table: str) -> "Tournament":
        """Return the tournament with a failed table's heat waiting for another one, to be played again."""
        heat = self._heat_at(table)
        tournament = self._changed(heat, table="", is_running=False)
        for name in heat.players:
            if name not in self.present:  # left while it ran
                tournament = tournament._without(name)
        return tournament._balanced() if heat.draw else tournament

    # Steps of the changes above

    def _heat_at(self, table: str) -> Heat:
        if (heat := self.at(table)) is None:
            raise TournamentError(f"table {table}: no heat is called there")
        return heat

    def _changed(self, heat: Heat, **facts: object) -> "Tournament":
        return replace(self, heats=_with(self.heats, heat, replace(heat, **facts)))  # type: ignore[arg-type]

    def _seated(self, heat: Heat, players: tuple[str, ...]) -> "Tournament":
        return self._changed(heat, players=players)

    def _with_heats(self, draw: int, seats: Iterable[Sequence[str]]) -> "Tournament":
        first = max((heat.number for heat in self.heats), default=0) + 1
        return replace(
            self,
            heats=(*self.heats, *(Heat(number, draw, tuple(names)) for number, names in enumerate(seats, first))),
        )

    def _random(self, what: str) -> random.Random:
        return random.Random(f"{self.seed} {what}")

    def _without(self, name: str) -> "Tournament":
        """Take a player out of their waiting heat, and seat the rest of the waiting heats again if need be."""
        heat = next((heat for heat in self.heats if heat.can_change and name in heat.players), None)
        if heat is None:
            return self
        rest = self._seated(heat, tuple(other for other in heat.players if other != name))
        return rest._moved_up() if heat.draw == 0 else rest._balanced()

    def _moved_up(self) -> "Tournament":
        """Seat the next player by rank in the final. A player left alone in it has won."""
        final = self.final
        assert final is not None
        able = [rank.name for rank in self.ranking() if rank.name in self.present and rank.name not in final.players]
        players = (*final.players, *able[:1])
        return self._changed(final, players=players, standings=players if len(players) == 1 else ())

    def _balanced(self) -> "Tournament":
        """Keep four in each waiting heat while there are enough: move players, or dissolve the smallest."""
        tournament = self
        while True:
            waiting = sorted((heat for heat in tournament.heats if heat.can_change), key=lambda heat: len(heat.players))
            if not waiting or len(waiting[0].players) >= MIN_HEAT:
                return tournament
            if len(waiting) == 1 and len(waiting[0].players) < 2:  # no opponents are left
                return replace(tournament, heats=tuple(heat for heat in tournament.heats if heat is not waiting[0]))
            small, others = waiting[0], waiting[1:]
            count = sum(len(heat.players) for heat in others)
            if count + len(small.players) <= len(others) * self.format.seats:
                return tournament._dissolved(small)
            if not others or len(others[-1].players) <= len(small.players) + 1:
                return tournament
            large = others[-1]
            met = tournament.meetings()
            mover = min(large.players, key=lambda name: (_met(met, name, small.players), large.players.index(name)))
            tournament = tournament._seated(large, tuple(name for name in large.players if name != mover))
            tournament = tournament._seated(small, (*small.players, mover))

    def _dissolved(self, heat: Heat) -> "Tournament":
        """Seat a waiting heat's players in the others."""
        tournament = replace(self, heats=tuple(other for other in self.heats if other.number != heat.number))
        for name in heat.players:
            met = tournament.meetings()
            others = [
                other for other in tournament.heats if other.can_change and len(other.players) < self.format.seats
            ]
            target = min(others, key=lambda other: (len(other.players), _met(met, name, other.players), other.number))
            tournament = tournament._seated(target, (*target.players, name))
        return tournament


def points_of(place: int, players: int) -> int:
    """Return the points for a place, 0 being the winner: ten for the winner, 0 for the last, even steps between."""
    return round(WINNER_POINTS * (players - 1 - place) / (players - 1))


def _figures(rank: Rank) -> tuple[int, ...]:
    return (rank.points, *rank.places, rank.lot)


def _place(standings: Sequence[str], name: str) -> int:
    return standings.index(name) if name in standings else len(standings)


def _met(meetings: Mapping[frozenset[str], int], name: str, others: Iterable[str]) -> int:
    return sum(meetings.get(frozenset((name, other)), 0) for other in others)


def _with(items: tuple[T, ...], old: T, new: T) -> tuple[T, ...]:
    return tuple(new if item is old else item for item in items)
