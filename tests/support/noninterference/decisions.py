"""What decides a round besides a single press: the turn clock, presses that compete, votes, absence, robots.

Each is an incident of `support.noninterference.forked_round`. Calls are taken back by staff before the cups go up, so
the dice stay secret whatever was decided.
"""

import asyncio
from collections.abc import Mapping

from support.noninterference.forked_round import Incident, Round, Seats

from engine import Action, Bid, Call
from firmware_host.table.parts.timeouts import AWAY_TIMEOUT_NS
from firmware_host.table.parts.undo_vote import UNDO_VOTE_NS
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName
from hardware.emulated.seat import EmulatedSeat

ROBOT_SEAT = 0
"""Where `robots_decide` seats robots: rounds are compared whose dice are the same there."""
_MOMENTS_S = (0.0, 0.004, 0.02)
"""How much later than the first a press is that competes with it: at once, within a tick, and within the window."""
_QUICK_S = 0.02
"""How long a press is after which an OK still competes with DUDO: an OK has its effect when the finger leaves."""
_DECIDED_S = 9.0


async def time_up(table: Round) -> None:
    """The turn clock, where there is one, runs out over a standing bid; staff take back what it says."""
    if table.layout.turn_clock_s is None:
        return
    if table.position.standing is None:
        await table.bid()
    standing = table.position.standing
    while table.table._timeouts.clock_s is None:
        await asyncio.sleep(1)
    table.all_up()
    await table.noted(3)
    await _decided(table, standing, for_s=20)
    await table.noted(0.2)
    table.all_down()
    await table.undo()
    await table.noted(0.5)
    assert table.position.standing == standing
    await table.noted(3.5, covered=table.seats)


async def two_calls(table: Round) -> None:
    """Everybody who may call does so at once, or one of them a moment before the others; it is taken back."""
    if table.position.standing is None:
        await table.bid()
    standing = table.position.standing
    for late_s in _MOMENTS_S:
        calls = await _aimed(table, table.living)
        for seat, call in calls.items():
            table.press(seat, call)
            await asyncio.sleep(late_s)
        await table.noted(0.3)
        assert table.table.scene.name is SceneName.CALLED
        await table.undo()
        await table.noted(4)
        assert table.position.standing == standing


async def bid_against_call(table: Round) -> None:
    """A bid and a call compete, each first in turn, while others look."""
    for bids_first in (True, False):
        if table.position.standing is None:
            await table.bid()
        bidder, standing = table.in_turn, table.position.standing
        calls = await _aimed(table, [seat for seat in table.living if seat is not bidder])
        bid = next((item for item in table.menu(bidder).items if isinstance(item, Bid)), None)
        if not calls or bid is None:
            return
        await table.aim(bidder, bid)
        for seat in table.seats:
            if seat is not bidder and seat not in calls:
                seat.tilt()
        await table.noted(0.3)
        pressed: list[tuple[EmulatedSeat, Action]] = [(bidder, bid), next(iter(calls.items()))]
        for seat, item in pressed if bids_first else reversed(pressed):
            table.press(seat, item, for_s=_QUICK_S)
            await asyncio.sleep(_QUICK_S)
        await table.noted(0.3)
        table.all_down()
        await table.undo()
        await table.noted(4)
        assert table.position.standing == standing


async def a_no(table: Round) -> None:
    """One player asks for an undo, another one refuses, and all may look on."""
    if not table.may_bid:
        return
    bidder = table.in_turn
    await table.bid()
    standing = table.position.standing
    for _ in range(2):  # to the side menu, and to its last item
        bidder.tap("right")
        await asyncio.sleep(0.15)
    bidder.tap("ok")
    await table.noted(0.3)
    others = [seat for seat in table.living if seat is not bidder]
    if len(others) > 1:  # one agrees first
        others[-1].tap("right")
        await asyncio.sleep(0.15)
        others[-1].tap("ok")
        await table.noted(0.2)
    assert MenuCommand.KEEP in table.menu(others[0]).items
    others[0].tap("ok")
    await table.noted(0.3)
    table.all_up()
    await table.noted(0.3)
    assert table.position.standing == standing
    table.all_down()
    await table.noted(UNDO_VOTE_NS / 1e9 + 1, covered=table.seats)


async def is_away(table: Round) -> None:
    """The player in turn is away, the others look meanwhile, and the player comes back."""
    if table.layout.turn_clock_s is not None:
        return  # it would run down first
    gone = table.in_turn
    others = [seat for seat in table.seats if seat is not gone]
    for seat in others:
        seat.tilt()
    await table.noted(AWAY_TIMEOUT_NS / 1e9 + 1)
    table.all_down()
    await table.noted(2, covered=table.seats)
    gone.tilt()
    await table.noted(0.5)
    gone.level()
    await table.noted(0.5, covered=table.seats)


async def robots_decide(table: Round) -> None:
    """Robots of every level decide by their own dice, opening and over a bid, while others look; it is undone."""
    seat = table.seats[ROBOT_SEAT]
    for level in RobotLevel:
        if table.in_turn is not seat:
            while table.in_turn is not seat and table.may_bid:
                await table.bid()
            if table.in_turn is not seat:
                return
        standing = table.position.standing
        table.seat_robot(seat, level)
        await table.noted(0.1)
        table.all_up()
        await table.noted(0.5, covered=(seat,))
        await _decided(table, standing)
        table.all_down()
        table.unseat_robot(seat)
        await table.undo()
        await table.noted(1, covered=table.seats)
        assert table.position.standing == standing
        await table.bid()


async def _decided(table: Round, standing: Bid | None, for_s: float = _DECIDED_S) -> None:
    """Wait until somebody has bid or called."""
    for _ in range(round(for_s / 0.2)):
        if table.table.scene.name is SceneName.CALLED or table.position.standing != standing:
            return
        await asyncio.sleep(0.2)
    raise AssertionError("nobody did anything")


async def _aimed(table: Round, seats: Seats) -> dict[EmulatedSeat, Call]:
    """Move the cursor of each seat that may call to its call."""
    calls = {seat: call for seat in seats if (call := table.call_of(seat)) is not None}
    for seat, call in calls.items():
        await table.aim(seat, call)
    return calls


DECISIONS: Mapping[str, Incident] = {
    incident.__name__: incident for incident in (time_up, two_calls, bid_against_call, a_no, is_away, robots_decide)
}
