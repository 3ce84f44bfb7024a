"""Picos one after the other, on an emulated drive and emulated ports: boards, and one sentence for each fault."""

import asyncio
import errno
import os
import pty
import threading
import time
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial

from drivers.link.port import Port
from firmware_host.doctor import probe
from firmware_host.doctor.findings import Finding
from firmware_host.doctor.flash import boot_drive
from firmware_host.doctor.flash.boot_drive import BootDrive, FlashError
from firmware_host.doctor.flash.flashing import Flashing, Workplace
from firmware_host.doctor.flash.micropython import MicroPython
from hardware.boards.pico_bundle import release
from hardware.config.layout import Layout
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.flash import MemoryFlash, flash_with, program
from hardware.emulated.pace import Pace
from hardware.firmware.device_config import DeviceConfig

pytestmark = pytest.mark.slow  # boards start in real time

BUTTONS = ("left", "right", "ok", "dudo")
MICROPYTHON = MicroPython("1.28.0", "RPI-RP2", "00", b"UF2" * 1000)
MAX_IDLE = 100
"""Waits in a row without a hand's act: more than any timeout has."""
MINE = program(release())
QUICK = Pace(boot_us=50_000)
"""Still too slow for the first question."""


class SilentPort(serial.Serial):
    """A prompt's port: a minute of silence passes at once after each question."""

    def __init__(self, path: str, bench: "Bench") -> None:
        super().__init__(path, timeout=0)
        self._bench = bench

    def write(self, data: bytes) -> int | None:
        self._bench.skipped_s = 60
        return super().write(data)


class Bench:
    """A table with Picos, whose hands plug in the next one while the computer waits. `folder` has a mounted drive."""

    def __init__(self, folder: Path) -> None:
        self.labels, self.drive, self.mounts = folder / "by-label", folder / "drive of a Pico", folder / "mounts"
        self.labels.mkdir()
        self.drive.mkdir()
        (folder / "sda1").touch()
        self.mounts.write_text(f"{folder / 'sda1'} {str(self.drive).replace(' ', chr(92) + '040')} vfat rw 0 0\n")
        self.said: list[str] = []
        self.idle = 0
        self.hear: Callable[[str], None] = lambda line: None
        self.tried: list[tuple[str, bool]] = []
        self.hands: list[Callable[[], object]] = []
        self.ports: dict[str, Callable[[], Port]] = {}
        self.becomes: Callable[[], object] = lambda: self.plug_prompt("E661000000000001")
        self.skipped_s = 0
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()
        self._terminals: list[int] = []

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(5)
        self.loop.close()
        for terminal in self._terminals:
            os.close(terminal)

    # The hands

    def plug_drive(self, label: str = "RPI-RP2") -> None:
        (self.labels / label).symlink_to(self.drive.parent / "sda1")

    def unplug(self) -> None:
        for label in self.labels.iterdir():
            label.unlink()
        self.ports.clear()

    def plug_prompt(self, identity: str) -> None:
        """Plug in a Pico at MicroPython's prompt: a terminal on which nobody speaks the link."""
        far_end, near_end = pty.openpty()
        tty.setraw(near_end)
        self._terminals += [far_end, near_end]
        path = os.ttyname(near_end)
        self.ports[self.name(identity)] = lambda: SilentPort(path, self)

    def plug_board(self, identity: str, flash: MemoryFlash | None, buttons: Sequence[str] = BUTTONS) -> None:
        panel = "ssd1309" if buttons else None

        async def made() -> EmulatedCup:
            fitted = DeviceConfig(identity, buttons=tuple(buttons), panel=panel, light=bool(buttons))
            return EmulatedCup(fitted, self.loop, seed=1, flash=flash, pace=QUICK)

        board = asyncio.run_coroutine_threadsafe(made(), self.loop).result(5)
        self.ports[self.name(identity)] = board.open

    @staticmethod
    def name(identity: str) -> str:
        return f"usb-MicroPython_Board_in_FS_mode_{identity}-if00"

    # The computer

    def open_port(self, name: str) -> Port:
        if name not in self.ports:
            raise FileNotFoundError(2, "No such file or directory")
        self.skipped_s = 0
        return self.ports[name]()

    def now_s(self) -> float:
        return time.monotonic() + self.skipped_s

    def plugged_in(self) -> Sequence[tuple[str, int]]:
        return [(name, 1) for name in self.ports]

    def write(self, drive: BootDrive, micropython: MicroPython) -> None:
        boot_drive.write(drive, micropython, self.mounts)
        assert (self.drive / boot_drive.FILE).read_bytes() == micropython.data
        self.unplug()
        self.becomes()

    def put_program(self, port: str) -> None:
        self.plug_board(port.split("_")[-1].removesuffix("-if00"), flash_with(MINE))

    def wait(self, duration_s: float) -> None:
        self.idle = 0 if self.hands else self.idle + 1
        assert self.idle < MAX_IDLE, self.said
        if self.hands:
            self.hands.pop(0)()

    def try_parts(self, layout: Layout, has_light: bool) -> Sequence[Finding]:
        self.tried.append((layout.seats[0].name, has_light))
        return ()

    def say(self, line: str) -> None:
        self.said.append(line)
        self.hear(line)

    def flash(self, boards: int, put_program: Callable[[str], None] | None = None) -> Flashing:
        place = Workplace(
            self,  # type: ignore[arg-type]
            put_program or self.put_program,
            self.try_parts,
            self.say,
            lambda: boot_drive.find(self.labels),
            self.write,
            self.wait,
        )
        session = Flashing(place, MICROPYTHON)
        session.run(boards)
        return session

    @property
    def faults(self) -> list[str]:
        return [line.partition(": ")[2] for line in self.said if "not ready" in line]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    monkeypatch.setattr(probe, "time", SimpleNamespace(monotonic=bench.now_s))
    yield bench
    bench.close()


def test_eight_picos_in_a_row_become_boards(bench: Bench) -> None:
    ids = [f"E66100000000000{number}" for number in range(1, 9)]
    waiting = iter(ids)
    bench.becomes = lambda: bench.plug_prompt(next(waiting))
    bench.hands = [bench.plug_drive]

    def put_program(port: str) -> None:
        bench.put_program(port)
        bench.hands = [bench.plug_drive]

    session = bench.flash(8, put_program)
    assert bench.faults == []
    assert session.lines == [f'board = "{each}"' for each in ids]
    assert bench.tried == [(f"Board {number}", True) for number in range(1, 9)]
    assert f'  Ready. Write its id on it: {ids[7]}. For the layout: board = "{ids[7]}"' in bench.said


def test_a_pico_with_micropython_needs_no_boot_mode(bench: Bench) -> None:
    bench.hands = [lambda: bench.plug_prompt("E661000000000005")]
    assert bench.flash(1).lines == ['board = "E661000000000005"']


def test_of_two_plugged_in_at_once_each_has_its_turn(bench: Bench) -> None:
    ids = ["E661000000000005", "E661000000000006"]
    bench.hands = [lambda: [bench.plug_prompt(each) for each in ids]]
    assert bench.flash(2).lines == [f'board = "{each}"' for each in ids]


def test_somebody_without_a_pico_gets_one_hint(bench: Bench) -> None:
    bench.hands = [lambda: None] * 200 + [lambda: bench.plug_prompt("E661000000000005")]
    assert bench.flash(1).lines == ['board = "E661000000000005"']
    assert sum("Some cables only charge" in line for line in bench.said) == 1


def test_a_board_plugged_in_before_is_left_alone(bench: Bench) -> None:
    bench.plug_board("E661000000000005", flash_with(MINE))
    bench.hands = [lambda: bench.plug_prompt("E661000000000006")]
    assert bench.flash(1).lines == ['board = "E661000000000006"']


def test_a_flashed_board_is_tried_and_told(bench: Bench) -> None:
    bench.hands = [lambda: bench.plug_board("E661000000000005", flash_with(program(b"release0")))]
    assert bench.flash(1).lines == ['board = "E661000000000005"']
    assert "  It has a program already, and the table updates that by itself." in bench.said


def test_a_cup_has_a_line_and_no_parts_to_try(bench: Bench) -> None:
    bench.hands = [lambda: bench.plug_board("C661000000000005", flash_with(MINE), ())]
    assert bench.flash(1).lines == ['cup = "C661000000000005"']
    assert bench.tried == []


def raising(error: Exception) -> Callable[..., Port]:
    def act(*of: str) -> Port:
        raise error

    return act


FAULTS: dict[str, tuple[Callable[[Bench], object], str]] = {
    "another chip": (
        lambda bench: bench.plug_drive("RP2350"),
        "this Pico's drive is RP2350, and the file is for RPI-RP2",
    ),
    "a full drive": (
        lambda bench: (bench.plug_drive(), (bench.drive / boot_drive.FILE).symlink_to("/dev/full")),
        "RPI-RP2 is full; unplug it, and hold BOOTSEL",
    ),
    "a pulled cable": (
        lambda bench: (bench.plug_drive(), setattr(bench, "becomes", bench.unplug)),
        "MicroPython did not start, or its cable was pulled",
    ),
    "a drive that stays": (
        lambda bench: (bench.plug_drive(), setattr(bench, "becomes", bench.plug_drive)),
        "MicroPython did not start, or its cable was pulled",
    ),
    "old firmware": (
        lambda bench: bench.plug_board("E661000000000001", None),
        "its program is from before updates over the cable; update it once with the paper clip",
    ),
    "a port in use": (
        lambda bench: bench.ports.update({bench.name("E661"): raising(OSError(16, "minicom (7) has it open"))}),
        "its port can't be opened: minicom (7) has it open",
    ),
}


@pytest.mark.parametrize("what", FAULTS)
def test_a_fault_is_one_sentence_and_the_next_board_goes_on(bench: Bench, what: str) -> None:
    act, sentence = FAULTS[what]

    def next_one() -> None:
        bench.unplug()
        (bench.drive / boot_drive.FILE).unlink(missing_ok=True)
        bench.becomes = lambda: bench.plug_prompt("E661000000000002")
        bench.plug_drive()

    def hear(line: str) -> None:
        if "not ready" in line:
            bench.hands = [bench.unplug, next_one]

    bench.hands, bench.hear = [lambda: act(bench)], hear
    assert bench.flash(2).lines == ['board = "E661000000000002"']
    assert [fault.startswith(sentence) for fault in bench.faults] == [True]


@pytest.mark.parametrize(
    ("put_program", "sentence"),
    [
        (lambda port: None, "it says no Hello; its wiring.py may name a part wrongly"),
        (raising(FlashError("it did not take its program")), "it did not take its program"),
    ],
)
def test_a_program_that_does_not_start_or_get_there_is_told(
    bench: Bench, put_program: Callable[..., None], sentence: str
) -> None:
    bench.hands = [bench.plug_drive]
    assert bench.flash(1, put_program).lines == []
    assert [fault.startswith(sentence) for fault in bench.faults] == [True]


@pytest.mark.parametrize(("number", "is_told"), [(errno.EIO, False), (errno.ENODEV, False), (errno.EROFS, True)])
def test_a_drive_that_vanishes_may_have_the_whole_file_and_one_that_refuses_it_is_told(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, number: int, is_told: bool
) -> None:
    def fsync(file: int) -> None:
        raise OSError(number, os.strerror(number))

    bench.plug_drive()
    drive = boot_drive.find(bench.labels)
    assert drive is not None
    monkeypatch.setattr(boot_drive.os, "fsync", fsync)
    with pytest.raises(FlashError, match="RPI-RP2 can't be written") if is_told else nullcontext():
        boot_drive.write(drive, MICROPYTHON, bench.mounts)


def test_a_desktop_has_time_to_mount_the_drive_and_without_one_the_command_asks_for_sudo(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.plug_drive()
    drive, mounted = boot_drive.find(bench.labels), bench.mounts.read_text()
    assert drive is not None
    monkeypatch.setattr(boot_drive.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(boot_drive, "LOOK_S", 0)
    monkeypatch.setattr(boot_drive, "DESKTOP_TIMEOUT_S", 0.05)
    bench.mounts.write_text("")
    with pytest.raises(FlashError, match="only root can mount it; run the command with sudo"):
        boot_drive.write(drive, MICROPYTHON, bench.mounts)
    monkeypatch.setattr(boot_drive.time, "sleep", lambda duration_s: bench.mounts.write_text(mounted))
    boot_drive.write(drive, MICROPYTHON, bench.mounts)
    assert (bench.drive / boot_drive.FILE).read_bytes() == MICROPYTHON.data
