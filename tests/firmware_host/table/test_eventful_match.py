"""A match in which all happens that staff can do: its record verifies, and its replay ends in the same standing."""

import io
import random
from contextlib import suppress

import pytest
from support.table.harness import TableHarness

from engine import PERUDO, parse_score
from firmware_host.fairness.chain import printable_name
from firmware_host.fairness.verify.checker import verify
from firmware_host.journal.records import decode_scene, encode_scene, scene_name
from firmware_host.scores.recorder import MatchRecorder
from firmware_host.scores.replay_events import steps
from firmware_host.table.events import PublicEvent, SeatHandedOver, Undone
from firmware_host.table.menu import MenuCommand
from firmware_host.table.seat_view import SceneName
from firmware_host.table.staff import StaffAction, StaffCommand

UNDOS, HAND_OVERS, KILLS = 10, 3, 5


def act(harness: TableHarness, rng: random.Random) -> None:
    """Have one of those for whom the table waits do something."""
    for seat, turn in harness.robots.items():
        if turn is not None:
            legal = [] if harness.scene is not SceneName.BIDDING else [*harness.game.match.legal(seat)]
            item = turn.item if turn.item is not None else next(iter(rng.sample(legal[:6], bool(legal))), None)
            if item is not None:
                harness.let_robot_act(seat, item)
                return
    waiting = [hand for hand in harness if hand.awaited and hand.seat < 2]
    if waiting:
        with suppress(ValueError):
            rng.choice(waiting).does_something(rng)


@pytest.mark.slow
def test_a_match_with_ten_undos_three_hand_overs_two_robots_and_five_kills_verifies() -> None:
    rng, told = random.Random(20), list[PublicEvent]()
    harness = TableHarness(PERUDO, 4, seed=20, programs=(0, 1))
    for seat, item in enumerate([MenuCommand.JOIN, MenuCommand.JOIN, MenuCommand.ROBOT_HARD, MenuCommand.ROBOT_EASY]):
        harness[seat].pick(item)
    harness[0].pick(MenuCommand.START)
    harness.wait(5)
    kills = 0
    for number in range(5000):
        if harness.scene is SceneName.OVER:
            break
        act(harness, rng)
        events = [*told, *harness.events]
        if sum(isinstance(event, Undone) for event in events) < UNDOS and rng.random() < 0.3:
            harness.send(StaffAction(StaffCommand.UNDO))
        if sum(isinstance(event, SeatHandedOver) for event in events) < HAND_OVERS and rng.random() < 0.1:
            harness.send(StaffAction(StaffCommand.HAND_OVER, rng.randrange(4)))
        if kills < KILLS and rng.random() < 0.1:
            kills, told, scene = kills + 1, [*told, *harness.events], harness.table.scene
            again = decode_scene(scene_name(scene), encode_scene(scene))
            harness = TableHarness(PERUDO, 4, seed=number, scene=again, cups=harness.cups)
        harness.wait(1)
    told += harness.events
    assert harness.scene is SceneName.OVER
    file = io.StringIO()
    recorder = MatchRecorder(PERUDO, [printable_name(seat.name) for seat in harness.seat_infos], lambda: "", file)
    recorder.record_all(told)
    recorder.close()
    (verdict,) = verify(file.getvalue())
    assert (verdict.wrong, verdict.closed) == (None, True)
    assert (verdict.undone, verdict.handed_over, kills) == (UNDOS, HAND_OVERS, KILLS)
    score = parse_score(file.getvalue())
    assert [name.endswith(("[robot hard]", "[robot easy]")) for name in score.names] == [False, False, True, True]
    *_, last = steps(score)
    assert last.position == harness.game.position
