"""What staff can do at a table while dice are under its cups: every item of their menu, every request at their socket.

Each is an incident of `support.noninterference.forked_round`.
"""

from collections.abc import Mapping

from support.noninterference.forked_round import Incident, Round

from firmware_host.table.staff.actions import StaffCommand
from firmware_host.table.staff.items import StaffItem, StaffSection
from firmware_host.table.staff.machine import Job
from firmware_host.table.staff.menu import StaffMenu
from firmware_host.table.staff.requests import (
    Act,
    Configure,
    DoJob,
    ReadBoards,
    ReadFact,
    ReadFigures,
    ReadForm,
    ReadNames,
    ReadSeats,
    ReadStatus,
    Request,
    Reset,
    SetUp,
)
from firmware_host.table.staff.setup import SetTimeZone
from firmware_host.table.staff.sound import SoundAndLight, TvSetting
from hardware.emulated.seat import EmulatedSeat

_TO_OPEN_S = 3.5
_MENU_STAYS_S = 61
"""Seconds after which the menu closes by itself, and one more."""
_NEVER_TAKEN = (StaffItem.REMOVE, StaffItem.END_MATCH)
"""The items that end a round; `void_rounds` has them."""


async def staff(table: Round) -> None:
    """Staff open the menu while everybody looks, walk through it, pause, test parts, set sound and TV, ask, reset a
    figure, hand a seat over.
    """
    service = table.seats[table.layout.service_seat]
    table.all_up()
    await table.noted(0.3)
    await _open(table, service)
    table.all_down()
    await _presses(table, service, "right", "left", "ok", "right", "ok", "right")
    await table.asked_by_staff(Act(StaffCommand.PAUSE))
    table.all_up()
    await table.noted(0.5)
    table.seats[-1].tap("dudo" if "dudo" in table.seats[-1].buttons else "ok")
    await table.noted(0.5)
    table.all_down()
    for tv in (TvSetting.ON, TvSetting.OFF):
        table.set_sound(SoundAndLight(volume=40, guests_volume_max=60, tv=tv))
        await table.noted(0.5)
    await table.asked_by_staff(ReadStatus())
    await table.asked_by_staff(ReadFigures())
    await table.asked_by_staff(ReadBoards())
    await table.asked_by_staff(ReadForm())
    if "dudo" in service.buttons:
        await _presses(table, service, "dudo", "left", "left", "left", "ok", "right", "ok")
        await table.noted(5, covered=table.seats)  # displays, lights and the loudspeaker are tested
        await _presses(table, service, "dudo", "dudo", "right", "ok", "right", "ok", "right", "ok")  # a figure is reset
        await _presses(table, service, "dudo", "dudo")
    else:
        await table.noted(_MENU_STAYS_S, covered=table.seats)
    await table.asked_by_staff(Act(StaffCommand.RESUME))
    await table.noted(0.5)
    table.all_up()
    await table.noted(0.5)
    await _hand_over(table, table.living[-1])


async def hand_over_named(table: Round) -> None:
    """The seat that has a name is handed over while everybody looks: the name is gone, and the next round asks."""
    table.all_up()
    await table.noted(0.5)
    await _hand_over(table, table.seats[0])


async def staff_by_socket(table: Round) -> None:
    """Staff ask at their socket for everything that ends no round, also for what is refused, while everybody looks."""
    table.all_up()
    await table.noted(0.3)
    playing, nobody = table.living[-1].name, "Nobody"
    requests: list[Request | bytes] = [
        *(
            ReadStatus(),
            Act(StaffCommand.RESUME),
            Act(StaffCommand.REOPEN),
            Act(StaffCommand.ROBOT, playing),
        ),
        *(Act(StaffCommand.HAND_OVER, nobody), Act(StaffCommand.REMOVE, nobody)),
        *(
            Act(StaffCommand.PAUSE),
            ReadStatus(),
            Act(StaffCommand.PAUSE),
            Act(StaffCommand.UNDO),
            Act(StaffCommand.RESUME),
        ),
        *(
            Configure("volume", 30),
            Configure("volume", 1000),
            Configure("brightness", "dim"),
            Configure("turn_clock_s", 500),
        ),
        *(
            ReadStatus(),
            Configure("volume"),
            Configure("brightness"),
            Configure("turn_clock_s"),
            Configure("dice", 1),
        ),
        *(DoJob(Job.EXPORT), ReadNames(), ReadFact(StaffItem.VERSION), ReadFact(StaffItem.BOARDS)),
        *(ReadFigures(), ReadFigures(json=True), Reset(StaffItem.CALLS), ReadFigures()),
        *(ReadSeats(), SetUp(SetTimeZone("Europe/Madrid"))),
        *(b"status", b'{"ask":"status","dice":1}'),
    ]
    for request in requests:
        await table.asked_by_staff(request)
        await table.noted(0.2)
    table.all_down()
    await table.noted(3.5, covered=table.seats)


async def staff_items(table: Round) -> None:
    """Staff walk through all sections, items and values of the menu, take most, and undo and hand over on their way."""
    service = table.seats[table.layout.service_seat]
    await _open(table, service)
    menu = table.table._staff.menu
    for section in StaffSection:
        await _take_section(table, service, menu, section)
        await _presses(table, service, "right")
    await _presses(table, service, "ok", "ok")  # the match goes on
    await table.noted(_MENU_STAYS_S, covered=table.seats)
    assert not table.table._staff.is_paused


async def _take_section(table: Round, service: EmulatedSeat, menu: StaffMenu, section: StaffSection) -> None:
    def facts() -> tuple[int, StaffItem, int]:
        known = table.table._staff._facts(table.table.scene)
        return menu._level, menu._item(known), len(menu._ring(known))

    await _presses(table, service, "ok")
    _, _, items = facts()
    for _ in range(items):
        _, item, _ = facts()
        if item is not StaffItem.BACK and item not in _NEVER_TAKEN:
            await _presses(table, service, "ok")
            level, _, values = facts()
            if level == 2:
                if item is StaffItem.INPUTS:
                    await _presses(table, table.seats[-1], "right")
                    table.seats[-1].tilt()
                    await table.noted(0.3)
                    table.seats[-1].level()
                await _presses(table, service, *["right"] * min(values - 1, 3), "ok")
        await _presses(table, service, "right")
    while facts()[1] is not StaffItem.BACK:
        await _presses(table, service, "right")
    await _presses(table, service, "ok")


async def _open(table: Round, service: EmulatedSeat) -> None:
    for button in ("left", "right"):
        service.press(button)
    await table.noted(_TO_OPEN_S)
    for button in ("left", "right"):
        service.release(button)
    await table.noted(0.3)


async def _hand_over(table: Round, seat: EmulatedSeat) -> None:
    """Hand a seat over whose cup is up: its dice are hidden all the same."""
    await table.asked_by_staff(Act(StaffCommand.HAND_OVER, seat.name))
    await table.noted(0.1)
    await table.noted(0.5, covered=[seat])
    table.all_down()
    await table.noted(0.5, covered=table.seats)


async def _presses(table: Round, seat: EmulatedSeat, *buttons: str) -> None:
    for button in buttons:
        seat.tap(button)
        await table.noted(0.3, covered=table.seats)


STAFF: Mapping[str, Incident] = {
    incident.__name__: incident for incident in (staff, hand_over_named, staff_by_socket, staff_items)
}
