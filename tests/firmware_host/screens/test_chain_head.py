"""The head of a match's chain is on the display before a shake and at the end; who waits at a reveal sees for whom."""

import pytest
from support.pictures.picture_layout import written

from docs.gallery.matches import at, dealt, said
from docs.gallery.stage import Stage
from drivers.messages import Button, Device
from engine import DUDO, OBLIGING, PERUDO, PYRUDO, Match
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName

NAMES = ("Lima", "Cusco", "Puno")
TWELVE = "GMCW M3QC RGD4"
SIXTEEN = "GMCW M3QC RGD4 5CZ4"


def read(stage: Stage, seat: int) -> str:
    return written(stage.shot("now", seat).painted())


def test_who_is_to_shake_reads_three_whole_groups_of_letters() -> None:
    stage = Stage(NAMES, at(PERUDO, (3, 3, 3), last=0))
    assert TWELVE in read(stage, 1)
    assert SIXTEEN not in read(stage, 1)


def test_who_looks_on_reads_how_many_dice_each_has() -> None:
    stage = Stage((*NAMES, "Moche"), at(PERUDO, (3, 3, 3), last=0))
    assert TWELVE not in read(stage, 3)
    assert "3 Lima" in read(stage, 3)


def test_in_a_special_round_its_title_stays() -> None:
    stage = Stage(NAMES, at(PERUDO, (3, 1, 3), last=1))
    assert TWELVE in read(stage, 1)
    assert "PALIFICO" in read(stage, 1)


def test_a_device_that_is_missing_elsewhere_is_more_urgent() -> None:
    stage = Stage(NAMES, at(PERUDO, (3, 3, 3), last=0)).lose(2, Device.CUP)
    assert TWELVE not in read(stage, 1)
    assert "PUNO: NO CUP" in read(stage, 1)


def test_the_roll_for_the_order_of_play_is_bound_too() -> None:
    assert TWELVE in read(Stage(NAMES, Match.start(OBLIGING, 3)), 1)


@pytest.mark.parametrize("seat", range(3))
def test_in_the_end_sixteen_letters_are_a_step_to_the_right_of_the_winner(seat: int) -> None:
    stage = Stage(NAMES, at(PYRUDO, (3, 0, 0), last=1))
    assert SIXTEEN not in read(stage, seat)
    assert SIXTEEN in read(stage.tap(seat, Button.RIGHT), seat)


def test_while_dice_lie_under_the_cups_there_is_none() -> None:
    assert "GMCW" not in read(Stage(NAMES, dealt(at(PERUDO, (3, 3, 3), last=0))), 0)


def test_who_has_seen_enough_sees_who_has_not() -> None:
    stage = Stage(NAMES, said(dealt(at(PERUDO, (3, 3, 3), last=0)), "4x3"), dudo_button=False).pick(1, DUDO)
    stage.until(SceneName.REVEAL).wait(5)
    assert "TO GO" not in read(stage, 0)
    stage.pick(0, MenuCommand.GO_ON)
    assert "2 TO GO" in read(stage, 0)
    stage.pick(1, MenuCommand.GO_ON)
    assert "PUNO TO GO" in read(stage, 0)
