"""A match resumes at another layout if each of its seats has the same name there, and not otherwise."""

import pytest
from msgspec.structs import replace
from support.table.harness import lay_out

from engine import PERUDO
from firmware_host.daemon.resume import choose_layout, compatible_scene, is_match_running
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from hardware.config.layout import Layout, load_builtin

FOUR = load_builtin("wired-4")
SPANISH = FOUR.speaking("es")
THREE = FOUR.first(3)
TURNED = replace(FOUR, seats=FOUR.seats[1:] + FOUR.seats[:1])


def match(seats: int = 4) -> Scene:
    return lay_out(PERUDO, [(1, 2)] * seats).table.scene


@pytest.mark.parametrize("before", [None, FOUR, SPANISH])
def test_a_match_goes_on_where_its_seats_are(before: Layout | None) -> None:
    scene = match()
    assert compatible_scene(scene, before, FOUR) is scene
    assert choose_layout(scene, before, FOUR) is FOUR


@pytest.mark.parametrize("wanted", [THREE, TURNED])
def test_a_match_stays_at_the_layout_that_has_its_seats(wanted: Layout) -> None:
    assert choose_layout(match(), FOUR, wanted) is FOUR


def test_a_match_for_fewer_goes_on_at_a_smaller_table() -> None:
    scene = match(3)
    assert choose_layout(scene, FOUR, THREE) is THREE
    assert compatible_scene(scene, FOUR, THREE) is scene


def test_a_match_without_its_seats_begins_again() -> None:
    assert choose_layout(match(), THREE, THREE) is THREE
    assert compatible_scene(match(), THREE, THREE) is None
    assert compatible_scene(match(), None, THREE) is None


def test_the_lobby_keeps_who_still_has_a_seat() -> None:
    assert compatible_scene(Lobby(joined=(0, 2, 3)), FOUR, THREE) == Lobby(joined=(0, 2))
    assert compatible_scene(Lobby(joined=(0, 2, 3)), FOUR, TURNED) == Lobby()


def test_a_countdown_or_a_start_with_somebody_gone_is_off() -> None:
    lobby = Lobby(joined=(0, 3), starting=True)
    assert compatible_scene(lobby, FOUR, FOUR) is lobby
    assert compatible_scene(lobby, FOUR, THREE) == Lobby(joined=(0,))


def test_a_new_evening_is_at_the_layout_that_is_wanted() -> None:
    assert choose_layout(None, FOUR, THREE) is THREE
    assert compatible_scene(None, FOUR, THREE) is None
    assert not is_match_running(None)
    assert not is_match_running(Lobby(joined=(1,)))
    assert is_match_running(match())
