"""What is dealt to a round of `support.noninterference.forked_round`, and everything that comes out of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from support.noninterference.tapes.tapped_ports import ROOM

from engine import Match, Phase, Position, Round, RoundKind, Rules
from firmware_host.table.scenes.scene import Game

Hands = tuple[tuple[int, ...], ...]
SOON_S = 0.1
"""How long after a cup is down dice may still be on their way to the display."""


@dataclass(frozen=True)
class Dealt:
    """A round before its shake, and what will be dealt; seats of the layout without a hand watch."""

    rules: Rules
    kind: RoundKind
    hands: Hands
    owner: int | None = None

    @property
    def game(self) -> Game:
        dice = tuple(map(len, self.hands))
        seats = tuple(range(len(dice)))
        coming = Round(
            rules=self.rules,
            order=seats,
            dice=dice,
            starting_dice=5 * len(dice),
            first=0,
            kind=self.kind,
            owner=self.owner,
        )
        position = Position(coming, Phase.ROLLING, rolling=coming.living)
        fallen = tuple(seat for seat in seats if not dice[seat])
        return Game("the-same", Match(position), seats, fallen=fallen)


@dataclass(frozen=True)
class Output:
    """Something that left the daemon: the seat that can receive it, channel, time and content."""

    seat: int
    channel: str
    at_s: float
    what: object


@dataclass
class Tape:
    """Everything that came out of a round up to its reveal, in order."""

    outputs: list[Output] = field(default_factory=list)
    covered: list[bytes] = field(default_factory=list)  # every panel's picture, while nobody looks under a cup
    looks: list[tuple[int, float, bool]] = field(default_factory=list)  # a seat, when, whether it began to look
    pages: Mapping[str, bytes] = field(default_factory=dict)  # of the album
    ended: bool = False
    left: list[bytes] = field(default_factory=list)  # every panel's picture when the daemon is gone

    def record(self, seat: int, channel: str, at_s: float, what: object) -> None:
        if not self.ended:
            self.outputs.append(Output(seat, channel, at_s, what))

    def reaching(self, seat: int) -> list[Output]:
        """Return everything that somebody at a seat can learn, with every tool there is."""
        return [outputs for outputs in self.outputs if outputs.seat in (seat, ROOM)]

    def is_looking(self, seat: int, at_s: float) -> bool:
        """Return whether a hand holds the seat's cup up or its OK down, or did so just now."""
        began_s = -1.0
        for who, when_s, begins in self.looks:
            if who != seat or when_s > at_s:
                continue
            began_s = at_s if begins else when_s
        return at_s - began_s <= SOON_S
