"""A healthy emulated table for the doctor, on a computer whose files are in a folder; a test breaks something.

with doctor_table(tmp_path) as here:
    here.table.seats[1].unplug("panel")
    found = here.findings()
"""

import asyncio
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from support.host.gpiochip import EmulatedChip

from firmware_host.configuration import DEFAULT_LAYOUT
from firmware_host.doctor.checks.gpio import KernelPinHolders
from firmware_host.doctor.context import Context, build
from firmware_host.doctor.findings import Finding, Health
from firmware_host.doctor.machine import Machine
from firmware_host.doctor.runner import Check, run_checks
from hardware.boards import pico_bundle
from hardware.config.layout import parse
from hardware.emulated.cup import EmulatedCup
from hardware.emulated.cup_process import CupProcess
from hardware.emulated.flash import program
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
OUTPUTS: Mapping[tuple[str, ...], str] = {("vcgencmd", "get_throttled"): "throttled=0x0"}


class DoctorTable:
    """A table and its computer, with methods to break them and to run the doctor."""

    def __init__(self, table: EmulatedTable, loop: asyncio.AbstractEventLoop, root: Path) -> None:
        self.table = table
        self.loop = loop
        self.root = root
        self.chip = EmulatedChip(lambda: 0)
        self.outputs = dict(OUTPUTS)
        self.layout = root / "etc/dudo-table/table.toml"
        self.state = root / "state"
        self.commands: list[tuple[str, ...]] = []

    def write(self, name: str, text: str) -> Path:
        """Write a file of the computer."""
        path = self.root / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.format(uid=os.getuid(), gid=os.getgid()))
        return path

    def remove(self, name: str) -> None:
        """Remove a file of the computer."""
        (self.root / name.lstrip("/")).unlink()

    def context(self) -> Context:
        """Return what the checks look at."""
        machine = Machine(self.root, self._run)
        pin_holders = KernelPinHolders(lambda: self.chip)
        return build(
            DEFAULT_LAYOUT, self.state, ports=self.table, pin_holders=pin_holders, machine=machine, environment={}
        )

    def findings(self) -> list[Finding]:
        """Return all findings."""
        return run_checks(self.context())

    def faults(self) -> list[tuple[str, str]]:
        """Return the faults and what could not be checked, each with its remedy."""
        found = self.findings()
        return [(each.what, each.remedy) for each in found if each.state in (Health.WRONG, Health.UNKNOWN)]

    def do(self, *steps: object) -> None:
        """Call the steps on the loop's thread."""

        async def done() -> None:
            for step in steps:
                step()  # type: ignore[operator]
            await asyncio.sleep(0.1)

        asyncio.run_coroutine_threadsafe(done(), self.loop).result(5)

    def _run(self, command: Sequence[str]) -> str | None:
        self.commands.append(tuple(command))
        return self.outputs.get(tuple(command))


@contextmanager
def doctor_table(
    folder: Path, layout: str = LAYOUT, *, cups: type[EmulatedCup] | type[CupProcess] = EmulatedCup
) -> Iterator[DoctorTable]:
    """Yield a healthy table; its emulated devices run on a thread of their own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def built() -> EmulatedTable:
        image = program(pico_bundle.release() + b"this release")
        return EmulatedTable(parse(layout, "table.toml"), loop, seed=1, cups=cups, image=image)

    table = asyncio.run_coroutine_threadsafe(built(), loop).result(5)
    try:
        here = DoctorTable(table, loop, folder)
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


def told(check: Check, context: Context, *states: Health) -> list[tuple[str, str]]:
    """Return a check's findings in these states, or the faults alone: each with its remedy."""
    wanted = states or (Health.WRONG,)
    return [(found.what, found.remedy) for found in check(context) if found.state in wanted]
