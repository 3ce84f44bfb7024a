"""Dice go from the displays when hands let go, when the daemon stops, and when it is stopped."""

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from support.noninterference.forked_round import Round, Seats
from support.noninterference.tapes.tape import Dealt
from support.table.harness import lay_out

from drivers.gpio.switches import Buttons
from drivers.link.seat_board import SeatBoard
from engine import PERUDO, PYRUDO, RoundKind
from firmware_host.configuration.configuration import Configuration, Reading
from firmware_host.daemon import app, session_runner
from firmware_host.store.journal.journal import Journal
from firmware_host.util.systemd import Notify
from hardware.boards.pico_bundle import release
from hardware.config.layout import load_builtin
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.flash import program
from hardware.emulated.table import EmulatedTable
from hardware.emulated.virtual_loop import VirtualLoop
from hardware.link.framing import frame
from hardware.link.messages import PictureAck, to_body

LAYOUTS = ["wired-4", "boards-8"]


class Hasty(Round):
    """Somebody puts the cup down in the moment in which a bid changes everybody's picture."""

    pictures: list[bytes]
    frame_s = 0.052

    async def script(self, seats: Seats) -> None:
        await self.shaken(seats)
        await self.tilted(seats)
        last = seats[-1]
        seats[0].tap("ok", for_s=0.08)
        await asyncio.sleep(0.081)
        self.pictures = [last.picture().tobytes()]
        last.level()
        for wait_s in (self.frame_s, 0.5):  # one frame may be on the wire already, the next one hides
            await asyncio.sleep(wait_s)
            self.pictures.append(last.picture().tobytes())


@pytest.mark.parametrize("layout", LAYOUTS)
def test_hiding_waits_for_one_frame_at_most(layout: str, tmp_path: Path) -> None:
    hasty = Hasty(load_builtin(layout).first(4), Dealt(PYRUDO, RoundKind.NORMAL, ((1,) * 5,) * 4))
    hasty.frame_s = 0.052 if layout == "wired-4" else 0.18  # two pictures of a Pico, of which each takes 0.13 at most
    hasty.play(tmp_path)
    looked, soon, later = hasty.pictures
    assert looked != soon
    assert soon == later


def test_a_seat_board_is_dark_at_once_also_while_a_picture_comes_in(tmp_path: Path) -> None:
    hasty = Hasty(load_builtin("boards-8").first(4), Dealt(PYRUDO, RoundKind.NORMAL, ((1,) * 5,) * 4))
    hasty.frame_s = 0.01
    hasty.play(tmp_path)
    looked, soon, _ = hasty.pictures
    assert any(looked)
    assert not any(soon)


class Flooded(Round):
    """Somebody's board says without end that its panel is lost and found again, while another seat lets go."""

    async def script(self, seats: Seats) -> None:
        await self.shaken(seats)
        seats[0].tilt()
        await asyncio.sleep(0.7)
        board = seats[1]._display
        assert isinstance(board, EmulatedCup)
        acks = (frame(to_body(0, PictureAck(0, 0, lit))) for lit in (0, 1))
        board._line.send(b"".join(acks) * 150)
        seats[0].level()
        self.tape.outputs.clear()
        await asyncio.sleep(1)


def test_a_board_that_talks_without_end_keeps_no_dice_on_anothers_display(tmp_path: Path) -> None:
    layout = load_builtin("boards-8").first(2)
    outputs = Flooded(layout, Dealt(PYRUDO, RoundKind.NORMAL, ((6,), (5,)))).play(tmp_path).outputs
    hidden = next(at for at, each in enumerate(outputs) if (each.seat, each.channel) == (0, "board"))
    published = [at for at, each in enumerate(outputs) if each.channel == "event"]
    assert 1 <= len(published) < 10
    assert sum(at < hidden for at in published) < 10


class Abandoned(Round):
    """The daemon is told to stop while everybody looks."""

    async def script(self, seats: Seats) -> None:
        await self.shaken(seats)
        await self.tilted(seats)
        self.tape.covered = [seat.picture().tobytes() for seat in seats]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_daemon_that_stops_leaves_black_panels(layout: str, tmp_path: Path) -> None:
    tape = Abandoned(load_builtin(layout).first(4), Dealt(PERUDO, RoundKind.NORMAL, ((6,) * 5,) * 4)).play(tmp_path)
    assert all(map(any, tape.covered))
    assert tape.left == [bytes(1024)] * 4


class Broken(Abandoned):
    """The first driver of each kind fails to close, after it was told to stop while everybody looks."""

    failing: type[Any]
    patch: pytest.MonkeyPatch

    async def script(self, seats: Seats) -> None:
        await super().script(seats)
        close, failed = self.failing.close, list[Any]()

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
    broken.play(tmp_path)
    assert broken.tape.left.count(bytes(1024)) == dark


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda stop: stop.name)
def test_a_signal_that_stops_the_daemon_leaves_black_panels(
    layout: str, stop: signal.Signals, loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.SIG_DFL)  # even if the tests were started with nohup
    furniture = load_builtin(layout).first(2)
    pictures: list[set[bytes]] = []

    async def scenario(journal: Journal) -> None:
        await journal.write(lay_out(PYRUDO, [(6, 6), (5, 5)]).table.scene, {})
        with EmulatedTable(furniture, loop, seed=1, image=program(release())) as emulated:
            monkeypatch.setattr(session_runner, "SystemPorts", lambda **_: emulated)
            at_work = session_runner.SessionRunner(
                Configuration(layout, tmp_path),
                Reading(furniture, PYRUDO, {}, None),
                folder=tmp_path,
                journal=journal,
                record=None,
                notify=Notify({}),
            )
            conducting = loop.create_task(app.run_until_signal(at_work, tmp_path / "events.sock", Notify({})))
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
        loop.run_until_complete(scenario(journal))
    looked, left = pictures
    assert len(looked) == 2
    assert left == {bytes(1024)}
