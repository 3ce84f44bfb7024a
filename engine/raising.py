"""Which bids may follow which: for every face one range of quantities.

That is all a raise is in all five rule sets, so membership is one comparison and a list of legal bids is read off.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain

from engine.actions import ACES, FACES, Bid
from engine.rounds import RoundKind
from engine.rules import Rules

_NONE = range(0)
_ENDLESS = 10**1001  # quantities have no limit; this is beyond twice the longest that `parse_action` reads


def _at_least(quantity: int) -> range:
    return range(quantity, _ENDLESS)


def _exactly(quantity: int) -> range:
    return range(quantity, quantity + 1)


@dataclass(frozen=True, slots=True)
class Raises:
    """The quantities that may be bid on each face: six ranges, that of the aces first."""

    by_face: tuple[range, ...]

    def __contains__(self, bid: object) -> bool:
        if not isinstance(bid, Bid):
            return False
        quantity, face = bid
        return face in FACES and quantity in self.by_face[face - 1]

    def up_to(self, quantity: int) -> tuple[Bid, ...]:
        """The bids of at most `quantity` dice, face by face, the fewest dice first."""
        listed = zip(_bids(quantity), self.by_face, strict=True)
        return tuple(chain.from_iterable([bids[open_.start : open_.stop] for bids, open_ in listed]))


@cache
def _bids(most: int) -> tuple[tuple[Bid, ...], ...]:
    """For each face its bids of 0 to `most` dice."""
    return tuple(tuple(Bid(quantity, face) for quantity in range(most + 1)) for face in FACES)


def raises(rules: Rules, kind: RoundKind, standing: Bid | None, *, dice: int, in_play: int) -> Raises:
    """The bids open to a player who holds `dice` dice, over `standing` or, if it is None, as the opening.

    `in_play` is the number of dice on the table: it matters only where the rules cap the quantity.
    """
    return _raises(rules, kind, standing, min(dice, 2), in_play if rules.cap == "dice-in-play" else None)


@lru_cache(maxsize=4096)
def _raises(rules: Rules, kind: RoundKind, standing: Bid | None, dice: int, cap: int | None) -> Raises:
    """The same for everybody with two dice or more, which is as far as any rule looks."""
    ranges = _openings(rules, kind, dice) if standing is None else _over(rules, kind, standing, dice)
    if cap is not None:
        ranges = tuple(range(r.start, min(r.stop, cap + 1)) for r in ranges)
    return Raises(ranges)


def may_change_face(rules: Rules, kind: RoundKind, dice: int) -> bool:
    """Whether a player who holds `dice` dice may raise to another face."""
    return not kind.fixed_face or (rules.face_change == "one-die" and dice == 1)


def _openings(rules: Rules, kind: RoundKind, dice: int) -> tuple[range, ...]:
    limit = rules.open_on_aces if kind is RoundKind.NORMAL else rules.open_on_aces_in_special
    aces = limit == "always" or (limit == "one-die" and dice == 1)
    return (_at_least(1) if aces else _NONE, *[_at_least(1)] * 5)


def _over(rules: Rules, kind: RoundKind, standing: Bid, dice: int) -> tuple[range, ...]:
    quantity, face = standing
    more = _at_least(quantity + 1)
    if not may_change_face(rules, kind, dice):
        return tuple(more if face == standing.face else _NONE for face in FACES)
    lower = more if rules.lower_face == "more" else _NONE
    by_face = [lower] * (face - 1) + [more] + [_higher(rules, quantity)] * (6 - face)
    if rules.halving_in(kind):
        if face == ACES:
            by_face[1:] = [_doubled(rules, quantity)] * 5
        else:
            by_face[0] = _halved(rules, quantity)
    return tuple(by_face)


def _higher(rules: Rules, quantity: int) -> range:
    match rules.higher_face:
        case "same":
            return _exactly(quantity)
        case "same-or-more":
            return _at_least(quantity)
        case "any":
            return _at_least(1)


def _halved(rules: Rules, quantity: int) -> range:
    half = (quantity + 1) // 2
    return _exactly(half) if rules.to_aces == "half" else _at_least(half)


def _doubled(rules: Rules, quantity: int) -> range:
    double = 2 * quantity + 1
    return _exactly(double) if rules.from_aces == "double" else _at_least(double)
