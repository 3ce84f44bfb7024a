"""The head of a match's chain is on the display before a shake and at the end; who waits at a reveal sees for whom."""

import pytest
from support.pictures.picture_layout import written

from docs.gallery.matches import at, dealt, said
from docs.gallery.stage import Stage
from drivers.messages import Device
from engine import DUDO, OBLIGING, PERUDO, PYRUDO, Match
from firmware_host.screens.graphics.glyphs import Mark
from firmware_host.screens.widgets import ROSTER
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName

NAMES = ("Lima", "Cusco", "Puno")
ELEVEN = "GMCW M3QC RGD"
SIXTEEN = "GMCW M3QC RGD4 5CZ4"


def read(stage: Stage, seat: int) -> str:
    return written(stage.shot("now", seat).painted())


def test_who_is_to_shake_reads_eleven_letters() -> None:
    stage = Stage(NAMES, at(PERUDO, (3, 3, 3), last=0))
    assert ELEVEN in read(stage, 1)
    assert SIXTEEN not in read(stage, 1)


def test_who_looks_on_reads_how_many_dice_each_has() -> None:
    stage = Stage((*NAMES, "Moche"), at(PERUDO, (3, 3, 3), last=0))
    assert ELEVEN not in read(stage, 3)
    assert "LIMA 3" in read(stage, 3)


def test_in_a_special_round_its_title_stays() -> None:
    stage = Stage(NAMES, at(PERUDO, (3, 1, 3), last=1))
    assert ELEVEN in read(stage, 1)
    assert "PALIFICO" in read(stage, 1)


def test_a_device_that_is_missing_elsewhere_is_more_urgent() -> None:
    stage = Stage(NAMES, at(PERUDO, (3, 3, 3), last=0)).lose(2, Device.CUP)
    assert ELEVEN not in read(stage, 1)
    assert "! NO CUP" in read(stage, 1)


def test_the_roll_for_the_order_of_play_is_bound_too() -> None:
    assert ELEVEN in read(Stage(NAMES, Match.start(OBLIGING, 3)), 1)


@pytest.mark.parametrize("seat", range(3))
def test_in_the_end_everybody_reads_sixteen(seat: int) -> None:
    assert SIXTEEN in read(Stage(NAMES, at(PYRUDO, (3, 0, 0), last=1)), seat)


def test_while_dice_lie_under_the_cups_there_is_none() -> None:
    assert "GMCW" not in read(Stage(NAMES, dealt(at(PERUDO, (3, 3, 3), last=0))), 0)


def test_who_has_seen_enough_sees_who_has_not() -> None:
    stage = Stage(NAMES, said(dealt(at(PERUDO, (3, 3, 3), last=0)), "4x3"), dudo_button=False).pick(1, DUDO)
    stage.until(SceneName.REVEAL).wait(5)
    before = _marked(stage)
    stage.pick(0, MenuCommand.GO_ON)
    assert _marked(stage) == 2
    stage.pick(1, MenuCommand.GO_ON)
    assert (before, _marked(stage)) == (0, 1)


def _marked(stage: Stage) -> int:
    """How many players the roster of seat 0 marks as awaited."""
    view = stage.shot("now", 0).view
    picture = stage.shot("now", 0).painted().image
    ground = 255 if view.me in view.waiting_for else 0
    rows = [row for row in Mark.AWAITED.value if row]
    mark = {(x, y) for y, row in enumerate(rows) for x, dot in enumerate(row) if dot == "#"}
    found = 0
    for left in range(ROSTER.width - 3):
        for top in range(ROSTER.top, ROSTER.top + 4):
            dots = {(x, y) for y in range(5) for x in range(3) if picture.getpixel((left + x, top + y)) != ground}
            found += dots == mark
    return found
