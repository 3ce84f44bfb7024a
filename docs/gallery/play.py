"""Bidding states: a look under the cup, the own turn, others' turns."""

from collections.abc import Iterator
from dataclasses import replace

from docs.gallery.before import SPECIAL, special
from docs.gallery.matches import HANDS, at, dealt, said
from docs.gallery.stage import Exhibit, Stage
from drivers.messages import Button
from engine import (
    CALZA,
    DUDO,
    FACES,
    KILL,
    KILL_SPOT,
    OBLIGING,
    PALO_FIJO,
    PASS,
    PERUDO,
    PYRUDO,
    SPOT,
    Match,
    RoundKind,
)
from engine.rules import ExactCall

_GENEROUS = (
    replace(PERUDO, name="the bidder loses or gains", calza=ExactCall(right="bidder-loses", wrong="bidder-gains")),
    replace(PERUDO, name="the bidder may gain", calza=ExactCall(right="nobody-loses", wrong="bidder-gains")),
)
"""Rule sets with exact calls that none of the shipped ones has."""
NOBODY = "Moche"  # sits at the table and does not play


def usual(seats: int) -> Match:
    """Return a match in its middle, with a round just dealt; the opener is in turn."""
    return dealt(at(PERUDO, (4, 3) if seats == 2 else (4, 5, 3, 5, 2, 5, 4, 2)[:seats]))


def turn_of(match: Match) -> int:
    """Return the seat in turn."""
    assert match.position.turn is not None
    return match.position.turn


def peek(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the dice on the display, while the cup is lifted."""
    seats = len(names)
    full = dealt(Match.start(PERUDO, seats))
    yield Stage(names, full).peek("peek/five dice, to open", 0)
    yield Stage(names, full).peek("peek/five dice", 1)
    yield Stage(names, said(full, "4x3")).peek("peek/in turn", 1)
    yield Stage(names, said(full, "12x6")).peek("peek/off turn, two digits", 0)
    for dice in (4, 3, 2, 1):
        few = dealt(at(PYRUDO, [5 if seat else dice for seat in range(seats)]))
        yield Stage(names, few).peek(f"peek/{dice} dice", 0)
    for face in range(1, 7):
        alike = dealt(Match.start(PERUDO, seats), ((face,) * 5, *HANDS[1:]))
        yield Stage(names, alike).peek(f"peek/only {face}", 0)
    for kind in SPECIAL:
        if seats > 2 or SPECIAL[kind].special_with_two:
            yield from _special_peek(names, kind)


def _special_peek(names: tuple[str, ...], kind: RoundKind) -> Iterator[Exhibit]:
    match = dealt(special(kind, len(names)))
    yield Stage(names, match).peek(f"peek/{kind}, own", 1)
    yield Stage(names, match).peek(f"peek/{kind}", 0)
    yield Stage(names, said(match, "2x5")).peek(f"peek/{kind}, with a bid", 0)
    if kind.visibility == "others":
        hands = Stage(names, said(match, "2x5")).tilt(0)
        for leaf in range(1, len(names)):
            yield hands.tap(0, Button.RIGHT).peek(f"peek/{kind}, leaf {leaf}", 0)


def turn(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the own turn, with the likeliest menu item first."""
    match = usual(len(names))
    me = turn_of(match)
    yield Stage(names, match).shot("turn/not looked yet", me, has_peeked=False)
    phone = Stage(names, match, has_phone=True)
    yield phone.shot("turn/not looked yet, on a phone", len(names) - 1, has_peeked=False)
    yield Stage(names, match).shot("turn/to open", me)
    yield Stage(names, match).tap(me, Button.RIGHT, 3).shot("turn/to open, further on", me)
    after = said(match, "4x3")
    me = turn_of(after)
    yield Stage(names, after).shot("turn/least raise", me)
    yield Stage(names, after).tap(me, Button.RIGHT).shot("turn/next raise", me)
    yield Stage(names, after).tap(me, Button.RIGHT, 99).shot("turn/highest raise", me)
    yield Stage(names, said(match, "10x5")).shot("turn/two digits", me)
    yield Stage(names, said(match, "39x6")).shot("turn/no bid is left", me)
    for face in FACES:
        one = said(match, f"1x{face}")
        yield Stage(names, one).point(me, CALZA).shot(f"turn/calza on 1x{face}", me)
    yield Stage(names, one, dudo_button=False).point(me, DUDO).shot("turn/dudo on one", me)
    yield Stage(names, after).point(me, CALZA).shot("turn/calza", me)
    yield Stage(names, after, dudo_button=False).point(me, DUDO).shot("turn/dudo", me)
    killing = said(dealt(Match.start(KILL_SPOT, len(names))), "4x3")
    for call in (KILL, SPOT):
        yield Stage(names, killing).point(1, call).shot(f"turn/{call}", 1)
    gentle = said(dealt(at(OBLIGING, (5,) * len(names))), "4x3")
    yield Stage(names, gentle).point(turn_of(gentle), CALZA).shot("turn/calza, nobody would lose", turn_of(gentle))
    for rules in _GENEROUS:
        generous = said(dealt(Match.start(rules, len(names))), "4x3")
        yield Stage(names, generous).point(1, CALZA).shot(f"turn/calza of a house, {rules}", 1)
    yield Stage(names, dealt(Match.start(KILL_SPOT, len(names)))).shot("turn/to open, no wild aces", 0)
    passing = said(dealt(at(PALO_FIJO, (5,) * len(names))), "4x3")
    me = turn_of(passing)
    yield Stage(names, passing).point(me, PASS).shot("turn/pass", me)
    passed = said(passing, "pass")
    me = turn_of(passed)
    yield Stage(names, passed).shot("turn/after a pass", me)
    yield Stage(names, passed, dudo_button=False).point(me, DUDO).shot("turn/doubting the pass", me)
    for kind in SPECIAL:
        if len(names) > 2 or SPECIAL[kind].special_with_two:
            opening = dealt(special(kind, len(names)))
            yield Stage(names, opening).shot(f"turn/{kind}, to open", 1)
            follows = said(opening, "2x5")
            yield Stage(names, follows).shot(f"turn/{kind}", turn_of(follows))


def others(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield others' turns: the standing bid, the seat in turn, and the calls allowed off turn."""
    seats = len(names)
    match = usual(seats)
    opener, other = turn_of(match), (turn_of(match) + 1) % seats
    yield Stage(names, match).shot("others/another opens", other)
    yield Stage(names, said(match, "4x3")).shot("others/own bid stands", opener)
    yield Stage(names, said(match, "10x5")).shot("others/own bid of two digits", opener)
    if seats > 2:
        yield from _crowd(names, match)
    yield Stage((*names, NOBODY), said(match, "4x3")).shot("others/not in the match", seats)
    passing = said(dealt(at(PALO_FIJO, (5,) * seats)), "4x3", "pass")
    yield Stage(names, passing).shot("others/own pass", passing.position.passer or 0)
    bidder = passing.position.bidder
    if bidder is not None and bidder != passing.position.turn:
        yield Stage(names, passing).shot("others/another passed", bidder)
    for kind in SPECIAL:
        if seats > 2 or SPECIAL[kind].special_with_two:
            opening = dealt(special(kind, seats))
            yield Stage(names, opening).shot(f"others/{kind}, another opens", 0)
            yield Stage(names, said(opening, "2x5")).shot(f"others/{kind}", 1)


def _crowd(names: tuple[str, ...], match: Match) -> Iterator[Exhibit]:
    """Yield a bystander's seat, at tables for three or more."""
    seats = len(names)
    bid = said(match, "4x3")
    me = (turn_of(bid) + 1) % seats
    yield Stage(names, bid).shot("others/may call", me)
    yield Stage(names, bid).point(me, CALZA).shot("others/calling calza", me)
    yield Stage(names, said(match, "10x5")).shot("others/two digits", me)
    killing = said(dealt(Match.start(KILL_SPOT, seats)), "1x3", "4x3")
    yield Stage(names, killing).shot("others/may kill and spot", 0)
    for call in (KILL, SPOT):
        yield Stage(names, killing).point(0, call).shot(f"others/calling {call}", 0)
    yield Stage(names, killing, dudo_button=False).point(0, DUDO).shot("others/calling dudo", 0)
    nothing = said(dealt(Match.start(PYRUDO, seats)), "1x3", "4x3")
    yield Stage(names, nothing).shot("others/may not call", 0)
    out = dealt(at(PERUDO, (4, 0, *(3,) * (seats - 2)), last=1))
    yield Stage(names, said(out, "4x3")).shot("others/out", 1)
