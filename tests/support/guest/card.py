"""The card image for a PC as a guest's disk, with boards at its table and the test's agent in its /etc.

disk = card_in(folder)
async with CardGuest(disk, folder, sockets=BOARDS) as guest:
    session = GuestSession(GuestTable(load(TABLE), guest, seed=1), seed=1)
    await up(session)
"""

import asyncio
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from support import ROOT
from support.guest import image
from support.guest.machine import CONSOLE, Guest
from support.guest.players import GuestSession
from support.system import debian_root, kernel, package
from support.system.debian_root import run

BOARDS = ("BOARD0001", "BOARD0002")
TABLE = Path(__file__).with_name("files") / "card.toml"
CARD_BYTES = 4 << 30
PARTS = ("orders", "events")
NEEDS_SOCAT = 'socat -u UNIX-CONNECT:/run/dudo-table/events.sock OPEN:"$PORT",wronly'
READS = (
    "import os, socket; s = socket.socket(socket.AF_UNIX); s.connect('/run/dudo-table/events.sock'); "
    "[os.write(1, line) for line in s.makefile('rb')]"
)
"""In place of socat, which a card has not."""
LOBBY_WITHIN_S = 400.0
OTHERS = (
    *(each for each in image.MASKED if each not in ("systemd-random-seed.service", "systemd-logind.service")),
    *("NetworkManager.service", "ssh.service", "dbus-org.freedesktop.hostname1.service", "ldconfig.service"),
    *("systemd-journal-catalog-update.service", "systemd-binfmt.service", "systemd-update-done.service"),
)
"""Units of a card that neither write to it nor serve the table, for tests that start it often."""
LACKING = [name for name in ("mksquashfs", "mcopy", "sfdisk") if shutil.which(name) is None]
needed = pytest.mark.skipif(bool(LACKING), reason="no card can be made: apt-get install squashfs-tools mtools fdisk")
"""Skips tests where the card's tools are missing: `.ci/run` starts none of these tests, and does not install them."""


@cache
def built() -> Path:
    """Return a folder with the image, `vmlinux` and `initrd.img`; some minutes the first time."""
    files = sorted(file for file in (ROOT / "debian/image").rglob("*") if file.is_file())
    contents = sha256(package.built().read_bytes()).hexdigest()
    inputs = [contents, *(file.read_text() for file in files)]
    return debian_root.kept("card", inputs, _make)


def _make(target: Path) -> None:
    run(ROOT / "debian/image/build", "amd64", "tv page voice", within_s=1800)
    target.mkdir()
    (made,) = (ROOT / "build").glob("dudo-table-*-amd64.img")
    made.rename(target / "card.img")
    first = f"{target / 'card.img'}@@4M"
    run("mcopy", "-i", first, "::vmlinuz", "::initrd.img", "::cmdline.txt", target)
    kernel.unzip_kernel(target / "vmlinuz", target / "vmlinux")


class CardGuest(Guest):
    """A computer that starts from the card; its firmware is QEMU."""

    up = b"Welcome to"
    parts = PARTS

    def boot(self) -> tuple[Path, Path, str]:
        """Return kernel and initramfs of the card's first partition, and its command line with a console."""
        made = built()
        line = (made / "cmdline.txt").read_text().partition(" console=")[0]
        return made / "vmlinux", made / "initrd.img", f"{line} {CONSOLE} systemd.show_status=1"


def card_in(folder: Path, *packages: Path, masked: tuple[str, ...] = ()) -> Path:
    """Write the image on a larger card, with packages in its layer, and the test's agent and table in its /etc.

    Masked units do not start.
    """
    raw, disk = folder / "card.img", folder / "card.qcow2"
    shutil.copy2(built() / "card.img", raw)
    with state_of(raw) as state:
        etc = state / "good/etc"
        for part in ("root", "work"):
            (state / "good" / part).mkdir(parents=True)
        (etc / "systemd/system/sysinit.target.wants").mkdir(parents=True)
        (etc / "dudo-table").mkdir()
        shutil.copy2(TABLE, etc / "dudo-table/table.toml")
        slow_in(etc)
        agent = (image.GUEST / "agent.sh").read_text()
        assert NEEDS_SOCAT in agent
        (etc / "agent.sh").write_text(agent.replace(NEEDS_SOCAT, f'python3 -c "{READS}" >"$PORT"'))
        unit = (image.GUEST / "agent@.service").read_text().replace("/usr/local/lib/agent.sh", "/bin/sh /etc/agent.sh")
        (etc / "systemd/system/agent@.service").write_text(unit)
        for part in PARTS:
            (etc / f"systemd/system/sysinit.target.wants/agent@{part}.service").symlink_to("../agent@.service")
        for masked_unit in masked:
            (etc / "systemd/system" / masked_unit).symlink_to("/dev/null")
        if packages:
            _install(raw, state / "good", packages)
    run("qemu-img", "convert", "-O", "qcow2", raw, disk)
    raw.unlink()
    run("qemu-img", "resize", disk, str(CARD_BYTES))
    return disk


def slow_in(etc: Path) -> None:
    """Give an emulated computer's /etc more time for the table, and no watchdog."""
    for unit in image.OF_THE_TABLE:
        (etc / f"systemd/system/{unit}.d").mkdir()
        (etc / f"systemd/system/{unit}.d/guest.conf").write_text(f"[Service]\n{image.SLOW}")
    (etc / "systemd/system.conf.d").mkdir()
    (etc / "systemd/system.conf.d/dudo-card.conf").write_text("")


def _install(raw: Path, layer: Path, packages: tuple[Path, ...]) -> None:
    """Install packages in an update layer, as `table-card run` does it on the card."""
    with tempfile.TemporaryDirectory() as name, partition(raw, 2, "ro") as base:
        root, work = Path(name), layer / "work-root"
        work.mkdir()
        run("mount", "-t", "overlay", "-o", f"lowerdir={base},upperdir={layer}/root,workdir={work}", "card", root)
        try:
            (root / "tmp/packages").mkdir()
            for package in packages:
                shutil.copy2(package, root / "tmp/packages")
            run("chroot", root, "sh", "-c", "dpkg --install /tmp/packages/*.deb")
            shutil.rmtree(root / "tmp/packages")
        finally:
            run("umount", root)
        shutil.rmtree(work)


@contextmanager
def partition(raw: Path, number: int, *options: str) -> Iterator[Path]:
    """Mount a partition of a card."""
    found = json.loads(run("sfdisk", "--json", raw))["partitiontable"]["partitions"][number - 1]
    place = f"loop,offset={found['start'] * 512},sizelimit={found['size'] * 512}"
    with tempfile.TemporaryDirectory() as folder:
        run("mount", "-o", ",".join((place, *options)), raw, folder)
        try:
            yield Path(folder)
        finally:
            run("umount", folder)


def state_of(raw: Path) -> AbstractContextManager[Path]:
    """Mount the state partition of a card."""
    return partition(raw, 3)


async def up(session: GuestSession) -> float:
    """Switch on and wait for the first public state; return how long it took."""
    loop = asyncio.get_running_loop()
    began_s, before = loop.time(), len(session.states)
    guest = session.table.guest
    await guest.switch_on()
    session.listen()
    await session.table.wired()
    await session.until(lambda: len(session.states) > before, LOBBY_WITHIN_S)
    took_s = loop.time() - began_s
    await guest.booted()
    return took_s
