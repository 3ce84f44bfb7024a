"""That `test_noninterference` can fail: leaks of every kind are planted, and each is noticed."""

import asyncio
import logging
import re
import zlib
from collections.abc import Callable
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.noninterference.forked_round import under_the_cups
from support.noninterference.incidents import INCIDENTS
from support.noninterference.planting import BOARD_PAIR, WIRED_PAIR, Case, Plant, die, leak_tests
from support.noninterference.tapes.tape import Dealt
from support.noninterference.variants import LAYOUTS, Fork, dealt

from drivers.display import frame as frames
from drivers.display.bus import Display, DisplayBus
from drivers.display.bus_worker import NOP
from drivers.display.frame import DesiredFrame, DeviceFrame, FrameUpdate, dirty_windows
from drivers.display.oled import OledController
from drivers.link.seat_board import SeatBoard
from engine import KILL_SPOT, PERUDO, Hand, RoundKind
from firmware_host.daemon.counters import CounterKeeper
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.seat_display import draw, draw_peek
from firmware_host.daemon.staff import StaffRequests
from firmware_host.public.encoder import LineEncoder
from firmware_host.public.line_log import LineLog
from firmware_host.public.narration import Narrator
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.graphics.text import BOLD
from firmware_host.screens.widgets import TITLE_BAR
from firmware_host.store.house.counters import Counters
from firmware_host.store.journal.journal import Journal
from firmware_host.table.cues import reveal_cues
from firmware_host.table.effects import Show
from firmware_host.table.events import PublicEvent
from firmware_host.table.outputs import Outputs, public_state
from firmware_host.table.scenes.called import Called
from firmware_host.table.scenes.deal import Deal
from firmware_host.table.scenes.revealing_entropy import RevealingEntropy
from firmware_host.table.scenes.scene import Game, Scene
from firmware_host.table.seat.view import SeatView
from firmware_host.table.seat_state import SeatState
from firmware_host.table.staff.actions import StaffView
from firmware_host.table.staff.items import StaffItem
from firmware_host.table.staff.requests import Reply, StaffForm
from firmware_host.table.staff_control import StaffControl
from firmware_host.table.table import Table
from firmware_host.wire import CupSettled, PublicState
from hardware.emulated.chips.i2c import EmulatedSMBus
from hardware.link.framing import frame
from hardware.link.oled import Window

pytestmark = pytest.mark.slow


WIRED_8 = WIRED_PAIR._replace(layout="wired-8")
STAFF = BOARD_PAIR._replace(incident="staff")


def with_die(function: Callable[..., Any], tell: Callable[..., object]) -> Callable[..., Any]:
    """Return a function that tells of a die before it does what it always did."""

    def leaking(*arguments: Any, **options: Any) -> Any:
        tell(*arguments)
        return function(*arguments, **options)

    return leaking


def a_pixel(patch: pytest.MonkeyPatch) -> None:
    def drawn(*arguments: Any) -> Any:
        picture = draw(*arguments)
        picture.putpixel((127, 63), die() % 2)
        return picture

    patch.setattr("firmware_host.daemon.seat_display.draw", drawn)


def a_dot_beside_the_dice(patch: pytest.MonkeyPatch) -> None:
    """Whoever looks gets a dot more for some dice, outside the boxes where dice may stand."""

    def drawn(*arguments: Any) -> Any:
        picture = draw_peek(*arguments)
        picture.putpixel((123, 0), sum(under_the_cups[0][0]) % 2)
        return picture

    patch.setattr("firmware_host.daemon.seat_display.draw_peek", drawn)


def a_log_line(patch: pytest.MonkeyPatch) -> None:
    log = logging.getLogger("firmware_host.leak")
    patch.setattr(Table, "handle", with_die(Table.handle, lambda *_: log.debug("%d", die())))


def a_traceback(patch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        try:
            raise ValueError(die())
        except ValueError:
            logging.getLogger("firmware_host.leak").exception("it went wrong")

    patch.setattr(Journal, "write", with_die(Journal.write, fail))


def a_public_event(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("firmware_host.table.scenes.shaking.CupSettled", lambda seat: CupSettled(seat + die() % 2))


def a_field_of_the_state(patch: pytest.MonkeyPatch) -> None:
    def leaking(*given: Any) -> Any:
        return msgspec.structs.replace(public_state(*given), countdown_s=die() % 2)

    patch.setattr("firmware_host.table.outputs.public_state", leaking)


def a_byte_at_the_socket(patch: pytest.MonkeyPatch) -> None:
    written = LineEncoder.state
    patch.setattr(LineEncoder, "state", lambda writer, *given: b" " * (die() % 2) + written(writer, *given))


def a_number_that_counts_secret_records(patch: pytest.MonkeyPatch) -> None:
    """Events get the number after that of a record that not everybody may know of."""

    def count(journal: Journal, *_: object) -> None:
        lines, secret = journal.lines, die() % 2
        lines._first, lines._last, lines._durable = lines._first + secret, lines._last + secret, lines._durable + secret

    patch.setattr(Journal, "write", with_die(Journal.write, count))


def a_line_for_who_was_away(patch: pytest.MonkeyPatch) -> None:
    """What is sent again has more in it than what was published."""
    page = LineLog.page_after
    patch.setattr(LineLog, "page_after", lambda *given: [line + b" " * (die() % 2) for line in page(*given)])


def a_word_of_the_story(patch: pytest.MonkeyPatch) -> None:
    lines = Narrator.lines

    def told(self: Narrator, event: PublicEvent) -> tuple[str, ...]:
        return tuple(line + "!" * (die() % 2) for line in lines(self, event))

    patch.setattr(Narrator, "lines", told)


def a_number_of_bytes(patch: pytest.MonkeyPatch) -> None:
    frame = OledController.apply
    patch.setattr(OledController, "apply", lambda *given, **options: frame(*given, **options) + [NOP] * (die() % 2))


def an_order_of_writes(patch: pytest.MonkeyPatch) -> None:
    want = DisplayBus._enqueue
    patch.setattr(DisplayBus, "_enqueue", lambda self, panel, first: want(self, panel, panel.seat == die() % 2))


def a_number_on_the_link(patch: pytest.MonkeyPatch) -> None:
    def counted(board: SeatBoard, *_: object) -> None:
        board._number += die() % 2

    patch.setattr(SeatBoard, "_send_picture", with_die(SeatBoard._send_picture, counted))


def a_repr_of_a_hand(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Hand, "__repr__", tuple.__repr__)


def a_repr_of_a_panel(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Display, "__repr__", lambda panel: f"<Display of {sum(panel.desired.dots)}>")


def a_name_of_a_task(patch: pytest.MonkeyPatch) -> None:
    def name(*_: object) -> None:
        task = asyncio.current_task()
        assert task is not None
        task.set_name(f"deal {die()}")

    patch.setattr(Daemon, "_handle", with_die(Daemon._handle, name))


def a_moment(patch: pytest.MonkeyPatch) -> None:
    write = Journal.write

    async def written(*arguments: Any) -> None:
        await asyncio.sleep(die() / 1e6)
        await write(*arguments)

    patch.setattr(Journal, "write", written)


def a_size_on_disk(patch: pytest.MonkeyPatch) -> None:
    encode = f"{Journal.__module__}.records.encode_scene"
    patch.setattr(encode, lambda scene: bytes(4096 * die()))


def an_inversion(patch: pytest.MonkeyPatch) -> None:
    """A panel is inverted, or not, for the dots of its dice."""
    diff = frames.diff

    def turned(wanted: DesiredFrame, shown: DeviceFrame | None) -> FrameUpdate:
        update = diff(wanted, shown)
        if not wanted.secret_regions or die() % 2 == 0:
            return update
        after = replace(update.after, is_inverted=not update.after.is_inverted)
        return FrameUpdate(after, after.memory, frames.ALL_DIRTY)

    patch.setattr("drivers.display.bus.diff", turned)
    patch.setattr("drivers.link.seat_board.diff", turned)


def a_box_that_is_skipped(patch: pytest.MonkeyPatch) -> None:
    """Secret regions are sent only where they differ, as everything else is."""
    patch.setattr(frames, "_region_mask", lambda regions, columns: 0)


def windows_that_merge(patch: pytest.MonkeyPatch) -> None:
    """What differs on one page goes into one window for some dice, into several for others."""

    def merged(memory: bytes, dirty: bytes) -> list[Window]:
        return (
            dirty_windows(memory, dirty)
            if die() % 2
            else dirty_windows(memory, re.sub(b"[^\0](?s:.{0,40})[^\0]", _filled, dirty))
        )

    for user in ("display.oled", "link.seat_board"):
        patch.setattr(f"drivers.{user}.dirty_windows", merged)


def _filled(run: re.Match[bytes]) -> bytes:
    return b"\xff" * len(run[0])


def a_length_of_a_frame(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("drivers.link.port.frame", lambda body: frame(body) + b"\0" * (len(body) > 100 and die() % 2))


def a_wait_for_a_board(patch: pytest.MonkeyPatch) -> None:
    """A board is slow to acknowledge some dice, and what comes next waits for that."""
    hear = SeatBoard._handle_other

    def output(board: SeatBoard, message: Any) -> None:
        wait_s = 0.001 * die() * (board.seat == 0)
        board._loop.call_later(wait_s, hear, board, message)

    patch.setattr(SeatBoard, "_handle_other", output)


def the_outcome_of_a_call(patch: pytest.MonkeyPatch) -> None:
    def leaking(scene: Any, *given: Any) -> Any:
        state = public_state(scene, *given)
        return (
            msgspec.structs.replace(state, position=str(scene.outcome.position)) if isinstance(scene, Called) else state
        )

    patch.setattr("firmware_host.table.outputs.public_state", leaking)


def a_pause_before_the_reveal(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Called, "begin", lambda self, desk: replace(self, deadline_ns=desk.now_ns + 10**9 + die()))


def lit_dice(called: Called) -> int:
    """Return a number for the dice that the cues of a reveal will light up, computed while the cups are down."""
    position = called.outcome.position
    assert position.showdown is not None
    cues = reveal_cues(position.showdown, position.showdown.bid, position.order)
    return zlib.crc32(repr([cue.dice for cue in cues]).encode()) % 10**6


def a_cue_that_hurries_the_reveal(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Called, "begin", lambda self, desk: replace(self, deadline_ns=desk.now_ns + 10**9 + lit_dice(self)))


def a_cue_on_a_display_before_the_reveal(patch: pytest.MonkeyPatch) -> None:
    shown = Outputs._show

    def leaking(outputs: Outputs, seat: SeatState, public: PublicState, shared: SeatView, scene: Scene) -> Show:
        show = shown(outputs, seat, public, shared, scene)
        cue_ms = lit_dice(scene) if isinstance(scene, Called) else show.view.cue_ms
        return msgspec.structs.replace(show, view=msgspec.structs.replace(show.view, cue_ms=cue_ms))

    patch.setattr(Outputs, "_show", leaking)


def a_log_line_of_a_call(patch: pytest.MonkeyPatch) -> None:
    log = logging.getLogger("firmware_host.leak")
    tell = with_die(Called.begin, lambda scene, _: log.debug("%s", scene.outcome.position.showdown))
    patch.setattr(Called, "begin", tell)


def the_seed_in_the_state(patch: pytest.MonkeyPatch) -> None:
    def leaking(scene: Any, *given: Any) -> Any:
        made_of = "".join(scene.game.to_open)
        return msgspec.structs.replace(public_state(scene, *given), countdown_s=zlib.crc32(made_of.encode()))

    patch.setattr("firmware_host.table.outputs.public_state", leaking)


def a_commitment_that_tells_its_seed(patch: pytest.MonkeyPatch) -> None:
    host_line = Deal.host_line
    patch.setattr(Deal, "host_line", lambda deal: f"{host_line(deal)} {deal.seed.hex()}")


def a_repr_of_a_share(patch: pytest.MonkeyPatch) -> None:
    """Of a scene on its way to the journal, in a line of the log."""
    log = logging.getLogger("firmware_host.leak")
    tell = with_die(
        Journal.write, lambda _, scene, *more: log.debug("%s", [*map(astuple, getattr(scene, "shares", ()))])
    )
    patch.setattr(Journal, "write", tell)


def an_entropy_in_a_log_line(patch: pytest.MonkeyPatch) -> None:
    log = logging.getLogger("firmware_host.leak")
    tell = with_die(RevealingEntropy.on_revealed, lambda scene, seat, deal, entropy, context: log.debug("%r", entropy))
    patch.setattr(RevealingEntropy, "on_revealed", tell)


EVERYWHERE = [
    *[a_pixel, a_dot_beside_the_dice, a_log_line, a_traceback, a_public_event, a_field_of_the_state],
    *[a_byte_at_the_socket, a_number_that_counts_secret_records, a_word_of_the_story, a_repr_of_a_hand],
    *[a_name_of_a_task, a_moment, a_size_on_disk, an_inversion, windows_that_merge, the_outcome_of_a_call],
    *[a_pause_before_the_reveal, a_log_line_of_a_call, a_cue_that_hurries_the_reveal],
    *[a_cue_on_a_display_before_the_reveal, the_seed_in_the_state, a_commitment_that_tells_its_seed],
]
LEAKS: list[tuple[Plant, Case]] = [
    *[(leak, WIRED_PAIR) for leak in (*EVERYWHERE, a_repr_of_a_share)],
    *[(leak, WIRED_PAIR) for leak in (a_number_of_bytes, an_order_of_writes, a_repr_of_a_panel)],
    *[(leak, WIRED_8) for leak in (an_inversion, windows_that_merge)],
    *[(leak, BOARD_PAIR) for leak in (a_number_on_the_link, a_length_of_a_frame, a_wait_for_a_board)],
    *[(leak, BOARD_PAIR) for leak in (a_pixel, an_entropy_in_a_log_line, a_line_for_who_was_away)],
]

test_a_leak_is_noticed, test_without_a_leak_none_is_noticed = leak_tests(LEAKS)


@pytest.mark.soak
@pytest.mark.parametrize("leak", [leak for leak in EVERYWHERE if leak is not a_pixel])
def test_a_leak_is_noticed_at_boards(leak: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    assert BOARD_PAIR.leak(tmp_path)


def test_an_order_of_writes_is_noticed_by_a_seat_on_the_same_bus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    an_order_of_writes(monkeypatch)
    assert LAYOUTS["wired-8"].first(3).display_wires() == ((30, 31), (40,))
    assert WIRED_8._replace(seats=3, reader=2).leak(tmp_path)


@pytest.mark.parametrize("kind", [RoundKind.BLIND, RoundKind.OPEN], ids=str)
def test_a_view_that_shows_too_much_is_noticed(
    kind: RoundKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.match.visible_seats", lambda position, seat: position.living)
    assert BOARD_PAIR._replace(rules=KILL_SPOT, kind=kind, seats=3).leak(tmp_path)


COUNTED = Dealt(KILL_SPOT, RoundKind.OPEN, ((1,), (1, 1, 1, 1), (1, 1, 1, 6, 6), (1, 1, 6, 6)), owner=0)
"""Turning seat 1's aces over makes others' panels write "10" in another place, over other columns."""


@pytest.mark.parametrize("layout", ["wired-4", "boards-8"])
def test_frames_that_fit_the_dice_would_tell_them_to_who_waits_for_the_wire(
    layout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    four, looks = LAYOUTS[layout].first(4), INCIDENTS["looks"]
    assert Fork(tmp_path / "boxes", four, COUNTED, incidents=[looks]).leak(1) == ""
    a_box_that_is_skipped(monkeypatch)
    assert "length" in Fork(tmp_path / "fitted", four, COUNTED, incidents=[looks]).leak(1)


def test_an_error_that_quotes_a_picture_reaches_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, quoted = EmulatedSMBus.i2c_rdwr, list[bytes]()

    def quoting(bus: EmulatedSMBus, message: Any) -> None:
        payload = bytes(message)
        if len(payload) == 17 and not any(payload == other for other in quoted):  # a page of one die
            quoted.append(payload)
            raise ValueError(f"{payload!r} is not to my taste")
        write(bus, message)

    monkeypatch.setattr(EmulatedSMBus, "i2c_rdwr", quoting)
    family = WIRED_8.family(tmp_path)
    assert not any("taste" in str(output.what) for output in family.tape().outputs)
    assert any("ValueError" in str(output.what) for output in family.tape().outputs)


def test_a_leaf_that_depends_on_dice_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = SeatState.turn_page
    monkeypatch.setattr(SeatState, "turn_page", lambda place, by, leaves: turn(place, by * (1 + die() % 2), leaves))
    deal = dealt(KILL_SPOT, RoundKind.OPEN, 4)
    assert Fork(tmp_path, LAYOUTS["boards-8"].first(4), deal, incidents=[INCIDENTS["turns_pages"]]).leak(0)


def test_an_argument_that_only_asyncios_debug_lines_show_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def later(*_: object) -> None:
        asyncio.get_running_loop().call_soon(lambda _: None, under_the_cups[0])

    monkeypatch.setattr(Daemon, "_handle", with_die(Daemon._handle, later))
    assert Fork(tmp_path, LAYOUTS["wired-4"].first(2), dealt(PERUDO, RoundKind.NORMAL, 2), debug=True).leak(1)


def test_a_die_in_the_staff_menu_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    views = StaffControl.views

    def leaking(self: StaffControl, scene: Scene) -> dict[int, StaffView]:
        return {
            seat: msgspec.structs.replace(view, item=StaffItem.VERSION, value=die())
            for seat, view in views(self, scene).items()
        }

    monkeypatch.setattr(StaffControl, "views", leaking)
    assert len(STAFF.family(tmp_path).covered) > 1


def test_dice_that_stay_on_the_display_of_a_seat_that_is_handed_over_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_over = StaffControl._hand_over

    def leaking(self: StaffControl, seat: int, game: Game, scene: Scene) -> Scene:
        wants_peek, after = self._seats[seat].wants_peek, hand_over(self, seat, game, scene)
        self._seats[seat].wants_peek = wants_peek
        return after

    monkeypatch.setattr(StaffControl, "_hand_over", leaking)
    assert len(STAFF.family(tmp_path).covered) > 1


def test_a_die_in_an_answer_about_seats_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StaffRequests, "_seats", lambda self, state: Reply(False, (f"a match is played {die()}",)))
    assert BOARD_PAIR._replace(incident="staff_by_socket").leak(tmp_path)


def test_a_die_in_an_answer_to_staff_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_host.daemon.staff.status_line", lambda state: f"Lobby {die()}")
    assert STAFF.leak(tmp_path)


def test_a_die_on_the_owners_page_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    form = StaffRequests._form

    async def leaking(self: StaffRequests, state: PublicState) -> StaffForm:
        shown = await form(self, state)
        return msgspec.structs.replace(shown, facts=shown.facts | {StaffItem.VERSION: f"1.12.{die()}"})

    monkeypatch.setattr(StaffRequests, "_form", leaking)
    assert STAFF.leak(tmp_path)


def test_a_die_in_a_figure_of_the_table_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = CounterKeeper._now

    def leaking(self: CounterKeeper) -> Counters:
        counted = now(self)
        return msgspec.structs.replace(counted, calls=counted.calls.plus(die()))

    monkeypatch.setattr(CounterKeeper, "_now", leaking)
    assert STAFF.leak(tmp_path)


def test_a_die_on_a_robots_display_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(canvas: Canvas, *_: object) -> None:
        canvas.text(str(die()), TITLE_BAR, BOLD)

    monkeypatch.setattr("firmware_host.screens.renderer.draw_robot", leaking)
    assert len(WIRED_PAIR._replace(incident="a_robot").family(tmp_path).covered) > 1


def test_dice_that_stay_when_the_cup_is_down_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_host.daemon.seat_display.SeatDisplay.is_open", True)
    family = WIRED_PAIR.family(tmp_path)
    assert family.leaks == []
    assert family.misdirected
    assert len(family.covered) > 1
