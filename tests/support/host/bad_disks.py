"""Disks that are really full or let nothing be written; what can't be had here is skipped with its reason.

A small file system in memory of its own needs root; a full one without root is a limit on the size of files.
"""

import os
import resource
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NOBODY = 65534


@contextmanager
def small_disk(at: Path, *, kib: int = 400) -> Iterator[Path]:
    """Give a file system of that size, mounted at `at`."""
    at.mkdir()
    _mount("-t", "tmpfs", "-o", f"size={kib}k,mode=755", "tmpfs", str(at))
    try:
        yield at
    finally:
        subprocess.run(["umount", "--lazy", str(at)], check=True)


def fill(disk: Path) -> Path:
    """Leave no byte free; return what takes the room."""
    filling = disk / "everything-else"
    with filling.open("wb", buffering=0) as file:
        for size in (4096, 1):
            try:
                while file.write(bytes(size)):
                    pass
            except OSError:
                pass
    return filling


def remount(disk: Path, how: str) -> None:
    """Have a file system be `ro` or `rw` from now on."""
    _mount("-o", f"remount,{how}", str(disk))


@contextmanager
def files_no_longer_than(size: int) -> Iterator[None]:
    """Let this process write no file beyond that many bytes."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@contextmanager
def nobody() -> Iterator[None]:
    """Be a user without any right, if this is root."""
    is_root = os.geteuid() == 0
    try:
        if is_root:
            os.seteuid(NOBODY)
        yield
    finally:
        if is_root:
            os.seteuid(0)


def _mount(*arguments: str) -> None:
    if os.geteuid():
        pytest.skip("only root may mount a small disk")
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"a small disk can't be mounted here: {done.stderr.strip()}")
