"""The cues of a reveal: what is shown of a showdown, and when.

The cups are lifted one after the other in the order of play, the matching dice light up, the count runs up, the verdict
follows, then who pays, and the die falls. `Reveal` takes the displays through the cues; a screen over the bar, a voice
or lights can follow the same list.

A `revealed` line of the public socket has all that the cues depend on, but for the order of play, which every state
before it has. `Outcome` is what the engine's `Showdown` and the one in `public.messages` have in common, so that a
client and the table compute the same list. Moments are milliseconds since the reveal began, for a client since the line
arrived. The cues end early, everywhere, when a player goes on before the last one: the table then waits for one player
less.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Protocol

from msgspec import Struct

BID_MS = 600
"""Time that the bid and its caller are still shown: the call itself was, for longer, before the reveal."""
CUPS_MS = 4800
"""Longest time that all cups together take."""
MAX_CUP_MS = 750
"""Time of one cup with matching dice, where that is not more than its share of `CUPS_MS`; half of it without any."""
VERDICT_MS = 900
"""Time from the verdict to who pays."""
PAYS_MS = 500
"""Time that is shown who pays before the die falls, or before all is told."""
FALL_FRAME_MS = 90
"""Time of a frame of the falling die: eleven frames a second, as many as a shared bus carries with ease."""
FALL_FRAMES = 4
"""Frames of a falling die; after the last one it is gone."""
MAX_MS = 12_000
"""Longest time from the first cue until all is told."""


class CueKind(StrEnum):
    """What happens at a cue."""

    BID = "bid"  # the bid that was called, and who called
    LIFT = "lift"  # a cup goes up
    COUNT = "count"  # its matching dice light up, and the count runs up
    VERDICT = "verdict"  # the count against the bid, or what a doubted pass was
    PAYS = "pays"  # who loses or wins a die, or that nobody does
    FALL = "fall"  # the lost die falls


class Cue(Struct, frozen=True):
    """A moment of a reveal. What a cue has shown stays until the end."""

    at_ms: int
    kind: CueKind
    seat: int | None = None  # the caller, whose cup, or who pays; None where nobody does
    count: int = 0  # matching dice so far
    dice: tuple[int, ...] = ()  # places in the hand of the dice that light up
    wild: tuple[int, ...] = ()  # those of them that match only because aces are wild


class Outcome(Protocol):
    """The public facts of a showdown, by seats of a match or of a layout."""

    @property
    def caller(self) -> int:
        """The seat that called."""

    @property
    def doubted(self) -> int:
        """The bidder, or the passer of a doubted pass."""

    @property
    def matching(self) -> int | None:
        """The dice that counted for the bid; None for a doubted pass."""

    @property
    def hands(self) -> Sequence[Sequence[int]]:
        """The dice by seat."""

    @property
    def loser(self) -> int | None:
        """The seat that lost a die, if one did."""

    @property
    def gainer(self) -> int | None:
        """The seat that won a die, if one did."""


def reveal_cues(outcome: Outcome, face: int, order: Sequence[int]) -> tuple[Cue, ...]:
    """Return the cues of a showdown, sorted, for the face of the bid and the seats in order of play."""
    return tuple(_pass_cues(outcome, order) if outcome.matching is None else _bid_cues(outcome, face, order))


def told_ms(cues: Sequence[Cue]) -> int:
    """Return the moment at which all is told."""
    last = cues[-1]
    return last.at_ms + (FALL_FRAMES * FALL_FRAME_MS if last.kind is CueKind.FALL else PAYS_MS)


def moments_ms(cues: Sequence[Cue]) -> tuple[int, ...]:
    """Return the moments at which a display changes: the cues and the frames of the falling die."""
    frames = [
        cue.at_ms + frame * FALL_FRAME_MS for cue in cues if cue.kind is CueKind.FALL for frame in range(1, FALL_FRAMES)
    ]
    return tuple(sorted({*(cue.at_ms for cue in cues), *frames}))


def _bid_cues(outcome: Outcome, face: int, order: Sequence[int]) -> Iterator[Cue]:
    yield Cue(0, CueKind.BID, outcome.caller)
    cups = [seat for seat in order if outcome.hands[seat]]
    wild, cup_ms = _wild(outcome, face), _cup_ms(len(cups))
    at_ms, count = BID_MS, 0
    for seat in cups:
        yield Cue(at_ms, CueKind.LIFT, seat, count)
        aces = _places(outcome.hands[seat], wild)
        dice = tuple(sorted((*_places(outcome.hands[seat], face), *aces)))
        if dice:
            count += len(dice)
            yield Cue(at_ms + cup_ms // 3, CueKind.COUNT, seat, count, dice, aces)
        at_ms += cup_ms if dice else cup_ms // 2
    yield from _end(outcome, at_ms, count)


def _pass_cues(outcome: Outcome, order: Sequence[int]) -> Iterator[Cue]:
    """Yield the cues of a doubted pass: only the passer's dice matter, all of them; the other cups follow at once."""
    yield Cue(0, CueKind.BID, outcome.caller)
    passer, cup_ms = outcome.doubted, _cup_ms(1)
    yield Cue(BID_MS, CueKind.LIFT, passer)
    yield Cue(BID_MS + cup_ms // 3, CueKind.COUNT, passer, dice=tuple(range(len(outcome.hands[passer]))))
    at_ms = BID_MS + cup_ms
    for seat in order:
        if seat != passer and outcome.hands[seat]:
            yield Cue(at_ms, CueKind.LIFT, seat)
    yield from _end(outcome, at_ms, 0)


def _end(outcome: Outcome, at_ms: int, count: int) -> Iterator[Cue]:
    payer = outcome.gainer if outcome.loser is None else outcome.loser
    yield Cue(at_ms, CueKind.VERDICT, count=count)
    yield Cue(at_ms + VERDICT_MS, CueKind.PAYS, payer, count)
    if outcome.loser is not None:
        yield Cue(at_ms + VERDICT_MS + PAYS_MS, CueKind.FALL, payer, count)


def _cup_ms(cups: int) -> int:
    """Return the time of a cup with matching dice: an equal share."""
    return min(MAX_CUP_MS, CUPS_MS // max(1, cups))


def _wild(outcome: Outcome, face: int) -> int:
    """Return the face that counts besides the bid's, 0 for none: with aces that count, the count is higher."""
    plain = sum(len(_places(hand, face)) for hand in outcome.hands)
    return 1 if outcome.matching != plain else 0


def _places(hand: Sequence[int], face: int) -> tuple[int, ...]:
    return tuple(place for place, die in enumerate(hand) if die == face)
