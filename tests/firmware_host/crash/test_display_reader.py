"""Reading a display: what `support.crash.table` goes by when it says whose dice were seen."""

import msgspec
import pytest
from support.crash.display_reader import dice_on
from support.table.harness import TableHarness

from drivers.messages import Button
from engine import Hand
from firmware_host.screens import draw, draw_peek


@pytest.mark.parametrize("seed", range(8))
def test_dice_are_read_off_the_memory_of_whoever_looks(seed: int) -> None:
    harness = TableHarness(seats=3, seed=seed).joined().dealt()
    for seat in range(3):
        show = harness.shown[seat]
        assert show.look is not None
        faces = dice_on(draw_peek(show.view, show.menu, show.look).tobytes())
        assert faces is not None
        assert Hand(faces) == show.look.own


def test_covered_dice_are_no_dice() -> None:
    harness = TableHarness(seats=3).joined().dealt()
    assert [dice_on(draw(show.view, show.menu).tobytes()) for show in harness.shown.values()] == [None, None, None]


@pytest.mark.parametrize("seed", range(8))
def test_what_lies_open_is_read_as_the_whole_hand_or_not_at_all(seed: int) -> None:
    harness = TableHarness(seats=2, seed=seed).joined().dealt()
    harness.turn.pick(harness.turn.menu.items[-1])
    harness.turn.press(Button.DUDO)
    harness.revealed()
    showdown = harness.position.showdown
    assert showdown is not None
    for show in harness.shown.values():
        for leaf in range(3):
            faces = dice_on(draw(msgspec.structs.replace(show.view, page=leaf), show.menu).tobytes())
            assert faces is None or Hand(faces) in showdown.hands
