"""A table with a staff menu, and the presses of its staff at the service seat."""

from typing import TypeVar

from support.table.harness import NAMES, TableHarness, lay_out

from drivers.messages import Button, KeyTurned
from engine import PERUDO, RULESETS, Bid
from firmware_host.table.staff.actions import FiguresRead, StaffFigure, StaffOptions, StaffView, present_values
from firmware_host.table.staff.items import StaffItem, StaffKind, StaffSection, staff_items
from firmware_host.table.staff.machine import Job
from firmware_host.table.staff.sound import SoundAndLight

FACTS = staff_items(StaffKind.FACT)
THREE = [(1, 3, 3, 5, 6), (2, 2, 4, 6), (4, 5)]
OPTIONS = StaffOptions(
    choices={
        StaffItem.RULES: tuple(RULESETS),
        StaffItem.LANGUAGE: ("en", "es", "fr"),
        StaffItem.TURN_CLOCK: (0, 30, 60),
        StaffItem.BRIGHTNESS: ("bright", "dim"),
        StaffItem.VOLUME: tuple(range(0, 101, 10)),
        StaffItem.GUESTS_MIN: tuple(range(0, 100, 10)),
        StaffItem.GUESTS_MAX: tuple(range(10, 101, 10)),
        StaffItem.TV: ("auto", "on", "off"),
    },
    present={
        StaffItem.RULES: "perudo",
        StaffItem.LANGUAGE: "en",
        StaffItem.TURN_CLOCK: 30,
        **present_values(SoundAndLight(volume=60, guests_volume_min=20, guests_volume_max=80, brightness="dim")),
    },
    read_facts=lambda: dict.fromkeys(FACTS, "1.2.3"),
    jobs=tuple(Job),
)
COUNTS = FiguresRead(
    {
        StaffItem.MATCHES: StaffFigure(12, "2026-03-01"),
        StaffItem.CALLS: StaffFigure(230, "2026-03-01"),
        StaffItem.HOURS: StaffFigure(7200, "2026-03-01"),
        StaffItem.STARTS: StaffFigure(5, "2026-09-14", crashes=2),
    }
)
SERVICE = 0


def bidding(options: StaffOptions = OPTIONS, seats: int = 3) -> TableHarness:
    harness = lay_out(PERUDO, [*THREE, *[(2, 3)] * (seats - 3)], Bid(2, 3))
    return with_menu(harness, options)


def with_menu(harness: TableHarness, options: StaffOptions = OPTIONS) -> TableHarness:
    harness.give_staff(options)
    harness.send(COUNTS)
    return harness


def turn(harness: TableHarness, *, on: bool = True) -> TableHarness:
    harness.send(KeyTurned(SERVICE, on, harness.now_ns))
    return harness


def staff_view(harness: TableHarness, seat: int = SERVICE) -> StaffView | None:
    return harness[seat].view.staff


def picks(harness: TableHarness, *presses: Button) -> None:
    for button in presses:
        harness[SERVICE].tap(button)


L, R, OK, DUDO = Button.LEFT, Button.RIGHT, Button.OK, Button.DUDO
Kind = TypeVar("Kind")


def shown(harness: TableHarness) -> StaffView:
    """Return the open menu's picture."""
    view = staff_view(harness)
    assert view is not None
    return view


def chosen(kind: type[Kind], harness: TableHarness, *presses: Button) -> list[Kind]:
    """Return the effects of a kind that presses in the menu have."""
    return [effect for effect in harness.after(lambda: picks(harness, *presses)) if isinstance(effect, kind)]


def asks_to_remove(seat: int) -> StaffView:
    return StaffView(StaffSection.NOW, StaffItem.REMOVE, asks=True, value=NAMES[seat])


def step_to(harness: TableHarness, item: StaffItem) -> None:
    """Open the machine's section, and step to one of its items."""
    picks(harness, L, OK)
    while (view := staff_view(harness)) is not None and view.item is not item:
        picks(harness, R)


def items_of_the_machine(harness: TableHarness) -> list[StaffItem | None]:
    picks(harness, L, OK)
    found: list[StaffItem | None] = []
    while (view := staff_view(harness)) is not None and view.item not in found:
        found.append(view.item)
        picks(harness, R)
    return found
