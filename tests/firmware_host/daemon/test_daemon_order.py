"""The shell under a virtual clock: journal before eyes, hiding before everything, messages in their order."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from itertools import accumulate, count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image
from support.table.harness import NAMES, lay_out
from support.table.program_cup import ProgramCup

from drivers.messages import (
    Button,
    Device,
    DeviceEvent,
    Introduced,
    Levelled,
    Lost,
    Message,
    Pressed,
    Released,
    Settled,
    Shaken,
    Tilted,
)
from engine import KILL_SPOT, PYRUDO, Bid, Match, Rules, View
from firmware_host.daemon import inbox
from firmware_host.daemon.daemon import Daemon, displayable
from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.fairness.chain import EMPTY_HEAD, head_text, next_head
from firmware_host.public.encoder import LineEncoder
from firmware_host.screens import draw, draw_peek
from firmware_host.store.journal.journal import Batch, Journal, JournalError
from firmware_host.table.cues import MAX_MS
from firmware_host.table.events import ActionTaken, PublicEvent, Revealed
from firmware_host.table.health import Alert
from firmware_host.table.scenes.called import CALL_SHOWN_NS
from firmware_host.table.scenes.revealing_entropy import RevealingEntropy
from firmware_host.table.scenes.scene import Game, Scene
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SceneName, SeatInfo, SeatView, TableReason
from firmware_host.table.table import Table
from firmware_host.wire import AlertBegan, AlertEnded, ChainEntryAdded, Joined, PublicState
from hardware.emulated.virtual_loop import VirtualLoop

WRITE_S = 0.2
ROUND_TRIP_S = 0.01
"""Over the link to a cup and back."""
READ_S = CALL_SHOWN_NS / 1e9 - 0.1
DICE = [(1, 2, 3), (4, 5, 6), (2, 2, 6)]


class Panel:
    """A panel that remembers what it was given, and what was on disk at that moment."""

    def __init__(self, journal: "SlowJournal") -> None:
        self._journal = journal
        self.pictures: list[bytes] = []
        self.records_by_then: list[int] = []

    def show(self, image: Image.Image, *, first: bool = False, dice: object = (), lamp: bool = False) -> None:
        assert image.size == (128, 64)
        self.pictures.append(image.tobytes())
        self.records_by_then.append(len(self._journal.written))

    def set_brightness(self, brightness: object) -> None:
        """Shine."""


class SlowJournal(Journal):
    """A journal whose disk takes its time, and fails when told to."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.written: list[Scene] = []
        self.in_flight = 0
        self.fails = False

    async def write(self, scene: Scene, heard: Mapping[str, int], told: Sequence[PublicEvent] = ()) -> None:
        self.in_flight += 1
        assert self.in_flight == 1, "two records in flight"
        await asyncio.sleep(WRITE_S)
        self.in_flight -= 1
        await super().write(scene, heard, told)
        self.written.append(scene)

    def _put(self, batch: Batch) -> None:
        if self.fails:
            raise JournalError(self.path, "cannot be written: the disk is full", "make room", Alert.DISK_FULL)
        super()._put(batch)


class FarCups:
    """The cups' ends of the links: what they were asked, and what was on disk and told by then."""

    def __init__(self, harness: "DaemonHarness") -> None:
        self._harness = harness
        self.programs = [ProgramCup(seat, Random(seat)) for seat in range(len(NAMES))]
        self.forgotten: list[Message] = []
        self.lost: set[int] = set()  # cups that answer nothing
        self.opened: list[bytes] = []  # the heads with which they were asked to
        self.known_by_then: list[tuple[Scene, PublicState]] = []  # the last record and what was public

    def event_id(self, message: Message) -> DeviceEvent | None:
        event = getattr(message, "event", None)
        return None if event is None else DeviceEvent(NAMES[message.seat], event)

    def durable(self, message: Message) -> None:
        self.forgotten.append(message)

    def draw(self, seat: int, deal: bytes) -> None:
        self.programs[seat].draw(deal)
        self._harness.loop.call_later(ROUND_TRIP_S, self._answer, seat)

    def open_deal(self, seat: int, deal: bytes, head: bytes) -> None:
        self.opened.append(head)
        self.known_by_then.append((self._harness.journal.written[-1], self._harness.published[-1]))
        self.programs[seat].open(deal)
        self._harness.loop.call_later(ROUND_TRIP_S, self._answer, seat)

    def _answer(self, seat: int) -> None:
        if seat in self.lost:
            return
        self._harness.post(self.programs[seat].answers.pop(0))


class DaemonHarness:
    """A daemon at work on a table, with everything that it does written down."""

    def __init__(
        self,
        loop: VirtualLoop,
        journal: SlowJournal,
        rules: Rules,
        seats: int,
        scene: Scene | None,
        commits: bool,
    ) -> None:
        self.loop = loop
        self.journal = journal
        self.table = Table(rules, tuple(SeatInfo(name, commits=commits) for name in NAMES[:seats]), scene)
        self.events: list[PublicEvent] = []
        self.records_before: list[int] = []  # records that were on disk by then
        self.published: list[PublicState] = []
        self.published_after: list[int] = []
        self.daemon = Daemon(
            self.table, journal, seeds=lambda: b"s" * 32, tell=self._on_event, publish=self._see_published
        )
        self.panels = [Panel(journal) for _ in range(seats)]
        self.seen: list[list[tuple[SeatView, Menu, View | None]]] = [[] for _ in range(seats)]
        self.displays = [SeatDisplay(panel, [self._eyes(seat)]) for seat, panel in enumerate(self.panels)]
        self.cups = FarCups(self)
        self._numbers = count(1)  # of events of taps
        self._task = loop.create_task(self.daemon.run(self.displays, self.cups))
        self.wait(0)

    def _on_event(self, event: PublicEvent) -> None:
        self.events.append(event)
        self.records_before.append(len(self.journal.written))

    def _see_published(self, state: PublicState) -> None:
        self.published.append(state)
        self.published_after.append(len(self.journal.written))

    def _eyes(self, seat: int) -> Callable[[SeatView, Menu, View | None], None]:
        return lambda view, menu, look: self.seen[seat].append((view, menu, look))

    @property
    def now_ns(self) -> int:
        return round(self.loop.time() * 1e9)

    def post(self, *messages: Message) -> None:
        """Messages that come in one moment, from the loop's thread."""
        for message in messages:
            self.daemon.post(message)

    def wait(self, duration_s: float) -> None:
        """Let virtual seconds pass."""
        self._run(asyncio.sleep(duration_s))
        if self._task.done():
            self._task.result()

    def close(self) -> None:
        self._task.cancel()
        self._run(asyncio.gather(self._task, return_exceptions=True))

    def _run(self, work: Coroutine[Any, Any, Any] | asyncio.Future[Any]) -> None:
        self.loop.run_until_complete(work)

    def tap(self, seat: int, button: Button = Button.OK) -> None:
        self.post(Pressed(seat, button, self.now_ns, next(self._numbers)))
        self.wait(0.05)
        self.post(Released(seat, button, self.now_ns, next(self._numbers)))

    def tilt(self, seat: int) -> None:
        self.post(Tilted(seat, self.now_ns))

    def level(self, seat: int) -> None:
        self.post(Levelled(seat, self.now_ns))

    def dice_on(self, seat: int) -> bool:
        """Whether the display of a seat has dice on it now."""
        view, menu, look = self.seen[seat][-1]
        picture = draw(view, menu) if look is None else draw_peek(view, menu, look)
        assert self.panels[seat].pictures[-1] == picture.tobytes()
        return look is not None


Start = Callable[..., DaemonHarness]


@pytest.fixture
def start(loop: VirtualLoop, tmp_path: Path) -> Any:
    """Give a function that starts a daemon on a round that is laid out, or on nothing."""
    opened: list[DaemonHarness] = []

    def start(
        rules: Rules = PYRUDO, seats: int = 3, scene: Scene | None = None, *, commits: bool = False
    ) -> DaemonHarness:
        harness = DaemonHarness(loop, SlowJournal(tmp_path / f"{len(opened)}.sqlite"), rules, seats, scene, commits)
        opened.append(harness)
        return harness

    yield start
    for harness in opened:
        harness.close()
        harness.journal.close()


def in_a_round(start: Start, rules: Rules = PYRUDO, bid: Bid | None = None) -> DaemonHarness:
    return start(rules, 3, lay_out(rules, DICE, bid).table.scene)


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


def forgotten(harness: DaemonHarness) -> list[type]:
    """What cups need not tell again."""
    return [type(message) for message in harness.cups.forgotten]


def test_a_message_is_durable_only_after_its_record(start: Start) -> None:
    harness = in_a_round(start)
    harness.tap(0)
    harness.wait(WRITE_S - 0.01)
    assert forgotten(harness) == []
    harness.wait(0.02)
    assert forgotten(harness) == [Pressed, Released]


def test_what_changes_nothing_is_durable_without_a_record(start: Start) -> None:
    harness = in_a_round(start)
    harness.tap(0, Button.LEFT)
    harness.wait(0.01)
    assert forgotten(harness) == [Pressed, Released]
    assert harness.journal.written == []


def test_half_a_tap_is_not_durable(start: Start) -> None:
    harness = in_a_round(start)
    harness.post(Pressed(2, Button.OK, harness.now_ns, 1))
    harness.wait(0.39)
    assert forgotten(harness) == []


def test_an_ok_that_is_held_is_durable_as_soon_as_it_peeks(start: Start) -> None:
    harness = in_a_round(start)
    harness.post(Pressed(2, Button.OK, harness.now_ns, 1))
    harness.wait(0.41)
    assert forgotten(harness) == [Pressed]


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
    assert forgotten(harness) == []
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
    assert forgotten(harness).count(Settled) == 0
    harness.wait(3)
    assert forgotten(harness).count(Settled) == 1
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
    """The heads of a chain, line by line."""
    return [*accumulate(lines, next_head, initial=EMPTY_HEAD)][1:]


def test_bound_cups_keep_dice_waiting_for_one_record_and_one_round_trip(start: Start) -> None:
    _, wired_s = shaken(start, commits=False)
    harness, bound_s = shaken(start, commits=True)
    assert wired_s == pytest.approx(WRITE_S, abs=0.005)
    assert bound_s == pytest.approx(2 * WRITE_S + ROUND_TRIP_S, abs=0.005)
    assert len(harness.journal.written) == 2 + 3 + 1  # the seed, who is bound; two down, the seal, the dice


# Hiding waits for nothing


def peeking(start: Start, seat: int = 2) -> DaemonHarness:
    """A seat looks under its cup while the bid of another is on its way to the disk."""
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
    assert forgotten(harness) == [Pressed, Released]  # or the cup would take no more: the table plays on
    assert on_disk(harness).last_events == {}
    harness.journal.fails = False
    harness.tap(1)
    harness.wait(1)
    assert on_disk(harness).last_events == {NAMES[0]: 4, NAMES[1]: 2}


def on_disk(harness: DaemonHarness) -> Journal:
    """What another daemon would read there now."""
    journal = Journal(harness.journal.path)
    journal.close()
    return journal


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
