"""How a call is settled: the count, the dice won and lost, the seats that are out, and the round that comes next."""

from collections.abc import Iterable
from itertools import product
from operator import sub
from typing import NamedTuple

from engine import rounds
from engine.actions import DUDO, Bid, Call
from engine.hands import Hand, count
from engine.position import CHOOSING, OVER, ROLLING, Position, Round, Showdown
from engine.rules import DICE, FACES, ExactCall, RoundKind


def settle(position: Position, hands: tuple[Hand, ...], caller: int, call: Call) -> Position:
    """Return the position after a legal call, with its `Showdown`."""
    ended = position.round
    bid, bidder = standing(position)
    verdict = _verdict(position, hands, caller, call)
    dice, banked = _apply_dice_change(ended, verdict)
    showdown = Showdown(
        number=ended.number,
        call=call,
        caller=caller,
        doubted=bidder if position.passer is None or call is not DUDO else position.passer,
        bid=bid,
        kind=ended.kind,
        matching=verdict.matching,
        right=verdict.right,
        hands=hands,
        change=tuple(map(sub, dice, ended.dice)),
        out=() if verdict.seat is None or dice[verdict.seat] else (verdict.seat,),
    )
    return _next_position(ended, verdict, showdown, dice, banked)


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
    seat, dice = _exact_outcome(rule.right if right else rule.wrong, caller, bidder)
    loser = caller if seat is None or dice > 0 else seat
    opener = rule.opener_if_right if right else rule.opener_if_wrong
    first = bidder if opener == "bidder" else caller if opener == "caller" else loser
    return _Verdict(matching, right, seat, dice, first)


def _exact_outcome(outcome: str, caller: int, bidder: int) -> tuple[int | None, int]:
    """Return the seat that wins or loses dice, if any, and how many."""
    match outcome:
        case "caller-gains":
            return caller, 1
        case "caller-loses":
            return caller, -1
        case "bidder-gains":
            return bidder, 1
        case "bidder-loses":
            return bidder, -1
    return None, -1  # "nobody-loses"


def standing(position: Position) -> tuple[Bid, int]:
    """Return the bid that stands and its bidder; only called where a bid stands."""
    assert position.standing is not None
    assert position.bidder is not None
    return position.standing, position.bidder


def _apply_dice_change(ended: Round, verdict: _Verdict) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return dice and banked lives by seat: a cup holds five dice at most, and a banked life is lost first."""
    seat = verdict.seat
    if seat is None:
        return ended.dice, ended.banked
    dice, banked = [*ended.dice], [*ended.banked]
    if verdict.dice > 0 and dice[seat] == DICE:
        if banked:
            banked[seat] += 1
    elif verdict.dice < 0 and banked and banked[seat]:
        banked[seat] -= 1
    else:
        dice[seat] += verdict.dice
    return tuple(dice), tuple(banked)


def _next_position(
    ended: Round, verdict: _Verdict, showdown: Showdown, dice: tuple[int, ...], banked: tuple[int, ...]
) -> Position:
    rules, number, special_used = ended.rules, ended.number + 1, ended.special_used
    first: int | None = verdict.first if dice[verdict.first] else ended.after(verdict.first)
    phase, kind, owner = ROLLING, RoundKind.NORMAL, _special_round_owner(ended, showdown, dice)
    if dice.count(0) == len(dice) - 1:
        phase, number, first, owner = OVER, ended.number, None, None
    elif owner is not None:
        first = owner
        if not rules.special_again:
            special_used = tuple(sorted({*special_used, owner}))
        if len(rules.choices) == 1:
            kind = rules.choices[0]
        else:
            phase = CHOOSING
    elif rules.special_after_cancel and verdict.right and verdict.seat is None:
        kind, owner = ended.kind, ended.owner
    coming = Round(
        rules=rules,
        order=ended.order,
        dice=dice,
        starting_dice=ended.starting_dice,
        first=first,
        number=number,
        kind=kind,
        owner=owner,
        special_used=special_used,
        banked=banked,
        rolls=ended.rolls,
        showdown=showdown,
    )
    return rounds.to_roll(coming) if phase is ROLLING else Position(coming, phase)


def _special_round_owner(ended: Round, showdown: Showdown, dice: tuple[int, ...]) -> int | None:
    """Return the seat that fell from two dice to one and has a special round now, if any."""
    rules, seat = ended.rules, showdown.loser
    if seat is None or dice[seat] != 1 or not rules.special:
        return None
    if seat in ended.special_used and not rules.special_again:
        return None
    return seat if rules.special_with_two or len(dice) - dice.count(0) > 2 else None
