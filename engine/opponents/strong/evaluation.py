"""The worth of each plausible action for one seat: `Evaluator`.
A call is weighed by the `beliefs`, a bid by the next player's `answers`. Together with facts of the round these are the
inputs of a `network`, which has learned the worth of bids and doubts by self-play.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from engine.actions import CALZA, DUDO, PASS, Action, Bid, Call
from engine.opponents.strong.answers import NextPlayer
from engine.opponents.strong.beliefs import MAX_JUMP, Beliefs, at_least, exactly
from engine.opponents.strong.network import networks_for
from engine.opponents.strong.values import win_chance
from engine.position import Player
from engine.rules import ACES, DICE, FACES
from engine.settlement import honest_pass

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.match import View
    from engine.position import Position
    from engine.rules import ExactCall


@dataclass(slots=True)
class Tuning:
    """Parameters tuned in play against the other opponents."""

    noise: float = 0.03  # standard deviation of every worth's noise, in own dice: it makes choices harder to read
    margin: float = 0.05  # advantage over waiting that a call out of turn needs
    calza_at: float = 0.6  # chance of an exact bid, by the beliefs and by the odds alone, from which calza is called
    cancelled: float = -0.06  # worth of a round without a loser: a match must end
    impatience: float = 0.1  # reduction for each such round, after the first two for each seat
    passed_on: float = 0.12  # worth of a safe bid when raised
    false_pass: float = 0.65  # chance that a pass with five dice is a bluff
    doubted_pass: float = 0.6  # chance that such a pass is doubted


TUNING = Tuning()
SURE = 0.02
"""A doubt goes by the beliefs alone if the bid holds, or fails, with a lower chance than this."""


class RoundInputs(NamedTuple):
    """The inputs of a network that all actions share: the standing bid, how the bids rose, and the dice."""

    doubt: float
    """The worth of a doubt in closed form."""
    holds: float
    onlooker: float
    """The chance that the standing bid holds for somebody who sees no die."""
    opens: bool
    last_jump: float
    mean_jump: float
    stays: float
    """The share of raises on the standing face."""
    bids: float
    strict: float
    """The mean chance that a bidder is a strict player."""
    lowest: float
    """The mean chance that a bidder makes the lowest probable bid."""
    wilds: bool
    blind: bool
    own_dice: float
    next_dice: float
    in_play: float
    living: float
    gain: float
    """The worth of a die that the next player loses."""
    mean_gain: float
    raised: float


class Evaluator:
    """Each plausible action's worth for one seat, in own dice: losing one is about -1."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.position = position = view.position
        self.legal = view.legal
        self.me = view.seat
        self.beliefs = Beliefs(view)
        self.hidden = frozenset(seat for seat in position.living if view.hands[seat] is None)
        self._win = _lives(position)
        own = self._chance_after(None, 0)
        self._scale = max(1e-6, own - self._chance_after(self.me, -1))
        self._now = own
        self._networks = networks_for(position.rules, len(position.living))
        self._cancelled = _cancelled(position)
        self._gain = self.change(position.after(self.me), -1)

    # Worths of dice

    def _chance_after(self, seat: Player | None, change: int) -> float:
        lives = list(self._win)
        if seat is not None:
            limit = self.position.rules.starting_dice
            if change > 0 and not self.position.banked and lives[seat] >= limit:
                change = 0
            lives[seat] += change
        own = lives[self.me]
        return win_chance(own, tuple(sorted(n for s, n in enumerate(lives) if n and s != self.me)))

    def change(self, seat: Player | None, change: int) -> float:
        """Return the worth if `seat` wins or loses a die."""
        if seat is None:
            return self._cancelled
        return (self._chance_after(seat, change) - self._now) / self._scale

    def worth_of(self, changes: Sequence[int]) -> float:
        """Return the worth of a round's dice changes, given by seat."""
        if not any(changes):
            return self._cancelled
        return sum([self.change(Player(seat), change) for seat, change in enumerate(changes) if change])

    # Actions

    def worths(self) -> Iterator[tuple[Action, float]]:
        """Yield the legal calls, the pass and plausible bids with their worths: in turn always at least one."""
        for call in Call:
            if call in self.legal.words and (call is not CALZA or self._is_calza_likely()):
                yield call, self._doubt() if call is DUDO else self._call(call)
        if PASS in self.legal.words:
            yield PASS, self._pass()
        if self.legal.bids:
            for bid in self._plausible_bids():
                yield bid, self._bid(bid)

    def waiting(self) -> float:
        """Return the worth of leaving the turn to its player."""
        others = [seat for seat in self.position.living if seat != self.me]
        worths = [self.change(seat, -1) for seat in others]
        return (sum(worths) - 1) / (len(worths) + 1)

    def chances_of_standing(self) -> tuple[float, float]:
        """Return the standing bid's chances to hold and to be exact."""
        bid = self.position.standing
        assert bid is not None
        missing = bid.quantity - self.beliefs.known(bid.face)
        tails = self.beliefs.tails(self.hidden, bid.face)
        return at_least(tails, missing), exactly(tails, missing)

    def chance_of(self, action: Action) -> float:
        """Return the chance that a bid holds, a call is right or an own pass is honest, by the beliefs."""
        position = self.position
        if isinstance(action, Bid):
            missing = action.quantity - self.beliefs.known(action.face)
            return at_least(self.beliefs.tails(self.hidden, action.face), missing)
        if action is PASS:
            return self._honest(self.me)
        assert isinstance(action, Call)
        if action is DUDO and position.passer is not None:
            return 1 - self._honest(position.passer)
        holds, exact = self.chances_of_standing()
        return 1 - holds if position.rules.exact(action) is None else exact

    def _is_calza_likely(self) -> bool:
        """Return whether the standing bid is likely exact, even if the bids so far say nothing: players mislead."""
        bid = self.position.standing
        assert bid is not None
        by_odds = exactly(self.beliefs.unread_tails(self.hidden, bid.face), bid.quantity - self.beliefs.known(bid.face))
        return min(by_odds, self.chances_of_standing()[1]) >= TUNING.calza_at

    def _call(self, call: Call) -> float:
        position = self.position
        bidder, passer = position.bidder, position.passer
        assert bidder is not None
        if call is DUDO and passer is not None:
            honest = self._honest(passer)
            rule = position.rules.passing
            lost = -1.0 if rule is None or rule.called_honest == "caller-loses" else self._cancelled
            return (1 - honest) * self.change(passer, -1) + honest * lost
        holds, exact = self.chances_of_standing()
        exact_rule = position.rules.exact(call)
        if exact_rule is None:
            return (1 - holds) * self.change(bidder, -1) - holds
        return exact * self._exact(exact_rule, exact_rule.right) + (1 - exact) * self._exact(
            exact_rule, exact_rule.wrong
        )

    def _exact(self, rule: ExactCall, outcome: str) -> float:
        bidder = self.position.bidder
        match outcome:
            case "caller-gains":
                return self.change(self.me, 1) + self._cancelled
            case "bidder-loses":
                return self.change(bidder, -1)
            case "bidder-gains":
                return self.change(bidder, 1) + self._cancelled
            case "nobody-loses":
                return self._cancelled
        return -1.0

    def _honest(self, seat: Player) -> float:
        position, hand = self.position, self.view.hands[seat]
        if position.dice[seat] < DICE:
            return 0.0
        if hand is None:
            return 1 - TUNING.false_pass
        rule = position.rules.passing
        return float(honest_pass(hand, wild_aces=rule is not None and rule.wild_aces and self.beliefs.wilds))

    def _pass(self) -> float:
        position = self.position
        rest = self._raised()
        if position.dice[self.me] < DICE:
            return -0.9 + 0.1 * rest
        honest = self._honest(self.me)
        doubted = TUNING.doubted_pass
        return doubted * (honest * self._gain - (1 - honest)) + (1 - doubted) * rest

    def _plausible_bids(self) -> Iterator[Bid]:
        """Yield for each face the bids from the lowest legal quantity to two over the expected number, not beyond the
        dice in play.
        """
        bids, beliefs, in_play = self.legal.bids, self.beliefs, self.position.in_play
        assert bids is not None
        unseen = in_play - sum(map(len, self.view.visible))
        share = 3 if beliefs.wilds else 6
        for face, quantities in zip(FACES, bids.by_face, strict=True):
            if not quantities:
                continue
            expected = beliefs.known(face) + unseen // share
            start = quantities.start
            most = min(quantities.stop, in_play + 1, max(start + 1, expected + 3))
            for quantity in (*range(start, min(most, start + 2)), *range(max(start + 2, most - 4), most)):
                yield Bid(quantity, face)

    def _doubt(self) -> float:
        networks, position = self._networks, self.position
        if networks is None or position.passer is not None or self.me != position.turn:
            return self._call(DUDO)
        holds, _ = self.chances_of_standing()
        return networks.doubt.worth(self.doubt_inputs()) if SURE < holds < 1 - SURE else self._call(DUDO)

    def doubt_inputs(self) -> tuple[float, ...]:
        """Return a network's inputs for a doubt in turn."""
        bid = self.position.standing
        assert bid is not None
        deaf = self.beliefs.unread_tails(self.hidden, bid.face)
        return at_least(deaf, bid.quantity - self.beliefs.known(bid.face)), *self._round_inputs

    @cached_property
    def _round_inputs(self) -> RoundInputs:
        position, beliefs = self.position, self.beliefs
        bid, jumps = position.standing, beliefs.jumps
        onlooker, holds, doubt = 0.0, 1.0, -1.0
        _, strict, lowest = beliefs.types()
        if bid is not None:
            onlooker = self._onlooker(bid)
            if position.passer is None:
                holds, _ = self.chances_of_standing()
                doubt = self._call(DUDO)
        return RoundInputs(
            doubt=doubt,
            holds=holds,
            onlooker=onlooker,
            opens=bid is None,
            last_jump=jumps[-1] / MAX_JUMP if jumps else 0.0,
            mean_jump=sum(jumps) / len(jumps) / MAX_JUMP if jumps else 0.0,
            stays=beliefs.stays / len(jumps) if jumps else 0.0,
            bids=min(len(jumps), 6) / 6,
            strict=strict,
            lowest=lowest,
            wilds=beliefs.wilds,
            blind=self.view.own is None,
            own_dice=position.dice[self.me] / DICE,
            next_dice=position.dice[position.after(self.me)] / DICE,
            in_play=position.in_play / 20,
            living=len(position.living) / 8,
            gain=self._gain,
            mean_gain=self._mean_gain(),
            raised=self._raised(),
        )

    def _onlooker(self, bid: Bid) -> float:
        """Return the chance of a bid to hold for somebody who sees no die."""
        return at_least(self.beliefs.unread_tails(frozenset(self.position.living), bid.face), bid.quantity)

    def plausible(self) -> Iterator[Action]:
        """Yield the legal calls and the plausible bids."""
        yield from (word for word in self.legal.words if isinstance(word, Call))
        if self.legal.bids:
            yield from self._plausible_bids()

    def _bid(self, bid: Bid) -> float:
        inputs = self.bid_inputs(bid)
        return inputs[0] if self._networks is None else self._networks.bid.worth(inputs)

    def bid_inputs(self, bid: Bid) -> tuple[float, ...]:
        """Return a network's inputs for a bid; the first is its worth in closed form."""
        quantity, face = bid
        standing, own, beliefs = self.position.standing, self.view.own, self.beliefs
        *answer, by_reader = self._next.answer(bid)
        matching = own.matching(face, wilds=beliefs.wilds) if own else 0
        return (
            *(*answer, *by_reader),
            standing is not None and standing.face == face,
            face == ACES,
            matching / len(own) if own else 0.0,
            matching / DICE,
            at_least(beliefs.unread_tails(self.hidden, face), quantity - beliefs.known(face)),
            self._onlooker(bid),
            *self._round_inputs,
        )

    @cached_property
    def _next(self) -> NextPlayer:
        return NextPlayer(self.view, self.beliefs, self._gain, self._raised())

    def _raised(self) -> float:
        """Return a bid's worth if the next player raises instead of doubting."""
        others = len(self.position.living) - 1
        gains = self._mean_gain()
        # The next doubter loses or wins about evenly; with more players it is seldom us.
        return TUNING.passed_on * (1 if others == 1 else 0.5) + gains * (1 - 1 / others)

    def _mean_gain(self) -> float:
        others = [seat for seat in self.position.living if seat != self.me]
        return (
            sum([self.change(seat, -1) for seat in others]) / len(others) - 1 / (len(others) + 1)
            if len(others) > 1
            else 0.0
        )


def _lives(position: Position) -> tuple[int, ...]:
    if position.banked:
        return tuple([dice + kept for dice, kept in zip(position.dice, position.banked, strict=True)])
    return position.dice


def _cancelled(position: Position) -> float:
    """Return the worth of a round without a loser: it keeps falling, so a match with free calls ends too."""
    lost = position.seats * position.starting_dice - sum(_lives(position))
    cancelled = position.number - 1 - max(0, lost)
    return TUNING.cancelled - TUNING.impatience * max(0, cancelled - 2 * position.seats)
