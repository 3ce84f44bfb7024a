"""States around an absent player: away, out of time, giving up, gone, and a repeated shake."""

from collections.abc import Iterator

from docs.gallery.before import special
from docs.gallery.matches import at, said
from docs.gallery.play import turn_of, usual
from docs.gallery.stage import Exhibit, Stage
from drivers.messages import Button
from engine import KILL_SPOT, OBLIGING, PERUDO, PYRUDO, Match, RoundKind
from firmware_host.table.events import Repeat, RepeatReason
from firmware_host.table.seat.menu import MenuCommand

_AWAY_S = 300
_CLOCK_S = 30


def away(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the table after it has waited for a player for five minutes."""
    bid = said(usual(len(names)), "4x3")
    me, bidder = turn_of(bid), bid.position.bidder or 0
    stage = Stage(names, bid).wait(_AWAY_S)
    yield stage.shot("away/own", me)
    yield stage.shot("away/another", bidder)
    stalling = Stage(names, bid)
    for _ in range(4):
        stalling.tap(me, Button.LEFT).wait(_AWAY_S - 60)
    yield stalling.shot("away/own, with touches", me)
    if len(names) == 2:
        yield stage.tap(bidder, Button.LEFT).shot("away/another, out soon", bidder)
    if len(names) > 2:
        yield stage.tap(bidder, Button.RIGHT).shot("away/to play on", bidder)
        yield stage.tap(bidder, Button.RIGHT).shot("away/or to give up", bidder)
        yield stage.tap(bidder, Button.LEFT).tap(bidder, Button.RIGHT).tap(bidder).shot("away/agreed", bidder)
        yield stage.shot("away/asked by another", next(seat for seat in range(3) if seat not in (me, bidder)))
    for what, match in _waiting(len(names)):
        stage = Stage(names, match).shake(0).wait(_AWAY_S)
        yield stage.shot(f"away/{what}, one is there", 0)
        yield stage.shot(f"away/{what}, own", 1)
        yield stage.tap(0, Button.LEFT).shot(f"away/{what}, all others out soon", 0)
        if len(names) > 3:
            stage = Stage(names, match).shake(0, 1).wait(_AWAY_S)
            yield stage.shot(f"away/{what}, two are there", 0)
            yield stage.tap(0, Button.RIGHT).shot(f"away/{what}, to play on", 0)
    stage = Stage((*names, "Moche"), at(PERUDO, (4,) * len(names))).shake(0).wait(_AWAY_S)
    yield stage.shot("away/not in the match", len(names))
    yield stage.tap(0, Button.LEFT).shot("away/not in the match, out soon", len(names))
    choice = Stage(names, _choice(len(names))).wait(_AWAY_S)
    yield choice.shot("away/choice", 1)


def side_menu(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield giving up: the menu's right end, and the question after it."""
    bid = said(usual(len(names)), "4x3")
    me, bidder = turn_of(bid), bid.position.bidder or 0
    parts = [*_waiting(len(names)), ("choice", _choice(len(names))), ("bidding", bid)]
    for what, match in parts:
        for seat in sorted({0, 1, me, bidder}):
            stage = Stage(names, match)
            stage.seek(seat, MenuCommand.GIVE_UP)
            yield stage.shot(f"aside/{what}, seat {seat}", seat)
            yield stage.tap(seat).shot(f"aside/{what}, seat {seat}, asked", seat)
            yield stage.tap(seat, Button.RIGHT).shot(f"aside/{what}, seat {seat}, sure", seat)
    stage = Stage(names, at(PYRUDO, (3, *(0,) * (len(names) - 1)), last=1))
    yield stage.point(0, MenuCommand.LEAVE).shot("aside/over, leaving", 0)
    yield stage.tap(0).shot("aside/over, left", 0)
    yield Stage((*names, "Moche"), bid).shot("aside/not in the match", len(names))


def undo(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the request to take a bid back, the question at the others, and the unanimous answer."""
    bid = said(usual(len(names)), "4x3")
    me, bidder = turn_of(bid), bid.position.bidder or 0
    stage = Stage(names, bid).tap(bidder, Button.RIGHT, _TO_THE_END)
    yield stage.shot("undo/to ask", bidder)
    yield stage.tap(bidder).shot("undo/asking", bidder)
    yield stage.shot("undo/asked", me)
    yield stage.tap(me, Button.RIGHT).shot("undo/asked, sure", me)
    for seat in range(len(names)):
        if seat not in (me, bidder):
            stage.tap(seat, Button.RIGHT).tap(seat)
    yield stage.tap(me).shot("undo/taken back, in turn", bidder)
    yield stage.shot("undo/taken back", me)


def clock(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield a turn's last seconds."""
    bid = said(usual(len(names)), "4x3")
    parts = [*_waiting(len(names)), ("choice", _choice(len(names))), ("bidding", bid)]
    for what, match in parts:
        stage = Stage(names, match, turn_clock_s=_CLOCK_S)
        for left_s in (10, 3):
            stage.wait(_CLOCK_S - left_s - (stage.now_ns - stage.began_ns) / 1e9)
            for seat in (0, 1):
                yield stage.shot(f"clock/{what}, {left_s} s left, seat {seat}", seat)


def repeated(names: tuple[str, ...]) -> Iterator[Exhibit]:
    """Yield the reasons for a repeated shake: a seat left, or a deal failed."""
    for why in RepeatReason:
        for what, match in _waiting(len(names)):
            stage = Stage(names, match, again=Repeat(why, 1))
            yield stage.shot(f"again/{why}, {what}", 0)
        yield stage.shake(0).shot(f"again/{why}, shaken", 0)
    bid = said(usual(len(names)), "4x3")
    bidder = bid.position.bidder or 0
    stage = Stage(names, bid).tap(bidder, Button.RIGHT).tap(bidder).tap(bidder, Button.RIGHT).tap(bidder)
    yield stage.shot("again/left, who left", bidder)
    yield stage.shot("again/left, another", turn_of(bid))


_TO_THE_END = 60
"""Presses that reach the end of any menu here: more than it has items."""


def _waiting(seats: int) -> Iterator[tuple[str, Match]]:
    """Yield matches before the shake."""
    yield "shake", at(PERUDO, (4,) * seats)
    yield "order", Match.start(OBLIGING, seats)
    if seats > 2 or KILL_SPOT.special_with_two:
        yield "blind", special(RoundKind.BLIND, seats)


def _choice(seats: int) -> Match:
    return at(KILL_SPOT, (1, *(3,) * (seats - 1)), last=0)
