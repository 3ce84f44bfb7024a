"""Whatever hands do and don't: no match stands still forever, and nobody who is away is robbed by a neighbour.

Idle times here are minutes, unlike those of `test_table_properties`; every answer of the table is held to the engine by
`TableHarness`. What comes out at the end is a record that `verify` accepts. `make soak` has fifty times the examples.
"""

import io
import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.table.harness import SECOND, TableHarness, events_in

from drivers.messages import Button, Device
from engine import RULESETS, Rules
from firmware_host.fairness.verify.checker import verify
from firmware_host.store.journal import records
from firmware_host.store.scores.recorder import MatchRecorder
from firmware_host.table.effects import Announce, Effect, Record, Show
from firmware_host.table.events import LeaveReason
from firmware_host.table.parts.timeouts import (
    AWAY_TIMEOUT_NS,
    DESERTED_TIMEOUT_NS,
    REMOVAL_TIMEOUT_NS,
    STALLING_TIMEOUT_NS,
)
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import ChainEntryAdded, Left, MatchBegan, MatchBrokenOff, MatchWon

Step = tuple[str, int, float]  # what, at which seat, and how many seconds after the last
steps = st.lists(
    st.tuples(
        st.sampled_from(
            [
                *["play"] * 8,
                *["idle", "ok", "dudo", "left", "right", "right", "give up", "play on", "play on", "shake", "tilt"],
                *["lose", "find"],
            ]
        ),
        st.integers(0, 7),
        st.sampled_from([0.0, 0.1, 1.0, 5.0, 30.0, 100.0, 290.0, 301.0, 601.0, 1900.0]),
    ),
    min_size=5,
    max_size=40,
)
rule_sets = st.sampled_from(list(RULESETS.values()))
sizes = st.sampled_from([2, 3, 4, 8])
clocks = st.sampled_from([None, None, 10, 60, 400])
NOBODY = (Lobby(), Lobby(broken_off=True))


class WatchedHarness(TableHarness):
    """An evening that writes down who was touched when, since when all wait for whom, and who would go on without."""

    def __init__(self, rules: Rules, seats: int, seed: int, clock_s: int | None) -> None:
        self.touched_ns = dict.fromkeys(range(seats), 0)
        self.awaited: tuple[object, int] = (None, 0)  # the action that the table waits for, and since when
        super().__init__(rules, seats, seed=seed, turn_clock_s=clock_s, programs=range(seed % (seats + 1)))

    def _carry_out(self, effects: list[Effect], before: Scene) -> list[Effect]:
        for event in events_in(effects):
            if isinstance(event, Left) and event.why is not LeaveReason.GAVE_UP and before.game is not None:
                outvoted = event.why is LeaveReason.OUTVOTED
                notice_ns = 0 if outvoted else REMOVAL_TIMEOUT_NS
                is_untouched = self.now_ns - self.touched_ns[event.seat] >= AWAY_TIMEOUT_NS + notice_ns
                is_stalling = self.now_ns - self.awaited[1] >= STALLING_TIMEOUT_NS + notice_ns
                assert is_untouched or is_stalling, "robbed"
                assert not outvoted or before.game.position.living[2:], "robbed by one alone"
        done = super()._carry_out(effects, before)
        scene = self.table.scene
        game = scene.game
        action = game and (scene.name, game.id, game.deals, game.position.turn, game.position.standing)
        if action != self.awaited[0]:
            self.awaited = action, self.now_ns
        return done

    def touch(self, seat: int) -> None:
        self.touched_ns[seat] = self.now_ns

    def do(self, step: Step) -> None:
        what, at, after_s = step
        self.wait(after_s)
        hand = self[at % len(self.seat_infos)]
        if what not in ("idle", "play", "lose", "find"):
            self.touch(hand.seat)
        match what:
            case "play":
                self._play()
            case "ok" | "dudo" | "left" | "right":
                hand.tap(Button(what))
            case "give up" | "play on":
                self._aside(hand.seat, MenuCommand.GIVE_UP if what == "give up" else MenuCommand.PLAY_ON)
            case "shake":
                hand.shake()
            case "tilt":
                hand.tilt()
                hand.level()
            case "lose":
                hand.lose(list(Device)[at % 4])
            case "find":
                hand.find(list(Device)[at % 4])

    def _play(self) -> None:
        hands = [hand for hand in self if hand.awaited]
        if hands and self.scene not in (SceneName.CALLED, SceneName.LOBBY):
            hand = self.rng.choice(hands)
            self.touch(hand.seat)
            with suppress(ValueError):  # its time ran out while it was on its way through the menu
                hand.does_something(self.rng)

    def _aside(self, seat: int, item: MenuCommand) -> None:
        hand = self[seat]
        for _ in range(60):
            if item in hand.menu.items:
                break
            hand.tap(Button.RIGHT)
        else:
            return
        with suppress(ValueError):
            hand.pick(item)
            if MenuCommand.QUIT in hand.menu.items:
                hand.pick(MenuCommand.QUIT)


def with_examples(*given_are: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[[int], None]]:
    """Return a property of any evening, with few examples, and in the soak with many."""

    def of(holds: Callable[..., None]) -> Callable[[int], None]:
        def test(examples: int) -> None:
            settings(max_examples=examples, deadline=None)(given(*given_are)(holds))()

        return pytest.mark.parametrize("examples", [6, pytest.param(500, marks=pytest.mark.soak)])(test)

    return of


def played(rules: Rules, seats: int, seed: int, clock_s: int | None, script: list[Step]) -> WatchedHarness:
    harness = WatchedHarness(rules, seats, seed, clock_s)
    harness.joined()
    for step in script:
        harness.do(step)
    return harness


@with_examples(rule_sets, sizes, st.integers(0, 50), clocks, steps)
def test_when_all_hands_are_off_a_match_is_over_within_two_hours(
    rules: Rules, seats: int, seed: int, clock_s: int | None, script: list[Step]
) -> None:
    harness = played(rules, seats, seed, clock_s, script)
    harness.wait((DESERTED_TIMEOUT_NS + 2 * REMOVAL_TIMEOUT_NS) / SECOND)
    assert harness.scene in (SceneName.LOBBY, SceneName.OVER)
    harness.wait(3600)
    assert harness.lobby in NOBODY


@pytest.mark.slow
@with_examples(rule_sets, sizes, st.integers(0, 50), st.sampled_from([10, 60]), steps)
def test_with_a_clock_pressing_about_holds_nothing_up(
    rules: Rules, seats: int, seed: int, clock_s: int, script: list[Step]
) -> None:
    """One seat is pressed every second, and nothing else is ever done."""
    harness = played(rules, seats, seed, clock_s, script)
    if harness.scene in (SceneName.LOBBY, SceneName.OVER):
        return
    game, most = harness.game.id, 45 * seats * seats
    where: list[object] = []
    for _ in range(most):
        harness[0].tap(Button.LEFT)
        harness.wait(clock_s + 31)
        if harness.table.scene.game is None or harness.game.id != game or harness.scene is SceneName.OVER:
            return
        stands = harness.table.scene
        assert stands not in where[-1:], f"it stands still: {stands}"
        where.append(stands)
    raise AssertionError("it does not end")


@with_examples(rule_sets, st.sampled_from([2, 3, 4]), st.integers(0, 50), clocks, steps)
def test_what_comes_out_is_a_record_that_verify_accepts(
    rules: Rules, seats: int, seed: int, clock_s: int | None, script: list[Step]
) -> None:
    harness = played(rules, seats, seed, clock_s, script)
    harness.wait(2 * DESERTED_TIMEOUT_NS / SECOND)
    file = io.StringIO()
    recorder = MatchRecorder(rules, [seat.name for seat in harness.seat_infos], lambda: "2026-11-21", file)
    for event in harness.events:
        recorder.record(event)
    recorder.close()
    matches = file.getvalue()
    assert matches.count("dudo score 1") == len(harness.events_of(MatchBegan))
    for verdict in verify(matches):
        assert verdict.wrong is None, (verdict.wrong, matches)
    assert matches.count(":wins\n") == len(harness.events_of(MatchWon))
    assert matches.count("\n*\n") == len(harness.events_of(MatchBrokenOff))


@pytest.mark.slow
@with_examples(rule_sets, sizes, st.integers(0, 50), clocks, steps)
def test_dice_of_a_round_that_no_call_ended_are_never_shown(
    rules: Rules, seats: int, seed: int, clock_s: int | None, script: list[Step]
) -> None:
    """Neither what they were made of is opened, nor does anybody look under a cup between their round and the next."""
    harness = played(rules, seats, seed, clock_s, script)
    harness.wait(2 * DESERTED_TIMEOUT_NS / SECOND)
    under_the_cups: tuple[str, int] | None = None
    before: tuple[str, int] | None = None
    name, void, opened = "", set[tuple[str, int]](), set[tuple[str, int]]()
    for effect in harness.effects:
        match effect:
            case Record(scene):
                dealt = scene.game is not None and bool(scene.game.match._hands)
                before = under_the_cups
                under_the_cups = (scene.game.id, scene.game.deals) if dealt and scene.game is not None else None
            case Announce(Left() | MatchBrokenOff()) if before is not None:
                void.add(before)
            case Announce(MatchBegan(began)):
                name = began
            case Announce(ChainEntryAdded(line)) if line.startswith("deal ") and line.split()[2] in ("seed", "opens"):
                opened.add((name, int(line.split()[1])))
            case Show(look=look) if look is not None:
                assert under_the_cups is not None
    assert not void & opened


@pytest.mark.slow
@with_examples(rule_sets, sizes, st.integers(0, 50), clocks, steps)
def test_every_scene_on_the_way_can_be_taken_up_again(
    rules: Rules, seats: int, seed: int, clock_s: int | None, script: list[Step]
) -> None:
    harness = played(rules, seats, seed, clock_s, script)
    for scene in harness.records[-6:]:
        back = records.decode_scene(records.scene_name(scene), records.encode_scene(scene))
        assert back == scene
        again = TableHarness(rules, seats, scene=back, programs=range(seed % (seats + 1)), turn_clock_s=clock_s)
        again.wait(2 * DESERTED_TIMEOUT_NS / SECOND)
        assert again.lobby in NOBODY


@pytest.mark.parametrize("name", ["shaking", "lobby", "over"])
def test_a_scene_recorded_before_there_was_any_of_this_is_read(name: str) -> None:
    harness = TableHarness(RULESETS["perudo"], 2).joined()
    if name == "over":
        harness.until_over(harness.rng)
    scene = next(scene for scene in reversed(harness.records) if records.scene_name(scene) == name)
    body = json.loads(records.encode_scene(scene))
    for new in ("again", "counting", "gone"):
        body.pop(new, None)
    if body["game"]:
        del body["game"]["left"]
    assert records.decode_scene(name, json.dumps(body).encode()) == scene
