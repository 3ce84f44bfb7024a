"""The lesson at one display: a round of a made-up match, played with the own cup and buttons by the table's rules.

Pure. `parts.lessons` has the lessons in progress; the display draws each step as in a match. The dice are constants, so
a lesson has no secret and takes no entropy.
"""

from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto

from msgspec import Struct

from engine import ACES, DUDO, Bid, Hand, Match, Phase, Player, Position, Rules
from firmware_host.table.seat.key_input import Confirm, Key, Peek, Step
from firmware_host.table.seat.menu import Menu, ladder

LESSON_TIMEOUT_NS = 60_000_000_000
"""Time without a press after which a lesson ends: its player has gone."""

_HANDS = ((1, 3, 3, 5, 6), (2, 3, 4, 4, 6), (1, 2, 5, 5, 6))
"""The made-up dice, the learner's first; a rule set with fewer dice has the first of each."""
LEARNER = Player(0)
_BIDDER = Player(2)
_NO_CHOICE = Menu()
_RAISED, _HIGH, _DOUBTED = 3, 6, 4
"""The faces of the three bids before the learner's actions."""


class LessonStep(StrEnum):
    """A lesson's steps."""

    SHAKE = "shake"
    LOOK = "look"
    BID = "bid"  # its meaning
    RAISE = "raise"
    WILD = "wild"  # whether aces are
    HALF = "half"  # only where aces are wild
    DOUBT = "doubt"
    COST = "cost"
    END = "end"


class LessonEnd(Enum):
    """A lesson's end."""

    LEFT = auto()
    JOINS = auto()


class LessonView(Struct, frozen=True):
    """Picture of a lesson: its step, and the parts of the seat that its sentences name."""

    step: LessonStep
    position: Position  # of the made-up match
    number: int  # of the step, from 1
    steps: int
    is_looking: bool = False
    has_cup: bool = True
    has_dudo_button: bool = True
    may_join: bool = True  # no match is being played


_BIDDING = (LessonStep.RAISE, LessonStep.HALF, LessonStep.DOUBT)
"""The steps in which the arrows choose a bid."""


@dataclass(frozen=True)
class Lesson:
    """One seat's lesson at a step. `menu` has the learner's choices there."""

    rules: Rules
    has_dudo_button: bool = True
    step: LessonStep = LessonStep.SHAKE
    menu: Menu = _NO_CHOICE
    is_looking: bool = False

    @property
    def steps(self) -> tuple[LessonStep, ...]:
        """The steps under these rules."""
        return tuple(step for step in LessonStep if step is not LessonStep.HALF or self.rules.wild_aces)

    @property
    def match(self) -> Match:
        """The made-up match at this step."""
        dealt = _dealt(self.rules)
        total = dealt.position.in_play
        match self.step:
            case LessonStep.SHAKE | LessonStep.LOOK:
                return dealt
            case LessonStep.HALF:
                return dealt.play(_BIDDER, Bid(max(2, total // 5 * 2), _HIGH))
            case LessonStep.DOUBT:
                return dealt.play(_BIDDER, _too_high(dealt))
            case LessonStep.COST | LessonStep.END:
                return dealt.play(_BIDDER, _too_high(dealt)).play(LEARNER, DUDO)
        return dealt.play(_BIDDER, Bid((total + 1) // 4, _RAISED))

    def view(self, *, has_cup: bool, may_join: bool) -> LessonView:
        """Return the lesson's picture."""
        number, steps = self.steps.index(self.step) + 1, len(self.steps)
        looks = self.is_looking, has_cup, self.has_dudo_button, may_join
        return LessonView(self.step, self.match.position, number, steps, *looks)

    def take(self, key: Key) -> "Lesson | LessonEnd":
        """Return the lesson after a key: OK goes on at every step, and a held ◀ leaves."""
        match key:
            case Step(-1, held=True):
                return LessonEnd.LEFT
            case Step(by, held) if self.step in _BIDDING:
                return replace(self, menu=self.menu.step_dice(by) if held else self.menu.step(by))
            case Peek(is_open):
                return self._peek(is_open)
            case Confirm(dudo=True) if self.step is not LessonStep.DOUBT:
                return self
            case Confirm():
                return self.next()
        return self

    def shaken(self) -> "Lesson":
        """Return the lesson after the cup was shaken and put down."""
        return self._at(LessonStep.LOOK) if self.step is LessonStep.SHAKE else self

    def next(self) -> "Lesson | LessonEnd":
        """Return the lesson at its next step."""
        if self.step is LessonStep.END:
            return LessonEnd.JOINS
        return self._at(self.steps[self.steps.index(self.step) + 1])

    def _peek(self, is_open: bool) -> "Lesson":
        if self.step is LessonStep.SHAKE:
            return self
        if not is_open and self.is_looking and self.step is LessonStep.LOOK:
            return self._at(LessonStep.BID)
        return replace(self, is_looking=is_open)

    def _at(self, step: LessonStep) -> "Lesson":
        moved = replace(self, step=step, menu=_NO_CHOICE, is_looking=False)
        if step not in _BIDDING:
            return moved
        bids = ladder(moved.match.position, LEARNER)
        if step is LessonStep.HALF:
            return replace(moved, menu=Menu((*bids,), next(at for at, bid in enumerate(bids) if bid.face == ACES)))
        if step is LessonStep.DOUBT and not self.has_dudo_button:
            return replace(moved, menu=Menu((DUDO, *bids), min(1, len(bids))))
        plain = next((at for at, bid in enumerate(bids) if bid.face != ACES), 0)  # aces are not explained yet
        return replace(moved, menu=Menu((*bids,), plain if step is LessonStep.RAISE else 0))


def _dealt(rules: Rules) -> Match:
    """Return a match of three whose first round is opened by the learner's right-hand neighbour."""
    match = Match.start(rules, len(_HANDS), _BIDDER)
    while match.position.phase is Phase.SEATING:
        match = match.roll({player: (6 if player == _BIDDER else 6 - player - 1,) for player in match.position.rolling})
    return match.roll({player: _hand(rules, player) for player in match.position.rolling})


def made_up_hand(rules: Rules) -> Hand:
    """Return the learner's dice."""
    return _hand(rules, LEARNER)


def _hand(rules: Rules, player: Player) -> Hand:
    return Hand(_HANDS[player][: rules.starting_dice])


def _too_high(dealt: Match) -> Bid:
    """Return a bid with more dice than there are."""
    position = dealt.position
    wilds = {ACES} if position.rules.wilds_in(position.kind) else set()
    hands = [_hand(position.rules, Player(player)) for player in range(position.seats)]
    there = sum(face in {_DOUBTED, *wilds} for hand in hands for face in hand)
    return Bid(min(there + max(1, position.in_play // 5), position.in_play), _DOUBTED)
