"""Any evening of staff, guests, robots and cables: what must hold after every message, and that a match always ends.

A state machine lets everything happen that can happen at a table, in any order, with restarts from the journal between.
Every answer of the table is also held to the engine by `TableHarness`. `make soak` has fifty times the examples.
"""

import io
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from support.table.harness import NAMES, TableHarness, events_in

from drivers.messages import Button, Device, KeyTurned, Pressed, Released
from engine import RULESETS, Bid, Rules, parse_score
from engine.match import visible_seats
from firmware_host.fairness.verify.checker import verify
from firmware_host.store.journal import records
from firmware_host.store.scores import replay_events
from firmware_host.store.scores.recorder import FIRST_WORDS, MatchRecorder
from firmware_host.table.effects import Effect
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.names import KeepNames, NameOptions, NamesRead
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import StaffAction, StaffAnswer, StaffCommand, StaffOptions
from firmware_host.table.staff.items import StaffItem
from firmware_host.wire import SeatHandedOver

SEATS = (2, 3, 4, 8)
OPTIONS = StaffOptions(
    choices={StaffItem.RULES: tuple(RULESETS), StaffItem.TURN_CLOCK: (0, 30)},
    present={StaffItem.RULES: "perudo", StaffItem.TURN_CLOCK: 30},
    read_facts=lambda: {StaffItem.MATCHES: "12", StaffItem.VERSION: "1.2.3"},
    takes_hold=True,
)
seats = st.integers(0, 7)
buttons = st.sampled_from(list(Button))
MS = 1_000_000
MAX_STEPS_TO_THE_END = 4000
ROBOTS = [RobotLevel.HARD, RobotLevel.EASY]
LOBBY_ITEMS = [MenuCommand.JOIN, MenuCommand.START, MenuCommand.LEAVE, *ROBOTS, MenuCommand.NAME, MenuCommand.AGAIN]
SIDE_ITEMS = [MenuCommand.UNDO, MenuCommand.UNDO, MenuCommand.GIVE_UP, MenuCommand.PLAY_ON]


class _Harness(TableHarness):
    """A harness whose events go to the machine, over restarts."""

    machine: "EveningMachine"

    def _carry_out(self, effects: list[Effect], before: Scene) -> list[Effect]:
        self.machine.follow(effects)
        return super()._carry_out(effects, before)


class EveningMachine(RuleBasedStateMachine):
    """One evening: `up` and `held` are the seats whose cup is up and whose OK is held, `must_level` those hidden."""

    def __init__(self) -> None:
        super().__init__()
        self.harness: _Harness
        self.up: set[int] = set()
        self.held: set[int] = set()
        self.must_level: set[int] = set()
        self.names = NameOptions()

    @initialize(
        rules=st.sampled_from(list(RULESETS.values())),
        number=st.sampled_from(SEATS),
        seed=st.integers(0, 99),
        clock_s=st.sampled_from([None, None, 10, 60]),
        asks=st.booleans(),
        begins=st.booleans(),
    )
    def begin(self, rules: Rules, number: int, seed: int, clock_s: int | None, asks: bool, begins: bool) -> None:
        self.rules, self.number, self.seed, self.clock_s = rules, number, seed, clock_s
        self.names = NameOptions(asks=asks, regulars=("Ana", "Bo") if seed % 2 else ())
        self.file = io.StringIO()
        self.recorder = MatchRecorder(rules, NAMES[:number], lambda: "2026-11-21", self.file)
        self.Harness = type("Evening", (_Harness,), {"machine": self})
        self.harness = self.Harness(rules, number, programs=range(seed % (number + 1)), **self._more())
        if begins:
            for hand in self.harness:
                self.pick(hand.seat, MenuCommand.JOIN)
            self.harness.wait(21)
            self.pick(0, MenuCommand.START)
            self.harness.wait(6)

    def _more(self) -> dict[str, Any]:
        return {"seed": self.seed, "turn_clock_s": self.clock_s, "names": self.names, "staff": OPTIONS}

    def follow(self, effects: list[Effect]) -> None:
        """Record what the room is told, and what the host is to keep."""
        for event in events_in(effects):
            self.recorder.record(event)
            if isinstance(event, SeatHandedOver):
                self.held.discard(event.seat)
                self.must_level.update({event.seat} & self.up)
        for effect in effects:
            if isinstance(effect, KeepNames):
                self.names = NameOptions(self.names.asks, False, effect.names, effect.skipped, self.names.regulars)

    def pick(self, seat: int, item: Any) -> None:
        """Pick an item as a hand does it, unless something is in the way."""
        hand = self.harness[seat]
        for _ in range(80):
            if item not in hand.menu.items:
                hand.tap(Button.RIGHT)
                continue
            if hand.menu.chosen == item:
                hand.tap()
                return
            hand.tap(Button.RIGHT if hand.menu.items.index(item) > hand.menu.cursor else Button.LEFT)

    def hand(self, seat: int) -> Any:
        return self.harness[seat % self.number]

    # What happens

    @rule(what=st.sampled_from(list(StaffCommand)), seat=st.none() | seats, level=st.sampled_from(list(RobotLevel)))
    def staff_ask(self, what: StaffCommand, seat: int | None, level: RobotLevel) -> None:
        at = None if seat is None else seat % self.number
        effects = self.harness.send(StaffAction(what, at, 7, level))
        assert [effect.number for effect in effects if isinstance(effect, StaffAnswer)] == [7]

    @rule(is_on=st.sampled_from([True, True, False]))
    def key(self, is_on: bool) -> None:
        self.harness.send(KeyTurned(0, is_on, self.harness.now_ns))

    @rule(presses=st.lists(buttons, min_size=1, max_size=6))
    def staff_press(self, presses: list[Button]) -> None:
        for button in presses:
            self.harness[0].tap(button)
        self.held.discard(0)

    @rule(seat=seats, button=buttons, ago_ms=st.sampled_from([0, 0, 5, 40, 2000]), again=st.booleans())
    def press(self, seat: int, button: Button, ago_ms: int, again: bool) -> None:
        hand = self.hand(seat)
        for _ in range(1 + again):
            self.harness.send(Pressed(hand.seat, button, self.harness.now_ns - ago_ms * MS))
        if button is Button.OK:
            self.held.add(hand.seat)

    @rule(seat=seats, button=buttons, ago_ms=st.sampled_from([0, 0, 5, 40, 2000]))
    def release(self, seat: int, button: Button, ago_ms: int) -> None:
        hand = self.hand(seat)
        self.harness.send(Released(hand.seat, button, self.harness.now_ns - ago_ms * MS))
        if button is Button.OK:
            self.held.discard(hand.seat)

    @rule(seat=seats, again=st.booleans())
    def tilt(self, seat: int, again: bool) -> None:
        hand = self.hand(seat)
        for _ in range(1 + again):
            hand.tilt()
        self.up.add(hand.seat)

    @rule(seat=seats)
    def level(self, seat: int) -> None:
        hand = self.hand(seat)
        self.up.discard(hand.seat)
        self.must_level.discard(hand.seat)
        hand.level()

    @rule(seat=seats)
    def shake(self, seat: int) -> None:
        self.hand(seat).shake()

    @rule(times=st.integers(1, 12))
    def play(self, times: int) -> None:
        for _ in range(times):
            self.play_once()

    def play_once(self) -> bool:
        """Let somebody for whom the table waits, a person or a robot, do something."""
        harness, scene = self.harness, self.harness.scene
        turns = {seat: turn for seat, turn in harness.robots.items() if turn and turn.is_in_turn}
        if turns and (turn := turns[seat := min(turns)]):
            bids = [] if turn.view is None else list(turn.view.legal)
            harness.let_robot_act(seat, harness.rng.choice(bids[:3]) if bids else None)
            harness.wait(0.1)
            return True
        hands = [hand for hand in harness if hand.awaited and hand.menu.items]
        shaking = [hand for hand in harness if hand.awaited and not hand.menu.items and scene is SceneName.SHAKING]
        if not hands + shaking:
            harness.wait(1)
            return False
        hand = harness.rng.choice(hands + shaking)
        if hand in hands and hand.menu.items:
            items = [item for item in hand.menu.items if item not in (MenuCommand.GIVE_UP, MenuCommand.QUIT)]
            if isinstance(hand.menu.chosen, Bid) and harness.rng.random() < 0.3:
                hand.tap(Button.DUDO)
            else:
                self.pick(hand.seat, harness.rng.choice(items[:3] + items[-1:]))
            self.held.discard(hand.seat)
        else:
            hand.shake()
        return True

    @rule(seat=seats, item=st.sampled_from(LOBBY_ITEMS))
    def guest_picks(self, seat: int, item: MenuCommand) -> None:
        if item in self.hand(seat).menu.items:
            self.pick(self.hand(seat).seat, item)
            self.held.discard(self.hand(seat).seat)

    @rule(seat=seats, item=st.sampled_from(SIDE_ITEMS))
    @precondition(lambda self: self.harness.scene in (SceneName.BIDDING, SceneName.SHAKING))
    def guest_asks(self, seat: int, item: MenuCommand) -> None:
        self.pick(self.hand(seat).seat, item)
        self.held.discard(self.hand(seat).seat)
        if MenuCommand.QUIT in self.hand(seat).menu.items:
            self.pick(self.hand(seat).seat, MenuCommand.QUIT)

    @rule(answers=st.lists(st.booleans(), max_size=8))
    def guests_answer(self, answers: list[bool]) -> None:
        for hand, agrees in zip(self.harness, answers, strict=False):
            if MenuCommand.AGREE in hand.menu.items:
                self.pick(hand.seat, MenuCommand.AGREE if agrees else MenuCommand.KEEP)
                self.held.discard(hand.seat)

    @rule(seat=seats, device=st.sampled_from(list(Device)), is_lost=st.booleans())
    def cable(self, seat: int, device: Device, is_lost: bool) -> None:
        hand = self.hand(seat)
        (hand.lose if is_lost else hand.find)(device)
        if device is not Device.PANEL:
            self.up.discard(hand.seat)
            self.held.discard(hand.seat)

    @rule(names=st.lists(st.sampled_from(["", "ANA", "ÑÇŒ", "AAA"]), max_size=8))
    def names_change(self, names: list[str]) -> None:
        self.names = NameOptions(self.names.asks, False, tuple(names), (), self.names.regulars)
        self.harness.send(NamesRead(self.names))

    @rule(s=st.sampled_from([0.0, 0.01, 0.03, 0.4, 1.3, 3.1, 6.0, 21.0, 61.0, 301.0, 1000.0]))
    def wait(self, s: float) -> None:
        self.harness.wait(s)

    @rule()
    def restart(self) -> None:
        """The daemon dies and the next one reads the journal. Cups remember what they committed to."""
        scene = self.harness.table.scene
        scene = records.decode_scene(records.scene_name(scene), records.encode_scene(scene))
        rng, now_ns = self.harness.rng, self.harness.now_ns
        self.up, self.held, self.must_level = set(), set(), set()
        self.harness = self.Harness(self.rules, self.number, scene=scene, cups=self.harness.cups, **self._more())
        self.harness.rng, self.harness.now_ns = rng, max(now_ns, self.harness.now_ns)

    # What holds

    @invariant()
    def the_journal_gives_back_the_same_scene(self) -> None:
        scene = self.harness.table.scene
        assert records.decode_scene(records.scene_name(scene), records.encode_scene(scene)) == scene

    @invariant()
    def no_display_has_a_die_that_its_seat_may_not_see(self) -> None:
        scene = self.harness.table.scene
        for seat in self.harness.open:
            assert seat in (self.up - self.must_level) | self.held, "dice where nobody looks"
            assert not scene.paused
            assert seat not in dict(scene.robots), "dice under a robot's cup"
            assert self.harness[seat].view.staff is None, "dice over the menu of staff"
        for hand in self.harness:
            look = hand.show.look
            if look is None:
                continue
            assert scene.game is not None
            assert look.seat == scene.game.player(hand.seat), "dice of another"
            shown = {player for player, dice in enumerate(look.hands) if dice is not None}
            assert shown <= {*visible_seats(look.position, look.seat)}

    @invariant()
    def the_menu_of_staff_offers_seats_that_are_there(self) -> None:
        views = [hand.view.staff for hand in self.harness if hand.view.staff is not None]
        scene = self.harness.table.scene
        for view in views:
            if not view.asks or view.value is None:
                continue
            if view.item in (StaffItem.REMOVE, StaffItem.HAND_OVER):
                assert view.value in {NAMES[seat] for seat in _playing(scene)}
            if view.item is StaffItem.ROBOT:
                assert isinstance(scene, Lobby)
                assert view.value in {NAMES[seat] for seat in range(self.number) if seat not in scene.joined}

    def teardown(self) -> None:
        """Whatever has happened: the match is played to its end, and every record verifies."""
        if not hasattr(self, "recorder"):
            return
        self._play_to_the_end()
        self.recorder.close()
        matches = self.file.getvalue()
        for verdict in verify(matches) if matches else ():
            assert verdict.wrong is None, (verdict.wrong, matches)
        if self.harness.scene is SceneName.OVER:
            *_, last = replay_events.steps(parse_score(FIRST_WORDS + matches.split(FIRST_WORDS)[-1]))
            assert last.position == self.harness.position

    def _play_to_the_end(self) -> None:
        """Plug everything in, let go of everything, have staff go, and play."""
        harness = self.harness
        for hand in harness:
            for device in Device:
                hand.find(device)
            for button in Button:
                hand.release(button)
            hand.level()
        harness.send(KeyTurned(0, False, harness.now_ns))
        if harness.table.scene.paused:
            harness.send(StaffAction(StaffCommand.RESUME))
        for _ in range(MAX_STEPS_TO_THE_END):
            if not harness.table.scene.is_in_a_match:
                break
            self.play_once()
        else:
            raise AssertionError(f"it does not end: {harness.table.scene}")


def _playing(scene: Scene) -> tuple[int, ...]:
    """Return the seats that have joined, or are not out."""
    if isinstance(scene, Lobby):
        return scene.joined
    assert scene.game is not None
    return tuple(scene.game.players[player] for player in scene.game.position.living)


@pytest.mark.slow
@pytest.mark.parametrize("examples", [12, pytest.param(1500, marks=pytest.mark.soak)])
def test_any_evening(examples: int) -> None:
    run_state_machine_as_test(
        EveningMachine, settings=settings(max_examples=examples, stateful_step_count=40, deadline=None)
    )
