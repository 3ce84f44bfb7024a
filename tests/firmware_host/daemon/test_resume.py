"""An evening goes on at another layout where every seat in it has the name it had, and not otherwise."""

import pytest
from msgspec.structs import replace
from support.table.harness import laid

from engine import PERUDO
from firmware_host.daemon.resume import layout_for, resumed, runs_a_match
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from hardware.config.layout import Layout, load_builtin

FOUR = load_builtin("wired-4")
SPANISH = FOUR.speaking("es")
THREE = FOUR.first(3)
TURNED = replace(FOUR, seats=FOUR.seats[1:] + FOUR.seats[:1])


def match(seats: int = 4) -> Scene:
    return laid(PERUDO, [(1, 2)] * seats).table.scene


@pytest.mark.parametrize("before", [None, FOUR, SPANISH])
def test_a_match_goes_on_where_its_seats_are(before: Layout | None) -> None:
    scene = match()
    assert resumed(scene, before, FOUR) is scene
    assert layout_for(scene, before, FOUR) is FOUR


@pytest.mark.parametrize("wanted", [THREE, TURNED])
def test_a_match_stays_at_the_layout_that_has_its_seats(wanted: Layout) -> None:
    assert layout_for(match(), FOUR, wanted) is FOUR


def test_a_match_for_fewer_goes_on_at_a_smaller_table() -> None:
    scene = match(3)
    assert layout_for(scene, FOUR, THREE) is THREE
    assert resumed(scene, FOUR, THREE) is scene


def test_a_match_without_its_seats_begins_anew() -> None:
    assert layout_for(match(), THREE, THREE) is THREE
    assert resumed(match(), THREE, THREE) is None
    assert resumed(match(), None, THREE) is None


def test_the_lobby_keeps_who_still_has_a_seat() -> None:
    assert resumed(Lobby(joined=(0, 2, 3)), FOUR, THREE) == Lobby(joined=(0, 2))
    assert resumed(Lobby(joined=(0, 2, 3)), FOUR, TURNED) == Lobby()


def test_a_countdown_or_a_start_with_somebody_gone_is_off() -> None:
    lobby = Lobby(joined=(0, 3), starting=True)
    assert resumed(lobby, FOUR, FOUR) is lobby
    assert resumed(lobby, FOUR, THREE) == Lobby(joined=(0,))


def test_a_new_evening_is_at_the_layout_that_is_wanted() -> None:
    assert layout_for(None, FOUR, THREE) is THREE
    assert resumed(None, FOUR, THREE) is None
    assert not runs_a_match(None)
    assert not runs_a_match(Lobby(joined=(1,)))
    assert runs_a_match(match())
