"""A match's public state: the turn, the standing bid, each seat's number of dice.
A `Position` holds no dice before the reveal, so nothing made from a `Position` alone (legality, menus, the page, the
log) can leak one. `Match` adds the dice under the cups. `engine.legality` judges actions, `engine.rounds` and
`engine.settlement` make the next position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, NewType, TypeVar, dataclass_transform

from engine.actions import Bid, Call
from engine.bidding import NO_ACTIONS, Bidding, Facts, LegalActions, bidding_of
from engine.hands import Hand, write_hands
from engine.rules import RoundKind, Rules
from engine.rulesets import write_rules

T = TypeVar("T")
Player = NewType("Player", int)
"""A seat of the match, from 0: its place in every tuple "by seat". A real table numbers its seats by itself."""
PLAYER_0 = Player(0)
_new = object.__new__


@dataclass_transform(frozen_default=True)
def value(kind: type[T]) -> type[T]:
    """Declare a hashable dataclass with slots. Its fields must not be assigned: mypy checks that, Python does not.
    Every bid makes two values, and a frozen dataclass takes four times as long to make.
    """
    return dataclass(slots=True, unsafe_hash=True)(kind)


class Phase(StrEnum):
    """The awaited input."""

    SEATING = "seating"  # one die from each of `rolling`, for the order of play
    CHOOSING = "choosing"  # the owner's choice of the special round
    ROLLING = "rolling"  # all living players' dice
    BIDDING = "bidding"  # a bid or a call
    OVER = "over"


SEATING, CHOOSING, ROLLING, BIDDING, OVER = Phase


@value
class Showdown:
    """A round's result. Everything in it is public, even the hands: it exists only once the round is over."""

    number: int  # the ended round's
    call: Call
    caller: Player
    doubted: Player  # the bidder, or the passer of a doubted pass
    bid: Bid  # the standing one
    kind: RoundKind
    matching: int | None  # dice that counted for the bid; None for a doubted pass
    right: bool  # whether the caller was
    hands: tuple[Hand, ...]  # by seat, empty for a seat that was out
    change: tuple[int, ...]  # by seat, dice won or lost
    out: tuple[Player, ...]  # seats that lost their last die

    @property
    def was_pass(self) -> bool:
        """Whether a pass was doubted, not the bid."""
        return self.matching is None

    @property
    def loser(self) -> Player | None:
        """The seat that lost a die, if one did."""
        return Player(self.change.index(-1)) if -1 in self.change else None

    @property
    def gainer(self) -> Player | None:
        """The seat that won a die, if one did."""
        return Player(self.change.index(1)) if 1 in self.change else None


class _Derived:
    """Values derived from a round's fields. Every action reads them, so they are computed once."""

    __slots__ = ("bidding", "in_play", "living", "next_living")
    living: tuple[Player, ...]  # the seats with dice, in order of play
    next_living: Mapping[Player, Player]  # the living seat after each of them
    in_play: int  # dice on the table
    bidding: Bidding  # the legal actions in this round


@value
class Round(_Derived):
    """The facts fixed from the roll to the reveal. Tuples "by seat" have an entry for each seat 0…n-1."""

    rules: Rules
    order: tuple[Player, ...]  # the seats in order of play
    dice: tuple[int, ...]  # by seat; 0 is out
    starting_dice: int
    first: Player | None  # the opener
    number: int = 1  # from one
    kind: RoundKind = RoundKind.NORMAL
    owner: Player | None = None  # the special round's
    special_used: tuple[Player, ...] = ()
    banked: tuple[int, ...] = ()  # by seat, lives kept aside; empty in rules without them
    rolls: tuple[tuple[int, ...], ...] = ()  # by seat, the rolls for the order of play
    showdown: Showdown | None = None  # the last round's result

    def __post_init__(self) -> None:
        self.living = living = tuple(filter(self.dice.__getitem__, self.order))
        self.next_living = _next_by_seat(living)
        self.in_play = sum(self.dice)
        self.bidding = bidding_of(self.rules, self.kind, self.in_play, self.starting_dice)

    def changed(
        self,
        number: int,
        dice: tuple[int, ...],
        first: Player | None,
        kind: RoundKind,
        owner: Player | None,
        special_used: tuple[Player, ...],
        banked: tuple[int, ...],
        showdown: Showdown | None,
    ) -> Round:
        """Return the round with other values in these fields, as `replace` would, but in a fifth of the time. Seats may
        have lost their last die only if `showdown` lists them as out.
        """
        new: Any = _new(Round)
        new.rules = rules = self.rules
        new.order = self.order
        new.dice = dice
        new.starting_dice = starting_dice = self.starting_dice
        new.first = first
        new.number = number
        new.kind = kind
        new.owner = owner
        new.special_used = special_used
        new.banked = banked
        new.rolls = self.rolls
        new.showdown = showdown
        if showdown is not None and showdown.out:
            new.living = living = tuple(filter(dice.__getitem__, self.order))
            new.next_living = _next_by_seat(living)
        else:
            new.living, new.next_living = self.living, self.next_living
        new.in_play = in_play = sum(dice)
        new.bidding = bidding_of(rules, kind, in_play, starting_dice)
        return new  # type: ignore[no-any-return]

    def after(self, seat: Player) -> Player:
        """Return the next living seat after `seat` in order of play; `seat` itself may be out."""
        if seat in self.next_living:
            return self.next_living[seat]
        place = self.order.index(seat)
        for other in self.order[place:] + self.order:
            if self.dice[other]:
                return other
        raise ValueError("no seat holds dice")

    def living_from(self, seat: Player) -> Player:
        """Return `seat` if it holds dice, else the next living seat."""
        return seat if self.dice[seat] else self.after(seat)


@lru_cache(maxsize=256)
def _next_by_seat(living: tuple[Player, ...]) -> Mapping[Player, Player]:
    return dict(zip(living, living[1:] + living[:1], strict=True))


class _Judged:
    """The legal actions of the seat in turn: an action's legality is asked for at least once."""

    __slots__ = ("legal",)
    legal: LegalActions


@value
class Position(_Judged):
    """A match's public state: its round, and the facts changing with each action."""

    round: Round
    phase: Phase
    turn: Player | None = None  # None outside the bidding
    standing: Bid | None = None
    bidder: Player | None = None
    passer: Player | None = None  # its pass stands and can be doubted instead of the bid
    passed: tuple[Player, ...] = ()  # seats that have passed in this round
    rolling: tuple[Player, ...] = ()  # seats still to roll

    def __post_init__(self) -> None:
        now, turn = self.round, self.turn
        if turn is None:
            self.legal = NO_ACTIONS
        elif turn == self.bidder or self.passer is not None or self.passed:
            self.legal = now.bidding[facts_of(self, turn)]
        else:
            self.legal = now.bidding.in_turn[now.dice[turn]][self.standing]

    def replace(self, **changes: Any) -> Position:
        """Return this position with some fields changed, its own or its round's: for tests and tools."""
        own = {field.name: changes.pop(field.name) for field in fields(self) if field.name in changes}
        return replace(self, **{"round": replace(self.round, **changes)} | own)

    # The round's fields

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.round.rules

    @property
    def order(self) -> tuple[Player, ...]:
        """The seats in order of play."""
        return self.round.order

    @property
    def dice(self) -> tuple[int, ...]:
        """Number of dice by seat; 0 is out."""
        return self.round.dice

    @property
    def starting_dice(self) -> int:
        """Number of dice at the start of the match."""
        return self.round.starting_dice

    @property
    def first(self) -> Player | None:
        """The opener of this round."""
        return self.round.first

    @property
    def number(self) -> int:
        """Round number, from one."""
        return self.round.number

    @property
    def kind(self) -> RoundKind:
        """The round's kind."""
        return self.round.kind

    @property
    def owner(self) -> Player | None:
        """The seat whose special round it is."""
        return self.round.owner

    @property
    def special_used(self) -> tuple[Player, ...]:
        """The seats that have had their special round."""
        return self.round.special_used

    @property
    def banked(self) -> tuple[int, ...]:
        """Lives kept aside by seat; empty in rules without them."""
        return self.round.banked

    @property
    def rolls(self) -> tuple[tuple[int, ...], ...]:
        """Rolls for the order of play by seat."""
        return self.round.rolls

    @property
    def showdown(self) -> Showdown | None:
        """The last round's result."""
        return self.round.showdown

    @property
    def seats(self) -> int:
        """Number of seats at the start of the match."""
        return len(self.round.dice)

    @property
    def in_play(self) -> int:
        """Number of dice on the table."""
        return self.round.in_play

    @property
    def living(self) -> tuple[Player, ...]:
        """Seats that still hold dice, in order of play."""
        return self.round.living

    # Derived from the fields

    @property
    def winner(self) -> Player | None:
        """The last seat with dice, once the match is over."""
        return self.living[0] if self.phase is OVER else None

    @property
    def doubted(self) -> Player | None:
        """The seat whose claim `dudo` would doubt now: the passer, else the bidder."""
        return self.bidder if self.passer is None else self.passer

    @property
    def choices(self) -> tuple[RoundKind, ...]:
        """The kinds of round open to the owner now; `NORMAL` waives the special round."""
        return self.rules.choices if self.phase is CHOOSING else ()

    def after(self, seat: Player) -> Player:
        """Return the next living seat after `seat` in order of play; `seat` itself may be out."""
        return self.round.after(seat)

    def living_from(self, seat: Player) -> Player:
        """Return `seat` if it holds dice, else the next living seat."""
        return self.round.living_from(seat)

    @property
    def awaited(self) -> dict[Player, int]:
        """Number of dice to roll now by each seat in `rolling`."""
        if self.phase is SEATING:
            return dict.fromkeys(self.rolling, 1)
        dice = self.round.dice
        return {seat: dice[seat] for seat in self.rolling}

    def dice_to_roll(self, seat: Player) -> int:
        """Return a seat's number of dice to roll now."""
        return self.awaited.get(seat, 0)

    def __str__(self) -> str:
        """Return the public line with the whole position; `parse_position` reads it back."""
        return write_position(self)


def without_passes(now: Round, turn: Player, standing: Bid | None, bidder: Player | None) -> Position:
    """Return a position in the bidding of a round without passes so far, as `Position(...)` would, but faster."""
    made: Any = _new(Position)
    made.round = now
    made.phase = BIDDING
    made.turn = turn
    made.standing = standing
    made.bidder = bidder
    made.passer = None
    made.passed = made.rolling = ()
    made.legal = now.bidding.in_turn[now.dice[turn]][standing]
    return made  # type: ignore[no-any-return]


def facts_of(position: Position, seat: Player) -> Facts:
    """Return the deciding facts in the bidding: a `Situation`'s fields."""
    now, passer = position.round, position.passer
    return (
        position.standing,
        now.bidding.alike[now.dice[seat]],
        seat == position.turn,
        seat == position.bidder,
        seat == passer,
        passer is not None,
        seat in position.passed,
    )


def write_position(position: Position) -> str:
    """Write a position as one line, its `str`; errors and the log quote it.
    The line omits empty fields and None. Its only dice are the last showdown's public ones.
    """
    return " ".join(_parts(position))


def _parts(position: Position) -> Iterator[str]:
    held = ",".join(f"{seat}:{position.dice[seat]}" for seat in position.order)
    yield f"{write_rules(position.rules)} {position.phase} round {position.number} {position.kind}"
    yield from _optional("of", position.owner)
    yield f"dice {held} of {position.starting_dice}"
    yield from _optional("first", position.first)
    yield from _optional("turn", position.turn)
    yield from _optional("bid", position.standing)
    yield from _optional("by", position.bidder)
    yield from _optional("pass by", position.passer)
    yield from _listed("passed", position.passed)
    yield from _listed("used", position.special_used)
    if position.banked:
        yield f"banked {_by_seat(position.banked)}"
    if position.rolls:
        yield f"rolls {write_hands(position.rolls)}"
    yield from _listed("rolling", position.rolling)
    if position.showdown is not None:
        yield from _showdown_parts(position.showdown)


def _showdown_parts(shown: Showdown) -> Iterator[str]:
    yield f"after round {shown.number} {shown.kind} bid {shown.bid} {shown.call} by {shown.caller} of {shown.doubted}"
    yield "right" if shown.right else "wrong"
    yield from _optional("matching", shown.matching)
    yield f"hands {write_hands(shown.hands)} change {_by_seat(shown.change)}"
    yield from _listed("out", shown.out)


def _optional(keyword: str, field: object | None) -> Iterator[str]:
    if field is not None:
        yield f"{keyword} {field}"


def _listed(keyword: str, seats: Iterable[int]) -> Iterator[str]:
    if listed := ",".join(map(str, seats)):
        yield f"{keyword} {listed}"


def _by_seat(numbers: Iterable[int]) -> str:
    return "/".join(map(str, numbers))
