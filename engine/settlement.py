"""Settles a call: the count, the dice won and lost, the seats now out, and the next round."""

from collections.abc import Iterable
from itertools import product
from operator import sub

from engine import rounds
from engine.actions import DUDO, Call
from engine.hands import Hand, count
from engine.position import CHOOSING, OVER, ROLLING, Player, Position, Round, Showdown
from engine.rules import DICE, FACES, ExactCall, RoundKind


def settle(position: Position, hands: tuple[Hand, ...], caller: Player, call: Call) -> Position:
    """Return the position after a legal call, with its `Showdown`."""
    ended, bid, bidder, passer = position.round, position.standing, position.bidder, position.passer
    assert bid is not None
    assert bidder is not None
    doubted, matching, exact = bidder, None, ended.rules.exact(call)
    if call is DUDO and passer is not None:
        doubted = passer
        right, outcome = _on_pass(ended, hands[passer], caller, passer)
    else:
        matching = count(hands, bid.face, wilds=ended.rules.wilds_in(ended.kind))
        if exact is None:
            right = matching < bid.quantity
            loser = bidder if right else caller
            outcome = loser, -1, loser
        else:
            right = matching == bid.quantity
            outcome = _on_exact(exact, right, caller, bidder)
    seat, change, _ = outcome
    dice, banked = _apply_dice_change(ended, seat, change)
    showdown = Showdown(
        ended.number,
        call,
        caller,
        doubted,
        bid,
        kind=ended.kind,
        matching=matching,
        right=right,
        hands=hands,
        change=tuple(map(sub, dice, ended.dice)),
        out=() if seat is None or dice[seat] else (seat,),
    )
    return _next_position(ended, showdown, outcome, dice, banked)


def honest_pass(hand: Iterable[int], *, wild_aces: bool = False) -> bool:
    """Return whether a hand justifies a pass: five dice that are a full house, all alike or all different."""
    if not wild_aces:
        return _honest(hand)
    return any(_honest(dice) for dice in product(*(FACES if die == 1 else (die,) for die in hand)))


def _honest(hand: Iterable[int]) -> bool:
    dice = list(hand)
    return len(dice) == DICE and sorted(map(dice.count, set(dice))) in ([5], [2, 3], [1, 1, 1, 1, 1])


_Outcome = tuple[Player | None, int, Player]
"""The seat that wins or loses dice, or None; how many; and the next round's opener."""


def _on_pass(ended: Round, hand: Hand, caller: Player, passer: Player) -> tuple[bool, _Outcome]:
    """Return whether doubting a pass was right, and its outcome."""
    rule = ended.rules.passing
    assert rule is not None
    if not honest_pass(hand, wild_aces=rule.wild_aces and ended.rules.wilds_in(ended.kind)):
        return True, (passer, -1, passer)
    return False, (caller if rule.called_honest == "caller-loses" else None, -1, caller)


def _on_exact(rule: ExactCall, right: bool, caller: Player, bidder: Player) -> _Outcome:
    seat, dice = _exact_outcome(rule.right if right else rule.wrong, caller, bidder)
    loser = caller if seat is None or dice > 0 else seat
    opener = rule.opener_if_right if right else rule.opener_if_wrong
    return seat, dice, bidder if opener == "bidder" else caller if opener == "caller" else loser


def _exact_outcome(outcome: str, caller: Player, bidder: Player) -> tuple[Player | None, int]:
    """Return the seat winning or losing dice, if any, and the number."""
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


def _apply_dice_change(ended: Round, seat: Player | None, change: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return dice and banked lives by seat: a cup holds the starting dice at most, and a banked life is lost first."""
    dice, banked = ended.dice, ended.banked
    if seat is None:
        return dice, banked
    if change > 0 and dice[seat] == ended.rules.starting_dice:
        return dice, _added(banked, seat, 1) if banked else banked
    if change < 0 and banked and banked[seat]:
        return dice, _added(banked, seat, -1)
    return _added(dice, seat, change), banked


def _added(by_seat: tuple[int, ...], seat: Player, change: int) -> tuple[int, ...]:
    return (*by_seat[:seat], by_seat[seat] + change, *by_seat[seat + 1 :])


def _next_position(
    ended: Round, showdown: Showdown, outcome: _Outcome, dice: tuple[int, ...], banked: tuple[int, ...]
) -> Position:
    rules, number, special_used = ended.rules, ended.number + 1, ended.special_used
    seat, _, opener = outcome
    first: Player | None = opener if dice[opener] else ended.after(opener)
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
    elif rules.special_after_cancel and showdown.right and seat is None:
        kind, owner = ended.kind, ended.owner
    coming = Round(
        rules,
        ended.order,
        dice,
        ended.starting_dice,
        first,
        number=number,
        kind=kind,
        owner=owner,
        special_used=special_used,
        banked=banked,
        rolls=ended.rolls,
        showdown=showdown,
    )
    return rounds.to_roll(coming) if phase is ROLLING else Position(coming, phase)


def _special_round_owner(ended: Round, showdown: Showdown, dice: tuple[int, ...]) -> Player | None:
    """Return the seat that fell from two dice to one and now has a special round, if any."""
    rules, seat = ended.rules, showdown.loser
    if seat is None or dice[seat] != 1 or not rules.special:
        return None
    if seat in ended.special_used and not rules.special_again:
        return None
    return seat if rules.special_with_two or len(dice) - dice.count(0) > 2 else None
