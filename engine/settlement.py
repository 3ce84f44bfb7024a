"""How a call is settled: the count, the dice won and lost, the seats that are out, and the round that comes next."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from operator import sub
from typing import NamedTuple

from engine import rounds
from engine.actions import DUDO, FACES, Bid, Call
from engine.hands import Hand, count
from engine.position import Position, Showdown
from engine.rules import DICE, ExactCall, RoundKind


def settle(position: Position, hands: tuple[Hand, ...], caller: int, call: Call) -> Position:
    """Return the position after a legal call, with its `Showdown`."""
    bid, bidder = standing(position)
    verdict = _verdict(position, hands, caller, call)
    dice, banked = _apply_dice_change(position, verdict)
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
    paid = replace(position, dice=dice, banked=banked, showdown=showdown)
    return _next_round(paid, showdown, verdict.first, cancelled=verdict.right and verdict.seat is None)


def honest_pass(hand: Iterable[int], *, wild_aces: bool = False) -> bool:
    """Return whether a hand justifies a pass: five dice that are a full house, all alike or all different."""
    if not wild_aces:
        return _honest(hand)
    return any(_honest(dice) for dice in product(*(FACES if die == 1 else (die,) for die in hand)))


def _honest(hand: Iterable[int]) -> bool:
    dice = list(hand)
    return len(dice) == DICE and sorted(map(dice.count, set(dice))) in ([5], [2, 3], [1, 1, 1, 1, 1])


class _Verdict(NamedTuple):
    """The outcome of a call: `seat` wins or loses `dice` (no seat if None), and `first` opens the next round."""

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
    role, _, effect = outcome.partition("-")
    seat = {"caller": caller, "bidder": bidder, "nobody": None}[role]
    loser = caller if seat is None or effect == "gains" else seat
    opener = rule.opener_if_right if right else rule.opener_if_wrong
    first = {"bidder": bidder, "caller": caller, "loser": loser}[opener]
    return _Verdict(matching, right, seat, 1 if effect == "gains" else -1, first)


def standing(position: Position) -> tuple[Bid, int]:
    """Return the bid that stands and its bidder; only called where a bid stands."""
    assert position.standing is not None
    assert position.bidder is not None
    return position.standing, position.bidder


def _apply_dice_change(position: Position, verdict: _Verdict) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return dice and banked lives by seat: a cup holds five dice at most, and a banked life is lost first."""
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
        return rounds.over(position)
    number = position.number + 1
    owner = _special_round_owner(position, showdown)
    if owner is not None:
        used = () if position.rules.special_again else (owner,)
        position = replace(position, special_used=tuple(sorted({*position.special_used, *used})))
        return rounds.choice_of(position, owner, number=number)
    first = position.living_from(first)
    if cancelled and position.rules.special_after_cancel:
        return rounds.new_round(position, first, position.kind, position.owner, number=number)
    return rounds.new_round(position, first, RoundKind.NORMAL, None, number=number)


def _special_round_owner(position: Position, showdown: Showdown) -> int | None:
    """Return the seat that fell from two dice to one and has a special round now, if any."""
    rules, seat = position.rules, showdown.loser
    if seat is None or position.dice[seat] != 1 or not rules.special:
        return None
    if seat in position.special_used and not rules.special_again:
        return None
    return seat if rules.special_with_two or len(position.living) > 2 else None
