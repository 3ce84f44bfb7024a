"""A daemon dies at any moment and the next goes on: every press has counted once, and none twice.

At emulated boards, which know nothing of it and tell again whatever was not acknowledged.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.table.harness import lay_out
from support.wires.layouts import at_a_dongle
from support.wires.restarts import DaemonRun, RestartedTable

from drivers.messages import Pressed, Released, Settled
from engine import KILL_SPOT, PYRUDO, Bid, Match
from firmware_host.table.scenes.scene import Game, Scene
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat.view import SceneName
from hardware.config.layout import load_builtin
from hardware.emulated.virtual_loop import VirtualLoop

pytestmark = pytest.mark.slow


DICE = [(1, 2, 3), (4, 5, 6), (2, 2, 6)]
ROUND = lay_out(PYRUDO, DICE).table.scene
BID = lay_out(PYRUDO, DICE, Bid(2, 3)).table.scene
RACE = lay_out(KILL_SPOT, DICE, Bid(2, 3)).table.scene
SHAKE = Shaking(game=Game("match", Match.start(PYRUDO, 3), (0, 1, 2)))
RADIO_CUPS = [f'{{ serial = "DONGLE", address = {number} }}' for number in (1, 2, 255)]
BOARDS = load_builtin("boards-8").first(3)
TAP_S = 0.2
"""Until a tap and its bounces are over and a record would be there."""

Open = Callable[[Scene], RestartedTable]


@pytest.fixture
def restarted(loop: VirtualLoop, tmp_path: Path) -> Iterator[Open]:
    """Give a function that lays a scene on a table of three boards."""
    with ExitStack() as stack:
        yield lambda scene: stack.enter_context(RestartedTable(loop, tmp_path, scene, BOARDS).boards())


def bids(run: DaemonRun) -> int:
    game = run.table.scene.game
    assert game is not None
    return 0 if game.position.standing is None else 1


def test_a_press_that_was_recorded_and_not_acknowledged_is_heard_no_more(restarted: Open) -> None:
    table = restarted(ROUND)
    table.after_s = 10.0
    with table.run_daemon() as first:
        table.seats[0].tap("ok")
        table.wait(TAP_S)
        assert first.settled(0) == []
    assert table.waiting(0) == 2
    with table.run_daemon() as second:
        assert bids(second) == 1
        assert second.taken == []
        assert second.refusals(0) == 0
        assert table.waiting(0) == 0


def test_without_the_journals_word_it_would_be_heard_twice(restarted: Open) -> None:
    table = restarted(ROUND)
    table.after_s = 10.0
    with table.run_daemon():
        table.seats[0].tap("ok")
        table.wait(TAP_S)
    with table.run_daemon(forgets=True) as second:
        assert len(second.taken) == 2


def test_a_press_that_was_taken_and_not_recorded_is_heard_again_and_told_why_it_does_nothing(restarted: Open) -> None:
    table = restarted(ROUND)
    table.before_s = 10.0
    with table.run_daemon() as first:
        table.seats[0].tap("ok")
        table.wait(TAP_S)
        assert len(first.taken) == 2
    table.before_s = 0.0
    with table.run_daemon() as second:
        assert [type(message) for message in second.taken] == [Pressed, Released]
        assert bids(second) == 0
        assert second.refusals(0) == 1
        assert table.waiting(0) == 0
        table.seats[0].tap("ok")
        table.wait(TAP_S)
        assert bids(second) == 1


def test_a_tap_of_which_only_half_was_heard_is_heard_again_as_a_whole(restarted: Open) -> None:
    table = restarted(ROUND)
    with table.run_daemon() as first:
        table.seats[0].press("ok")
        table.wait(0.05)
        assert len(first.taken) == 1
    table.seats[0].release("ok")
    with table.run_daemon() as second:
        assert len(second.taken) == 2
        assert second.refusals(0) == 1


def test_a_press_that_was_held_for_a_race_is_heard_again(restarted: Open) -> None:
    table = restarted(RACE)
    with table.run_daemon() as first:
        table.seats[1].tap("dudo")
        table.wait(0.02)
        assert first.taken
        assert first.events == []
    with table.run_daemon() as second:
        assert [message for message in second.taken if isinstance(message, Pressed)]
        assert second.refusals(1) == 1
        assert second.table.scene.name is SceneName.BIDDING


def test_both_who_raced_are_in_the_record_that_decided_it(restarted: Open) -> None:
    table = restarted(RACE)
    table.after_s = 10.0
    with table.run_daemon() as first:
        table.seats[1].tap("dudo")
        table.seats[2].tap("dudo")
        table.wait(0.05)
        assert first.settled(1) == first.settled(2) == []
    with table.run_daemon() as second:
        assert not [message for message in second.taken if isinstance(message, Pressed)]
        assert second.refusals(1) == second.refusals(2) == 0


def test_one_seats_record_neither_loses_nor_doubles_what_another_has_begun(restarted: Open) -> None:
    table = restarted(BID)
    table.after_s = 10.0
    with table.run_daemon() as first:
        table.seats[2].press("ok")
        table.wait(0.05)
        table.seats[1].tap("dudo")
        table.wait(0.05)
        assert first.journal.last_events.keys() == {table.device(1)}
    table.seats[2].release("ok")
    with table.run_daemon() as second:
        assert [message.seat for message in second.taken if isinstance(message, Pressed)] == [2]


def test_presses_behind_one_in_the_queue_are_heard_by_the_next(restarted: Open) -> None:
    table = restarted(ROUND)
    table.after_s = 10.0
    with table.run_daemon() as first:
        table.seats[0].tap("ok")
        table.wait(TAP_S)
        table.seats[0].tap("right")
        table.wait(TAP_S)
        assert len(first.taken) == 2
    with table.run_daemon() as second:
        assert [message.button for message in second.taken if isinstance(message, Pressed)] == ["right"]
        assert bids(second) == 1


def test_what_changes_nothing_may_come_again_and_changes_nothing_again(restarted: Open) -> None:
    table = restarted(BID)
    with table.run_daemon() as first:
        table.seats[0].tap("left")
        table.wait(0)
        for _ in range(200):
            table.hop(1)
            if first.settled(0):
                break  # and the acknowledgement is not yet on its way
        before = first.table.scene
    with table.run_daemon() as second:
        assert second.table.scene == before
        assert second.journal.scene is None
        assert second.refusals(0) == 0


def test_a_board_that_restarted_meanwhile_is_heard_from_its_first_event_on(restarted: Open) -> None:
    table = restarted(ROUND)
    with table.run_daemon():
        table.seats[0].tap("ok")
        table.wait(TAP_S)
    table.seats[0].unplug("board")
    table.seats[0].plug("board")
    with table.run_daemon() as second:
        table.seats[1].tap("ok")
        table.wait(TAP_S)
        table.seats[0].tap("left")
        table.wait(TAP_S)
        assert [number for _, number in second.numbers(0)] == [1, 2]


def test_a_third_daemon_knows_what_the_first_heard(restarted: Open) -> None:
    table = restarted(ROUND)
    table.after_s = 10.0
    with table.run_daemon():
        table.seats[0].tap("ok")
        table.wait(TAP_S)
    table.after_s = 0.0
    with table.run_daemon(greeted_s=0.0):  # dies before any link is up
        pass
    with table.run_daemon() as third:
        assert third.acked_before.keys() == {table.device(0)}
        assert third.taken == []


def test_a_call_with_ok_still_down_is_heard_once(restarted: Open) -> None:
    table = restarted(BID)
    table.after_s = 10.0
    with table.run_daemon():
        table.seats[1].press("ok")
        table.wait(0.05)
        table.seats[1].tap("dudo")
        table.wait(TAP_S)
    table.seats[1].release("ok")
    with table.run_daemon() as second:
        assert [type(message) for message in second.taken] == [Released, Released]
        assert second.refusals(1) == 0


def test_what_a_display_still_shows_of_a_dead_daemon_is_nothing_to_press_ok_on(restarted: Open) -> None:
    table = restarted(ROUND)
    with table.run_daemon():
        table.seats[0].tap("right")
        table.wait(TAP_S)
    with table.run_daemon(greeted_s=0.0) as second:
        table.wait(0.1)
        table.seats[0].tap("ok")
        table.wait(0.1)
        second.wires.has_ports = True
        table.wait(1.0)
        assert len(second.taken) == 2
        assert bids(second) == 0
        assert second.refusals(0) == 1


def test_a_shake_that_was_recorded_and_not_acknowledged_is_heard_no_more(restarted: Open) -> None:
    table = restarted(SHAKE)
    with table.run_daemon() as first:
        first.journal.after_s = 10.0
        table.seats[1].shake()
        table.wait(1.5)
        assert table.waiting(1) == 1
    with table.run_daemon() as second:
        assert second.taken == []
        assert second.table.scene.waiting_for() == (0, 2)


def test_a_shake_that_was_not_recorded_counts_in_the_next_life(restarted: Open) -> None:
    table = restarted(SHAKE)
    with table.run_daemon() as first:
        first.journal.before_s = 10.0
        table.seats[1].shake()
        table.wait(1.5)
        assert first.taken
    with table.run_daemon() as second:
        assert [type(message) for message in second.taken] == [Settled]
        assert second.table.scene.waiting_for() == (0, 2)


def test_dice_that_a_death_kept_waiting_lie_without_another_shake(restarted: Open) -> None:
    table = restarted(SHAKE)
    with table.run_daemon() as first:
        for seat in table.seats[:2]:
            seat.shake()
        table.wait(1.5)
        first.journal.before_s = 10.0
        table.seats[2].shake()
        table.wait(1.5)
    with table.run_daemon() as second:
        assert second.table.scene.name is SceneName.BIDDING


def test_a_board_that_stands_in_has_a_past_of_its_own(restarted: Open) -> None:
    table = restarted(BID)
    table.after_s = 10.0
    with table.run_daemon():
        table.seats[1].tap("dudo")
        table.wait(TAP_S)
    own, board = table.device(1), table.exchange(1, "SPARE")
    table.after_s = 0.0
    with table.run_daemon() as second:
        board.hand.press("left")
        table.wait(TAP_S)
        assert [number for _, number in second.numbers(1)] == [1]
        board.hand.release("left")
        table.wait(42)  # until the reveal is over
        assert second.journal.last_events.keys() == {own, "spare"}
    table.exchange(1, own.upper())
    with table.run_daemon() as third:
        assert [type(message) for message in third.taken] == [Released]


def test_cups_behind_a_dongle_are_known_by_their_addresses(loop: VirtualLoop, tmp_path: Path) -> None:
    with RestartedTable(loop, tmp_path, SHAKE, at_a_dongle(*RADIO_CUPS)).boards() as table:
        with table.run_daemon() as first:
            first.journal.after_s = 10.0
            table.seats[1].shake()
            table.wait(1.5)
            assert first.journal.last_events.keys() == {"dongle/2"}
        with table.run_daemon() as second:
            assert second.taken == []
            assert second.table.scene.waiting_for() == (0, 2)


HANDS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["ok", "left", "right", "dudo", "shake", "tilt"]), st.floats(0, 0.3)),
    min_size=1,
    max_size=8,
)
SLOW_S = st.sampled_from([0.0, 0.02, 100.0])
DEATHS = st.lists(
    st.tuples(HANDS, SLOW_S, SLOW_S, st.integers(1, 4), st.floats(0, 0.1), st.integers(0, 12)), min_size=1, max_size=4
)


@settings(max_examples=40)
@given(st.sampled_from([BID, RACE, SHAKE]), DEATHS)
def test_every_event_is_heard_until_it_has_done_its_work_and_then_never_again(
    tmp_path_factory: pytest.TempPathFactory,
    scene: Scene,
    deaths: list[tuple[list[tuple[int, str, float]], float, float, int, float, int]],
) -> None:
    loop = VirtualLoop(patience_s=10.0)
    try:
        with RestartedTable(loop, tmp_path_factory.mktemp("runs"), scene, BOARDS).boards() as table:
            for hands, before_s, after_s, slow_from, dies_s, hops in deaths:
                with table.run_daemon(greeted_s=0.3) as run:
                    run.journal.before_s, run.journal.after_s = before_s, after_s
                    run.journal.slow_from = slow_from
                    for seat, what, pause_s in hands:
                        act(table, seat, what)
                        table.wait(pause_s)
                    table.wait(dies_s)
                    table.hop(hops)
            for hand in table.seats:
                hand.let_go()
            with table.run_daemon(greeted_s=10.0):
                assert [table.waiting(seat) for seat in range(3)] == [0, 0, 0]
    finally:
        loop.close()
    for seat in range(3):
        check(table.ended, seat, table.device(seat))


def act(table: RestartedTable, seat: int, what: str) -> None:
    hand = table.seats[seat]
    if what == "shake":
        hand.shake(0.8)
    elif what == "tilt":
        hand.level() if hand.cup == "up" else hand.tilt()
    elif what not in hand.pressed:
        hand.tap(what)


def check(runs: list[DaemonRun], seat: int, device: str) -> None:
    """No gaps from run to run, and nothing that an earlier record rested on."""
    settled = 0
    for run in runs:
        recorded = run.acked_before.get(device, 0) & 0xFFFF_FFFF
        settled = max(settled, recorded)
        numbers = [number for _, number in run.numbers(seat)]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))) if numbers else True
        if numbers:
            assert recorded < numbers[0] <= settled + 1
        settled = max([settled, *(number for _, number in run.settled(seat))])
    assert not numbers or numbers[-1] == settled
