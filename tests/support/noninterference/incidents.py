"""What can happen to a table while dice are on its displays: for the rounds of `support.noninterference.forked_round`.

Each begins and ends with every cup down, every finger off and every cable in.
"""

import asyncio
from collections.abc import Mapping

from support.noninterference.decisions import DECISIONS
from support.noninterference.forked_round import Incident, Round
from support.noninterference.staff_incidents import STAFF

from drivers.messages import Brightness
from engine import PASS, Call, legal_actions
from firmware_host.play.workbench import protocol
from hardware.chips import RECOMMENDED
from hardware.emulated.seat import EmulatedSeat
from hardware.emulated.table import BOARD_BUTTONS
from hardware.firmware.device_config import DeviceConfig


async def looks(table: Round) -> None:
    """By the cup and by OK, in turn and off turn; a bid with the cup in the hand, one that others see while looking."""
    table.all_up()
    await table.noted(0.7)
    table.bid_at_once()
    await table.noted(0.3)
    table.all_down()
    await table.noted(0.3, covered=table.seats)
    for seat in reversed(table.seats):
        seat.press("ok")
    await table.noted(0.6)
    for seat in table.seats[1:]:
        seat.release("ok")
    table.seats[-1].tap("right")
    await table.noted(0.1)
    table.seats[0].release("ok")
    await table.noted(0.2)
    looking = [seat for seat in table.seats if seat is not table.in_turn]
    for seat in looking:
        seat.tilt()
    await table.bid()
    await table.noted(0.1)
    table.all_down()


async def presses(table: Round) -> None:
    """Fingers on everything while the cups are up: steps that repeat, an OK in turn, calls that are refused."""
    table.all_up()
    await table.noted(0.5)
    for seat in table.seats:
        seat.press("right")
    await table.noted(0.9)
    for seat in table.seats:
        seat.release("right")
    for seat in table.seats:
        if seat is not table.in_turn and "dudo" in seat.buttons and not _may_call(table, seat):
            seat.tap("dudo")
    await table.noted(0.3)
    table.bid_at_once()
    await table.noted(0.3)
    table.all_down()
    await table.noted(3.5, covered=table.seats)  # refusals are gone


async def turns_pages(table: Round) -> None:
    """◀ and ▶ through all the hands of an open round and back, each at its own pace; a bid in the middle."""
    looking = [seat for seat in table.seats if seat is not table.in_turn]
    for seat in looking:
        seat.tilt()
    for turn in range(len(table.seats) + 1):
        for seat in looking[turn % 2 :]:
            seat.tap("right")
        await table.noted(0.12)
    await table.bid()
    for seat in looking:
        seat.tap("left")
    await table.noted(0.2)
    table.all_down()
    await table.noted(0.3)
    table.in_turn.tilt()
    for button in ("right", "right", "left", "left"):
        table.in_turn.tap(button)
        await table.noted(0.12)
    table.all_down()


async def cables(table: Round) -> None:
    """Panels lose their cables with dice on the display, and come back while everybody looks."""
    table.all_up()
    await table.noted(0.5)
    pulled = table.seats[0], table.seats[-1]
    for seat in pulled:
        seat.unplug(_panel(seat))
    await table.noted(0.2)
    table.bid_at_once()
    table.seats[0].level()
    await table.noted(3)  # longer than a wire goes unused before its panels are asked
    for seat in pulled:
        seat.plug(_panel(seat))
    await table.noted(0.4)
    table.seats[0].tilt()
    await table.noted(3)
    table.all_down()


async def errors(table: Round) -> None:
    """Panels fail in the middle of a frame with dice in it, in that of the next bid, and in the one that hides."""
    for after_bytes in (0, 3, 9):
        for number in (0, len(table.seats) - 1):
            table.wires.err(number, after_bytes=after_bytes, times=1 + after_bytes % 2)
        table.all_up()
        await table.noted(0.3)
        table.wires.err(0, after_bytes=after_bytes)
        table.bid_at_once()
        await table.noted(0.4)
        table.wires.err(table.number(table.in_turn), after_bytes=after_bytes)
        table.all_down()
        await table.noted(1.5)
        _mend(table)
    await table.noted(2.5)


async def hangs(table: Round) -> None:
    """A panel keeps the wire while another is to hide, while dice are to come, and while its own are to go."""
    table.all_up()
    await table.noted(0.5)
    table.wires.hang(0)
    table.bid_at_once()
    await table.noted(0.15)
    table.all_down()
    await table.noted(2)
    table.wires.hang(len(table.seats) - 1, times=2)
    table.all_up()
    await table.noted(0.5)
    table.seats[0].level()
    await table.noted(2.5)
    table.wires.hang(table.number(table.in_turn))
    table.all_down()
    await table.noted(4)
    _mend(table)


async def late(table: Round) -> None:
    """Some panels answer late, and a bid comes before a picture with dice is through."""
    for number in range(0, len(table.seats), 2):
        table.wires.slow(number, 0.002)
    table.all_up()
    await table.noted(0.02)
    table.bid_at_once(for_s=0.05)
    await table.noted(0.3)
    table.seats[0].tap("right")
    table.all_down()
    await table.noted(0.5)
    _mend(table)


async def cups(table: Round) -> None:
    """Cups lose their cables while they are up, and come back up or down."""
    table.all_up()
    await table.noted(0.5)
    pulled = table.seats[0], table.seats[-1]
    for seat in pulled:
        seat.unplug(_cup(seat))
    await table.noted(0.3)
    table.bid_at_once()
    await table.noted(1.5)
    table.seats[0].level()
    for seat in pulled:
        seat.plug(_cup(seat))
    await table.noted(3)
    table.bid_at_once()
    await table.noted(0.2)
    table.all_down()
    await table.noted(3)


async def buttons(table: Round) -> None:
    """Buttons lose their cable while OK is held off turn; at a board everything does."""
    seat = next(seat for seat in table.seats if seat is not table.in_turn)
    cable = "board" if "board" in seat.devices else "buttons"
    seat.press("ok")
    table.seats[-1].tilt()
    await table.noted(0.6)
    seat.unplug(cable)
    await table.noted(0.4)
    seat.plug(cable)
    await table.noted(2.5)
    seat.release("ok")
    table.all_down()
    await table.noted(0.5)


async def lights(table: Round) -> None:
    """Panels are dimmed, go dark and come back with dice on them; the picture wanders meanwhile."""
    table.all_up()
    await table.noted(0.5)
    for light in (Brightness.DIM, Brightness.DARK, Brightness.DIM, Brightness.DARK, Brightness.BRIGHT):
        for panel in table.devices.displays:
            panel.set_brightness(light)
        table.in_turn.tap("right")
        await table.noted(1.6)
    table.all_down()
    await table.noted(0.5, covered=table.seats)


async def disk(table: Round) -> None:
    """The disk takes its time over a bid while hands let go, look again and press."""
    table.all_up()
    await table.noted(0.5)
    table.disk_s = 0.6
    table.bid_at_once()
    await table.noted(0.2)
    table.all_down()
    await table.noted(0.2)
    table.all_up()
    table.seats[-1].tap("right")
    await table.noted(0.6)
    table.disk_s = 0.0
    table.all_down()
    await table.noted(0.6)


async def a_pass(table: Round) -> None:
    """Where one may pass: whether it was honest is nobody's business."""
    if table.position.standing is None:
        await table.bid()
    table.all_up()
    await table.noted(0.4)
    table.in_turn.level()
    await table.noted(0.2)
    await table.choose(table.in_turn, PASS)
    await table.noted(0.3)
    table.all_down()


async def hurried(table: Round) -> None:
    """The turn clock, where there is one, runs down while hands look; where nothing stands it says the least bid."""
    stands = table.position.standing is not None
    if stands and not table.may_bid:
        return  # it would say dudo
    if table.layout.turn_clock_s is not None:
        while table.table._timeouts.clock_s is None:  # it is on every display in its last ten seconds
            await asyncio.sleep(1)
    table.all_up()
    await table.noted(3)
    if stands or table.layout.turn_clock_s is None:
        table.all_down()
        await table.bid()
    else:
        await table.noted(10)
        table.all_down()
    await table.noted(0.5, covered=table.seats)


async def pages(table: Round) -> None:
    """Where people sit at pages they look, ask for advice in two languages, and for what is another seat's."""
    people = [(number, page) for number in range(len(table.seats)) if (page := table.pages.get(f"page-{number}"))]
    for language in ("es", "en") if people else ():
        table.all_up()
        await table.noted(0.5)
        for number, page in people:
            page.say(protocol.Speak(language))
            page.say(protocol.Advise(seat=number))
            page.say(protocol.Press(seat=(number + 1) % len(people), button="ok"))
            await table.noted(0.2)
        table.all_down()
        await table.noted(0.5, covered=table.seats)
        await table.bid()


async def a_spare(table: Round) -> None:
    """A board that belongs to no seat lies there, and lights up while a seat misses its own and others look."""
    spare = table.emulated.bring(DeviceConfig("SPARE", buttons=BOARD_BUTTONS, panel=RECOMMENDED, light=True))
    seat = table.seats[0]
    seat.unplug(_cup(seat))
    for other in table.seats[1:]:
        other.tilt()
    await table.noted(4)
    seat.plug(_cup(seat))
    await table.noted(2)
    seat.tilt()
    await table.noted(0.5)
    table.all_down()
    spare.unplug()
    await table.noted(0.5)


async def takes_back(table: Round) -> None:
    """A bid is taken back by the staff while everybody looks, the next one by all players, who look again."""
    if not table.may_bid:
        return
    before = table.position
    await table.bid()
    table.all_up()
    await table.noted(0.4)
    await table.undo()
    await table.noted(0.4)
    assert table.position == before
    table.all_down()
    await table.noted(0.3, covered=table.seats)
    bidder = table.in_turn
    await table.bid()
    for _ in range(2):  # to the side menu, and to its last item
        bidder.tap("right")
        await asyncio.sleep(0.15)
    bidder.tap("ok")
    await table.noted(0.3)
    for seat in table.seats:
        if seat is not bidder:
            seat.tap("right")
            await asyncio.sleep(0.15)
            seat.tap("ok")
            await table.noted(0.2)
    assert table.position == before
    table.all_up()
    await table.noted(0.4)
    table.all_down()
    await table.noted(3.5, covered=table.seats)  # the notice is gone


async def a_robot(table: Round) -> None:
    """A robot has the seat in turn: cup and fingers there do nothing, it bids while others look, and it is undone."""
    if not table.may_bid:
        return
    before, seat = table.position, table.in_turn
    table.seat_robot(seat)
    await table.noted(0.1)
    table.all_up()
    seat.tap("ok")
    await table.noted(6, covered=(seat,))  # nobody looks under a robot's cup
    assert table.position.standing != before.standing
    table.all_down()
    await table.undo()
    table.unseat_robot(seat)
    await table.noted(4, covered=table.seats)
    assert table.position == before


async def newcomers(table: Round) -> None:
    """Nobody has played before: a tip after the first look, at the first bid, at a choice that jumps to aces."""
    table.table._tips._played.clear()
    table.all_up()
    await table.noted(0.5)
    table.all_down()
    await table.noted(9, covered=table.seats)  # tips are gone
    await table.bid()
    for button in ("right", "right", "left"):
        table.in_turn.tap(button)
        await table.noted(0.3, covered=table.seats)
    await table.noted(9, covered=table.seats)


INCIDENTS: Mapping[str, Incident] = (
    {
        incident.__name__: incident
        for incident in (
            looks,
            presses,
            turns_pages,
            cables,
            errors,
            hangs,
            late,
            cups,
            buttons,
            lights,
            disk,
            a_pass,
            hurried,
            pages,
            a_spare,
            takes_back,
            a_robot,
            newcomers,
        )
    }
    | STAFF
    | DECISIONS
)


def _panel(seat: EmulatedSeat) -> str:
    return "board" if "board" in seat.devices else "panel"


def _cup(seat: EmulatedSeat) -> str:
    return "board" if "board" in seat.devices else "cup"


def _may_call(table: Round, seat: EmulatedSeat) -> bool:
    number = table.number(seat)
    players = len(table.dealt.hands)
    return number < players and any(call in legal_actions(table.position, number) for call in Call)


def _mend(table: Round) -> None:
    for number in range(len(table.seats)):
        table.wires.repair(number)
