"""Beliefs about the dice a seat may not see, from the round's bids: closed forms, no sampling.
A player who sees only the own dice bids by these: `reading` has every hand's chance. In an open round a bid on a face
makes that face likelier under every cup visible to its bidder. The hands are independent, so the number of dice
matching a face is a convolution. `strong` asks for these numbers from its own view and from another player's.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from math import comb, exp
from typing import TYPE_CHECKING

from engine.actions import Bid
from engine.bidding import legal_bids
from engine.match import visible_seats
from engine.opponents.strong import reading
from engine.opponents.strong.reading import Choice
from engine.rules import ACES, FACES

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.match import View
    from engine.opponents.strong.reading import Counts, Shares
    from engine.position import Player, Position

BID_EVIDENCE = 1.2  # log-likelihood gain for a face, a die, from a bid on a usual quantity with two players
EVIDENCE_POWER = 0.75  # decay with more players: then a bid says less about each die
MAX_EVIDENCE = 1.5  # from all bids by one seat on one face
MIN_BID_WEIGHT, MAX_BID_WEIGHT = 0.3, 1.4  # for bids on few and on many dice
MAX_JUMP = 3  # dice beyond the lowest bid on a face: larger jumps count alike
BLUFF_SHARE = 0.2  # share of hands with meaningless bids

Tails = tuple[float, ...]
"""Chances that at least 0, 1, … dice match; the last is zero."""

_Tilts = tuple[float, float, float, float, float, float]
_NO_TILT: _Tilts = (0.0,) * 6


class Beliefs:
    """The public evidence about each hand from a round's bids, and one seat's view of the rest."""

    def __init__(self, view: View) -> None:
        position = view.position
        self.position: Position = position
        self.wilds = position.rules.wilds_in(position.kind)
        self.hands = view.hands
        self.me = view.seat
        self.seen_by = {seat: frozenset(visible_seats(position, seat)) for seat in position.living}
        self._strength = BID_EVIDENCE * (2 / max(2, len(position.living))) ** EVIDENCE_POWER
        self._base = {face: (2 if self.wilds and face != ACES else 1) / 6 for face in FACES}
        self._tilts: dict[Player, _Tilts] = {}
        self._shares: dict[Player, list[Shares]] = {}
        self._own_by_face: dict[int, Callable[[int], Counts]] = {}
        self._counted: dict[tuple[Player, int], Counts] = {}
        self._tails: dict[tuple[frozenset[Player], int], Tails] = {}
        self.jumps: list[int] = []
        self.stays = 0
        history = view.history
        if not history and position.standing is not None and position.bidder is not None:
            history = ((position.bidder, position.standing),)  # resumed: only the standing bid is known
        standing = None
        for seat, action in history:
            if isinstance(action, Bid):
                self.jumps.append(self._jump(seat, action, standing))
                self.stays += standing is not None and standing.face == action.face
                if seat not in self.seen_by:
                    pass
                elif self.seen_by[seat] == {seat}:
                    self._shares[seat] = self._read(seat, action, standing)
                else:
                    self._tilts[seat] = self._tilted(seat, action)
                standing = action

    def _read(self, seat: Player, bid: Bid, standing: Bid | None) -> list[Shares]:
        """Return the shares of a seat's hands after one more bid."""
        return self._choice(seat, standing).read(self._before(seat, standing), bid)

    def _choice(self, seat: Player, standing: Bid | None) -> Choice:
        position, dice = self.position, self.position.dice[seat]
        bids = legal_bids(position.rules, position.kind, standing, dice=dice, in_play=position.in_play)
        return Choice(bids.by_face, dice, position.in_play - dice, self.wilds)

    def _jump(self, seat: Player, bid: Bid, standing: Bid | None) -> int:
        """Return the dice of a bid beyond the lowest one on its face, or beyond the expected number if it opens."""
        if standing is None:
            least = max(1, int(self.position.in_play * self._base[bid.face]))
        else:
            least = self._choice(seat, standing).ranges[bid.face - 1].start
        return max(-MAX_JUMP, min(MAX_JUMP, bid.quantity - least))

    def _before(self, seat: Player, standing: Bid | None) -> list[Shares]:
        """Return the shares of a seat's hands if it does not doubt the standing bid."""
        dice = self.position.dice[seat]
        shares = self._shares.get(seat) or [reading.unread(dice)] * reading.TYPES
        if standing is None:
            return shares
        raising = reading.likelihood_of_raising(*standing, dice, self.position.in_play - dice, self.wilds)
        return [*(reading.times(each, raising) for each in shares[: reading.LOWEST]), *shares[reading.LOWEST :]]

    @cached_property
    def _own_choice(self) -> tuple[Choice, list[Shares]]:
        standing = self.position.standing
        return self._choice(self.me, standing), self._before(self.me, standing)

    def _own_counts(self, bid: Bid) -> Counts:
        """Return the others' chances for the number of our dice matching a bid, after we made it."""
        if bid.face not in self._own_by_face:
            choice, shares = self._own_choice
            self._own_by_face[bid.face] = choice.counts_by_bid(shares, bid.face)
        return self._own_by_face[bid.face](bid.quantity)

    def _tilted(self, seat: Player, bid: Bid) -> _Tilts:
        """Return the evidence from a seat's bids after one more, in a round where it sees others' dice."""
        quantity, face = bid
        usual = max(1.0, self.position.in_play * self._base[face])
        weight = self._strength * max(MIN_BID_WEIGHT, min(MAX_BID_WEIGHT, quantity / usual))
        tilts = list(self._tilts.get(seat, _NO_TILT))
        tilts[face - 1] = min(MAX_EVIDENCE, round(tilts[face - 1] * 0.6 + weight, 1))
        return tuple(tilts)  # type: ignore[return-value]

    def types(self) -> list[float]:
        """Return the mean chance of each type of player, over all who bid by their own dice alone."""
        weights = [[sum(each) for each in shares] for shares in self._shares.values()]
        bidders = [reading.in_all(each) for each in weights] or [(1 / reading.TYPES,) * reading.TYPES]
        return [sum(chances) / len(bidders) for chances in zip(*bidders, strict=True)]

    def known(self, face: int) -> int:
        """Count the visible dice matching a face."""
        return sum(hand.matching(face, wilds=self.wilds) for hand in self.hands if hand is not None)

    def base(self, face: int) -> float:
        """Return a die's chance to match a face before any bid."""
        return self._base[face]

    def counts(self, seat: Player, face: int, extra: Bid | None = None) -> Counts:
        """Return the chances that 0, 1, … of a seat's dice match a face, given the bids; `extra` is one more by us."""
        if extra is not None and self._is_silent(seat):
            extra = None
        if extra is None and (known := self._counted.get((seat, face))):
            return known
        if extra is not None and seat == self.me and self.seen_by[seat] == {seat}:
            return self._own_counts(extra)
        dice = self.position.dice[seat]
        shares = self._shares.get(seat)
        if shares is not None:
            by_sharpness = [reading.counts(each, dice, face, self.wilds) for each in shares]
            found = reading.in_all([*map(sum, zip(*by_sharpness, strict=True))])
        else:
            found = _mixed(dice, self._chance(seat, face, extra), self._base[face])
        if extra is None:
            self._counted[seat, face] = found
        return found

    def _is_silent(self, seat: Player) -> bool:
        """Return whether our bids say nothing about a seat."""
        return seat not in self.seen_by[self.me]

    def _chance(self, seat: Player, face: int, extra: Bid | None) -> float:
        """Return the chance for a die at `seat` to match a face, given the bids by players who see it."""
        tilts = [tilt for bidder, tilt in self._tilts.items() if seat in self.seen_by[bidder]]
        if extra is not None:
            tilts.append(self._tilted(self.me, extra))
        if not tilts:
            return self._base[face]
        total = tuple([min(MAX_EVIDENCE, sum(each)) for each in zip(*tilts, strict=True)])
        return _chances(total)[1 if self.wilds else 0][face - 1]

    def tails(self, seats: frozenset[Player], face: int, extra: Bid | None = None) -> Tails:
        """Return the chances of at least 0, 1, … matching dice under these `seats`' cups."""
        if extra is not None and all(map(self._is_silent, seats)):
            extra = None
        if extra is None and (known := self._tails.get((seats, face))):
            return known
        ours = [seat for seat in seats if extra is not None and not self._is_silent(seat)]
        if ours:
            chances: Counts = _chances_of(self.tails(seats.difference(ours), face))
            for seat in ours:
                chances = _sum_of(chances, self.counts(seat, face, extra))
            return _tails_of(chances)
        unread, chances = 0, (1.0,)
        for seat in seats:
            if seat in self._shares or self._tilts:
                chances = _sum_of(chances, self.counts(seat, face))
            else:
                unread += self.position.dice[seat]
        if unread:
            chances = _sum_of(chances, _mixed(unread, self._base[face], self._base[face]))
        self._tails[seats, face] = tails = _tails_of(chances)
        return tails

    def unread_tails(self, seats: frozenset[Player], face: int) -> Tails:
        """Return the same chances from the dice alone, for a player who ignores the bids."""
        return _unread_tails(sum([self.position.dice[seat] for seat in seats]), self._base[face])


@lru_cache(maxsize=4096)
def _chances(tilts: _Tilts) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return for each face a die's chance to match it, without and with wild aces."""
    weights = [exp(tilt) for tilt in tilts]
    total = sum(weights)
    plain = tuple([round(weight / total, 2) for weight in weights])
    # A bid on a face counts its aces as well.
    ace = max(weights[0], max(weights[1:]))
    total = ace + sum(weights[1:])
    wild = tuple([round((ace + (weight if face else 0)) / total, 2) for face, weight in enumerate(weights)])
    return plain, wild


def _sum_of(first: Counts, second: Counts) -> Counts:
    """Return the distribution for the sum of two independent counts."""
    if len(first) < len(second):
        first, second = second, first
    both = [0.0] * (len(first) + len(second) - 1)
    for more, other in enumerate(second):
        for place, chance in enumerate(first, more):
            both[place] += chance * other
    return tuple(both)


def _tails_of(chances: Counts) -> Tails:
    return tuple([*accumulate(reversed(chances), initial=0.0)][::-1])


def _chances_of(tails: Tails) -> Counts:
    return tuple([tail - after for tail, after in pairwise(tails)])


@lru_cache(maxsize=1024)
def _unread_tails(dice: int, base: float) -> Tails:
    return _tails_of(_mixed(dice, base, base))


@lru_cache(maxsize=4096)
def _mixed(dice: int, chance: float, base: float) -> Counts:
    share = BLUFF_SHARE if chance != base else 0.0
    return tuple(
        [
            (1 - share) * comb(dice, number) * chance**number * (1 - chance) ** (dice - number)
            + share * comb(dice, number) * base**number * (1 - base) ** (dice - number)
            for number in range(dice + 1)
        ]
    )


def at_least(tails: Tails, number: int) -> float:
    """Return the chance of at least `number` matching dice."""
    return 1.0 if number <= 0 else tails[number] if number < len(tails) else 0.0


def exactly(tails: Tails, number: int) -> float:
    """Return the chance of exactly `number` matching dice."""
    return at_least(tails, number) - at_least(tails, number + 1) if number >= 0 else 0.0
