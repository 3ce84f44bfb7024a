"""A round at emulated wires, forked at the deal: who may not see a die can't tell the two apart before the reveal.

Compared is everything that comes out, to the nanosecond and the byte: what goes over a seat's wires, what its eyes see,
the events, the lines at the public socket, the story, the log, what a careless log line could show, the files of the
journal by their size.
"""

import asyncio
import logging
import os
import random
import signal
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec
import pytest
from forked_round import Dealt, Hands, Round, Seats, Tape, under_the_cups
from hands import laid

from drivers.buttons import Buttons
from drivers.panel import Panel, PanelWire
from drivers.panel_chips import PanelChip
from drivers.panel_codes import NOP
from drivers.seat_board import SeatBoard
from engine import KILL_SPOT, PALO_FIJO, PERUDO, PYRUDO, RULESETS, Hand, RoundKind, Rules
from firmware_host import run
from firmware_host.daemon import Daemon
from firmware_host.glass import draw
from firmware_host.journal import Journal
from firmware_host.public.writing import Writer
from firmware_host.story import Story
from firmware_host.table.events import CupDown, PublicEvent
from firmware_host.table.public import public_state
from firmware_host.table.table import Table
from hardware.emulated.clock import VirtualLoop
from hardware.emulated.table import EmulatedTable
from hardware.layout import load_builtin

HELD = {2: (1, 3), 3: (1, 5, 2), 4: (1, 4, 0, 1), 5: (1, 3, 1, 0)}
"""Dice by seats of the layout: with four somebody is out, of five seats the last watches."""

OPEN, CLOSED = RoundKind.FIXED_FACE_NO_WILDS_OPEN, RoundKind.FIXED_FACE_NO_WILDS_CLOSED
ROUNDS = [(rules, kind) for rules in RULESETS.values() for kind in (RoundKind.NORMAL, *rules.special)]
SIZES = {"wired-4": cycle([4, 2, 3, 2]), "boards-8": cycle([5, 2, 3, 4, 2, 3])}
CASES = [(layout, next(sizes), *played) for layout, sizes in SIZES.items() for played in ROUNDS]


def dealt(rules: Rules, kind: RoundKind, seats: int) -> Dealt:
    """A round of seat 0, which holds one die, with dice as far from each other as they come."""
    rng = random.Random(f"{rules} {kind} {seats}")
    hands = tuple(tuple(rng.choice((1, 6, rng.randint(1, 6))) for _ in range(held)) for held in HELD[seats])
    return Dealt(rules, kind, hands, None if kind is RoundKind.NORMAL else 0)


def seen_by(seat: int, kind: RoundKind, hands: Hands) -> tuple[int, ...]:
    """Whose dice a seat may see, as the rules say it; the engine is not asked."""
    living = [other for other, hand in enumerate(hands) if hand]
    if seat not in living:
        return ()
    match kind:
        case RoundKind.BLIND:
            return (seat,) if seat == 0 else ()
        case RoundKind.OPEN | RoundKind.FIXED_FACE_NO_WILDS_OPEN:
            return tuple(other for other in living if other != seat)
        case RoundKind.FIXED_FACE_NO_WILDS_CLOSED:
            return (seat,) if len(hands[seat]) == 1 else ()
    return (seat,)


def forked(deal: Dealt, seen: tuple[int, ...]) -> Dealt:
    """The same round with every die turned over that is not seen."""
    turned = (tuple(7 - die for die in hand) for hand in deal.hands)
    return replace(deal, hands=tuple(deal.hands[seat] if seat in seen else hand for seat, hand in enumerate(turned)))


class Fork:
    """Plays a round and its forks, each once."""

    def __init__(self, folder: Path, layout: str, seats: int, deal: Dealt, **options: bool) -> None:
        self.seats = range(seats)
        self.deal = deal
        self._folder = folder
        self._layout = load_builtin(layout).first(seats)
        self._options = options
        self._played: dict[Dealt, Tape] = {}

    def tape(self, deal: Dealt | None = None) -> Tape:
        deal = deal or self.deal
        if deal not in self._played:
            folder = self._folder / str(len(self._played))
            self._played[deal] = Round(self._layout, deal, **self._options).play(folder)
            assert self._played[deal].ended, "the script led to no reveal"
        return self._played[deal]

    def tells(self, seat: int) -> str:
        """The first thing by which a seat can tell the forks apart, or nothing."""
        seen = seen_by(seat, self.deal.kind, self.deal.hands)
        ours, theirs = (self.tape(deal).reaching(seat) for deal in (self.deal, forked(self.deal, seen)))
        different = (f"seat {seat}: {one} / {other}" for one, other in zip(ours, theirs, strict=False) if one != other)
        return next(different, "" if len(ours) == len(theirs) else "more")


@pytest.mark.parametrize(("layout", "seats", "rules", "kind"), CASES, ids=str)
def test_whoever_may_not_see_a_die_hears_the_same_whatever_it_shows(
    layout: str, seats: int, rules: Rules, kind: RoundKind, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    fork = Fork(tmp_path, layout, seats, dealt(rules, kind, seats))
    assert [told for seat in fork.seats if (told := fork.tells(seat))] == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("layout", SIZES)
@pytest.mark.parametrize(("rules", "kind"), [(PERUDO, RoundKind.NORMAL), (KILL_SPOT, RoundKind.OPEN)], ids=str)
def test_cups_that_are_down_show_nothing_even_to_their_owners(
    layout: str, rules: Rules, kind: RoundKind, tmp_path: Path
) -> None:
    fork = Fork(tmp_path, layout, 4, dealt(rules, kind, 4), album=True)
    ours, theirs = fork.tape(), fork.tape(forked(fork.deal, ()))
    assert len(ours.covered) == 2 * 4
    assert ours.covered == theirs.covered

    def covered(tape: Tape) -> dict[str, bytes]:
        return {name: page for name, page in tape.pages.items() if "peek" not in name}

    assert len(covered(ours)) >= 4
    assert covered(ours) == covered(theirs)


@pytest.mark.parametrize("layout", SIZES)
def test_asyncios_own_debug_lines_tell_nothing(layout: str, tmp_path: Path) -> None:
    fork = Fork(tmp_path, layout, 2, dealt(PALO_FIJO, CLOSED, 2), debug=True)
    assert [told for seat in fork.seats if (told := fork.tells(seat))] == []
    assert sum(heard.channel == "log" for heard in fork.tape().heard) > 500


# That all of this can fail: whoever may see is told, and so is everybody by a leak.


@pytest.mark.parametrize("kind", [RoundKind.NORMAL, RoundKind.BLIND, RoundKind.OPEN, CLOSED], ids=str)
def test_who_may_see_dice_is_shown_them(kind: RoundKind, tmp_path: Path) -> None:
    fork = Fork(tmp_path, "wired-4", 3, dealt(PALO_FIJO if kind is CLOSED else KILL_SPOT, kind, 3))
    ours, theirs = fork.tape(), fork.tape(forked(fork.deal, ()))
    for seat in fork.seats:
        sees_any = bool(seen_by(seat, kind, fork.deal.hands))
        assert (ours.reaching(seat) != theirs.reaching(seat)) is sees_any


def die() -> int:
    """Of seat 0, which no other seat may see; in the fork it is odd where it was even."""
    return under_the_cups[0][0][0]


def with_die(function: Callable[..., Any], tell: Callable[..., object]) -> Callable[..., Any]:
    """A function that tells of a die before it does what it always did."""

    def leaking(*arguments: Any, **options: Any) -> Any:
        tell(*arguments)
        return function(*arguments, **options)

    return leaking


def a_pixel(patch: pytest.MonkeyPatch) -> None:
    def drawn(*arguments: Any) -> Any:
        picture = draw(*arguments)
        picture.putpixel((127, 63), die() % 2)
        return picture

    patch.setattr("firmware_host.glass.draw", drawn)


def a_log_line(patch: pytest.MonkeyPatch) -> None:
    log = logging.getLogger("firmware_host.leak")
    patch.setattr(Table, "take", with_die(Table.take, lambda *_: log.debug("%d", die())))


def a_traceback(patch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        try:
            raise ValueError(die())
        except ValueError:
            logging.getLogger("firmware_host.leak").exception("it went wrong")

    patch.setattr(Journal, "write", with_die(Journal.write, fail))


def a_public_event(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("firmware_host.table.shaking.CupDown", lambda seat: CupDown(seat + die() % 2))


def a_field_of_the_state(patch: pytest.MonkeyPatch) -> None:
    def leaking(*given: Any) -> Any:
        return msgspec.structs.replace(public_state(*given), countdown_s=die() % 2)

    patch.setattr("firmware_host.table.table.public_state", leaking)


def a_byte_at_the_socket(patch: pytest.MonkeyPatch) -> None:
    written = Writer.state
    patch.setattr(Writer, "state", lambda writer, state: b" " * (die() % 2) + written(writer, state))


def a_word_of_the_story(patch: pytest.MonkeyPatch) -> None:
    lines = Story.lines

    def told(self: Story, event: PublicEvent) -> tuple[str, ...]:
        return tuple(line + "!" * (die() % 2) for line in lines(self, event))

    patch.setattr(Story, "lines", told)


def a_number_of_bytes(patch: pytest.MonkeyPatch) -> None:
    frame = PanelChip.frame
    patch.setattr(PanelChip, "frame", lambda *given, **options: frame(*given, **options) + [NOP] * (die() % 2))


def an_order_of_writes(patch: pytest.MonkeyPatch) -> None:
    want = PanelWire._want
    patch.setattr(PanelWire, "_want", lambda self, panel, first: want(self, panel, die() % 2 == 1))


def a_number_on_the_link(patch: pytest.MonkeyPatch) -> None:
    def counted(board: SeatBoard, *_: object) -> None:
        board._number += die() % 2

    patch.setattr(SeatBoard, "_send_picture", with_die(SeatBoard._send_picture, counted))


def a_repr_of_a_hand(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Hand, "__repr__", tuple.__repr__)


def a_repr_of_a_panel(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Panel, "__repr__", lambda panel: f"<Panel of {sum(panel.wanted.dots)}>")


def a_name_of_a_task(patch: pytest.MonkeyPatch) -> None:
    def name(*_: object) -> None:
        task = asyncio.current_task()
        assert task is not None
        task.set_name(f"deal {die()}")

    patch.setattr(Daemon, "_take", with_die(Daemon._take, name))


def a_moment(patch: pytest.MonkeyPatch) -> None:
    write = Journal.write

    async def written(*arguments: Any) -> None:
        await asyncio.sleep(die() / 1e6)
        await write(*arguments)

    patch.setattr(Journal, "write", written)


def a_size_on_disk(patch: pytest.MonkeyPatch) -> None:
    encode = f"{Journal.__module__}.records.encode"
    patch.setattr(encode, lambda scene: bytes(4096 * die()))


EVERYWHERE = [
    *[a_pixel, a_log_line, a_traceback, a_public_event, a_field_of_the_state, a_byte_at_the_socket],
    *[a_word_of_the_story, a_repr_of_a_hand, a_name_of_a_task, a_moment, a_size_on_disk],
]
LEAKS = [
    *[("boards-8", leak) for leak in (*EVERYWHERE, a_number_on_the_link)],
    *[("wired-4", leak) for leak in (a_pixel, a_moment, a_number_of_bytes, an_order_of_writes, a_repr_of_a_panel)],
]


@pytest.mark.parametrize(("layout", "leak"), LEAKS, ids=lambda value: getattr(value, "__name__", value))
def test_a_leak_is_noticed(
    layout: str, leak: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    assert Fork(tmp_path, layout, 2, dealt(PERUDO, RoundKind.NORMAL, 2)).tells(1)


@pytest.mark.parametrize("kind", [RoundKind.BLIND, RoundKind.OPEN], ids=str)
def test_a_view_that_shows_too_much_is_noticed(
    kind: RoundKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.match.sees", lambda position, seat: position.living)
    assert Fork(tmp_path, "boards-8", 3, dealt(KILL_SPOT, kind, 3)).tells(1)


COUNTED = Dealt(KILL_SPOT, RoundKind.OPEN, ((1,), (1, 1, 1, 1), (1, 1, 1, 6, 6), (1, 1, 6, 6)), owner=0)
"""Turning seat 1's aces over makes others' panels write "× 10" in another place, over other columns."""


def test_frames_that_fit_the_dice_would_tell_them_to_who_waits_for_the_wire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Fork(tmp_path / "whole", "wired-4", 4, COUNTED).tells(1) == ""
    monkeypatch.setattr("drivers.sight._marked", lambda boxes, columns: 0)
    assert "i2c" in Fork(tmp_path / "fitted", "wired-4", 4, COUNTED).tells(1)


def test_an_argument_that_only_asyncios_debug_lines_show_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def later(*_: object) -> None:
        asyncio.get_running_loop().call_soon(lambda _: None, under_the_cups[0])

    monkeypatch.setattr(Daemon, "_take", with_die(Daemon._take, later))
    assert Fork(tmp_path, "wired-4", 2, dealt(PERUDO, RoundKind.NORMAL, 2), debug=True).tells(1)


# Hiding


class Hasty(Round):
    """Somebody puts the cup down in the moment in which a bid changes everybody's picture."""

    pictures: list[bytes]

    async def script(self, seats: Seats) -> None:
        await self.shaken(seats)
        await self.tilted(seats)
        last = seats[-1]
        seats[0].tap("ok", for_s=0.08)
        await asyncio.sleep(0.081)
        self.pictures = [last.picture().tobytes()]
        last.level()
        for wait_s in (0.052, 0.5):  # one frame may be on the wire already, the next one hides
            await asyncio.sleep(wait_s)
            self.pictures.append(last.picture().tobytes())


@pytest.mark.parametrize("layout", SIZES)
def test_hiding_waits_for_one_frame_at_most(layout: str, tmp_path: Path) -> None:
    hasty = Hasty(load_builtin(layout).first(4), Dealt(PYRUDO, RoundKind.NORMAL, ((1,) * 5,) * 4))
    hasty.play(tmp_path)
    looked, soon, later = hasty.pictures
    assert looked != soon
    assert soon == later


class Abandoned(Round):
    """The daemon is told to stop while everybody looks."""

    async def script(self, seats: Seats) -> None:
        await self.shaken(seats)
        await self.tilted(seats)
        self.tape.covered = [seat.picture().tobytes() for seat in seats]


@pytest.mark.parametrize("layout", SIZES)
def test_a_daemon_that_stops_leaves_black_panels(layout: str, tmp_path: Path) -> None:
    tape = Abandoned(load_builtin(layout).first(4), Dealt(PERUDO, RoundKind.NORMAL, ((6,) * 5,) * 4)).play(tmp_path)
    assert all(map(any, tape.covered))
    assert tape.left == [bytes(1024)] * 4


class Broken(Abandoned):
    """The first driver of each kind fails to close, after it was told to stop while everybody looks."""

    failing: type[Any]

    async def script(self, seats: Seats) -> None:
        await super().script(seats)
        close, failed = self.failing.close, []

        def failing(driver: Any) -> None:
            if not failed:
                failed.append(driver)
                raise OSError("it is stuck")
            close(driver)

        self.patch.setattr(self.failing, "close", failing)


@pytest.mark.parametrize(("layout", "failing", "dark"), [("wired-4", Buttons, 4), ("boards-8", SeatBoard, 3)])
def test_a_driver_that_does_not_close_leaves_no_other_panel_lit(
    layout: str, failing: type[Any], dark: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Broken(load_builtin(layout).first(4), Dealt(PERUDO, RoundKind.NORMAL, ((6,) * 5,) * 4))
    broken.failing, broken.patch = failing, monkeypatch
    with pytest.raises(OSError, match="stuck"):
        broken.play(tmp_path)
    assert broken.tape.left.count(bytes(1024)) == dark


@pytest.mark.parametrize("layout", SIZES)
@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda stop: stop.name)
def test_a_signal_that_stops_the_daemon_leaves_black_panels(
    layout: str, stop: signal.Signals, loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.SIG_DFL)  # even if the tests were started with nohup
    furniture = load_builtin(layout).first(2)
    pictures: list[set[bytes]] = []

    async def evening(journal: Journal) -> None:
        await journal.write(laid(PYRUDO, [(6, 6), (5, 5)]).table.scene)
        with EmulatedTable(furniture, loop, seed=1) as emulated:
            monkeypatch.setattr(run, "RealWires", lambda: emulated)
            conducting = loop.create_task(run._conduct(furniture, PYRUDO, journal, tmp_path / "events.sock"))
            await asyncio.sleep(3)
            for seat in emulated.seats:
                seat.tilt()
            await asyncio.sleep(1)
            pictures.append({seat.picture().tobytes() for seat in emulated.seats})
            os.kill(os.getpid(), stop)
            await asyncio.wait([conducting], timeout=5)
            await asyncio.sleep(0.2)
            pictures.append({seat.picture().tobytes() for seat in emulated.seats})

    with Journal(tmp_path / "journal.sqlite") as journal:
        loop.run_until_complete(evening(journal))
    looked, left = pictures
    assert len(looked) == 2
    assert left == {bytes(1024)}
