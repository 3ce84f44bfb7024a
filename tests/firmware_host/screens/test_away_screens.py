"""What the displays say of somebody who is away, where nobody is left to decide it, and when all have gone."""

from support.pictures.picture_layout import written
from support.table.harness import TableHarness

from docs.gallery.matches import at, dealt
from docs.gallery.stage import Stage
from drivers.messages import Button
from engine import PERUDO
from firmware_host.screens.renderer import paint
from firmware_host.table.health import Alert
from firmware_host.table.scenes.lobby import Lobby

NAMES = ("Lima", "Cusco", "Puno", "Moche")
AWAY_S, DESERTED_S = 300, 3600
BROKEN_OFF = "Last match broken off: everybody had gone"


def gone(players: int) -> Stage:
    """Lima is in turn and away; whoever of the others has no chair in the match looks on."""
    return Stage(NAMES, dealt(at(PERUDO, (3,) * players, last=0))).wait(AWAY_S)


def read(stage: Stage, seat: int) -> str:
    return written(stage.shot("now", seat).painted()).replace("\u00a0", " ")


def test_the_only_one_there_is_asked_for_a_touch() -> None:
    assert "Lima is away. Press any button" in read(gone(2), 1)


def test_the_only_one_there_reads_in_how_many_minutes_the_match_is_won() -> None:
    stage = gone(2).tap(1, Button.LEFT)
    assert "Lima is away. You win in 10 min" in read(stage, 1)
    assert "You win in 1 min" in read(stage.wait(9 * 60 + 30), 1)
    assert "You win!" in read(stage.wait(30), 1)


def test_who_looks_on_reads_when_somebody_is_out() -> None:
    stage = gone(2)
    assert "Lima is away" in read(stage, 3)
    assert "Press" not in read(stage, 3)
    assert "Lima is away. Out in 10 min" in read(stage.tap(1, Button.LEFT), 3)


def test_who_looks_on_hastens_nothing() -> None:
    assert "Out in" not in read(gone(2).tap(3, Button.LEFT), 3)


def test_where_the_others_decide_it_they_are_asked_that() -> None:
    stage = gone(3).tap(1, Button.LEFT)
    assert "Play on?" in read(stage, 1)
    assert "min" not in read(stage, 1)


def test_who_wakes_the_table_reads_that_the_last_match_was_broken_off_until_somebody_sits_down() -> None:
    stage = gone(3).wait(DESERTED_S).tap(0)
    assert [BROKEN_OFF in read(stage, seat) for seat in range(4)] == [True] * 4
    stage.tap(3)
    assert [BROKEN_OFF in read(stage, seat) for seat in range(4)] == [False] * 4


def test_an_alert_is_more_urgent() -> None:
    stage = gone(3).wait(DESERTED_S).alert(Alert.DISK_FULL)
    assert BROKEN_OFF not in read(stage, 0)


def test_after_a_restart_that_is_read_and_not_that_something_was_picked_up() -> None:
    harness = TableHarness(scene=Lobby(broken_off=True))
    view = harness[0].view
    assert view.resumed
    assert BROKEN_OFF in written(paint(view, harness[0].menu))
