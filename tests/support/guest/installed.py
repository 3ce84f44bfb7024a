"""Guests with the package: one on which it is installed by one command, and one kept as it was when it had come up.

kept = await started(package.built(), folder)
async with at_table(kept, folder, seed=1) as session: ...           # goes on from there
"""

import asyncio
import shutil
import tarfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from support.guest import image
from support.guest.machine import Guest, GuestError, disk_on
from support.guest.players import BOLD, GuestSession
from support.guest.table import GuestTable
from support.system import debian_root
from support.system.debian_root import run

from hardware.config.layout import load

SNAPSHOT = "started"
PANELS = "/sys/module/dudo_i2c/parameters"
PRIVATE = "/usr/lib/dudo-table"
SOCKETS = ("CUP0001", "BOARD0003")
LIT_WITHIN_S = 300.0
LOG = "journalctl -u dudo-table --no-pager -q -n 100; ls /dev/serial/by-id; cat /sys/module/dudo_i2c/parameters/answers"
LOG_WITHIN_S = 30.0


@dataclass(frozen=True)
class Started:
    """A disk, with a snapshot of the running machine on it; how long after power-on its panels were lit."""

    disk: Path
    lit_s: float


@dataclass(frozen=True)
class Installed:
    """What apt printed, and what it took; how long after it the test's table was lit."""

    printed: str
    boot_s: float
    install_s: float
    lit_s: float


async def started(package: Path, folder: Path) -> Started:
    """Switch a computer on that has the package, and keep it as it is when its panels are lit."""
    disk = disk_on(image.furnished(package), folder / "started.qcow2")
    async with Guest(disk, folder, sockets=SOCKETS) as guest:
        began_s = asyncio.get_running_loop().time()
        await guest.switch_on()
        table = GuestTable(load(image.TABLE), guest, seed=0)
        table.watch_panels()
        await lit(table)
        await guest.booted()
        await guest.do("sync")
        await guest.monitor(f"savevm {SNAPSHOT}")
        table.unwired()
    return Started(disk, max(table.lit_s.values()) - began_s)


async def install(package: Path, folder: Path) -> Installed:
    """Boot a computer without the package, install it with one command, lay the table, and wait for lit panels."""
    payload = folder / "payload.tar"
    with tarfile.open(payload, "w") as packing:
        packing.add(package, "dudo-table.deb")
        packing.add(compiled(package), "compiled.tar")
        packing.add(image.TABLE, "table.toml")
    disk = disk_on(image.bare(), folder / "installed.qcow2")
    async with Guest(disk, folder, payload=payload, sockets=SOCKETS) as guest:
        began_s = time.monotonic()
        await guest.switch_on()
        table = GuestTable(load(image.TABLE), guest, seed=0)
        await guest.booted()
        boot_s = time.monotonic() - began_s
        table.watch_panels()
        await guest.do("tar -C /root -xf /dev/vdb && tar -C / -xf /root/compiled.tar")
        began_s = time.monotonic()
        printed = await guest.do(image.INSTALL)
        install_s = time.monotonic() - began_s
        began_s = time.monotonic()
        await guest.do("cp /root/table.toml /etc/dudo-table/table.toml && systemctl reload dudo-table")
        await lit(table)
        lit_s = time.monotonic() - began_s
        table.unwired()
    return Installed(printed, boot_s, install_s, lit_s)


def compiled(package: Path) -> Path:
    """Return a tar of what Python makes of the package's files when it is installed.

    That takes this machine seconds and an emulated one minutes; installed there, Python finds it done.
    """

    def make(target: Path) -> None:
        with debian_root.unpacked() as root:
            run("dpkg-deb", "-x", package, root)
            run("chroot", root, "python3", "-m", "compileall", "-q", PRIVATE)
            run("sh", "-c", f'cd "$1" && find .{PRIVATE} -name "*.pyc" | tar -cf "$2" -T -', "sh", root, target)

    return debian_root.kept("compiled", (sha256(package.read_bytes()).hexdigest(),), make)


async def lit(table: GuestTable) -> None:
    """Wait until every wired panel has had a picture since power came on."""
    async with asyncio.timeout(LIT_WITHIN_S):
        while len(table.lit_s) < 2:
            table.guest.check()
            await asyncio.sleep(0.05)


@asynccontextmanager
async def at_table(
    kept: Started, folder: Path, *, seed: int, bold: float = BOLD, log: Path | None = None, base: Path | None = None
) -> AsyncIterator[GuestSession]:
    """Give people at the table of a guest of its own, everything plugged in. The bolder, the sooner they doubt.

    With `log` it is switched on again, and what it writes to its disk is noted there; `base` is the disk before.
    """
    disk = folder / "disk.qcow2"
    shutil.copy2(kept.disk, disk)
    if base is not None:
        run("qemu-img", "convert", "-O", "raw", disk, base)
    async with Guest(disk, folder, sockets=SOCKETS, log=log) as guest:
        table = GuestTable(load(image.TABLE), guest, seed=seed)
        session = GuestSession(table, seed=seed, bold=bold)
        try:
            if log is None:
                await guest.switch_on(snapshot=SNAPSHOT)
                session.listen()
                await guest.do(f"date -s @{time.time():.0f}")
                await table.wired()
                await guest.do(f"cd {PANELS} && read -r there <answers && echo 0 >answers && echo $there >answers")
                await lit(table)  # panels that were off for a moment are set up again
                await session.until(lambda: bool(session.states))
            else:
                await switched_on(session)
            yield session
        except Exception:
            await print_log(session)
            raise
        finally:
            cut_power(session)


async def print_log(session: GuestSession) -> None:
    """Print what a failing test's reader wants to know: what the room heard last, and what the daemon says."""
    print(f"told last: {session.states[-1:]}\n{session.table.guest.last_words()}")
    with suppress(GuestError, KeyError, ConnectionError):
        print(await session.table.guest.do(LOG, within_s=LOG_WITHIN_S, fails=True))


async def switched_on(session: GuestSession) -> float:
    """Switch on, and wait for lit panels and the first public state; return how long it took until panels were lit."""
    loop = asyncio.get_running_loop()
    began_s, before = loop.time(), len(session.states)
    await session.table.guest.switch_on()
    session.listen()
    await session.table.wired()
    await lit(session.table)
    lit_s = max(session.table.lit_s.values()) - began_s
    await session.until(lambda: len(session.states) > before)
    await session.table.guest.booted()
    return lit_s


def cut_power(session: GuestSession) -> None:
    """Pull the plug of the whole table: computer, panels and cups."""
    session.deafen()
    session.table.unwired()
