"""A disk that fails or hangs, and more than the table takes: play goes on, and what is given up is said."""

import asyncio

import pytest
from support.table.daemon_harness import DaemonHarness, Start, in_a_round
from support.table.harness import NAMES

from drivers.messages import Button, Introduced, Levelled, Pressed, Released, Tilted
from engine import Bid
from firmware_host.daemon import inbox
from firmware_host.daemon.daemon import displayable
from firmware_host.store.journal.journal import Journal
from firmware_host.table.events import ActionTaken
from firmware_host.table.health import Alert
from firmware_host.wire import AlertBegan, AlertEnded

# When the disk fails


def test_play_goes_on_when_the_disk_is_full_and_that_is_said_once(start: Start) -> None:
    harness = in_a_round(start)
    harness.journal.fails = True
    for seat in (0, 1, 2):
        harness.tap(seat)
        harness.wait(1)
    assert [event.seat for event in harness.events if isinstance(event, ActionTaken)] == [0, 1, 2]
    assert [event for event in harness.events if isinstance(event, AlertBegan)] == [
        AlertBegan(Alert.DISK_FULL, f"{harness.journal.path}: cannot be written: the disk is full; make room")
    ]


def test_a_disk_that_works_again_without_a_press_has_all_and_that_is_said(start: Start) -> None:
    harness = in_a_round(start)
    harness.journal.fails = True
    harness.tap(0)
    harness.wait(300)
    harness.journal.fails = False
    harness.wait(60)
    assert harness.events[-1] == AlertEnded(Alert.DISK_FULL)
    assert on_disk(harness).scene == harness.table.scene


def test_a_disk_that_fails_again_is_told_again(start: Start) -> None:
    harness = in_a_round(start)
    for seat, fails in ((0, True), (1, False), (2, True)):
        harness.journal.fails = fails
        harness.tap(seat)
        harness.wait(1)
    assert len([event for event in harness.events if isinstance(event, AlertBegan)]) == 2


def test_a_press_whose_record_failed_is_in_the_next_one_that_does_not(start: Start) -> None:
    harness = in_a_round(start)
    harness.journal.fails = True
    harness.post(Pressed(0, Button.OK, harness.now_ns, 3), Released(0, Button.OK, harness.now_ns + 1, 4))
    harness.wait(0.5)
    assert harness.forgotten() == [Pressed, Released]  # or the cup would take no more: the table plays on
    assert on_disk(harness).last_events == {}
    harness.journal.fails = False
    harness.tap(1)
    harness.wait(1)
    assert on_disk(harness).last_events == {NAMES[0]: 4, NAMES[1]: 2}


def on_disk(harness: DaemonHarness) -> Journal:
    """Open the journal as another daemon would now."""
    journal = Journal(harness.journal.path)
    journal.close()
    return journal


# More than the table takes


def test_hands_that_let_go_are_hidden_from_a_table_that_hears_nothing_and_shown_again_when_it_does(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "MAX_IN_ORDER", 10)
    harness = in_a_round(start, bid=Bid(2, 3))
    harness.tilt(2)
    harness.wait(0.1)
    assert harness.dice_on(2)
    harness.tap(1, Button.DUDO)  # a record that takes its time
    for _ in range(200):
        harness.post(Pressed(0, Button.LEFT, harness.now_ns), Released(0, Button.LEFT, harness.now_ns))
        harness.post(Levelled(2, harness.now_ns), Tilted(2, harness.now_ns))
    assert not harness.dice_on(2)
    assert len(harness.daemon._inbox) <= 10 + 3
    harness.wait(1.0)
    assert harness.displays[2]._pending_hides == 0


def test_what_the_table_never_hears_is_forgotten_by_the_cup_that_told_it(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "MAX_IN_ORDER", 10)
    harness = in_a_round(start, bid=Bid(2, 3))
    harness.tap(1, Button.DUDO)
    sent = [Pressed(0, Button.LEFT, harness.now_ns, event) for event in range(1, 40)]
    harness.post(*sent)
    harness.wait(5.0)
    forgotten = [
        message.event for message in harness.cups.forgotten if isinstance(message, Pressed) and not message.seat
    ]
    assert sorted(number for number in forgotten if number) == list(range(1, 40))


def test_a_table_whose_disk_hangs_answers_no_more_and_one_whose_disk_is_slow_does(start: Start) -> None:
    """The watchdog asks."""
    harness = in_a_round(start, bid=Bid(2, 3))
    answers = []

    works = harness.journal.write

    async def hangs(*_: object) -> None:
        await asyncio.sleep(25.0)
        harness.journal.write = works  # type: ignore[method-assign]

    def look() -> None:
        answers.append(harness.daemon.is_responsive())
        harness.loop.call_later(1.0, look)

    harness.loop.call_soon(look)
    harness.wait(5.0)
    harness.journal.write = hangs  # type: ignore[method-assign, assignment]
    harness.tap(1, Button.DUDO)
    harness.wait(20.0)
    assert False not in answers[:14]
    assert True not in answers[17:24]
    harness.wait(20.0)
    assert answers[-1]


@pytest.mark.parametrize(
    ("name", "shown"), [("Ana", "Ana"), ("Zoë", "Zoë"), ("Жора", ""), ("Ａｎａ", ""), ("\u3164", "")]
)
def test_a_phones_name_in_letters_that_no_display_has_is_none(name: str, shown: str) -> None:
    assert displayable(Introduced(0, "en", name)).name == shown
