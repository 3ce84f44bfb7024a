"""What the others' panels say when the table waits for somebody whose board or buttons are gone."""

import pytest
from support.pictures.picture_layout import written

from docs.gallery.matches import at, dealt, said
from docs.gallery.stage import Stage
from drivers.messages import Device, Found, Lost
from engine import DUDO, KILL_SPOT, OBLIGING, PERUDO, Match
from firmware_host.table.effects import Announce
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import DeviceLost

NAMES = ("Lima", "Cusco", "Puno")
WAITS = "The table waits for Lima: no board"


def bidding() -> Stage:
    """Lima is in turn."""
    return Stage(NAMES, dealt(at(PERUDO, (3, 3, 3), last=0)))


def read(stage: Stage, seat: int) -> str:
    return written(stage.shot("now", seat).painted())


def test_everybody_else_reads_whom_the_table_waits_for() -> None:
    stage = bidding().lose(0, Device.BOARD)
    assert WAITS in read(stage, 1)
    assert WAITS in read(stage, 2)
    stage.send(Found(0, Device.BOARD))
    assert WAITS not in read(stage, 1)


def test_whoever_looks_on_reads_it_too() -> None:
    stage = Stage((*NAMES, "Moche"), dealt(at(PERUDO, (3, 3, 3), last=0))).lose(0, Device.BOARD)
    assert WAITS in read(stage, 3)


def test_buttons_are_missed_as_a_board_is() -> None:
    assert "The table waits for Lima: no keys" in read(bidding().lose(0, Device.BUTTONS), 1)


@pytest.mark.parametrize("device", [Device.CUP, Device.PANEL])
def test_nobody_waits_for_a_cup_or_a_panel_because_one_can_play_without(device: Device) -> None:
    assert "waits" not in read(bidding().lose(0, device), 1)


def test_a_board_that_the_table_does_not_wait_for_is_only_marked() -> None:
    shown = read(bidding().lose(2, Device.BOARD), 1)
    assert "waits" not in shown
    assert "PUNO: NO BOARD" in shown


def test_in_a_shake_it_is_told_to_whoever_has_shaken() -> None:
    stage = Stage(NAMES, at(PERUDO, (3, 3, 3), last=0)).lose(0, Device.BOARD).shake(2)
    assert WAITS in read(stage, 2)
    assert "waits" not in read(stage, 1), "who is to shake has other things to read"


def test_in_the_roll_for_the_order_of_play_it_stands_in_place_of_the_rolls() -> None:
    stage = Stage(NAMES, Match.start(OBLIGING, 3)).lose(0, Device.BOARD).shake(2)
    assert WAITS in read(stage, 2)


def test_the_choice_of_a_round_is_waited_for() -> None:
    stage = Stage(NAMES, at(KILL_SPOT, (1, 3, 3), last=0)).lose(0, Device.BOARD)
    assert WAITS in read(stage, 1)


def test_a_reveal_goes_on_by_itself_and_shows_dice() -> None:
    stage = Stage(NAMES, said(dealt(at(PERUDO, (3, 3, 3), last=0)), "4x3"), dudo_button=False).pick(1, DUDO)
    shown = read(stage.until(SceneName.REVEAL).wait(1).lose(0, Device.BOARD), 1)
    assert "waits" not in shown
    assert shown.count("die 20") > 1


def test_another_reason_for_an_absence_is_told_and_the_same_one_is_not() -> None:
    stage, reasons = bidding(), list[str]()
    for why in ("not there", "not there", "another version", "not there"):
        effects = stage.table.handle(Lost(0, Device.BOARD, why), stage.now_ns)
        events = [effect.event for effect in effects if isinstance(effect, Announce)]
        reasons += [event.why for event in events if isinstance(event, DeviceLost)]
    assert reasons == ["not there", "another version", "not there"]
