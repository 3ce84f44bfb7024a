"""Legal bids, passes and calls during a round's bidding, and the reasons why others are illegal.
A `Bidding` maps situations to legal actions, for all rounds with the same rules, kind and dice count. Its `why_not`
fills the table, so a list and a reason cannot disagree. `engine.legality` asks it about a position.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from engine.actions import DUDO, PASS, Action, Bid, Call, Pass
from engine.errors import DudoError, IllegalActionError, Reason, SeatError
from engine.rules import ACES, DICE, FACES, MayCallExact, RoundKind, Rules

_WORDS: tuple[Action, ...] = (PASS, *Call)
_WORD_TYPES = (Call, Pass, RoundKind)
_NONE = range(0)
_ENDLESS = 10**1001  # quantities have no limit; this exceeds twice the longest that `parse_action` reads

Illegality = tuple[type[DudoError], Reason]
"""The error class for an illegal action, and its reason code."""


@dataclass(frozen=True, slots=True)
class BidRanges:
    """The quantities open to bids on each face: six ranges, aces first.
    One range a face describes every raise in all rule sets, so membership is one comparison.
    """

    by_face: tuple[range, ...]

    def __contains__(self, bid: Bid) -> bool:
        quantity, face = bid
        return face in FACES and quantity in self.by_face[face - 1]

    def up_to(self, quantity: int) -> tuple[Bid, ...]:
        """List the bids up to `quantity` dice, face by face, the fewest dice first."""
        listed = zip(_bids_up_to(quantity), self.by_face, strict=True)
        return sum([bids[open_.start : open_.stop] for bids, open_ in listed], ())


_BIDS = tuple([tuple([Bid(quantity, face) for quantity in range(8 * DICE + 1)]) for face in FACES])
"""All bids at the largest table, by face. Lists are slices of it, since making bids would take most of the time."""


@lru_cache(maxsize=64)
def _bids_up_to(quantity: int) -> tuple[tuple[Bid, ...], ...]:
    """Return for each face its bids of 0 to `quantity` dice."""
    further = range(len(_BIDS[0]), quantity + 1)
    by_face = zip(FACES, _BIDS, strict=True)
    return tuple([(*bids[: quantity + 1], *[Bid(dice, face) for dice in further]) for face, bids in by_face])


@dataclass(frozen=True, slots=True)
class LegalActions:
    """One seat's legal actions: `in` tests one; iteration lists them, with bids up to the dice in play.
    Shipped rule sets put no limit on quantities, so it can contain bids beyond those listed.
    """

    bids: BidRanges | None
    """The seat's legal bids, or None while it may not bid."""
    words: tuple[Action, ...]
    """The choices, or the pass and the calls."""
    listed: tuple[Action, ...]
    """The choices; or bids face by face, then the pass, then the calls."""

    def __contains__(self, action: object) -> bool:
        if isinstance(action, Bid):
            quantity, face = action
            bids = self.bids
            return bids is not None and face in FACES and quantity in bids.by_face[face - 1]
        return action in self.words and isinstance(action, _WORD_TYPES)  # a plain text that equals one is not an action

    def __iter__(self) -> Iterator[Action]:
        return iter(self.listed)

    def __bool__(self) -> bool:
        return bool(self.listed)

    def __repr__(self) -> str:
        return f"<LegalActions: {', '.join(map(str, self)) or 'none'}>"

    def count(self) -> int:
        """Return the number of listed actions."""
        return len(self.listed)


NO_ACTIONS = LegalActions(None, (), ())


def legal_bids(rules: Rules, kind: RoundKind, standing: Bid | None, *, dice: int, in_play: int) -> BidRanges:
    """Return the bids open to a player with `dice` dice, over `standing`, or as the opening if it is None.
    `in_play` is the number of dice on the table: it matters only where the rules cap the quantity.
    """
    uncapped = _uncapped(rules, kind, standing, dice)
    if rules.cap == "dice-in-play":
        return BidRanges(tuple(range(r.start, min(r.stop, in_play + 1)) for r in uncapped.by_face))
    return uncapped


@lru_cache(maxsize=2048)
def _uncapped(rules: Rules, kind: RoundKind, standing: Bid | None, dice: int) -> BidRanges:
    """Return the legal bids without regard to the dice on the table: the same all through a match."""
    return BidRanges(_openings(rules, kind, dice) if standing is None else _over(rules, kind, standing, dice))


class Situation(NamedTuple):
    """The facts behind a seat's legal actions in the bidding.
    The defaults are the usual case: the seat is in turn, without any pass so far.
    """

    standing: Bid | None
    dice: int  # the seat's own, or another number that the rules treat alike
    in_turn: bool = True
    is_bidder: bool = False
    is_passer: bool = False
    pass_stands: bool = False
    has_passed: bool = False


Facts = tuple[Bid | None, int] | tuple[Bid | None, int, bool, bool, bool, bool, bool]
"""A `Situation`'s fields, only two in the usual case: a bare tuple is many times faster to make."""

_LEAST = Bid(1, ACES)


@lru_cache(maxsize=1024)
def bidding_of(rules: Rules, kind: RoundKind, in_play: int, starting_dice: int) -> "Bidding":
    """Return the table for rounds with these rules, this kind and this number of dice in play."""
    return Bidding(rules, kind, in_play, starting_dice)


class Bidding(dict[Facts, LegalActions]):
    """Legal actions by situation, in rounds with the same rules, kind and dice count.
    Entries are added on demand: a press and its menu ask for the same situation repeatedly. To bound the table, a
    situation whose bid exceeds the dice in play is not kept.
    """

    in_turn: tuple["InTurn", ...]
    """The usual case, by the seat's own dice: numbers that the rules treat alike share a table."""
    alike: tuple[int, ...]
    """By the seat's own dice, the least number that the rules treat alike."""

    def __init__(self, rules: Rules, kind: RoundKind, in_play: int, starting_dice: int) -> None:
        super().__init__()
        self._rules = rules
        self._kind = kind
        self._in_play = in_play
        self._starting_dice = starting_dice
        self._words: dict[Facts, tuple[Action, ...]] = {}
        self.alike = tuple([_alike(rules, dice) for dice in range(DICE + 1)])
        tables = {dice: InTurn(self, dice) for dice in self.alike}
        self.in_turn = tuple([tables[dice] for dice in self.alike])

    def __reduce__(self) -> tuple[Callable[..., "Bidding"], tuple[Rules, RoundKind, int, int]]:
        """Pickle and copy the table's parameters, not its contents."""
        return bidding_of, (self._rules, self._kind, self._in_play, self._starting_dice)

    def __missing__(self, facts: Facts) -> LegalActions:
        """Return the legal actions in a new situation."""
        legal = self.legal(facts)
        if self.has_room_for(facts[0]):
            self[facts] = legal
        return legal

    def legal(self, facts: Facts) -> LegalActions:
        """Work out the legal actions in a situation, past the table."""
        situation = Situation(*facts)
        standing = situation.standing
        typical = (standing and _LEAST, *facts[1:])  # calls and passes depend on whether a bid stands, not on which one
        words = self._words.get(typical)
        if words is None:
            words = self._words[typical] = tuple([word for word in _WORDS if not self.why_not(typical, word)])
        if not situation.in_turn or self._is_only_the_pass_open(situation):
            return LegalActions(None, words, words)
        if len(facts) > 2:  # after a pass the bids stay those of the usual case
            usual = self.in_turn[situation.dice][standing]
            return LegalActions(usual.bids, words, usual.listed[: len(usual.listed) - len(usual.words)] + words)
        bids = self._bids(situation)
        return LegalActions(bids, words, bids.up_to(self._in_play) + words)

    def has_room_for(self, standing: Bid | None) -> bool:
        """Return whether situations with this bid are kept."""
        return standing is None or standing.quantity <= self._in_play

    def why_not(self, facts: Facts, action: Action) -> Illegality | None:
        """Return the reason against `action` in a situation, or None if it is legal."""
        situation = Situation(*facts)
        if reason := self._why_not_caller(situation, action):
            return SeatError, reason
        if reason := self._why_not_now(situation, action):
            return IllegalActionError, reason
        return None

    def _bids(self, situation: Situation) -> BidRanges:
        standing, dice = situation.standing, situation.dice
        return legal_bids(self._rules, self._kind, standing, dice=dice, in_play=self._in_play)

    def _is_only_the_pass_open(self, situation: Situation) -> bool:
        """Return whether a pass stands without a legal raise."""
        passing = self._rules.passing
        return situation.pass_stands and passing is not None and not passing.raise_after

    def _why_not_caller(self, situation: Situation, action: Action) -> Reason | None:
        """Return why this seat may not act; some calls are open to every seat except the challenged one."""
        by: MayCallExact = "in-turn"
        own = None
        if action is DUDO:
            by = self._rules.dudo_by
            if situation.pass_stands:
                own = Reason.OWN_PASS if situation.is_passer else None
            elif situation.is_bidder:
                own = Reason.OWN_BID
        elif isinstance(action, Call):
            exact = self._rules.exact(action)
            if exact is None:
                return None
            by = exact.by
            if situation.is_bidder:
                own = Reason.OWN_PASS if situation.is_passer else Reason.OWN_BID
        if own:
            return own
        if situation.in_turn:
            return Reason.IN_TURN if by == "out-of-turn" else None
        return Reason.NOT_IN_TURN if by == "in-turn" else None

    def _why_not_now(self, situation: Situation, action: Action) -> Reason | None:
        match action:
            case Bid():
                return self._why_no_bid(situation, action)
            case Pass():
                return self._why_no_pass(situation)
            case Call():
                return self._why_no_call(situation, action)
        return Reason.NOTHING_TO_CHOOSE

    def _why_no_bid(self, situation: Situation, bid: Bid) -> Reason | None:
        if self._is_only_the_pass_open(situation):
            return Reason.PASS_STANDS
        if bid in (bids := self._bids(situation)):
            return None
        if bid.face not in FACES:
            return Reason.NO_SUCH_FACE
        if bid.quantity < 1:
            return Reason.NO_DICE
        return self._why_no_raise(situation, bid, bids.by_face[bid.face - 1])

    def _why_no_raise(self, situation: Situation, bid: Bid, quantities: range) -> Reason:
        rules, kind, standing = self._rules, self._kind, situation.standing
        if rules.cap == "dice-in-play" and bid.quantity > self._in_play:
            return Reason.OVER_THE_TABLE
        if standing is None:
            return Reason.ACES_OPENING
        if bid.face != standing.face and not _may_change_face(rules, kind, situation.dice):
            return Reason.FIXED_FACE
        if not quantities.start:
            return Reason.LOWER_FACE
        if bid.quantity >= quantities.stop:
            return Reason.TOO_MANY
        if rules.halving_in(kind) and bid.face != standing.face and ACES in (bid.face, standing.face):
            return Reason.HALF if bid.face == ACES else Reason.DOUBLE
        return Reason.TOO_FEW

    def _why_no_pass(self, situation: Situation) -> Reason | None:
        passing = self._rules.passing
        if passing is None:
            return Reason.NOT_IN_THESE_RULES
        if situation.standing is None:
            return Reason.NO_BID_YET
        if situation.pass_stands:
            return Reason.PASS_AFTER_PASS
        if situation.has_passed:
            return Reason.PASS_TWICE
        if not passing.with_fewer_dice and situation.dice < DICE:
            return Reason.PASS_NEEDS_FIVE
        return None

    def _why_no_call(self, situation: Situation, call: Call) -> Reason | None:
        exact = self._rules.exact(call)
        if call is not DUDO and exact is None:
            return Reason.NOT_IN_THESE_RULES
        if situation.standing is None:
            return Reason.NO_BID_YET
        if exact is None:
            return None
        passing = self._rules.passing
        if situation.pass_stands and passing is not None and not passing.calza_after:
            return Reason.PASS_STANDS
        if exact.while_most_dice_left and 2 * self._in_play <= self._starting_dice:
            return Reason.TOO_FEW_DICE_LEFT
        if not exact.in_special and self._kind is not RoundKind.NORMAL:
            return Reason.NOT_IN_SPECIAL
        return None


class InTurn(dict[Bid | None, LegalActions]):
    """By the standing bid, the legal actions of a seat in turn without any pass so far."""

    def __init__(self, bidding: Bidding, dice: int) -> None:
        super().__init__()
        self._bidding = bidding
        self._dice = dice

    def __missing__(self, standing: Bid | None) -> LegalActions:
        """Return the legal actions over a new bid."""
        legal = self._bidding.legal((standing, self._dice))
        if self._bidding.has_room_for(standing):
            self[standing] = legal
        return legal


def _alike(rules: Rules, dice: int) -> int:
    """Return the least number of own dice with the same legal actions as `dice`."""
    if dice == 1 and "one-die" in (rules.face_change, rules.open_on_aces, rules.open_on_aces_in_special):
        return 1
    return DICE if dice == DICE and rules.passing is not None and not rules.passing.with_fewer_dice else 0


# Legal raises


def _may_change_face(rules: Rules, kind: RoundKind, dice: int) -> bool:
    return not kind.fixed_face or (rules.face_change == "one-die" and dice == 1)


def _openings(rules: Rules, kind: RoundKind, dice: int) -> tuple[range, ...]:
    limit = rules.open_on_aces if kind is RoundKind.NORMAL else rules.open_on_aces_in_special
    aces = limit == "always" or (limit == "one-die" and dice == 1)
    return (_at_least(1) if aces else _NONE, *[_at_least(1)] * 5)


def _over(rules: Rules, kind: RoundKind, standing: Bid, dice: int) -> tuple[range, ...]:
    quantity, face = standing
    more = _at_least(quantity + 1)
    if not _may_change_face(rules, kind, dice):
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


def _at_least(quantity: int) -> range:
    return _AT_LEAST[quantity] if quantity < len(_AT_LEAST) else range(quantity, _ENDLESS)


def _exactly(quantity: int) -> range:
    return range(quantity, quantity + 1)


_AT_LEAST = tuple([range(quantity, _ENDLESS) for quantity in range(3 * 8 * DICE)])
"""Made once: Python counts a range's elements when it makes one, and these numbers are long."""
