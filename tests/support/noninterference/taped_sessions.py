"""The daemon as `run` assembles it, at tapped wires on virtual time, and everything that comes out of it on a tape.

`support.noninterference.forked_round.Round` plays a round here. Sessions, drivers, journal, socket and status line are
the real ones, and so are the pages of a party of `play` where every seat has a board: one for each seat, every other
one a guest's, and one for somebody who only looks on. The public page has what its server would send. Held fixed are
the dice, what the kernel gives for random bytes, and the commitments.
"""

import asyncio
import random
import re
import reprlib
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, redirect_stderr, redirect_stdout
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import luma.oled.device  # noqa: F401  # it starts threads when it is imported, which the first tape alone would have
import msgspec
import pytest
from nacl.public import PrivateKey
from support.noninterference.tapes.outlets import (
    Nobody,
    Service,
    TapedLoop,
    Terminal,
    answer,
    read_by_others,
    reader,
    requested,
)
from support.noninterference.tapes.readable_texts import listening, parts, shown_as_text, texts
from support.noninterference.tapes.tape import Dealt, Hands, Tape
from support.noninterference.tapes.taped_bridge import run_taped_bridge
from support.noninterference.tapes.taped_files import FileTimes
from support.noninterference.tapes.taped_pages import Connection, TapedPage, open_pages
from support.noninterference.tapes.taped_phones import TapedPhones
from support.noninterference.tapes.taped_processes import tap_opponents, tap_processes, tap_writes
from support.noninterference.tapes.taped_tv import taped_tv
from support.noninterference.tapes.taped_voice import BLOCK_S, TapedSpeech, read_once, taped_voice
from support.noninterference.tapes.tapped_ports import ROOM, TappedPorts
from support.noninterference.tapes.work_meter import WorkMeter
from support.table.held_commitments import hold_commitments

from engine import View
from firmware_host.clients.tv.page_socket import PageSocket
from firmware_host.clients.tv.picture import PageContent
from firmware_host.clients.tv.sounds import Listener, Sounds
from firmware_host.configuration.configuration import Configuration, Reading
from firmware_host.daemon import app, session_runner
from firmware_host.daemon.daemon import Daemon
from firmware_host.daemon.seat_display import FrameListener, SeatDisplay
from firmware_host.daemon.session_runner import SessionRunner
from firmware_host.devices.devices import Devices
from firmware_host.devices.displays import DisplayProxy
from firmware_host.fairness.chain import match_line
from firmware_host.i18n.words import Words
from firmware_host.play.chairs import Chair, Chairs
from firmware_host.play.screenshots import ScreenshotRecorder
from firmware_host.play.workbench.connection import ClientConnection
from firmware_host.play.workbench.party import Party
from firmware_host.play.workbench.server import relay
from firmware_host.play.workbench.workbench import Workbench
from firmware_host.public.line_log import LineLog
from firmware_host.public.server import PublicSocket
from firmware_host.store.house.names import NameBook
from firmware_host.store.journal.journal import Journal
from firmware_host.store.scores.archive import MatchArchive
from firmware_host.table.events import PublicEvent, Revealed, RoundBegan
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SceneName, SeatView
from firmware_host.table.staff.requests import Request
from firmware_host.table.table import Table
from firmware_host.util.evening import this_evening
from firmware_host.wire import AlertBegan, ChainEntryAdded, FiguresAnswer, MatchBegan, RecordAnswer, Seat, VerdictAnswer
from hardware.boards.pico_bundle import release
from hardware.config.layout import Layout
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.flash import program
from hardware.emulated.table import EmulatedSeat, EmulatedTable
from hardware.emulated.virtual_loop import VirtualLoop

Seats = Sequence[EmulatedSeat]
SHIFT_INTERVAL_S = 7.3
"""How long a picture stands at one place in these rounds: it is to wander while dice are on the display."""
SEED_BYTES = 32
NO_SEED = bytes(SEED_BYTES)
under_the_cups: list[Hands] = [()]
"""The dice of the round that is being played, for leaks to be planted."""


NAME = "ÑÉŒ"
"""The name that the player of the first seat has entered."""


class TapedSession(ABC):
    """A session at a layout whose round is dealt as `dealt` says; later deals have dice that are always the same.

    A folder that has a journal already goes on where that ends, and its `tape` as well. While the session lasts `seats`
    are those of the layout, `living` those with dice. With `counts_work` the tape has how much each thread did before
    the call.
    """

    table: Table
    devices: Devices
    wires: TappedPorts
    pages: Mapping[str, TapedPage]
    seats: Seats
    living: Seats

    def __init__(
        self,
        layout: Layout,
        dealt: Dealt,
        *,
        debug: bool = False,
        album: bool = False,
        counts_work: bool = False,
        tape: Tape | None = None,
    ) -> None:
        self.layout = layout
        self.dealt = dealt
        self.debug = debug
        self.album = album
        self.tape = Tape() if tape is None else tape
        self.disk_s = 0.0
        """How long a record takes to be written, from now on."""
        self.seeds: list[bytes] = []
        """The seeds of the deals."""
        self.given: list[bytes] = []
        """What the kernel gave to whoever wanted as many random bytes as a seed has; a seed is one of these, once."""
        self._chairs: Chairs | None = None
        self._workbench: Workbench | None = None
        self._meter = WorkMeter() if counts_work else None
        self._before_s = self.tape.outputs[-1].at_s if self.tape.outputs else 0.0
        self._picture = picture = PageContent("a build")
        self._public_page = PageSocket(lambda: picture.message(self._now_s(), "http://192.0.2.7:8650/"))
        self._seed = sha256(f"{dealt.hands}".encode()).digest()
        self._is_dealt = bool(self.tape.outputs)  # the first deal is done, whose dice differ from fork to fork
        self._wrong = ""

    @abstractmethod
    async def script(self, seats: Seats) -> None:
        """Play the seats' hands, using only what the whole room knows."""

    def play(self, folder: Path) -> Tape:
        """Play it; `folder` is the state folder, and has the album."""
        self.folder = folder
        self._threads = {*threading.enumerate()}  # those of others
        with ExitStack() as held, asyncio.Runner(loop_factory=self._make_loop) as runner:
            self._hold(held.enter_context(pytest.MonkeyPatch.context()))
            held.enter_context(redirect_stdout(Terminal(partial(self._record, ROOM, "stdout"))))
            held.enter_context(redirect_stderr(Terminal(partial(self._record, ROOM, "stderr"))))
            if self._meter is not None:
                held.enter_context(self._meter)
            runner.run(self._play())
        assert not self._wrong, self._wrong
        return self.tape

    # What is held fixed, and where ears are

    def _make_loop(self) -> VirtualLoop:
        loop = TapedLoop(self._timed, FileTimes(self.folder, partial(self._record, ROOM, "file")).look)
        loop.set_debug(self.debug)  # whatever PYTHONASYNCIODEBUG or -X dev say: its log lines go by the loop's turns
        if self.debug:
            loop.slow_callback_duration = 0.0  # so that the log has a line for every callback
        return loop

    def _hold(self, patch: pytest.MonkeyPatch) -> None:
        under_the_cups[0] = self.dealt.hands
        patch.setattr(random, "_urandom", self._urandom)
        patch.setattr(PrivateKey, "generate", lambda: PrivateKey(bytes(range(32))))
        patch.setattr("firmware_host.fairness.commitments.deal_dice", self._deal)
        hold_commitments(patch, self._secret)
        patch.setattr("drivers.display.frame.SHIFT_INTERVAL_S", SHIFT_INTERVAL_S)
        patch.setattr("drivers.link.seat_board.SHIFT_INTERVAL_S", SHIFT_INTERVAL_S)
        patch.setattr(EmulatedCup, "_write_panel", self._board_tapped(EmulatedCup._write_panel))
        patch.setattr(EmulatedCup, "write_panel", self._may_fail(EmulatedCup.write_panel))
        patch.setattr(EmulatedCup, "_light", self._lamp_tapped(EmulatedCup._light))
        patch.setattr(Journal, "write", self._slowed(Journal.write))
        patch.setattr("firmware_host.clients.voice.app.BLOCK_S", BLOCK_S)
        patch.setattr("firmware_host.clients.voice.speech.read_clip", read_once)
        patch.setattr(reprlib.aRepr, "maxother", 10_000)  # asyncio's debug lines would cut what might tell
        patch.setattr(time, "sleep", lambda duration_s: self._record(ROOM, "slept", duration_s))
        tap_processes(patch, partial(self._record, ROOM), self._without_folder)
        tap_opponents(patch, partial(self._record, ROOM))
        tap_writes(patch, partial(self._record, ROOM))
        patch.setattr(session_runner, "SystemPorts", lambda **_: self.wires)
        for made in (Daemon, Devices, SeatDisplay, PublicSocket):
            patch.setattr(session_runner, made.__name__, getattr(self, f"_make_{made.__name__.lower()}"))

    def _urandom(self, count: int) -> bytes:
        """Stand in for the kernel: the first deal's entropy differs from fork to fork, all else is the same."""
        if count != SEED_BYTES:
            return b"\5" * count
        self.given.append(sha256(b"%d" % len(self.given)).digest() if self.given else self._secret())
        return self.given[-1]

    def _secret(self) -> bytes:
        return NO_SEED if self._is_dealt else self._seed

    def _deal(
        self, match: str, number: int, seed: bytes, entropies: object, dice: Mapping[int, int]
    ) -> dict[int, list[int]]:
        if seed in self.seeds or seed not in self.given:
            self._wrong = "the host's seed is not what the kernel gave for this deal alone"
        self.seeds.append(seed)
        if self._is_dealt:
            return {seat: [(seat + number + die) % 6 + 1 for die in range(held)] for seat, held in dice.items()}
        self._is_dealt = True
        if dice != {seat: len(hand) for seat, hand in enumerate(self.dealt.hands) if hand}:
            self._wrong = "other dice were wanted"
        return {seat: list(self.dealt.hands[seat]) for seat in dice}

    def _board_tapped(self, write: Callable[[EmulatedCup, bytes], None]) -> Callable[[EmulatedCup, bytes], None]:
        def tapped(cup: EmulatedCup, data: bytes) -> None:
            if hasattr(self, "wires"):
                self.wires.hear_board(cup, data)
            write(cup, data)
            if hasattr(self, "wires"):
                self.wires.see_board(cup)

        return tapped

    def _may_fail(self, order: Callable[[EmulatedCup, bytes], None]) -> Callable[[EmulatedCup, bytes], None]:
        def failing(cup: EmulatedCup, data: bytes) -> None:
            if hasattr(self, "wires"):
                self.wires.fail_board(cup)
            order(cup, data)

        return failing

    def _lamp_tapped(self, light: Callable[[EmulatedCup, bool], None]) -> Callable[[EmulatedCup, bool], None]:
        def tapped(cup: EmulatedCup, is_on: bool) -> None:
            light(cup, is_on)
            if hasattr(self, "wires"):
                self.wires.see_board(cup)

        return tapped

    def _slowed(self, write: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        async def slowed(*arguments: Any) -> None:
            if self.disk_s:
                await asyncio.sleep(self.disk_s)
            await write(*arguments)

        return slowed

    # What the session makes

    def _make_daemon(self, table: Table, journal: Journal, *, tell: Callable[[PublicEvent], None], **more: Any) -> Any:
        self.table = table
        self._daemon = Daemon(table, journal, tell=partial(self._told, tell), **more)
        return self._daemon

    def _make_devices(self, *arguments: Any, **more: Any) -> Devices:
        self._displays: list[SeatDisplay] = []
        self.devices = Devices(*arguments, **more)
        return self.devices

    def _make_seatdisplay(self, panel: DisplayProxy, _: Sequence[FrameListener], words: Words) -> SeatDisplay:
        number = len(self._displays)
        eyes = [partial(self._see, number)]
        if self._chairs is not None:
            eyes.append(self._chairs[Seat(number)].see)
        if self.album:
            eyes.append(ScreenshotRecorder(self.folder / "album").watch_seat(number, self.seats[number]))
        self._displays.append(SeatDisplay(panel, eyes, words))
        return self._displays[-1]

    def _make_publicsocket(
        self,
        path: Path,
        *,
        lines: LineLog,
        record: Callable[[], RecordAnswer],
        verdict: Callable[[], Awaitable[VerdictAnswer]],
        figures: Callable[[], Awaitable[FiguresAnswer]],
    ) -> PublicSocket:
        self._public = PublicSocket(path, lines=lines, record=record, verdict=verdict, figures=figures)
        return self._public

    async def _play(self) -> None:
        self._loop = loop = asyncio.get_running_loop()
        async with AsyncExitStack() as open_things:
            self.emulated = emulated = open_things.enter_context(
                EmulatedTable(self.layout, loop, seed=5, image=program(release()))
            )
            journal = Journal(self.folder / "journal.sqlite", MatchArchive(self.folder / "matches"))
            open_things.enter_context(journal)
            await self._begin(journal)
            open_things.enter_context(listening(self._log))
            self._enter_names()
            self.wires = TappedPorts(self.layout, emulated, self._record, loop)
            connections = self._connections(emulated.seats) if all(seat.board for seat in self.layout.seats) else {}
            phones = self._phones = TapedPhones(self.layout, self.folder / "wifi", self._record)
            connections |= phones.connections
            self.wires.to_phone = phones.write
            self._sit_down(emulated.seats)
            open_things.callback(lambda: self.tape.left.extend(seat.picture().tobytes() for seat in emulated.seats))
            notify = Service(partial(self._record, ROOM, "service"))
            self._play_sessions = SessionRunner(
                Configuration(self.layout.name, self.folder),
                Reading(self.layout, self.dealt.rules, {}, None),
                folder=self.folder,
                journal=journal,
                record=self.folder / "record.txt",
                notify=notify,
            )
            path = self.folder / "events.sock"
            tasks = [loop.create_task(app.run_until_signal(self._play_sessions, path, notify))]
            try:
                while not notify.is_ready:
                    await asyncio.sleep(0.001)  # an idle moment, in which threads get their turn
                self._voice = taped_voice(self.folder / "voice", partial(self._record, ROOM))
                self._tv = taped_tv(partial(self._record, ROOM))
                tasks += map(loop.create_task, (self._read(path), self._voice.run(path), self._tv.run(path)))
                tasks.append(loop.create_task(run_taped_bridge(path, partial(self._record, ROOM))))
                if self._workbench is not None:
                    tasks.append(loop.create_task(relay(path, self._workbench)))
                connections["public-page"] = ROOM, self._public_page.run
                pages = open_pages(self.folder / "pages.sock", connections, self._record, phones.prepare)
                self.pages = await open_things.enter_async_context(pages)
                open_things.enter_context(phones.connected())
                await self.script(emulated.seats)
            finally:
                loop.set_debug(False)
                for task in tasks:
                    task.cancel()
                for task, end in zip(tasks, await asyncio.gather(*tasks, return_exceptions=True), strict=True):
                    self._record(ROOM, "end", (task.get_coro().__qualname__, repr(end)))
                await asyncio.sleep(0.2)  # the far ends of the wires have time for what was sent last

    async def _begin(self, journal: Journal) -> None:
        """Have a round in the journal that waits for its shake, unless there is one that goes on."""
        if journal.scene is not None:
            return
        game = self.dealt.game
        names = [self.layout.seats[seat].name for seat in game.players]
        began = MatchBegan(game.id, self.dealt.rules.name, game.players)
        proven = ChainEntryAdded(match_line(NO_SEED, self.dealt.rules, 0, names), "none")
        held = tuple((seat, dice) for seat, dice in enumerate(game.position.dice) if dice)
        opens = RoundBegan(1, self.dealt.kind, 0, self.dealt.owner, held)
        await journal.write(Shaking(game=game), {}, [began, proven, opens])

    # Who listens and looks

    def _connections(self, seats: Seats) -> dict[str, tuple[int, Connection]]:
        """Return a page of a party for each seat, and one that finds every chair taken."""
        party = cast(Party, SimpleNamespace(guests={}, invitation=None))
        self._chairs = Chairs(Chair(seat, Nobody(), for_people=True) for seat in seats)
        self._workbench = workbench = Workbench(self.layout, self.dealt.rules, self._chairs, party)
        return {
            f"page-{place}": (number, ClientConnection(workbench).run)
            for place, number in enumerate((*range(len(seats)), ROOM))
        }

    def _sit_down(self, seats: Seats) -> None:
        self.seats = seats
        self.living = [seat for seat, hand in zip(seats, self.dealt.hands, strict=False) if hand]
        for number, seat in enumerate(seats):
            seat.moved = partial(self._moved, number, seat, seat.moved)
            seat.moved()

    def _moved(self, number: int, seat: EmulatedSeat, then: Callable[[], None] | None) -> None:
        self.tape.looks.append((number, self._now_s(), seat.cup == "up" or "ok" in seat.pressed))
        if then is not None:
            then()

    def _record(self, seat: int, channel: str, what: object) -> None:
        self.tape.record(seat, channel, self._now_s(), what)
        if self._meter is not None and hasattr(self, "table") and self.table.scene.name is SceneName.CALLED:
            self._meter = None  # the outcome is settled at once, when nobody can do anything about it any more
        if self._meter is not None and seat == ROOM:
            self.tape.record(ROOM, "work", self._now_s(), self._meter.count)

    def _timed(self, when_s: float) -> None:
        if hasattr(self, "_loop"):
            self.tape.record(ROOM, "timer", self._now_s(), when_s)

    def _now_s(self) -> float:
        return self._before_s + self._loop.time()

    def _log(self, record: tuple[str, int, str]) -> None:
        *about, text = record
        self._record(ROOM, "log", (*about, self._without_folder(text)))

    def _enter_names(self) -> None:
        """Have the table know that all players were asked for names, and that the first entered one."""
        if self.layout.names_days is not None:
            places = [seat.name for seat in self.layout.seats]
            NameBook(self.folder).keep_evening(places, (NAME,), range(1, len(places)), this_evening())

    def _without_folder(self, text: str) -> str:
        return text.replace(str(self.folder), "")

    def _told(self, then: Callable[[PublicEvent], None], event: PublicEvent) -> None:
        if isinstance(event, Revealed):
            self.revealed()
        recorded = event
        if isinstance(event, AlertBegan):  # it may name a file in the folder of this fork
            recorded = msgspec.structs.replace(event, why=self._without_folder(event.why))
        self._record(ROOM, "event", recorded)
        then(event)
        if self._workbench is not None:
            self._workbench.tell(event)

    def revealed(self) -> None:
        """The cups go up; where that is the end, nothing is heard any more."""
        self._record(ROOM, "reveal", None)
        self.end()

    def end(self) -> None:
        """Hear nothing any more."""
        album = self.folder / "album"
        self.tape.pages = {str(page.relative_to(album)): page.read_bytes() for page in sorted(album.rglob("*.png"))}
        self.tape.ended = True

    async def _read(self, path: Path) -> None:
        """Somebody in the room is at the socket, and somebody at the public page, with its sound on."""
        picture, record = self._picture, partial(self._record, ROOM)
        sounds = Sounds(lambda _: TapedSpeech(self.folder / "page", record))
        listener = Listener()
        listener.changed = lambda: record("public page's sounds", listener.take())
        sounds.add(listener, "en")
        try:
            async with reader(path) as lines:
                while line := await lines.readline():
                    self._record(ROOM, "socket", line)
                    await self._phones.read(line)
                    sounds.read(line, is_state=line.startswith(b'{"type":"state"'))
                    if picture.take(line, self._now_s()):
                        self._public_page.changed()
        finally:
            sounds.remove(listener, "en")

    def _see(self, seat: int, view: SeatView, menu: Menu, look: View | None) -> None:
        hands = look and [hand and tuple(hand) for hand in look.hands]
        self._record(seat, "eyes", (view, menu, hands))
        self._record(ROOM, "text", shown_as_text([view, menu, look, look and look.hands, look and look.legal]))

    async def asked_by_staff(self, request: Request | bytes) -> None:
        """Ask at the control socket, and note the answer."""
        reader, writer = await asyncio.open_unix_connection(str(self.folder / "staff.sock"))
        writer.write((request if isinstance(request, bytes) else msgspec.json.encode(request)) + b"\n")
        self._record(ROOM, "staff", await reader.read())
        writer.close()

    async def noted(self, for_s: float, covered: Seats = ()) -> None:
        """Let time pass, then note what could be read of the daemon, and the displays of `covered` seats."""
        await asyncio.sleep(for_s)
        begun = (thread.name for thread in threading.enumerate() if thread not in self._threads)
        # Of a pool of several threads it depends on the real clock how many there are.
        threads = sorted({re.sub("(Thread|Executor)-[0-9]+|virtual_[0-9]+", r"\1", name) for name in begun})
        self._record(ROOM, "text", [*threads, *map(self._without_folder, texts(self._things()))])
        files = sorted(file for file in self.folder.rglob("*") if file.suffix != ".png")  # an album is the owner's
        self._record(ROOM, "disk", [*map(read_by_others, files)])
        async with reader(self.folder / "events.sock") as late:
            self._record(ROOM, "socket to who comes late", await late.readline())
        self._record(ROOM, "socket to who was away", await answer(self.folder / "events.sock"))
        for what in ("record", "verdict", "figures"):
            self._record(ROOM, what, await requested(what, self.folder / "events.sock"))
        if not self.tape.ended:
            self.tape.covered += [seat.picture().tobytes() for seat in covered]

    def _things(self) -> list[object]:
        """Return everything that a careless line could write down."""
        devices = self.devices
        drivers = devices.supervisor._drivers
        owners = [self._play_sessions, self._daemon, self.table, devices, devices.links, devices.supervisor]
        owners += [devices._buses, self._public]
        owners += [self._voice, self._voice.queue, self._tv]
        things = [*(driver.driver for driver in drivers), *drivers, *devices.displays, *self._displays, *owners]
        return [*things, *(part for owner in owners for part in parts(owner))]
