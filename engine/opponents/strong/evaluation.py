"""The worth of each plausible action for one seat: `Evaluator`.
A bid is weighed by the chance that the next player doubts it, over every number of matching dice they may hold and
given how they read the bids, including this one. Together with facts of the round this is the input of a `network`,
which has learned the worth by self-play.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp
from typing import TYPE_CHECKING

from engine.actions import CALZA, DUDO, PASS, Action, Bid, Call
from engine.bidding import legal_bids
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

    doubt_at: float = 0.47  # the next player doubts a bid with a lower chance
    doubt_spread: float = 0.10  # width of that threshold
    listens: float = 0.5  # chance that the next player reads the bids
    minds_raises: float = 0.4  # chance that the next player doubts for lack of a probable raise
    noise: float = 0.03  # standard deviation of every worth's noise, in own dice: it makes choices harder to read
    margin: float = 0.05  # advantage over waiting that a call out of turn needs
    calza_at: float = 0.6  # chance of an exact bid, by the beliefs and by the odds alone, from which calza is called
    cancelled: float = -0.06  # worth of a round without a loser: a match must end
    impatience: float = 0.1  # reduction for each such round, after the first two for each seat
    passed_on: float = 0.12  # worth of a safe bid when raised
    false_pass: float = 0.65  # chance that a pass with five dice is a bluff
    doubted_pass: float = 0.6  # chance that such a pass is doubted


TUNING = Tuning()
READERS = ((False, 0.3, 0.03), (False, 0.5, 0.04), (True, 0.5, 0.06))
"""Other next players, from whom a network may tell who is at the table: whether they read the bids, the chance below
which they doubt, and its width.
"""


class Evaluator:
    """Each plausible action's worth for one seat, in own dice: losing one is about -1."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.position = position = view.position
        self.legal = view.legal
        self.me = view.seat
        self.beliefs = beliefs = Beliefs(view)
        self.hidden = frozenset(seat for seat in position.living if view.hands[seat] is None)
        self._win = _lives(position)
        own = self._chance_after(None, 0)
        self._scale = max(1e-6, own - self._chance_after(self.me, -1))
        self._now = own
        after = position.after(self.me)
        self.next = after
        sees = beliefs.seen_by[after]
        both = [view.hands[seat] for seat in sees if view.hands[seat] is not None]
        self._both = both
        self._theirs = frozenset(seat for seat in sees if view.hands[seat] is None)  # known to them, not to us
        self._rest = self.hidden - self._theirs  # unknown to both
        self._unseen_by_next = frozenset(position.living) - sees
        self._networks = networks_for(position.rules, len(position.living))
        self._cancelled = _cancelled(position)
        self._anyone = position.rules.dudo_by == "anyone"
        self._needs: dict[tuple[int, int], int] = {}

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
        gain = self.change(position.after(self.me), -1)
        rest = self._raised()
        if position.dice[self.me] < DICE:
            return -0.9 + 0.1 * rest
        honest = self._honest(self.me)
        doubted = TUNING.doubted_pass
        return doubted * (honest * gain - (1 - honest)) + (1 - doubted) * rest

    def _plausible_bids(self) -> Iterator[Bid]:
        """Yield for each face the bids from the lowest legal quantity to two over the expected number."""
        bids, beliefs = self.legal.bids, self.beliefs
        assert bids is not None
        unseen = self.position.in_play - sum(map(len, self.view.visible))
        share = 3 if beliefs.wilds else 6
        for face, quantities in zip(FACES, bids.by_face, strict=True):
            if not quantities:
                continue
            expected = beliefs.known(face) + unseen // share
            start = quantities.start
            most = min(quantities.stop, max(start + 1, expected + 3))
            for quantity in (*range(start, min(most, start + 2)), *range(max(start + 2, most - 4), most)):
                yield Bid(quantity, face)

    def _doubt(self) -> float:
        networks, position = self._networks, self.position
        if networks is None or position.passer is not None or self.me != position.turn:
            return self._call(DUDO)
        return networks.doubt.worth(self.doubt_inputs())

    def doubt_inputs(self) -> tuple[float, ...]:
        """Return a network's inputs for a doubt in turn."""
        bid = self.position.standing
        assert bid is not None
        deaf = self.beliefs.unread_tails(self.hidden, bid.face)
        return at_least(deaf, bid.quantity - self.beliefs.known(bid.face)), *self._round_inputs

    @cached_property
    def _round_inputs(self) -> tuple[float, ...]:
        """The inputs that all actions share: the standing bid, how the bids rose, and the dice."""
        position, beliefs = self.position, self.beliefs
        bid, jumps = position.standing, beliefs.jumps
        onlooker, holds, doubt = 0.0, 1.0, -1.0
        if bid is not None:
            onlooker = self._onlooker(bid)
            if position.passer is None:
                holds, _ = self.chances_of_standing()
                doubt = self._call(DUDO)
        return (
            doubt,
            holds,
            onlooker,
            float(bid is None),
            jumps[-1] / MAX_JUMP if jumps else 0.0,
            sum(jumps) / len(jumps) / MAX_JUMP if jumps else 0.0,
            beliefs.stays / len(jumps) if jumps else 0.0,
            min(len(jumps), 6) / 6,
            float(beliefs.wilds),
            float(self.view.own is None),
            position.dice[self.me] / DICE,
            position.dice[self.next] / DICE,
            position.in_play / 20,
            len(position.living) / 8,
            self.change(self.next, -1),
            self._mean_gain(),
            self._raised(),
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
        position, beliefs, tuning = self.position, self.beliefs, TUNING
        known_both = sum([hand.matching(face, wilds=beliefs.wilds) for hand in self._both if hand is not None])
        known = beliefs.known(face)
        theirs = beliefs.tails(self._theirs, face)
        rest = beliefs.tails(self._rest, face)
        guess = beliefs.tails(self._unseen_by_next, face, bid)
        deaf = beliefs.unread_tails(self._unseen_by_next, face)
        gain = self.change(self.next, -1)
        others = len(position.living) - 2
        raised = self._raised()
        worth = doubted = held = bad = further = 0.0
        by_reader = [0.0] * (2 * len(READERS))
        dice = position.dice[self.next]
        ranges = legal_bids(position.rules, position.kind, bid, dice=dice, in_play=position.in_play).by_face
        enough, elsewhere = self._next_raises(face, ranges)
        for count in range(len(theirs) - 1):
            chance = theirs[count] - theirs[count + 1]
            if chance < 1e-4:
                continue
            holds = at_least(rest, quantity - known - count)
            missing = quantity - known_both - count
            in_their_eyes = at_least(deaf, missing), at_least(guess, missing)
            doubts = (1 - tuning.listens) * _doubts(in_their_eyes[0]) + tuning.listens * _doubts(in_their_eyes[1])
            doubts += tuning.minds_raises * (elsewhere * (count < enough) - doubts)
            if self._anyone and others:
                doubts = 1 - (1 - doubts) ** (1 + 0.5 * min(others, 3))
            worth += chance * (doubts * (holds * gain - (1 - holds)) + (1 - doubts) * raised)
            doubted += chance * doubts
            held += chance * holds
            bad += chance * doubts * (1 - holds)
            further += chance * at_least(rest, quantity + 1 - known - count)
            for place, (listens, doubt_at, spread) in enumerate(READERS):
                doubts = chance * _doubts(in_their_eyes[listens], doubt_at, spread)
                by_reader[2 * place] += doubts
                by_reader[2 * place + 1] += doubts * (1 - holds)
        standing, own = position.standing, self.view.own
        matching = own.matching(face, wilds=beliefs.wilds) if own else 0
        return (
            *(worth, held, doubted, bad, further, *by_reader),
            float(standing is not None and standing.face == face),
            float(face == ACES),
            matching / len(own) if own else 0.0,
            matching / DICE,
            at_least(beliefs.unread_tails(self.hidden, face), quantity - known),
            self._onlooker(bid),
            *self._round_inputs,
        )

    def _next_raises(self, face: int, ranges: tuple[range, ...]) -> tuple[int, float]:
        """Return the matching dice that the next player needs for a raise on a face that holds, more likely than not
        and by their dice alone, and the chance that they have no such raise on the other faces.
        """
        elsewhere, enough = 1.0, 99
        for other, quantities in zip(FACES, ranges, strict=True):
            if not quantities:
                continue
            needed = self._needed(other, quantities.start)
            if other == face:
                enough = needed
            else:
                elsewhere *= 1 - at_least(self.beliefs.tails(self._theirs, other), needed)
        return enough, elsewhere

    def _needed(self, face: int, quantity: int) -> int:
        """Return the matching dice, visible to the next player alone, with which a bid probably holds in their eyes."""
        if (face, quantity) not in self._needs:
            deaf = self.beliefs.unread_tails(self._unseen_by_next, face)
            seen = sum([hand.matching(face, wilds=self.beliefs.wilds) for hand in self._both if hand is not None])
            missing = quantity - seen
            least = max(0, missing - len(deaf))
            self._needs[face, quantity] = next(
                needed for needed in range(least, max(0, missing) + 1) if at_least(deaf, missing - needed) >= 0.5
            )
        return self._needs[face, quantity]

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


def _doubts(holds: float, doubt_at: float = TUNING.doubt_at, spread: float = TUNING.doubt_spread) -> float:
    """Return the chance of a player's doubt for a bid with this chance in their eyes."""
    return 1 / (1 + exp(max(-50.0, min(50.0, (holds - doubt_at) / spread))))
