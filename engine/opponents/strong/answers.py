"""The next player's answer to a coming bid: how likely a doubt is, and how it ends.
The next player doubts a bid that their own dice, and perhaps the bids so far, make too unlikely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.bidding import legal_bids
from engine.opponents.strong.beliefs import Beliefs, at_least
from engine.opponents.strong.reading import sigmoid
from engine.rules import FACES

if TYPE_CHECKING:
    from engine.actions import Bid
    from engine.match import View
    from engine.position import Player

LISTENS = 0.5  # chance that the next player reads the bids
MINDS_RAISES = 0.4  # chance that the next player doubts for lack of a probable raise


class Reader(NamedTuple):
    """A kind of next player: one who reads the bids or not, and doubts below a chance, give or take a spread."""

    listens: bool
    doubt_at: float
    spread: float

    def doubts(self, deaf: float, guess: float) -> float:
        """Return the chance of a doubt, from the bid's chance without (`deaf`) and with (`guess`) the bids so far."""
        holds = guess if self.listens else deaf
        return sigmoid((self.doubt_at - holds) / self.spread)


USUAL = Reader(False, 0.47, 0.10), Reader(True, 0.47, 0.10)
PARTICULAR = Reader(False, 0.3, 0.03), Reader(False, 0.5, 0.04), Reader(True, 0.5, 0.06)
"""Three kinds of player for a network to tell apart."""


class Answer(NamedTuple):
    """The next player's answer to a bid. Chances and worths are for the bidder, worths in own dice."""

    worth: float
    holds: float
    doubted: float
    caught: float
    """The chance that it is doubted and does not hold."""
    one_more: float
    """The chance that one die more would hold."""
    by_reader: tuple[float, ...]
    """The same two chances, doubted and caught, for each particular reader."""


class NextPlayer:
    """The next player after a seat, as far as this seat knows."""

    def __init__(self, view: View, beliefs: Beliefs, gain: float, raised: float) -> None:
        """Take the worth of a die lost by the next player as `gain`, and of a bid raised by them as `raised`."""
        self.position = position = view.position
        self.beliefs = beliefs
        self.seat: Player = position.after(view.seat)
        self._gain, self._raised = gain, raised
        hidden = frozenset(seat for seat in position.living if view.hands[seat] is None)
        sees = beliefs.seen_by[self.seat]
        self._both = [hand for seat in sees if (hand := view.hands[seat]) is not None]
        self._theirs = frozenset(seat for seat in sees if view.hands[seat] is None)  # known to them, not to us
        self._rest = hidden - self._theirs  # unknown to both
        self._unseen = frozenset(position.living) - sees
        self._anyone = position.rules.dudo_by == "anyone"
        self._needs: dict[tuple[int, int], int] = {}

    def answer(self, bid: Bid) -> Answer:
        """Return the answer to a coming bid, over every number of matching dice that the next player may hold."""
        quantity, face = bid
        position, beliefs = self.position, self.beliefs
        known_both, known = self._known_to_both(face), beliefs.known(face)
        theirs = beliefs.tails(self._theirs, face)
        rest = beliefs.tails(self._rest, face)
        guess = beliefs.tails(self._unseen, face, bid)
        deaf = beliefs.unread_tails(self._unseen, face)
        others = len(position.living) - 2
        dice = position.dice[self.seat]
        ranges = legal_bids(position.rules, position.kind, bid, dice=dice, in_play=position.in_play).by_face
        enough, elsewhere = self._raises(face, ranges)
        worth = doubted = held = caught = one_more = 0.0
        by_reader = [0.0] * (2 * len(PARTICULAR))
        for count in range(len(theirs) - 1):
            chance = theirs[count] - theirs[count + 1]
            if chance < 1e-4:
                continue
            holds = at_least(rest, quantity - known - count)
            missing = quantity - known_both - count
            in_their_eyes = at_least(deaf, missing), at_least(guess, missing)
            by_dice, by_bids = [reader.doubts(*in_their_eyes) for reader in USUAL]
            doubts = LISTENS * by_bids + (1 - LISTENS) * by_dice
            doubts += MINDS_RAISES * (elsewhere * (count < enough) - doubts)
            if self._anyone and others:
                doubts = 1 - (1 - doubts) ** (1 + 0.5 * min(others, 3))
            worth += chance * (doubts * (holds * self._gain - (1 - holds)) + (1 - doubts) * self._raised)
            doubted += chance * doubts
            held += chance * holds
            caught += chance * doubts * (1 - holds)
            one_more += chance * at_least(rest, quantity + 1 - known - count)
            for place, reader in enumerate(PARTICULAR):
                doubts = chance * reader.doubts(*in_their_eyes)
                by_reader[2 * place] += doubts
                by_reader[2 * place + 1] += doubts * (1 - holds)
        return Answer(worth, held, doubted, caught, one_more, tuple(by_reader))

    def _known_to_both(self, face: int) -> int:
        return sum([hand.matching(face, wilds=self.beliefs.wilds) for hand in self._both])

    def _raises(self, face: int, ranges: tuple[range, ...]) -> tuple[int, float]:
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
            deaf = self.beliefs.unread_tails(self._unseen, face)
            missing = quantity - self._known_to_both(face)
            least = max(0, missing - len(deaf))
            self._needs[face, quantity] = next(
                needed for needed in range(least, max(0, missing) + 1) if at_least(deaf, missing - needed) >= 0.5
            )
        return self._needs[face, quantity]
