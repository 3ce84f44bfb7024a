"""Yardsticks for other opponents.
Each is a `choose`: it returns the seat's action, in turn a legal one, out of turn a call or None; None if it can't act.
The first three are `honest` and its relatives; the others imitate bots and habits found elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import DUDO, Action, Bid, Call
from engine.hands import Hand, count
from engine.opponents.chances import Chances, ReadChances, at_least, likeliest_claim
from engine.rules import FACES

if TYPE_CHECKING:
    from random import Random

    from engine.match import View

THRESHOLD = 0.5
"""Chance of being right above which a yardstick calls."""
BLUFF_RATE = 0.25
BLUFFED_DICE = 2


def honest(view: View, rng: Random) -> Action | None:
    """Doubt bids with less than an even chance, and never bluff."""
    return _any_round(view, rng) or _decide(Chances(view))


def bluffer(view: View, rng: Random) -> Action | None:
    """Play like `honest`, but make some bids as if with two more dice of a random face."""
    if chosen := _any_round(view, rng):
        return chosen
    action = _decide(Chances(view))
    if isinstance(action, tuple) and rng.random() < BLUFF_RATE:
        return likeliest_claim(Chances(view, {rng.choice(FACES): BLUFFED_DICE}))
    return action


def bayes(view: View, rng: Random) -> Action | None:
    """Play like `honest`, but read the standing bid as evidence about its bidder's hand."""
    return _any_round(view, rng) or _decide(ReadChances(view))


def _any_round(view: View, rng: Random) -> Action | None:
    return rng.choice(view.position.choices) if view.legal and view.position.choices else None


def _decide(chances: Chances) -> Action | None:
    """Return the likeliest call above the threshold, else in turn the likeliest claim."""
    calls = {call: chances.is_right(call) for call in chances.calls if chances.gains(call)}
    call = max(calls, key=lambda call: calls[call], default=None)
    if call is not None and calls[call] > THRESHOLD:
        return call
    if not chances.in_turn:
        return None
    return likeliest_claim(chances) or call


# Bots and habits found elsewhere

DOUBT_BELOW, EXACT_ABOVE, SAFE_ABOVE = 0.3, 0.4, 0.6


def threshold(view: View, rng: Random) -> Action | None:
    """Doubt bids below one chance, call exact ones above a second, else make the largest bid above a third."""
    if chosen := _any_round(view, rng):
        return chosen
    chances = Chances(view)
    for call in chances.calls:
        limit = 1 - DOUBT_BELOW if view.position.rules.exact(call) is None else EXACT_ABOVE
        if chances.gains(call) and chances.is_right(call) > limit:
            return call
    if not chances.in_turn:
        return None
    safe = [bid for bid in chances.bids() if chances.holds(bid) >= SAFE_ABOVE]
    return max(safe, default=None) or _likeliest(chances)


def expected(view: View, rng: Random) -> Action | None:
    """Take the action that wins most dice on average, as if every bid were doubted."""
    if chosen := _any_round(view, rng):
        return chosen
    chances = Chances(view)
    worths: dict[Action, float] = {}
    for call in chances.calls:
        right = chances.is_right(call)
        worths[call] = right * chances.gains(call) - (1 - right)
    if chances.in_turn:
        for bid in chances.bids():
            holds = chances.holds(bid)
            worths[bid] = holds - (1 - holds)
    best = max(worths, key=lambda action: worths[action], default=None)
    return best if chances.in_turn or (best is not None and worths[best] > 0) else None


RANDOM_CALL_RATE = 0.2


def one_more(view: View, rng: Random) -> Action | None:
    """Bid one more of the standing face every time, or call at random."""
    if chosen := _any_round(view, rng):
        return chosen
    chances, standing = Chances(view), view.position.standing
    if not chances.in_turn:
        return None
    if chances.calls and rng.random() < RANDOM_CALL_RATE:
        return rng.choice(chances.calls)
    if standing is None:
        return _lowest(chances) or _likeliest(chances)
    more = Bid(standing.quantity + 1, standing.face)
    if more in chances.legal and more.quantity <= view.position.in_play:
        return more
    return DUDO if DUDO in chances.legal else _likeliest(chances)


AGGRESSIVE_RATE, AGGRESSIVE_DOUBT = 0.6, 0.9


def aggressive(view: View, rng: Random) -> Action | None:
    """Raise far, mostly as if with two dice more of a random face, and doubt only what is hardly possible."""
    if chosen := _any_round(view, rng):
        return chosen
    chances = Chances(view, {rng.choice(FACES): BLUFFED_DICE} if rng.random() < AGGRESSIVE_RATE else None)
    if not chances.in_turn:
        return None
    if DUDO in chances.legal and chances.is_right(DUDO) > AGGRESSIVE_DOUBT:
        return DUDO
    bold = [bid for bid in chances.bids() if chances.holds(bid) > THRESHOLD]
    return max(bold, default=None) or _likeliest(chances)


def least_safe(view: View, rng: Random) -> Action | None:
    """Make the lowest bid that probably holds; without one doubt, or call exact if that is likelier to be right."""
    if chosen := _any_round(view, rng):
        return chosen
    chances = Chances(view)
    calls = {call: chances.is_right(call) for call in chances.calls if chances.gains(call)}
    call = max(calls, key=lambda each: calls[each], default=None)
    if not chances.in_turn:
        return call if call is not None and calls[call] > SAFE_ABOVE else None
    safe = [bid for bid in chances.bids() if chances.holds(bid) >= THRESHOLD]
    return min(safe, default=None) or call or _likeliest(chances)


TRUST, DISTRUST = 1, -1


def truthful(view: View, rng: Random) -> Action | None:
    """Bid only what its dice support, and trust a bidder by the hand that it last showed."""
    if chosen := _any_round(view, rng):
        return chosen
    position, bidder = view.position, view.position.bidder
    chances = Chances(view)
    if not chances.in_turn:
        return None
    if position.standing is not None and DUDO in chances.legal and position.passer is None:
        trusted = _shown_trust(view) if bidder is not None else 0
        missing = position.standing.quantity - chances.known(position.standing.face) - trusted
        if at_least(missing, chances.unseen, chances.matching_faces(position.standing.face)) < THRESHOLD:
            return DUDO
    held = [bid for bid in chances.bids() if chances.known(bid.face) and chances.holds(bid) >= THRESHOLD]
    best = max(held, key=lambda bid: (chances.known(bid.face), bid.quantity), default=None)
    return best or (DUDO if DUDO in chances.legal else _likeliest(chances))


def _shown_trust(view: View) -> int:
    """Return the dice that a bidder is trusted with: more if it held its bid's face at the last showdown."""
    shown, bidder = view.position.showdown, view.position.bidder
    if shown is None or shown.doubted != bidder or bidder is None:
        return 0
    wilds = view.position.rules.wilds_in(shown.kind)
    held = shown.hands[bidder].matching(shown.bid.face, wilds=wilds)
    return TRUST if 3 * held >= len(shown.hands[bidder]) else DISTRUST


DEALS = 60


def sixty_deals(view: View, rng: Random) -> Action | None:
    """Draw sixty deals of the hidden dice, and take the action that does best in them.

    The standing bid's bidder gets the better of two hands. The next player doubts what the own dice make unlikely.
    """
    if chosen := _any_round(view, rng):
        return chosen
    chances, position = Chances(view), view.position
    if not chances.legal or (not chances.in_turn and not chances.calls):
        return None
    deals = [[_dealt(view, seat, rng) for seat in position.living] for _ in range(DEALS)]
    worths: dict[Action, float] = {call: _call_worth(chances, call, deals) for call in chances.calls}
    if not chances.in_turn:
        best = max(worths, key=lambda action: worths[action])
        return best if worths[best] > 0 else None
    after = position.living.index(position.after(view.seat))
    for bid in chances.bids():
        worths[bid] = sum(_bid_worth(chances, bid, deal, after) for deal in deals) / DEALS
    return max(worths, key=lambda action: worths[action])


def _dealt(view: View, seat: int, rng: Random) -> Hand:
    known = view.hands[seat]
    if known is not None:
        return known
    position, dice = view.position, view.position.dice[seat]
    hands = [Hand(rng.choices(FACES, k=dice)) for _ in range(2 if seat == position.bidder else 1)]
    face, wilds = position.standing.face if position.standing else 1, position.rules.wilds_in(position.kind)
    return max(hands, key=lambda hand: hand.matching(face, wilds=wilds))


def _call_worth(chances: Chances, call: Call, deals: list[list[Hand]]) -> float:
    standing, exact = chances.position.standing, chances.position.rules.exact(call) is not None
    if standing is None or chances.position.passer is not None:
        right = chances.is_right(call)
    else:
        counts = [count(deal, standing.face, wilds=chances.wilds) for deal in deals]
        right = sum(n == standing.quantity if exact else n < standing.quantity for n in counts) / DEALS
    return right * chances.gains(call) - (1 - right)


def _bid_worth(chances: Chances, bid: Bid, deal: list[Hand], after: int) -> float:
    own = deal[after].matching(bid.face, wilds=chances.wilds)
    unseen = chances.position.in_play - len(deal[after])
    if at_least(bid.quantity - own - 1, unseen, chances.matching_faces(bid.face)) >= THRESHOLD:
        return 0.1  # raised
    return 1.0 if count(deal, bid.face, wilds=chances.wilds) >= bid.quantity else -1.0


def _lowest(chances: Chances) -> Bid | None:
    return min(chances.bids(), default=None)


def _likeliest(chances: Chances) -> Action | None:
    """Return the likeliest claim, else the likeliest call: in turn there is always one."""
    return likeliest_claim(chances) or max(chances.calls, key=chances.is_right, default=None)
