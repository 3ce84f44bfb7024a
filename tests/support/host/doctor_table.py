"""An emulated table for the doctor, on a computer that is laid out in a folder: sound, until a test breaks something.

with surgery(tmp_path) as here:
    here.table.seats[1].unplug("panel")
    found = here.examined()
"""

import asyncio
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from firmware_host.commands.parser import USUAL_LAYOUT
from firmware_host.doctor.check_list import CHECKS
from firmware_host.doctor.checks.gpio import KernelPins
from firmware_host.doctor.context import Patient
from firmware_host.doctor.context_builder import admit
from firmware_host.doctor.findings import Finding, State
from firmware_host.doctor.machine import Machine
from firmware_host.doctor.runner import examine
from hardware.config.layout import parse
from hardware.emulated.chips.gpiochip import EmulatedChip
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.cup_process import CupProcess
from hardware.emulated.table import EmulatedTable

LAYOUT = """\
name = "corner-table"
wires = [[30, 31, 32]]

[[seat]]
name = "North"
color = "red"
buttons = { left = 4, right = 5, ok = 6, dudo = 7 }
panel = { chip = "ssd1309", bus = 30, address = 0x3c }
cup = { tilt = 8 }

[[seat]]
name = "East"
color = "yellow"
buttons = { left = 16, right = 17, ok = 18, dudo = 19 }
panel = { chip = "ssd1309", bus = 31, address = 0x3c }
cup = { tilt = 20 }

[[seat]]
name = "South"
color = "green"
buttons = { left = 21, right = 22, ok = 23 }
panel = { chip = "sh1106", bus = 32, address = 0x3c }
cup = { serial = "CUP0001" }

[[seat]]
name = "West"
color = "blue"
board = "E6614103E7452D21"
"""
FILES = {
    "/proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.2\0",
    "/proc/cpuinfo": "Hardware\t: BCM2835\nRevision\t: c03112\n",
    "/proc/cmdline": "console=tty1 root=/dev/mmcblk0p2",
    "/proc/locks": "",
    "/etc/passwd": "root:x:0:0:root:/root:/bin/sh\npi:x:{uid}:{gid}:,,,:/home/pi:/bin/bash\n",
    "/etc/group": "root:x:0:\nusers:x:{gid}:\n",
    "/sys/class/hwmon/hwmon1/name": "rpi_volt",
    "/sys/class/hwmon/hwmon1/in0_lcrit_alarm": "0",
    "/sys/fs/ext4/mmcblk0p2/errors_count": "0",
    "/dev/gpiochip0": "",
    "/dev/i2c-1": "",
    "/dev/i2c-30": "",
    "/dev/i2c-31": "",
    "/dev/i2c-32": "",
}
SAYS = {("vcgencmd", "get_throttled"): "throttled=0x0"}


class Surgery:
    """What a test breaks, and what the doctor finds."""

    def __init__(self, table: EmulatedTable, loop: asyncio.AbstractEventLoop, root: Path) -> None:
        self.table = table
        self.loop = loop
        self.root = root
        self.chip = EmulatedChip(lambda: 0)
        self.says = dict(SAYS)
        self.layout = root / "etc/dudo-table/table.toml"
        self.state = root / "state"
        self.commands: list[tuple[str, ...]] = []

    def write(self, name: str, text: str) -> Path:
        """Lay a file of the computer."""
        path = self.root / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.format(uid=os.getuid(), gid=os.getgid()))
        return path

    def remove(self, name: str) -> None:
        """Take one away."""
        (self.root / name.lstrip("/")).unlink()

    def admitted(self) -> Patient:
        """What would be examined."""
        machine = Machine(self.root, self._run)
        pins = KernelPins(lambda: self.chip)
        return admit(USUAL_LAYOUT, self.state, wires=self.table, pins=pins, machine=machine, environment={})

    def examined(self) -> list[Finding]:
        """All that is found, be it right."""
        return examine(self.admitted(), CHECKS)

    def faults(self) -> list[tuple[str, str]]:
        """What is wrong or not known, and what mends it."""
        found = self.examined()
        return [(each.what, each.remedy) for each in found if each.state in (State.WRONG, State.UNKNOWN)]

    def do(self, *steps: object) -> None:
        """Do something on the loop's thread."""

        async def done() -> None:
            for step in steps:
                step()  # type: ignore[operator]
            await asyncio.sleep(0.1)

        asyncio.run_coroutine_threadsafe(done(), self.loop).result(5)

    def _run(self, command: Sequence[str]) -> str | None:
        self.commands.append(tuple(command))
        return self.says.get(tuple(command))


@contextmanager
def surgery(
    folder: Path, layout: str = LAYOUT, *, cups: type[EmulatedCup] | type[CupProcess] = EmulatedCup
) -> Iterator[Surgery]:
    """A sound table, whose far ends run on a thread of their own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def laid() -> EmulatedTable:
        return EmulatedTable(parse(layout, "table.toml"), loop, seed=1, cups=cups)

    table = asyncio.run_coroutine_threadsafe(laid(), loop).result(5)
    try:
        here = Surgery(table, loop, folder)
        for name, text in FILES.items():
            here.write(name, text)
        here.write("/etc/dudo-table/table.toml", layout.replace("{", "{{").replace("}", "}}"))
        here.state.mkdir(mode=0o700)
        yield here
    finally:
        loop.call_soon_threadsafe(table.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
