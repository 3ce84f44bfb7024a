"""The cues of a reveal on the public page: which cup goes up when, which dice light up, and when the verdict follows.

Pure. `picture` sends them to every page with the time that has passed, so all pages show the same moment.
"""

from collections.abc import Iterator, Sequence

import msgspec

BID_MS = 600
"""Milliseconds for which the bid is still shown: the call itself was, for longer, before the reveal."""
CUPS_MS, MAX_CUP_MS = 4800, 750
"""Milliseconds that all cups take at most, and one cup with matching dice; one without takes half of it."""
VERDICT_MS, PAYS_MS = 900, 500
"""Milliseconds from the verdict to who pays, and from there to the die that falls."""


class Showdown(msgspec.Struct, frozen=True):
    """What the public line of a reveal says of it, as far as the cues need it."""

    caller: int
    doubted: int
    face: int
    matching: int | None
    hands: tuple[tuple[int, ...], ...]  # by seat
    loser: int | None
    gainer: int | None


class Cue(msgspec.Struct, frozen=True):
    """A moment of a reveal, of the kind `lift`, `count`, `verdict`, `pays` or `fall`.

    `count` is the number of matching dice so far, `dice` the places in the seat's hand of those that light up now, and
    `wild` those of them that match only because aces are wild.
    """

    at_ms: int
    kind: str
    seat: int | None = None
    count: int = 0
    dice: tuple[int, ...] = ()
    wild: tuple[int, ...] = ()


def reveal_cues(showdown: Showdown, face: int, order: Sequence[int]) -> tuple[Cue, ...]:
    """Return the cues of a showdown, sorted, for the face of the bid and the seats in order of play."""
    return tuple(_cues(showdown, face, order))


def _cues(showdown: Showdown, face: int, order: Sequence[int]) -> Iterator[Cue]:
    holders = [seat for seat in order if showdown.hands[seat]]
    at_ms, count, cup_ms = BID_MS, 0, min(MAX_CUP_MS, CUPS_MS // max(1, len(holders)))
    for seat in holders:
        yield Cue(at_ms, "lift", seat, count)
        dice, wild = _matching(showdown, face, seat)
        if dice:
            count += 0 if showdown.matching is None else len(dice)
            yield Cue(at_ms + cup_ms // 3, "count", seat, count, dice, wild)
        at_ms += cup_ms if dice else cup_ms // 2
    payer = showdown.gainer if showdown.loser is None else showdown.loser
    yield Cue(at_ms, "verdict", None, count)
    yield Cue(at_ms + VERDICT_MS, "pays", payer, count)
    if showdown.loser is not None:
        yield Cue(at_ms + VERDICT_MS + PAYS_MS, "fall", payer, count)


def _matching(showdown: Showdown, face: int, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the places in a hand of the dice that count, and of the wild ones among them.

    A line does not say whether aces are wild. They are if more dice match than show the face.
    """
    hand = showdown.hands[seat]
    if showdown.matching is None:  # a doubted pass: all dice of the passer
        return (tuple(range(len(hand))) if seat == showdown.doubted else ()), ()
    plain = sum(each.count(face) for each in showdown.hands)
    wild = tuple(at for at, die in enumerate(hand) if die == 1) if showdown.matching > plain else ()
    return tuple(sorted({*wild, *(at for at, die in enumerate(hand) if die == face)})), wild
