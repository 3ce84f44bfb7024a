"""Every screen of a match is one that a table resumed from the last record can show, but for cursors and notices."""

import random
from typing import Any

import pytest
from msgspec import structs
from support.table.harness import SeatHand, TableHarness

from drivers.messages import Button
from engine import RULESETS
from firmware_host.table.effects import Show
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName, SeatView, TableReason
from firmware_host.table.staff.actions import StaffAction, StaffCommand
from firmware_host.table.table import Table

PASSING = {
    "alerts": (),
    "cue_ms": None,
    "has_peeked": False,
    "idle_frame": 0,
    "notice": None,
    "page": 0,
    "resumed": False,
    "tip": None,
}
"""The parts of a view that are a matter of the moment in any scene."""
WHILE_AWAITED = {"absence": None, "clock_s": None, "may_agree": False}
"""The same where the table waits for a player, as in any scene that has a turn clock or an absence."""
SIDE_MENUS = (
    {MenuCommand.BACK, MenuCommand.PLAY_ON, MenuCommand.GIVE_UP, MenuCommand.UNDO},
    {MenuCommand.STAY, MenuCommand.QUIT},
    {MenuCommand.KEEP, MenuCommand.AGREE},
)
STAFF = (StaffCommand.UNDO, StaffCommand.REMOVE, StaffCommand.PAUSE, StaffCommand.RESUME, StaffCommand.RESUME)
STEPS = 120


class CheckedHarness(TableHarness):
    """A table at which every answer is compared with a table that resumes."""

    def let_cups_answer(self) -> None:
        """Check the screens before the answer of a cup ends the scene."""
        if self.table.scene.is_in_a_match:
            check_screens(self)
        super().let_cups_answer()


def check_screens(harness: TableHarness) -> None:
    scene = harness.table.scene
    resumed = Table(harness.position.rules, harness.seat_infos, scene)
    shows: dict[int, Show] = {
        effect.seat: effect for effect in resumed.begin(harness.now_ns) if isinstance(effect, Show)
    }
    for seat, show in harness.shown.items():
        check_view(scene, show.view, shows[seat].view)
        check_menu(scene, show, shows[seat])
        assert show.look == shows[seat].look


def check_view(scene: Scene, view: SeatView, resumed: SeatView) -> None:
    if view.notice is TableReason.OTHERS_SHAKE:
        assert view.waiting_for, "a notice about players who have all shaken"
    passing: dict[str, Any] = PASSING | (WHILE_AWAITED if view.waiting_for else {})
    passing |= {"undo": None} if scene.last_action else {}
    passing["brightness"] = view.brightness
    assert structs.replace(view, **passing) == structs.replace(resumed, **passing)


def check_menu(scene: Scene, show: Show, resumed: Show) -> None:
    if show.menu.items != resumed.menu.items:
        assert scene.may_leave(show.seat), f"{show.menu.items} where {resumed.menu.items} are offered"
        assert any({*show.menu.items} <= items for items in SIDE_MENUS)


def does_anything(harness: TableHarness, rng: random.Random) -> None:
    """Let something happen: mostly play, and whatever else opens, covers or closes a menu."""
    hand = rng.choice([*harness])
    awaited = [each for each in harness if each.awaited]
    match rng.choices(range(7), (12, 5, 3, 3, 1, 1, 1))[0]:
        case 0 if awaited and not harness.table.scene.paused:
            plays(rng.choice(awaited), rng)
        case 1:
            for _ in range(rng.choice((1, 1, 2, 20))):
                hand.tap(Button.RIGHT)
        case 2:
            hand.tap(rng.choice((Button.LEFT, Button.OK)))
        case 3:
            rng.choice((hand.tilt, hand.level))()
        case 4:
            harness.send(StaffAction(rng.choice(STAFF), hand.seat))
        case 5:
            for cup in harness.cups.values():
                cup.keeps_silent = rng.random() < 0.5
            harness.let_cups_answer()
        case _:
            harness.wait(rng.choice((0.1, 0.5, 2, 20, 400)))


def plays(hand: SeatHand, rng: random.Random) -> None:
    if hand.view.scene is SceneName.SHAKING:
        hand.shake()
    else:
        hand.tap(Button.OK if rng.random() < 0.6 else Button.DUDO)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(16))
def test_every_screen_is_one_that_a_resumed_table_can_show(seed: int) -> None:
    rng = random.Random(seed)
    rules, seats = rng.choice([*RULESETS.values()]), rng.choice((2, 3, 4, 8))
    programs = range(rng.choice((0, seats // 2, seats, seats)))
    clock_s = rng.choice((None, None, 20.0))
    harness = CheckedHarness(rules, seats, seed=seed, programs=programs, turn_clock_s=clock_s).joined()
    for _ in range(STEPS):
        does_anything(harness, rng)
