"""What a call costs: the count, the dice won and lost, who is out and which round comes next."""

from collections.abc import Iterable
from itertools import product
from operator import sub
from typing import NamedTuple

from engine import rounding
from engine.actions import DUDO, FACES, Bid, Call
from engine.hands import Hand, count
from engine.position import Position
from engine.rounds import RoundKind
from engine.rules import DICE, ExactCall
from engine.showdown import Showdown


def settle(position: Position, hands: tuple[Hand, ...], caller: int, call: Call) -> Position:
    """The position after a legal call, with its `Showdown`."""
    bid, bidder = standing(position)
    verdict = _verdict(position, hands, caller, call)
    dice, banked = _paid(position, verdict)
    showdown = Showdown(
        number=position.number,
        call=call,
        caller=caller,
        doubted=bidder if position.passer is None or call is not DUDO else position.passer,
        bid=bid,
        kind=position.kind,
        matching=verdict.matching,
        right=verdict.right,
        hands=hands,
        change=tuple(map(sub, dice, position.dice)),
        out=() if verdict.seat is None or dice[verdict.seat] else (verdict.seat,),
    )
    paid = position.but(dice=dice, banked=banked, showdown=showdown)
    return _next_round(paid, showdown, verdict.first, cancelled=verdict.right and verdict.seat is None)


def honest_pass(hand: Iterable[int], *, wild_aces: bool = False) -> bool:
    """Whether a hand justifies a pass: five dice that are a full house, all alike or all different."""
    if not wild_aces:
        return _honest(hand)
    return any(_honest(dice) for dice in product(*(FACES if die == 1 else (die,) for die in hand)))


def _honest(hand: Iterable[int]) -> bool:
    dice = list(hand)
    return len(dice) == DICE and sorted(map(dice.count, set(dice))) in ([5], [2, 3], [1, 1, 1, 1, 1])


class _Verdict(NamedTuple):
    """What a call comes to: `seat` wins or loses `dice` (nobody if None), and `first` opens the next round."""

    matching: int | None  # None for a doubted pass
    right: bool
    seat: int | None
    dice: int
    first: int


def _verdict(position: Position, hands: tuple[Hand, ...], caller: int, call: Call) -> _Verdict:
    if call is DUDO and position.passer is not None:
        return _on_pass(position, hands[position.passer], caller, position.passer)
    bid, bidder = standing(position)
    matching = count(hands, bid.face, wilds=position.rules.wilds_in(position.kind))
    rule = position.rules.exact(call)
    if rule is None:
        loser = bidder if matching < bid.quantity else caller
        return _Verdict(matching, loser == bidder, loser, -1, loser)
    return _on_exact(rule, matching, matching == bid.quantity, caller, bidder)


def _on_pass(position: Position, hand: Hand, caller: int, passer: int) -> _Verdict:
    rule = position.rules.passing
    assert rule is not None
    if not honest_pass(hand, wild_aces=rule.wild_aces and position.rules.wilds_in(position.kind)):
        return _Verdict(None, True, passer, -1, passer)
    loser = caller if rule.called_honest == "caller-loses" else None
    return _Verdict(None, False, loser, -1, caller)


def _on_exact(rule: ExactCall, matching: int, right: bool, caller: int, bidder: int) -> _Verdict:
    outcome = rule.right if right else rule.wrong
    who, _, what = outcome.partition("-")
    seat = {"caller": caller, "bidder": bidder, "nobody": None}[who]
    loser = caller if seat is None or what == "gains" else seat
    opener = rule.opener_if_right if right else rule.opener_if_wrong
    first = {"bidder": bidder, "caller": caller, "loser": loser}[opener]
    return _Verdict(matching, right, seat, 1 if what == "gains" else -1, first)


def standing(position: Position) -> tuple[Bid, int]:
    """The bid that stands and its bidder; only called where one stands."""
    assert position.standing is not None
    assert position.bidder is not None
    return position.standing, position.bidder


def _paid(position: Position, verdict: _Verdict) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Dice and banked lives by seat: never more than five in the cup, and a banked life is lost first."""
    seat = verdict.seat
    if seat is None:
        return position.dice, position.banked
    dice, banked = [*position.dice], [*position.banked]
    if verdict.dice > 0 and dice[seat] == DICE:
        if banked:
            banked[seat] += 1
    elif verdict.dice < 0 and banked and banked[seat]:
        banked[seat] -= 1
    else:
        dice[seat] += verdict.dice
    return tuple(dice), tuple(banked)


def _next_round(position: Position, showdown: Showdown, first: int, *, cancelled: bool) -> Position:
    if position.dice.count(0) == position.seats - 1:
        return rounding.over(position)
    number = position.number + 1
    owner = _earned(position, showdown)
    if owner is not None:
        used = () if position.rules.special_again else (owner,)
        position = position.but(special_used=tuple(sorted({*position.special_used, *used})))
        return rounding.choice_of(position, owner, number=number)
    first = position.from_(first)
    if cancelled and position.rules.special_after_cancel:
        return rounding.new_round(position, first, position.kind, position.owner, number=number)
    return rounding.new_round(position, first, RoundKind.NORMAL, None, number=number)


def _earned(position: Position, showdown: Showdown) -> int | None:
    """Who fell from two dice to one and has a special round now, if anybody."""
    rules, seat = position.rules, showdown.loser
    if seat is None or position.dice[seat] != 1 or not rules.special:
        return None
    if seat in position.special_used and not rules.special_again:
        return None
    return seat if rules.special_with_two or len(position.living) > 2 else None
