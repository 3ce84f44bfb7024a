"""The TV goes on with the first sign of play, and off when nobody has played for a while."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from firmware_host import wire
from firmware_host.clients.tv.cec import CecError
from firmware_host.clients.tv.power import PLAY, TvPower
from firmware_host.public import recap
from firmware_host.wire import PublicSeat, PublicState, read_known
from hardware.emulated.virtual_loop import VirtualLoop

OFF_AFTER_S = 900.0


class FakeTv:
    """A TV that notes when it is switched, in seconds from the start, and fails as long as `problem` says why."""

    def __init__(self) -> None:
        self.began_s = asyncio.get_running_loop().time()
        self.switched: list[tuple[float, str]] = []
        self.tries = 0
        self.problem = ""
        self.other_source = ""

    def check(self) -> None:
        if self.problem:
            raise CecError(self.problem)

    async def switch_on(self) -> None:
        self._switch("on")

    async def switch_off(self) -> str:
        self._switch("off")
        return self.other_source

    def _switch(self, to: str) -> None:
        self.tries += 1
        self.check()
        self.switched.append((asyncio.get_running_loop().time() - self.began_s, to))


def run(scenario: Callable[[TvPower, FakeTv], Awaitable[None]], *, problem: str = "") -> None:
    """Run a scenario in virtual time."""

    async def running() -> None:
        tv = FakeTv()
        tv.problem = problem
        power = TvPower(tv, OFF_AFTER_S)
        keeping = asyncio.create_task(power.keep())
        await scenario(power, tv)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)

    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
        runner.run(running())


def test_the_tv_is_left_alone_until_somebody_plays() -> None:
    async def scenario(power: TvPower, tv: FakeTv) -> None:
        await asyncio.sleep(3 * OFF_AFTER_S)
        assert tv.switched == []

    run(scenario)


def test_it_goes_on_at_once_and_off_after_the_last_sign_of_play() -> None:
    async def scenario(power: TvPower, tv: FakeTv) -> None:
        for at_s in (0, 10, 800):
            await asyncio.sleep(at_s)
            power.played()
        await asyncio.sleep(3 * OFF_AFTER_S)
        assert tv.switched == [(0, "on"), (810 + OFF_AFTER_S, "off")]

    run(scenario)


def test_it_goes_on_again_with_the_next_match() -> None:
    async def scenario(power: TvPower, tv: FakeTv) -> None:
        power.played()
        await asyncio.sleep(OFF_AFTER_S + 100)
        power.played()
        await asyncio.sleep(1)
        assert tv.switched == [(0, "on"), (OFF_AFTER_S, "off"), (OFF_AFTER_S + 100, "on")]

    run(scenario)


def test_a_tv_that_shows_another_source_is_asked_once() -> None:
    async def scenario(power: TvPower, tv: FakeTv) -> None:
        tv.other_source = "2.0.0.0"
        power.played()
        await asyncio.sleep(5 * OFF_AFTER_S)
        assert [to for _, to in tv.switched] == ["on", "off"]

    run(scenario)


def test_a_problem_is_logged_once_and_tried_again_less_and_less_often(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(power: TvPower, tv: FakeTv) -> None:
        power.played()
        await asyncio.sleep(OFF_AFTER_S - 1)
        assert 5 <= tv.tries <= 10
        tv.problem = ""
        power.played()
        await asyncio.sleep(400)
        assert [to for _, to in tv.switched] == ["on"]

    with caplog.at_level(logging.WARNING):
        run(scenario, problem="there is no /dev/cec0")
    assert [record.message for record in caplog.records] == [
        "there is no /dev/cec0; trying again when somebody plays",
        "the TV can be switched again",
    ]


def test_a_tv_that_cannot_be_switched_any_more_wakes_nobody_after_play() -> None:
    async def scenario(power: TvPower, tv: FakeTv) -> None:
        power.played()
        await asyncio.sleep(2 * OFF_AFTER_S)
        tries = tv.tries
        await asyncio.sleep(20 * OFF_AFTER_S)
        assert tv.tries == tries

    run(scenario, problem="there is no /dev/cec0")


def switched_by_staff(*steps: tuple[float, str], other_source: str = "") -> list[tuple[float, str]]:
    """Return how a TV is switched while staff set it, or somebody plays, so many seconds one after the other."""
    switched: list[tuple[float, str]] = []

    async def scenario(power: TvPower, tv: FakeTv) -> None:
        tv.other_source = other_source
        for after_s, what in steps:
            await asyncio.sleep(after_s)
            if what == "play":
                power.played()
            elif what.startswith("{"):
                power._read(read_known(what))
            else:
                power.set_by_staff(what)
        await asyncio.sleep(3 * OFF_AFTER_S)
        switched.extend(tv.switched)

    run(scenario)
    return switched


def test_staff_have_it_on_all_the_time() -> None:
    assert switched_by_staff((0, "auto"), (5, "on")) == [(5, "on")]
    assert switched_by_staff((0, "on"), (10, "play")) == [(0, "on")]


def test_staff_have_it_off_whoever_plays_and_whoever_has_switched_it_on() -> None:
    assert switched_by_staff((0, "auto"), (5, "off"), (5, "play")) == [(5, "off")]
    assert switched_by_staff((0, "play"), (60, "off"), (5, "play")) == [(0, "on"), (60, "off")]


def test_a_tv_that_shows_another_source_is_not_switched_off_by_staff_either() -> None:
    assert switched_by_staff((0, "off"), (5, "play"), other_source="2.0.0.0") == [(0, "off")], "asked once"


def test_a_process_that_starts_in_mid_evening_obeys_the_first_state() -> None:
    assert switched_by_staff((0, "off")) == [(0, "off")]
    assert switched_by_staff((0, "on")) == [(0, "on")]
    assert switched_by_staff((0, "auto")) == []


def test_after_staff_it_is_left_to_play_again() -> None:
    assert switched_by_staff((0, "on"), (60, "auto")) == [(0, "on"), (60, "off")]
    assert switched_by_staff((0, "play"), (10, "off"), (10, "auto")) == [
        (0, "on"),
        (10, "off"),
        (20, "on"),
        (900, "off"),
    ]


@pytest.mark.parametrize("tv", [None, "dimmed", 3, ["off"]])
def test_a_value_of_another_version_leaves_it_to_play(tv: object) -> None:
    state = PublicState(scene="lobby", rules="perudo", seats=(PublicSeat("North", "red", False, 0),))
    line = json.dumps({**msgspec.to_builtins(state), "tv": tv})
    assert switched_by_staff((0, line), (5, "play"))[0] == (5, "on")


def test_every_sign_of_play_is_a_public_event() -> None:
    assert {*get_args(wire.AnyLine)} >= {*get_args(PLAY)}


def closing(tmp_path: Path, *, played_after_s: float | None, staff: str = "auto") -> list[tuple[float, str]]:
    """Return how a TV is switched: play at 0 s, and a recap from 100 to 400 s."""
    events, switched = tmp_path / "events.sock", []

    async def scenario(power: TvPower, tv: FakeTv) -> None:
        loop = asyncio.get_running_loop()
        watching = asyncio.create_task(power.watch_closing(events, loop.time))
        power.set_by_staff(staff)
        power.played()
        await asyncio.sleep(100)
        recap.write(recap.Recap(loop.time() + 300, 3, 40), events)
        if played_after_s is not None:
            await asyncio.sleep(played_after_s)
            power.played()
        await asyncio.sleep(500)
        watching.cancel()
        switched.extend(tv.switched)

    run(scenario)
    return switched


def test_it_goes_off_when_the_recap_of_the_evening_has_been_shown(tmp_path: Path) -> None:
    (_, on), (off_s, off) = closing(tmp_path, played_after_s=None)
    assert (on, off) == ("on", "off")
    assert 400 <= off_s <= 400 + 2 * recap.POLL_S


def test_it_stays_on_when_somebody_plays_while_the_recap_is_shown(tmp_path: Path) -> None:
    assert [how for _, how in closing(tmp_path, played_after_s=100)] == ["on"]


def test_it_stays_on_past_the_recap_where_staff_have_it_always_on(tmp_path: Path) -> None:
    assert [how for _, how in closing(tmp_path, played_after_s=None, staff="on")] == ["on"]
