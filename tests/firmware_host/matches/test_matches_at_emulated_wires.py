"""Whole matches from edge to display: the real daemon and its real drivers, robots at emulated wires."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from engine import RULESETS, Rules, View
from firmware_host.daemon.seat_display import FrameListener
from firmware_host.play.emulated_session import EmulatedSession, WatchSeat
from firmware_host.play.screenshots import ScreenshotRecorder
from firmware_host.screens import draw, draw_peek
from firmware_host.table.events import PublicEvent, RoundBegan
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SeatView
from firmware_host.wire import DeviceFound, DeviceLost, MatchWon
from hardware.config.layout import load_builtin
from hardware.emulated.seat import EmulatedSeat
from hardware.emulated.virtual_loop import VirtualLoop

LAYOUTS = ("boards-8", "wired-4", "wired-8")
SHORT = replace(RULESETS["perudo"], starting_dice=2)
DEVELOPED_S = 1.0
"""Longer than all panels of a table need for one picture each."""


def play(layout: str, seats: int, rules: Rules, seed: int = 1, *watchers: WatchSeat) -> list[PublicEvent]:
    events: list[PublicEvent] = []
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
        runner.run(EmulatedSession(load_builtin(layout).first(seats), rules, seed).play(events.append, watchers))
    return events


def winners(events: list[PublicEvent]) -> list[int]:
    return [event.seat for event in events if isinstance(event, MatchWon)]


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_a_match_ends_with_one_winner(layout: str, rules: Rules) -> None:
    events = play(layout, 2, replace(rules, starting_dice=2))
    assert len(winners(events)) == 1
    assert not any(isinstance(event, DeviceLost) for event in events)


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["boards-8", "wired-8"])
def test_eight_seats_play_to_the_end(layout: str) -> None:
    events = play(layout, 8, replace(RULESETS["kill-spot"], starting_dice=1))
    assert len(winners(events)) == 1
    assert sorted(next(event.standings for event in events if isinstance(event, MatchWon))) == list(range(8))


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_one_seed_is_one_story(layout: str) -> None:
    first, again, other = (repr(play(layout, 2, SHORT, seed)) for seed in (7, 7, 8))
    assert first == again
    assert first != other


def restless(seed: int) -> WatchSeat:
    """Somebody who pulls a cable of every seat now and then, and puts it back."""
    rng = random.Random(seed)

    def onlooker(number: int, seat: EmulatedSeat) -> FrameListener:
        loop = asyncio.get_running_loop()

        def pull() -> None:
            device = rng.choice(seat.devices)
            seat.unplug(device)
            loop.call_later(rng.uniform(0.1, 6), put_back, device)

        def put_back(device: str) -> None:
            seat.plug(device)
            loop.call_later(rng.uniform(5, 40), pull)

        loop.call_later(rng.uniform(5, 40), pull)
        return lambda view, menu, look: None

    return onlooker


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_match_ends_though_cables_are_pulled_all_the_time(layout: str) -> None:
    end_despite_pulled_cables(layout, 3, replace(RULESETS["kill-spot"], starting_dice=3), 5)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("seats", [2, 4, 8])
@pytest.mark.parametrize("layout", ["boards-8", "wired-8"])
@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_every_match_ends_though_cables_are_pulled(layout: str, rules: Rules, seats: int, seed: int) -> None:
    end_despite_pulled_cables(layout, seats, rules, seed)


def end_despite_pulled_cables(layout: str, seats: int, rules: Rules, seed: int) -> None:
    events = play(layout, seats, rules, seed, restless(seed))
    assert len(winners(events)) == 1
    lost, found = (sum(isinstance(event, kind) for event in events) for kind in (DeviceLost, DeviceFound))
    assert lost > 0
    assert lost - found <= seats  # what was still out when the match ended


def compared(shown: list[bool]) -> WatchSeat:
    """Somebody who compares each display with what should be drawn on it, once it has had time to get there."""

    def onlooker(number: int, seat: EmulatedSeat) -> FrameListener:
        latest: Callable[[], Image.Image] | None = None

        def see(view: SeatView, menu: Menu, look: View | None) -> None:
            nonlocal latest
            latest = (lambda: draw(view, menu)) if look is None else (lambda: draw_peek(view, menu, look))
            asyncio.get_running_loop().call_later(DEVELOPED_S, compare, latest)

        def compare(wanted: Callable[[], Image.Image]) -> None:
            if wanted is latest:
                shown.append(seat.shows(wanted()))

        return see

    return onlooker


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_panel_holds_what_was_drawn_for_its_seat(layout: str) -> None:
    shown: list[bool] = []
    events = play(layout, 4, replace(RULESETS["palo-fijo"], starting_dice=2), 2, compared(shown))
    assert len(shown) > 100
    assert all(shown)
    assert not any(isinstance(event, DeviceLost) for event in events)


@pytest.mark.slow
def test_the_album_has_every_round_as_each_seat_saw_it(tmp_path: Path) -> None:
    events = play("boards-8", 2, RULESETS["kill-spot"], 4, ScreenshotRecorder(tmp_path).watch_seat)
    rounds = [f"round-{event.number:02}-{event.kind}" for event in events if isinstance(event, RoundBegan)]
    assert set(rounds) <= {folder.name for folder in tmp_path.iterdir()}
    for name in rounds:
        assert {"red-reveal.png", "orange-reveal.png", "red-shaking.png"} <= {
            path.name for path in (tmp_path / name).iterdir()
        }
