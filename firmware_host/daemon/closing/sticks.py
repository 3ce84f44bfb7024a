"""USB drives with a label, for copies and updates: found and mounted by util-linux, one after the other, as root.

A copy is read back from the drive itself: between writing and reading the drive is unmounted, so no cache answers. A
drive may be anybody's: the kernel mounts it only with a documented file system's driver, and read-only after an error,
whatever the file system itself asks for. `dudo-table-backup.service` and `dudo-table-update.service` provide a private
mount namespace, and the kernel unmounts a drive however the service ends.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from firmware_host.daemon.closing.copies import BackupError, Copy, Sources, check_copy, write_copy
from firmware_host.errors import UserError
from firmware_host.table.staff.machine import JobOutcome
from firmware_host.util.process import run_program
from hardware.config.problems import escaped

MAX_STICKS = 16
"""Labelled drives and partitions served with a copy."""
MOUNT_TIMEOUT_S = 60.0
FILE_SYSTEMS = ("vfat", "exfat", "ext4")
OPTIONS = "nosuid,nodev,noexec,errors=remount-ro"
FORMAT = "format it as FAT, exFAT or ext4"
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
BLOCK_DEVICES = Path("/sys/class/block")


def find_sticks(label: str) -> list[str]:
    """Return the devices with a label: each drive's first partition, then each drive's second, and so on.

    A drive with many partitions thus leaves the others their place among the first `MAX_STICKS`. Blocks; raises
    `UserError` without any.
    """
    if os.geteuid():
        raise UserError("a stick can be mounted by root alone; run the command with sudo, or name a folder")
    found = _run("blkid", "--cache-file", "/dev/null", "--match-token", f"LABEL={label}", "--output", "device")
    by_drive: dict[str, list[str]] = {}
    for device in sorted(found.stdout.split(), key=_in_order):
        by_drive.setdefault(_drive(device), []).append(device)
    return [device for of_each in zip_longest(*by_drive.values()) for device in of_each if device is not None]


def copy_to_stick(device: str, sources: Sources, at: Path, host: str, stamp: str) -> Copy:
    """Write a copy to a drive, mounted at the folder `at`, and read it back. Blocks; raises `BackupError`."""
    try:
        with mounted(device, at, "rw"):
            copy = write_copy(sources, at, host, stamp)
        with mounted(device, at, "ro"):
            check_copy(copy)
    except BackupError as error:
        why = str(error).removeprefix(f"{at}: ").removeprefix(f"{at}/")
        raise BackupError(f"{device}: {why}", error.outcome) from error
    return replace(copy, file=Path(copy.file.name))


def _in_order(device: str) -> tuple[int, str, int, str]:
    """Return a key for the kernel's order: `sdb` before `sdaa`, and `sda2` before `sda10`."""
    drive = _drive(device)
    return len(drive), drive, len(device), device


def _drive(device: str) -> str:
    """Return a partition's drive; an unpartitioned drive is its own."""
    place = BLOCK_DEVICES / Path(device).name
    return place.resolve().parent.name if (place / "partition").exists() else place.name


@contextmanager
def mounted(device: str, at: Path, *ways: str) -> Iterator[None]:
    """Mount a drive at a folder in the first of some ways that succeeds, and unmount it in the end.

    Blocks; raises `BackupError`.
    """
    at.mkdir(mode=0o700, parents=True, exist_ok=True)
    kind = _file_system(device)
    for way in ways:
        done = _run("mount", "-t", kind, "-o", f"{OPTIONS},{way}", device, str(at))
        if not done.returncode:
            break
    else:
        raise BackupError(f"can't be mounted: {_last_line(done)}; {FORMAT}")
    try:
        yield
    finally:
        done = _run("umount", str(at))
        if done.returncode:  # pulled out: release it once it is unused
            _run("umount", "--lazy", str(at))
    if done.returncode:
        raise BackupError(f"can't be unmounted: {_last_line(done)}; it may have been pulled out", JobOutcome.PULLED_OUT)


def _file_system(device: str) -> str:
    """Return a drive's file system, by its content. Raises `BackupError` unless it has exactly one known kind."""
    found = _run("blkid", "--probe", "--match-tag", "TYPE", "--output", "value", device)
    if found.returncode:
        raise BackupError(f"can't be mounted: no file system is on it, or more than one; {FORMAT}")
    if (name := found.stdout.strip()) not in FILE_SYSTEMS:
        raise BackupError(f"can't be mounted: its file system is {escaped(name)}; {FORMAT}")
    return name


def _run(*command: str) -> "subprocess.CompletedProcess[str]":
    try:
        return run_program(command, MOUNT_TIMEOUT_S, ENVIRONMENT)
    except FileNotFoundError:
        raise UserError(f"{command[0]} is not installed; install util-linux, or name a folder") from None
    except subprocess.TimeoutExpired:
        raise BackupError(f"{command[0]} has not answered for {MOUNT_TIMEOUT_S:g} s; use another stick") from None


def _last_line(done: "subprocess.CompletedProcess[str]") -> str:
    lines = [line for line in done.stderr.splitlines() if line and not line.lstrip().startswith("dmesg(1)")]
    return (lines or ["no reason given"])[-1].strip().rpartition(": ")[2].rstrip(".")
