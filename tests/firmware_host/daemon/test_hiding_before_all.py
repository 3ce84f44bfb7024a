"""Dice are hidden before everything, whatever is on its way to the disk."""

import asyncio
from pathlib import Path

import pytest
from support.table.daemon_harness import DaemonHarness, FarCups, Panel, SlowJournal, Start, in_a_round
from support.table.harness import NAMES

from drivers.messages import Button, Device, Levelled, Lost, Pressed, Released
from engine import PYRUDO, Bid
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.table.seat.view import SeatInfo
from firmware_host.table.table import Table
from hardware.emulated.virtual_loop import VirtualLoop


def peeking(start: Start, seat: int = 2) -> DaemonHarness:
    """Return a table where a seat looks under its cup while another's bid is on its way to the disk."""
    harness = in_a_round(start)
    harness.tilt(seat)
    harness.wait(0)
    assert harness.dice_on(seat)
    harness.tap(0)
    harness.wait(0.05)
    assert harness.journal.in_flight == 1
    return harness


def test_dice_are_hidden_at_once_while_a_record_is_in_flight(start: Start) -> None:
    harness = peeking(start)
    harness.level(2)
    assert not harness.dice_on(2)
    assert harness.journal.in_flight == 1


def test_a_released_ok_hides_at_once_too(start: Start) -> None:
    harness = in_a_round(start)
    harness.post(Pressed(2, Button.OK, harness.now_ns))
    harness.wait(0.5)
    assert harness.dice_on(2)
    harness.tap(0)
    harness.wait(0.05)
    harness.post(Released(2, Button.OK, harness.now_ns))
    assert not harness.dice_on(2)


@pytest.mark.parametrize("device", [Device.CUP, Device.BOARD])
def test_a_lost_cup_hides_at_once(start: Start, device: Device) -> None:
    harness = peeking(start)
    harness.post(Lost(2, device, "unplugged"))
    assert not harness.dice_on(2)
    harness.wait(1)
    assert not harness.dice_on(2)


def test_a_tilt_that_queues_behind_a_record_can_not_flash_dice_after_the_cup_is_down(start: Start) -> None:
    harness = in_a_round(start)
    harness.tap(0)
    harness.wait(0.05)
    assert harness.journal.in_flight == 1
    for _ in range(5):
        harness.tilt(2)
        harness.level(2)
    harness.wait(2)
    assert not any(look for *_, look in harness.seen[2])


def test_a_cup_lifted_again_shows_dice_only_when_the_table_has_heard_of_it(start: Start) -> None:
    harness = peeking(start)
    harness.level(2)
    harness.tilt(2)
    assert not harness.dice_on(2)
    harness.wait(1)
    assert harness.dice_on(2)


def test_hiding_one_display_leaves_the_others(start: Start) -> None:
    harness = in_a_round(start)
    harness.tilt(1)
    harness.tilt(2)
    harness.wait(0)
    harness.level(2)
    assert harness.dice_on(1)
    assert not harness.dice_on(2)


def test_a_tilted_cup_goes_on_showing_when_an_ok_is_released(start: Start) -> None:
    harness = in_a_round(start)
    harness.tilt(2)
    harness.tap(2)
    harness.wait(1)
    assert harness.dice_on(2)


def test_dice_leave_the_display_before_the_reveal_is_on_disk(start: Start) -> None:
    harness = in_a_round(start, bid=Bid(2, 3))
    harness.tilt(2)
    harness.post(Pressed(1, Button.DUDO, harness.now_ns))
    harness.wait(0.05)
    assert harness.journal.in_flight == 1
    assert not harness.dice_on(2)


def test_no_other_display_changes_by_a_byte_when_a_seat_peeks(start: Start) -> None:
    harness = in_a_round(start)
    before = [list(harness.panels[seat].pictures) for seat in (0, 1)]
    harness.tilt(2)
    harness.wait(1)
    harness.level(2)
    harness.wait(1)
    assert [harness.panels[seat].pictures for seat in (0, 1)] == before


def test_a_message_before_the_displays_are_there_waits_for_them(
    start: Start, loop: VirtualLoop, tmp_path: Path
) -> None:
    journal = SlowJournal(tmp_path / "early.sqlite")
    table = Table(PYRUDO, tuple(SeatInfo(name) for name in NAMES[:2]))
    daemon = Daemon(table, journal, seeds=bytes, tell=print, publish=print)
    daemon.post(Levelled(0, 0, event=1))
    daemon.post(Levelled(1, 0, event=1))
    cups = FarCups(start())
    task = loop.create_task(daemon.run([SeatDisplay(Panel(journal)), SeatDisplay(Panel(journal))], cups))
    loop.run_until_complete(asyncio.sleep(0.1))
    assert cups.forgotten == [Levelled(0, 0, event=1), Levelled(1, 0, event=1)]
    task.cancel()
    loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
    journal.close()


def test_the_room_is_told_of_no_state_before_it_is_on_disk(start: Start) -> None:
    harness = in_a_round(start)
    for seat in (0, 1, 2):
        harness.tap(seat)
        harness.wait(1)
    first, *later = zip(harness.published, harness.published_after, strict=True)
    assert first[1] == 0  # that of the journal
    assert [state.position for state, _ in later] == [str(scene.game.position) for scene in harness.journal.written]
    assert [records for _, records in later] == [1, 2, 3]
