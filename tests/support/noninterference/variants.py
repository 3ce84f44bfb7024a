"""Rounds that differ only in dice: who may not see them must not be able to tell the rounds apart.

    family = Family(folder, layout, dealt(PERUDO, RoundKind.NORMAL, 8))
    assert family.leaks == []

A family plays few rounds for many seats: for every seat two of them lay the same wherever it may look, and everything
else otherwise.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, count
from pathlib import Path
from typing import Any

from msgspec.structs import replace as replaced
from support.noninterference.forked_round import Round
from support.noninterference.tapes.tape import Dealt, Hands, Output, Tape
from support.wires.layouts import SPI_TABLE, at_a_dongle

from engine import RULESETS, RoundKind, Rules
from hardware.config.layout import Layout, load_builtin, parse

HELD = {
    2: (1, 3),
    3: (1, 5, 2),
    4: (1, 4, 0, 1),
    5: (1, 3, 1, 0),
    6: (1, 5, 5, 0, 1, 2),
    7: (1, 2, 5, 1, 3, 0),
    8: (1, 5, 5, 5, 5, 5, 5, 4),
}
"""Dice by seats of the layout: with four somebody is out, of five and seven seats the last watches."""

RADIO = at_a_dongle(*(f'{{ serial = "DONGLE", address = {number} }}' for number in (1, 2, 255)), '{ serial = "CUP4" }')
PHONES = 'name = "phones"\n' + "".join(
    f'[[seat]]\nname = "{name}"\ncolor = "{color}"\n{device}\n'
    for name, color, device in (
        ("Lima", "red", 'board = "E661410000000001"'),
        ("Cusco", "blue", "phone = true"),
        ("Puno", "green", "phone = true"),
        ("Tacna", "pink", "phone = true"),
    )
)
LAYOUTS = {
    **{name: load_builtin(name) for name in ("wired-4", "wired-8", "boards-8")},
    "spi": parse(SPI_TABLE, "spi.toml"),
    "phones": parse(PHONES, "phones.toml"),
    "radio": replaced(RADIO, turn_clock_s=240),  # longer than all incidents without a bid, shorter than `AWAY_NS`
}
LAYOUTS = {
    name: replaced(layout, service_hold=True, names_days=365, names_public=True) for name, layout in LAYOUTS.items()
}

OPEN, CLOSED = RoundKind.FIXED_FACE_NO_WILDS_OPEN, RoundKind.FIXED_FACE_NO_WILDS_CLOSED
ROUNDS = [(rules, kind) for rules in RULESETS.values() for kind in (RoundKind.NORMAL, *rules.special)]


def dealt(rules: Rules, kind: RoundKind, seats: int) -> Dealt:
    """Return a round of seat 0, which holds one die, with dice as far from each other as they come."""
    rng = random.Random(f"{rules} {kind} {seats}")
    hands = tuple(_hand(rng, held) for held in HELD[seats])
    return Dealt(rules, kind, hands, None if kind is RoundKind.NORMAL else 0)


def seen_by(seat: int, kind: RoundKind, hands: Hands) -> tuple[int, ...]:
    """Return whose dice a seat may see, as the rules say it; the engine is not asked."""
    living = [other for other, hand in enumerate(hands) if hand]
    if seat not in living:
        return ()
    match kind:
        case RoundKind.BLIND:
            return (seat,) if seat == 0 else ()
        case RoundKind.OPEN | RoundKind.FIXED_FACE_NO_WILDS_OPEN:
            return tuple(other for other in living if other != seat)
        case RoundKind.FIXED_FACE_NO_WILDS_CLOSED:
            return (seat,) if len(hands[seat]) == 1 else ()
    return (seat,)


def forked(deal: Dealt, seen: tuple[int, ...]) -> Dealt:
    """Return the round with other dice where none are seen: a hand's first is turned over, its pattern another."""
    rng = random.Random(f"{deal}")
    hands = (hand if seat in seen else _another(rng, hand) for seat, hand in enumerate(deal.hands))
    return replace(deal, hands=tuple(hands))


def _another(rng: random.Random, hand: tuple[int, ...]) -> tuple[int, ...]:
    """Return a hand of as many dice with another sum and, where there are two or more, another number of faces."""
    if not hand:
        return ()
    while True:
        other = (7 - hand[0], *_hand(rng, len(hand) - 1))
        if sum(other) != sum(hand) and (len(hand) == 1 or len({*other}) != len({*hand})):
            return other


def differing(ours: list[Output], theirs: list[Output]) -> str:
    """Return the first thing in which two rounds differ, or nothing."""
    pairs = zip(ours, theirs, strict=False)
    return next((apart(one, other) for one, other in pairs if one != other), "" if len(ours) == len(theirs) else "more")


def apart(one: Output, other: Output) -> str:
    """Two outputs that differ; of long lists, the items in which they do."""
    if isinstance(one.what, list) and isinstance(other.what, list):
        ours, theirs = one.what, other.what
        one = replace(one, what=[item for item in ours if item not in theirs])
        other = replace(other, what=[item for item in theirs if item not in ours])
    return f"{one} / {other}"


class Fork:
    """Plays a round and its forks, each once; a round may be played in several `sessions`, with a restart between.

    The dice at the seats in `held` are the same in all of them: somebody there plays by them.
    """

    def __init__(
        self,
        folder: Path,
        layout: Layout,
        deal: Dealt,
        *,
        sessions: Sequence[type[Round]] = (Round,),
        held: Sequence[int] = (),
        **options: Any,
    ) -> None:
        self.deal = deal
        self.held = held
        self._sessions = sessions
        self._folder = folder
        self._layout = layout
        self._options = options
        self._played: dict[Dealt, Tape] = {}

    def tape(self, deal: Dealt | None = None) -> Tape:
        """Return a deal's output, by default that of the deal before any fork."""
        deal = deal or self.deal
        if not self._played and self._options.get("counts_work"):
            self._play_sessions(
                deal, self._folder / "before", Tape()
            )  # what is imported and kept by then costs no more
        if deal not in self._played:
            folder, tape = self._folder / "fork", Tape()  # the same for each: an alert names a file in it
            self._play_sessions(deal, folder, tape)
            folder.rename(self._folder / str(len(self._played)))
            assert tape.ended, "the script led to no reveal"
            self._played[deal] = tape
        return self._played[deal]

    def _play_sessions(self, deal: Dealt, folder: Path, tape: Tape) -> None:
        for round_type in self._sessions:
            round_type(self._layout, deal, tape=tape, **self._options).play(folder)

    def heard(self, seat: int) -> tuple[list[Output], list[Output]]:
        """Return everything that a seat can learn in the round, and in a fork that it should not tell from it."""
        seen = seen_by(seat, self.deal.kind, self.deal.hands)
        fork = forked(self.deal, (*seen, *self.held))
        return self.tape().reaching(seat), self.tape(fork).reaching(seat)

    def leak(self, seat: int) -> str:
        """Return the first thing by which a seat can tell the round from its fork, or nothing."""
        return differing(*self.heard(seat))


class Family(Fork):
    """A round and as few others as show for every seat that it can't tell what it may not see."""

    def __init__(self, folder: Path, layout: Layout, deal: Dealt, **options: Any) -> None:
        super().__init__(folder, layout, deal, **options)
        seats = range(len(layout.seats))
        self.seen = {seat: seen_by(seat, deal.kind, deal.hands) for seat in seats}
        self.deals, self.pairs = _relatives(deal, [*dict.fromkeys(self.seen.values())], self.held)

    @property
    def leaks(self) -> list[str]:
        """By what each seat can tell rounds apart that it should not."""
        pairs = {seat: self.pairs[seen] for seat, seen in self.seen.items()}
        tellings = {seat: differing(*(self.tape(deal).reaching(seat) for deal in pair)) for seat, pair in pairs.items()}
        return [f"seat {seat}: {told}" for seat, told in tellings.items() if told]

    @property
    def invisible(self) -> list[int]:
        """The seats that may see some dice and can't tell them from others, on their own wires alone."""
        return [
            seat
            for seat, seen in self.seen.items()
            if {*seen}.difference(self.held)
            and not any(self._is_shown(seat, *pair) for pair in combinations(self.deals, 2))
        ]

    @property
    def misdirected(self) -> list[str]:
        """What depends on any die although nobody looks, or reaches somebody else than who looks."""
        return [leaks for deal in self.deals[1:] for leaks in self._misdirected(self.tape(), self.tape(deal))]

    @property
    def covered(self) -> set[tuple[bytes, ...]]:
        """The pictures of all panels whenever every cup was down: one set of them is as it should be."""
        return {tuple(self.tape(deal).covered) for deal in self.deals}

    def _is_shown(self, seat: int, *pair: Dealt) -> bool:
        ours, theirs = ([output.what for output in self.tape(deal).outputs if output.seat == seat] for deal in pair)
        return ours != theirs

    def _misdirected(self, ours: Tape, theirs: Tape) -> Iterator[str]:
        if len(ours.outputs) != len(theirs.outputs):
            yield "more"
        for one, other in zip(ours.outputs, theirs.outputs, strict=False):
            on_its_way = one.channel == other.channel == "board"  # a slow link has what was sent in time
            if one != other and not (on_its_way or (one.seat == other.seat and ours.is_looking(one.seat, one.at_s))):
                yield apart(one, other)


def _relatives(
    deal: Dealt, seen: list[tuple[int, ...]], held: Sequence[int]
) -> tuple[list[Dealt], dict[tuple[int, ...], tuple[Dealt, Dealt]]]:
    """Return few deals: for each of these sets of seats, two agree on just its hands; and these pairs."""
    if max(map(len, seen)) > 1:  # one more for each
        pairs = {those: (deal, forked(deal, (*those, *held))) for those in seen}
        return [*dict.fromkeys(each for pair in pairs.values() for each in pair)], pairs
    needed = next(number for number in count(2) if number * (number - 1) // 2 >= len(seen))
    places = dict(zip(seen, combinations(range(needed), 2), strict=False))
    rng = random.Random(f"{deal}")
    columns = [
        [hand] * needed if seat in held else _variants(rng, hand, needed, places.get((seat,)))
        for seat, hand in enumerate(deal.hands)
    ]
    deals = [replace(deal, hands=hands) for hands in zip(*columns, strict=True)]
    return deals, {those: (deals[one], deals[other]) for those, (one, other) in places.items()}


def _variants(rng: random.Random, hand: tuple[int, ...], number: int, same: tuple[int, int] | None) -> Hands:
    """So many hands of as many dice that are all different, but for two of them."""
    found = {tuple(sorted(hand)): hand}
    while hand and len(found) < number:
        another = _hand(rng, len(hand))
        found.setdefault(tuple(sorted(another)), another)
    hands = [*found.values()] * (1 if hand else number)
    if same is not None:
        hands[same[1]] = hands[same[0]]
    return tuple(hands)


def _hand(rng: random.Random, held: int) -> tuple[int, ...]:
    return tuple(rng.choice((1, 6, rng.randint(1, 6))) for _ in range(held))
