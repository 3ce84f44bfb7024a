"""Reveal cues: the moments at which parts of a showdown appear.

The cups go up one after the other in the order of play, the bidder's last; matching dice light up, and the count runs
up. A cup that can decide the call takes longer; once it is decided, the remaining cups go up together. Then come the
verdict, the seat that pays, and the falling die. `Reveal` takes the displays through the cues; a screen over the bar, a
voice or lights can follow the same list.

A client computes the same list as the table, from a `revealed` line on the public socket and the order of play in any
earlier state. For this, the engine's `Showdown` and the public one share `ShownOutcome`. Moments are
milliseconds since the reveal began, for a client since the line arrived. When a player goes on before the last cue, the
cues end early everywhere: the table then waits for one player less.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from msgspec import Struct

from engine import Call

BID_MS = 600
"""Time for which bid and caller stay on: the call itself was shown longer, before the reveal."""
CUPS_MS = 5600
"""Longest time for all cups together."""
MAX_CUP_MS = 750
"""Time for one cup with matching dice, at most its share of `CUPS_MS`."""
EMPTY_SHARE = 0.5
"""Time for a cup without matching dice, as a share of one with some."""
TENSE_SHARE = 1.6
"""Factor on the time for a cup that can decide the call."""
VERDICT_MS = 900
"""Time from the verdict to the seat that pays."""
PAYS_MS = 500
"""Time from the seat that pays to the falling die, or to the end."""
FALL_FRAME_MS = 90
"""Time for one frame of the falling die: a shared bus carries eleven frames a second with ease."""
FALL_FRAMES = 4
"""Frames of a falling die; after the last one it is gone."""
MAX_MS = 8000
"""Longest time from the first cue to the end."""


class CueKind(StrEnum):
    """Kind of cue."""

    BID = "bid"  # the called bid and its caller
    LIFT = "lift"  # a cup goes up
    COUNT = "count"  # its matching dice light up, and the count runs up
    VERDICT = "verdict"  # the count against the bid, or what a doubted pass was
    PAYS = "pays"  # who loses or wins a die, if any
    FALL = "fall"  # the lost die falls


class Cue(Struct, frozen=True):
    """A moment of a reveal. Everything shown stays until the end."""

    at_ms: int
    kind: CueKind
    seat: int | None = None  # the caller, the lifted cup's seat, or the seat that pays, if any
    count: int = 0  # matching dice so far
    dice: tuple[int, ...] = ()  # indexes of the lit dice in the hand
    wild: tuple[int, ...] = ()  # the ones among them matching only as wild aces


class ShownBid(Protocol):
    """The called bid."""

    @property
    def quantity(self) -> int:
        """The number of dice bid."""

    @property
    def face(self) -> int:
        """Their face."""


class ShownOutcome(Protocol):
    """The public facts of a showdown, by seats of a match or a layout."""

    @property
    def call(self) -> str:
        """The call: a doubt, or one of the exact ones."""

    @property
    def caller(self) -> int:
        """The seat that called."""

    @property
    def doubted(self) -> int:
        """The bidder, or the passer after a doubted pass."""

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


def reveal_cues(outcome: ShownOutcome, bid: ShownBid, order: Sequence[int]) -> tuple[Cue, ...]:
    """Return a showdown's cues, sorted, for the called bid and the seats in order of play."""
    return tuple(_pass_cues(outcome, order) if outcome.matching is None else _bid_cues(outcome, bid, order))


def payer(outcome: ShownOutcome) -> int | None:
    """Return the seat that loses or wins a die, if any."""
    return outcome.gainer if outcome.loser is None else outcome.loser


def told_ms(cues: Sequence[Cue]) -> int:
    """Return the moment at which the last cue has run."""
    last = cues[-1]
    return last.at_ms + (FALL_FRAMES * FALL_FRAME_MS if last.kind is CueKind.FALL else PAYS_MS)


def moments_ms(cues: Sequence[Cue]) -> tuple[int, ...]:
    """Return the moments at which a display changes: cues and frames of the falling die."""
    frames = [
        cue.at_ms + frame * FALL_FRAME_MS for cue in cues if cue.kind is CueKind.FALL for frame in range(1, FALL_FRAMES)
    ]
    return tuple(sorted({*(cue.at_ms for cue in cues), *frames}))


class _Cup(NamedTuple):
    """A cup with its matching dice, and its time as a share of `MAX_CUP_MS`."""

    seat: int
    dice: tuple[int, ...]
    wild: tuple[int, ...]
    share: float


def _bid_cues(outcome: ShownOutcome, bid: ShownBid, order: Sequence[int]) -> Iterator[Cue]:
    yield Cue(0, CueKind.BID, outcome.caller)
    steps = tuple(_steps(outcome, bid, order))
    unit_ms = _unit_ms([cups[0].share for cups in steps])
    at_ms, count = BID_MS, 0
    for cups in steps:
        step_ms = round(cups[0].share * unit_ms)
        for cup in cups:
            yield Cue(at_ms, CueKind.LIFT, cup.seat, count)
        for cup in cups:
            if cup.dice:
                count += len(cup.dice)
                yield Cue(at_ms + step_ms // 3, CueKind.COUNT, cup.seat, count, cup.dice, cup.wild)
        at_ms += step_ms
    yield from _end(outcome, at_ms, count)


def _steps(outcome: ShownOutcome, bid: ShownBid, order: Sequence[int]) -> Iterator[tuple[_Cup, ...]]:
    """Yield the cups that go up at the same moment: one at a time, and together those that come after the decision."""
    seats = [seat for seat in _bidder_last(outcome, order) if outcome.hands[seat]]
    wild = _wild(outcome, bid.face)
    count, hidden = 0, sum(len(outcome.hands[seat]) for seat in seats)
    while seats and _is_open(outcome, bid, count, hidden):
        cup, held = _cup(outcome, bid, seats[0], wild), len(outcome.hands[seats[0]])
        hidden -= held
        is_tense = not (_is_open(outcome, bid, count, hidden) and _is_open(outcome, bid, count + held, hidden))
        yield (cup._replace(share=cup.share * TENSE_SHARE) if is_tense else cup,)
        count += len(cup.dice)
        del seats[0]
    if seats:
        cups = [_cup(outcome, bid, seat, wild) for seat in seats]
        yield tuple(cup._replace(share=max(each.share for each in cups)) for cup in cups)


def _cup(outcome: ShownOutcome, bid: ShownBid, seat: int, wild: int) -> _Cup:
    aces = _places(outcome.hands[seat], wild)
    dice = tuple(sorted((*_places(outcome.hands[seat], bid.face), *aces)))
    return _Cup(seat, dice, aces, 1.0 if dice else EMPTY_SHARE)


def _bidder_last(outcome: ShownOutcome, order: Sequence[int]) -> Sequence[int]:
    """Return the order of play, beginning after the bidder."""
    after = order.index(outcome.doubted) + 1 if outcome.doubted in order else 0
    return (*order[after:], *order[:after])


def _is_open(outcome: ShownOutcome, bid: ShownBid, count: int, hidden: int) -> bool:
    """Return whether hidden dice can still change who was right, with so many matching ones seen."""
    if outcome.call == Call.DUDO:
        return count < bid.quantity <= count + hidden
    return hidden > 0 and count <= bid.quantity <= count + hidden


def _pass_cues(outcome: ShownOutcome, order: Sequence[int]) -> Iterator[Cue]:
    """Yield the cues of a doubted pass: only the passer's dice matter, all of them; the other cups follow at once."""
    yield Cue(0, CueKind.BID, outcome.caller)
    passer, cup_ms = outcome.doubted, round(TENSE_SHARE * MAX_CUP_MS)
    yield Cue(BID_MS, CueKind.LIFT, passer)
    yield Cue(BID_MS + cup_ms // 3, CueKind.COUNT, passer, dice=tuple(range(len(outcome.hands[passer]))))
    at_ms = BID_MS + cup_ms
    for seat in order:
        if seat != passer and outcome.hands[seat]:
            yield Cue(at_ms, CueKind.LIFT, seat)
    yield from _end(outcome, at_ms, 0)


def _end(outcome: ShownOutcome, at_ms: int, count: int) -> Iterator[Cue]:
    who = payer(outcome)
    yield Cue(at_ms, CueKind.VERDICT, count=count)
    yield Cue(at_ms + VERDICT_MS, CueKind.PAYS, who, count)
    if outcome.loser is not None:
        yield Cue(at_ms + VERDICT_MS + PAYS_MS, CueKind.FALL, who, count)


def _unit_ms(shares: Sequence[float]) -> float:
    """Return the time of a share: an equal part of `CUPS_MS`, at most `MAX_CUP_MS`."""
    return min(MAX_CUP_MS, CUPS_MS / max(1.0, sum(shares)))


def _wild(outcome: ShownOutcome, face: int) -> int:
    """Return 1 if aces counted besides the bid's face, which raises the count, else 0."""
    plain = sum(len(_places(hand, face)) for hand in outcome.hands)
    return 1 if outcome.matching != plain else 0


def _places(hand: Sequence[int], face: int) -> tuple[int, ...]:
    return tuple(place for place, die in enumerate(hand) if die == face)
