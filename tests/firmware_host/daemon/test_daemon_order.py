"""The shell under a virtual clock: journal before eyes, messages in their order, and coming up again."""

import logging
from itertools import accumulate

import pytest
from support.table.daemon_harness import DICE, READ_S, ROUND_TRIP_S, WRITE_S, DaemonHarness, Start, in_a_round
from support.table.harness import NAMES

from drivers.messages import Button, Device, Lost, Pressed, Released, Settled, Shaken, Tilted
from engine import KILL_SPOT, PYRUDO, Bid, Match, Rules
from firmware_host.fairness.chain import EMPTY_HEAD, head_text, next_head
from firmware_host.public.encoder import LineEncoder
from firmware_host.table.cues import MAX_MS
from firmware_host.table.events import ActionTaken, Revealed
from firmware_host.table.scenes.revealing_entropy import RevealingEntropy
from firmware_host.table.scenes.scene import Game
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat.view import SceneName, TableReason
from firmware_host.wire import ChainEntryAdded, Joined
from hardware.emulated.virtual_loop import VirtualLoop

# Journal before eyes


def test_every_seat_is_shown_where_the_evening_stands(start: Start) -> None:
    harness = in_a_round(start)
    assert [len(panel.pictures) for panel in harness.panels] == [1, 1, 1]
    assert harness.journal.written == []


def test_an_event_that_changes_no_scene_is_on_disk_before_it_is_told_too(start: Start) -> None:
    harness = in_a_round(start)
    lines, durable = harness.journal.lines, list[int]()
    lines.encode = LineEncoder(NAMES).event
    harness.daemon._tell = lambda event: durable.append(lines._durable)
    harness.post(Lost(2, Device.CUP, "unplugged"))
    harness.wait(0.1)
    assert harness.journal.written == []
    assert durable == [1]


def test_nothing_is_shown_or_told_before_its_record_is_on_disk(start: Start) -> None:
    harness = start()
    harness.tap(1)
    harness.wait(WRITE_S - 0.01)
    assert harness.events == []
    assert [view.me for view, *_ in harness.seen[1]] == [None]
    harness.wait(0.02)
    assert harness.events == [Joined(1)]
    assert harness.records_before == [1]
    assert harness.seen[1][-1][0].me == 0
    assert harness.panels[1].records_by_then[-1] == 1


def test_the_reveal_is_on_no_display_and_in_no_story_before_it_is_on_disk(start: Start) -> None:
    harness = in_a_round(start, bid=Bid(2, 3))
    harness.post(Pressed(1, Button.DUDO, harness.now_ns))
    harness.wait(WRITE_S - 0.01)
    assert harness.events == []
    assert {view.scene for seen in harness.seen for view, *_ in seen} == {SceneName.BIDDING}
    harness.wait(0.02)
    assert [type(event) for event in harness.events] == [ActionTaken]
    harness.wait(READ_S)
    assert {seen[-1][0].scene for seen in harness.seen} == {SceneName.CALLED}
    harness.wait(WRITE_S)
    assert [type(event) for event in harness.events] == [ActionTaken, Revealed]
    assert {seen[-1][0].scene for seen in harness.seen} == {SceneName.REVEAL}


def test_a_peek_at_new_dice_waits_until_the_deal_is_on_disk(start: Start) -> None:
    harness = start(seats=2)
    for seat in (0, 1):
        harness.tap(seat)
        harness.wait(1)
    harness.tap(0)
    harness.wait(8)
    for seat in (0, 1):
        harness.post(
            Shaken(seat, harness.now_ns), Settled(seat, harness.now_ns, b"shake"), Tilted(seat, harness.now_ns)
        )
    assert harness.table.scene.name is SceneName.SHAKING
    harness.wait(2 * WRITE_S - 0.01)
    assert not any(look for seen in harness.seen for *_, look in seen)
    harness.wait(0.5)
    assert harness.dice_on(1)
    assert harness.panels[1].records_by_then[-1] == len(harness.journal.written)


def test_one_record_is_in_flight_and_messages_keep_their_order(start: Start) -> None:
    harness = start()
    for seat in (2, 0, 1):
        harness.post(Pressed(seat, Button.OK, harness.now_ns, 1), Released(seat, Button.OK, harness.now_ns, 2))
    harness.wait(5)
    assert harness.events == [Joined(2), Joined(0), Joined(1)]
    assert harness.records_before == [1, 2, 3]
    assert [message.seat for message in harness.cups.forgotten] == [2, 2, 0, 0, 1, 1]


@pytest.mark.parametrize("rules", [PYRUDO, KILL_SPOT], ids=str)
def test_a_press_is_about_the_bid_that_was_on_the_display_when_the_finger_came_down(start: Start, rules: Rules) -> None:
    harness = in_a_round(start, rules)
    harness.tap(0)
    harness.wait(0.1)
    assert harness.journal.in_flight == 1  # the bid stands, but no display has it yet
    harness.tap(1, Button.DUDO)
    harness.wait(1)
    assert [event.seat for event in harness.events if isinstance(event, ActionTaken)] == [0]
    assert harness.seen[1][-1][0].notice is TableReason.BID_CHANGED
    harness.tap(1, Button.DUDO)
    harness.wait(1)
    assert [event.seat for event in harness.events if isinstance(event, ActionTaken)] == [0, 1]


def test_a_press_that_changes_nothing_draws_nothing(start: Start) -> None:
    harness = in_a_round(start, bid=Bid(2, 3))
    harness.post(Pressed(0, Button.OK, harness.now_ns))
    harness.wait(0.05)
    harness.level(0)
    harness.wait(0.1)
    assert [len(panel.pictures) for panel in harness.panels] == [1, 1, 1]


def test_a_message_is_durable_only_after_its_record(start: Start) -> None:
    harness = in_a_round(start)
    harness.tap(0)
    harness.wait(WRITE_S - 0.01)
    assert harness.forgotten() == []
    harness.wait(0.02)
    assert harness.forgotten() == [Pressed, Released]


def test_what_changes_nothing_is_durable_without_a_record(start: Start) -> None:
    harness = in_a_round(start)
    harness.tap(0, Button.LEFT)
    harness.wait(0.01)
    assert harness.forgotten() == [Pressed, Released]
    assert harness.journal.written == []


def test_half_a_tap_is_not_durable(start: Start) -> None:
    harness = in_a_round(start)
    harness.post(Pressed(2, Button.OK, harness.now_ns, 1))
    harness.wait(0.39)
    assert harness.forgotten() == []


def test_an_ok_that_is_held_is_durable_as_soon_as_it_peeks(start: Start) -> None:
    harness = in_a_round(start)
    harness.post(Pressed(2, Button.OK, harness.now_ns, 1))
    harness.wait(0.41)
    assert harness.forgotten() == [Pressed]


def numbered(seat: int, button: Button, at_ns: int, event: int) -> Pressed:
    return Pressed(seat, button, at_ns, event)


def test_a_record_says_which_events_it_rests_on(start: Start) -> None:
    harness = in_a_round(start, bid=Bid(2, 3))
    harness.post(numbered(0, Button.LEFT, harness.now_ns, 7))
    harness.wait(0.01)
    assert harness.journal.last_events == {}
    harness.post(numbered(1, Button.DUDO, harness.now_ns, 11))
    harness.wait(1)
    assert harness.journal.last_events == {NAMES[0]: 7, NAMES[1]: 11}


def test_a_press_behind_it_in_the_queue_is_not_in_a_record(start: Start) -> None:
    harness = in_a_round(start, bid=Bid(2, 3))
    harness.post(numbered(1, Button.DUDO, harness.now_ns, 11), numbered(1, Button.LEFT, harness.now_ns, 12))
    harness.wait(1)
    assert harness.journal.last_events == {NAMES[1]: 11}


def test_half_a_tap_is_not_in_a_record_that_another_seat_causes(start: Start) -> None:
    harness = in_a_round(start, bid=Bid(2, 3))
    harness.post(numbered(2, Button.LEFT, harness.now_ns, 3), numbered(2, Button.OK, harness.now_ns, 4))
    harness.post(numbered(1, Button.DUDO, harness.now_ns, 11))
    harness.wait(WRITE_S + 0.01)
    assert harness.journal.last_events == {NAMES[1]: 11, NAMES[2]: 3}


def test_presses_that_race_are_in_the_record_that_decides_them(start: Start) -> None:
    harness = in_a_round(start, KILL_SPOT, Bid(2, 3))
    harness.post(numbered(1, Button.DUDO, harness.now_ns, 11), numbered(2, Button.DUDO, harness.now_ns + 1, 5))
    harness.wait(0.029)
    assert harness.forgotten() == []
    harness.wait(1)
    assert harness.journal.last_events == {NAMES[1]: 11, NAMES[2]: 5}
    assert len(harness.cups.forgotten) == 2


def test_another_seats_race_keeps_nothing_back(start: Start) -> None:
    harness = in_a_round(start, KILL_SPOT, Bid(2, 3))
    harness.post(numbered(1, Button.DUDO, harness.now_ns, 11), numbered(2, Button.LEFT, harness.now_ns, 5))
    harness.wait(0.029)
    assert [message.seat for message in harness.cups.forgotten] == [2]


def test_a_shake_that_waits_for_other_cups_is_not_durable(start: Start) -> None:
    harness = start(PYRUDO, 3, Shaking(game=Game("match", Match.start(PYRUDO, 3), (0, 1, 2))), commits=True)
    harness.cups.lost = {1}
    harness.wait(1)
    harness.post(Settled(0, harness.now_ns, b"", 9))
    harness.wait(0.5)
    assert harness.forgotten().count(Settled) == 0
    harness.wait(3)
    assert harness.forgotten().count(Settled) == 1
    assert harness.journal.last_events == {NAMES[0]: 9}


def test_time_does_what_nobody_presses_for(start: Start) -> None:
    harness = in_a_round(start, bid=Bid(2, 3))
    harness.tap(1, Button.DUDO)
    harness.wait(READ_S)
    harness.wait(MAX_MS / 1000 + 30)
    assert harness.table.scene.name is SceneName.SHAKING


def test_a_notice_comes_and_goes_on_one_display(start: Start) -> None:
    harness = in_a_round(start, bid=Bid(2, 3))
    harness.tap(2)
    harness.wait(0.01)
    assert harness.seen[2][-1][0].notice is not None
    harness.wait(3)
    assert harness.seen[2][-1][0].notice is None
    assert [len(harness.seen[seat]) for seat in (0, 1)] == [1, 1]


# Cups with a program of their own


def shaken(start: Start, *, commits: bool) -> tuple[DaemonHarness, float]:
    """Three have shaken; and how long after the last cup was down their dice lay."""
    game = Game("match", Match.start(PYRUDO, 3), (0, 1, 2))
    harness = start(PYRUDO, 3, Shaking(game=game), commits=commits)
    harness.wait(5 * WRITE_S)
    for seat in range(3):
        harness.cups.programs[seat].settle()
        harness.post(Settled(seat, harness.now_ns, b"shake"))
        harness.wait(2 * WRITE_S if seat < 2 else 0)
    down_s = harness.loop.time()
    while harness.seen[0][-1][0].scene is SceneName.SHAKING:
        harness.wait(0.001)
    return harness, harness.loop.time() - down_s


def test_no_cup_is_asked_to_open_before_the_seal_is_on_disk_and_public(start: Start) -> None:
    harness, _ = shaken(start, commits=True)
    assert len(harness.cups.opened) == 3
    for head, (record, state) in zip(harness.cups.opened, harness.cups.known_by_then, strict=True):
        assert isinstance(record, RevealingEntropy)
        assert record.game.head == head
        assert state.head == head_text(head)
        assert any(isinstance(event, ChainEntryAdded) and event.head == state.head for event in harness.events)


def test_every_line_of_the_chain_is_on_disk_before_it_is_told(start: Start) -> None:
    harness, _ = shaken(start, commits=True)
    for event, records in zip(harness.events, harness.records_before, strict=True):
        if isinstance(event, ChainEntryAdded):
            game = harness.journal.written[records - 1].game
            lines = [entry.line for entry in harness.events if isinstance(entry, ChainEntryAdded)]
            assert game is not None
            assert game.head in heads_of(lines)
            assert heads_of(lines).index(game.head) >= lines.index(event.line)


def heads_of(lines: list[str]) -> list[bytes]:
    """Return the heads of a chain, line by line."""
    return [*accumulate(lines, next_head, initial=EMPTY_HEAD)][1:]


def test_bound_cups_keep_dice_waiting_for_one_record_and_one_round_trip(start: Start) -> None:
    _, wired_s = shaken(start, commits=False)
    harness, bound_s = shaken(start, commits=True)
    assert wired_s == pytest.approx(WRITE_S, abs=0.005)
    assert bound_s == pytest.approx(2 * WRITE_S + ROUND_TRIP_S, abs=0.005)
    assert len(harness.journal.written) == 2 + 3 + 1  # the seed, who is bound; two down, the seal, the dice


# Secrecy and coming up again


def test_the_log_never_holds_dice(start: Start, caplog: pytest.LogCaptureFixture, loop: VirtualLoop) -> None:
    loop.set_debug(True)
    with caplog.at_level(logging.DEBUG):
        harness = in_a_round(start)
        harness.journal.fails = True
        harness.tilt(2)
        harness.tap(0)
        harness.wait(1)
        harness.close()
    hands = [str(list(hand)) for hand in DICE] + [str(hand) for hand in DICE]
    assert not any(hand in record.getMessage() for record in caplog.records for hand in hands)


def test_a_daemon_comes_up_in_the_scene_last_recorded(start: Start, loop: VirtualLoop) -> None:
    harness = in_a_round(start)
    harness.tap(0)
    harness.wait(1)
    harness.tilt(2)
    harness.wait(0.1)
    dice = harness.seen[2][-1][2]
    harness.close()  # no more than a power cut does
    last = harness.journal.scene
    assert last == harness.table.scene
    again = start(PYRUDO, 3, last)
    assert again.table.scene == last
    assert not again.dice_on(2)
    assert again.seen[2][-1][0].resumed
    again.tilt(2)
    again.wait(0)
    assert again.seen[2][-1][2] == dice


def test_a_press_that_was_not_on_disk_when_the_power_went_is_neither_shown_nor_kept(start: Start) -> None:
    harness = in_a_round(start)
    harness.tap(0)
    harness.wait(WRITE_S / 2)
    harness.close()
    assert harness.events == []
    assert harness.journal.scene is None


def test_a_race_is_run_by_the_loops_own_clock(start: Start) -> None:
    harness = in_a_round(start, KILL_SPOT, Bid(2, 3))
    at_ns = harness.now_ns
    harness.wait(0.01)
    harness.post(Pressed(2, Button.DUDO, at_ns + 5_000_000), Pressed(1, Button.DUDO, at_ns + 4_000_000))
    harness.wait(1)
    assert next(event for event in harness.events if isinstance(event, ActionTaken)).seat == 1
    assert TableReason.BID_CHANGED in {view.notice for view, *_ in harness.seen[2]}
