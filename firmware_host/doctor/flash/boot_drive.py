"""A Pico in its boot mode: a USB drive that takes one UF2 file, then vanishes. `flashing` waits for it and writes it.

The kernel's names are enough, so no picotool is needed. A desktop mounts the drive by itself; elsewhere root does.
"""

import errno
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from firmware_host.doctor.flash.micropython import CHIPS, MicroPython
from firmware_host.util.process import run_program
from firmware_host.util.system_error import reason_of

LABELS = Path("/dev/disk/by-label")
MOUNTS = Path("/proc/self/mounts")
MOUNT_TIMEOUT_S = 20.0
DESKTOP_TIMEOUT_S, LOOK_S = 5.0, 0.2
"""Seconds in which a desktop mounts a drive, and between two looks."""
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
FILE = "micropython.uf2"
AGAIN = "unplug it, and hold BOOTSEL as you plug it in again"
_VANISHED = (errno.EIO, errno.ENODEV, errno.ENXIO, errno.ENOENT, errno.ENOMEDIUM)
"""Errors of a drive that has gone: with the whole file, or by a pulled cable."""


class FlashError(Exception):
    """A board that did not get its program: a sentence with the remedy."""


class BootDrive(Struct, frozen=True):
    """A plugged-in drive."""

    label: str
    device: str


def find(labels: Path = LABELS) -> BootDrive | None:
    """Return a Pico's drive, None without one."""
    for label in CHIPS.values():
        if (link := labels / label).exists():
            return BootDrive(label, str(link.resolve()))
    return None


def write(drive: BootDrive, micropython: MicroPython, mounts: Path = MOUNTS) -> None:
    """Write MicroPython. FlashError if the drive does not take it; a drive that vanishes may have all of it."""
    if drive.label != micropython.drive:
        raise FlashError(f"this Pico's drive is {drive.label}, and the file is for {micropython.drive}; take its own")
    with _mounted(drive, mounts) as folder:
        try:
            with open(folder / FILE, "wb") as file:
                file.write(micropython.data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise FlashError(f"{drive.label} is full; {AGAIN}") from error
            if error.errno not in _VANISHED:
                raise FlashError(f"{drive.label} can't be written: {reason_of(error)}; run it with sudo") from error


@contextmanager
def _mounted(drive: BootDrive, mounts: Path) -> Iterator[Path]:
    until_s = time.monotonic() + DESKTOP_TIMEOUT_S
    while (place := _place_of(drive, mounts)) is None and os.geteuid():
        if time.monotonic() > until_s:
            raise FlashError(f"{drive.label} is not mounted, and only root can mount it; run the command with sudo")
        time.sleep(LOOK_S)
    if place is not None:
        yield place
        return
    with tempfile.TemporaryDirectory(prefix="dudo-table-") as folder:
        done = _run("mount", "-t", "vfat", "-o", "nosuid,nodev,noexec", drive.device, folder)
        if done.returncode:
            raise FlashError(f"{drive.label} can't be mounted; {AGAIN}")
        try:
            yield Path(folder)
        finally:
            _run("umount", "--lazy", folder)  # the drive has gone by itself


def _place_of(drive: BootDrive, mounts: Path) -> Path | None:
    """Return the folder at which a drive is mounted."""
    for line in mounts.read_text(errors="replace").splitlines():
        device, folder = line.split()[:2]
        if device == drive.device:
            return Path(folder.encode().decode("unicode_escape"))
    return None


def _run(*command: str) -> "subprocess.CompletedProcess[str]":
    try:
        return run_program(command, MOUNT_TIMEOUT_S, ENVIRONMENT)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FlashError(f"{command[0]} does not answer; {AGAIN}") from error
