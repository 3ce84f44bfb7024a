"""Reads a position's line. It is taken as it stands: whether play can lead to it is not asked, as with a FEN."""

from engine.actions import Call
from engine.hands import Hand
from engine.notation.dice import parse_hand
from engine.notation.rules import parse_rules
from engine.notation.words import NOTHING, Words
from engine.phase import Phase
from engine.position import Position
from engine.rounds import RoundKind
from engine.showdown import Showdown


def parse_position(text: str) -> Position:
    """The position whose `str` is `text`. Raises `NotationError`, which says what was expected where."""
    words = Words(text)
    rules = parse_rules(words.take("a rule set"))
    phase = words.one_of(Phase)
    number, kind = _round(words)
    owner = words.seat_after("of")
    words.need("dice")
    dice = words.dice_in_order()
    words.check_seat(owner)
    words.need("of")
    position = Position(
        rules=rules,
        phase=phase,
        number=number,
        kind=kind,
        owner=owner,
        order=tuple(dice),
        dice=tuple(count for _, count in sorted(dice.items())),
        starting_dice=words.number("the dice at the start"),
        first=words.seat_after("first"),
        turn=words.seat_after("turn"),
        standing=words.bid() if words.has("bid") else None,
        bidder=words.seat_after("by"),
        passer=_passer(words),
        passed=words.seats_after("passed"),
        special_used=words.seats_after("used"),
        banked=words.numbers_by_seat("lives kept aside") if words.has("banked") else (),
        rolls=_rolls(words) if words.has("rolls") else (),
        rolling=words.seats_after("rolling"),
        showdown=_showdown(words) if words.has("after") else None,
    )
    words.end()
    return position


def _round(words: Words) -> tuple[int, RoundKind]:
    words.need("round")
    return words.number("the number of the round"), words.one_of(RoundKind)


def _passer(words: Words) -> int | None:
    if not words.has("pass"):
        return None
    words.need("by")
    return words.seat()


def _rolls(words: Words) -> tuple[tuple[int, ...], ...]:
    """The rolls of each seat in the order in which they fell, as many as ties have asked for."""
    expected = "rolls for the order of play such as 5/36/32"
    entries = words.by_seat(expected)
    if any(entry != NOTHING and (not entry or set(entry) - set("123456")) for entry in entries):
        words.fail(expected)
    return tuple(() if entry == NOTHING else tuple(map(int, entry)) for entry in entries)


def _showdown(words: Words) -> Showdown:
    number, kind = _round(words)
    words.need("bid")
    bid = words.bid()
    call = words.one_of(Call)
    words.need("by")
    caller = words.seat()
    words.need("of")
    doubted = words.seat()
    right = words.one_of(("right", "wrong")) == "right"
    matching = words.number("the dice that counted") if words.has("matching") else None
    words.need("hands")
    hands = _hands(words)
    words.need("change")
    return Showdown(
        number=number,
        call=call,
        caller=caller,
        doubted=doubted,
        bid=bid,
        kind=kind,
        matching=matching,
        right=right,
        hands=hands,
        change=words.numbers_by_seat("dice won and lost", least=-5),
        out=words.seats_after("out"),
    )


def _hands(words: Words) -> tuple[Hand, ...]:
    return tuple(map(parse_hand, words.by_seat("hands such as 13356/-/22")))
