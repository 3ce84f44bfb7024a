"""Settles a call: the count, the dice won and lost, the seats now out, and the next round."""

from collections.abc import Iterable
from itertools import product

from engine import rounds
from engine.actions import DUDO, Call
from engine.hands import Hand, count
from engine.position import CHOOSING, OVER, ROLLING, Player, Position, Round, Showdown
from engine.rules import DICE, FACES, ExactCall, RoundKind

_NORMAL = RoundKind.NORMAL  # looked up once: an enum does that in Python


def settle(position: Position, hands: tuple[Hand, ...], caller: Player, call: Call) -> Position:
    """Return the position after a legal call, with its `Showdown`."""
    ended, bid, bidder, passer = position.round, position.standing, position.bidder, position.passer
    assert bid is not None
    assert bidder is not None
    doubted, matching, exact = bidder, None, None if call is DUDO else ended.rules.exact(call)
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
    seat, change, opener = outcome
    dice, banked = _apply_dice_change(ended, seat, change)
    no_change = (0,) * len(dice)
    changed = no_change if seat is None or dice is ended.dice else _added(no_change, seat, change)
    out = () if seat is None or dice[seat] else (seat,)
    showdown = Showdown(ended.number, call, caller, doubted, bid, ended.kind, matching, right, hands, changed, out)
    return _next_position(ended, showdown, seat, opener, dice, banked)


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
    counts = list(by_seat)
    counts[seat] += change
    return tuple(counts)


def _next_position(
    ended: Round,
    showdown: Showdown,
    seat: Player | None,
    opener: Player,
    dice: tuple[int, ...],
    banked: tuple[int, ...],
) -> Position:
    rules, number, special_used = ended.rules, ended.number + 1, ended.special_used
    first: Player | None = opener if dice[opener] else ended.after(opener)
    phase, kind, owner = ROLLING, _NORMAL, None
    if showdown.out and dice.count(0) == len(dice) - 1:
        phase, number, first = OVER, ended.number, None
    elif seat is not None and _earns_special_round(ended, seat, dice):
        first = owner = seat
        if not rules.special_again:
            special_used = tuple(sorted({*special_used, seat}))
        if len(rules.choices) == 1:
            kind = rules.choices[0]
        else:
            phase = CHOOSING
    elif rules.special_after_cancel and showdown.right and seat is None:
        kind, owner = ended.kind, ended.owner
    coming = ended.changed(number, dice, first, kind, owner, special_used, banked, showdown)
    return Position(coming, phase) if phase is not ROLLING else rounds.to_roll(coming)


def _earns_special_round(ended: Round, seat: Player, dice: tuple[int, ...]) -> bool:
    """Return whether `seat` fell from two dice to one and now has a special round."""
    rules = ended.rules
    if dice[seat] != 1 or ended.dice[seat] != 2 or not rules.special:
        return False
    if seat in ended.special_used and not rules.special_again:
        return False
    return rules.special_with_two or len(dice) - dice.count(0) > 2
