"""A booted Debian 13 in a container: the real systemd, without devices; commands are run in it as root.

with debian_root.unpacked() as root, container.booted(root) as debian:
    debian.run("systemctl", "is-system-running")
"""

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

UP_WITHIN_S = 120.0
DOWN_WITHIN_S = 60.0
OPTIONS = ("--register=no", "--keep-unit", "--private-network", "--boot", "--quiet")
ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}


class ContainerError(RuntimeError):
    """The container does not boot, or a command in it failed; with what was said."""


class Container:
    """What runs in the namespaces of one process, the container's init."""

    def __init__(self, root: Path, leader: int) -> None:
        self.root = root
        self._leader = leader

    def run(self, *command: str, within_s: float = 120.0) -> str:
        """Run a command to its end and return what it printed; raises `ContainerError` if it fails."""
        done = self.tried(*command, within_s=within_s)
        if done.returncode:
            raise ContainerError(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}")
        return done.stdout

    def tried(self, *command: str, within_s: float = 120.0) -> "subprocess.CompletedProcess[str]":
        """Run a command that may fail."""
        return subprocess.run(
            self.entering(*command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=within_s,
            env=ENVIRONMENT,
            text=True,
        )

    def entering(self, *command: str) -> list[str]:
        """Return the command as it is to be started from outside."""
        return ["nsenter", "--target", str(self._leader), "--all", "--", *command]

    def shown(self, unit: str, name: str) -> str:
        """Return a property of a unit."""
        return self.run("systemctl", "show", "--value", "--property", name, unit).strip()

    def log(self, unit: str) -> str:
        """Return what a unit said, and what systemd said of it."""
        return self.run("journalctl", "--no-pager", "--output=cat", "--unit", unit)

    def wait_until(self, what: Callable[[], bool], within_s: float) -> float:
        """Wait for something to hold and return how long it took; raises `ContainerError` if it doesn't in time."""
        begun_s = time.monotonic()
        while not what():
            if time.monotonic() - begun_s > within_s:
                raise ContainerError(f"not within {within_s:g} s; the service says:\n{self.log('dudo-table.service')}")
            time.sleep(0.1)
        return time.monotonic() - begun_s


@contextmanager
def booted(root: Path) -> Iterator[Container]:
    """Boot the system in `root`, and shut it down in the end."""
    log = root.with_name(f"{root.name}.log")
    with log.open("w") as said:
        process = subprocess.Popen(
            ["systemd-nspawn", f"--directory={root}", f"--machine={root.name.replace('_', '0')}", *OPTIONS],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            env={**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
        )
    try:
        yield _up(process, root, log)
    finally:
        process.terminate()  # which it takes for an orderly shutdown
        try:
            process.wait(DOWN_WITHIN_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        _take_away_cgroups()
        log.unlink()


def _up(process: "subprocess.Popen[bytes]", root: Path, log: Path) -> Container:
    """Return the container when it has booted. Its first process is the only child of this one."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    until_s = time.monotonic() + UP_WITHIN_S
    while time.monotonic() < until_s and process.poll() is None:
        with suppress(OSError):
            if (found := children.read_text().split()) and _is_up(container := Container(root, int(found[0]))):
                return container
        time.sleep(0.1)
    raise ContainerError(f"the container does not boot:\n{log.read_text()}")


def _is_up(container: Container) -> bool:
    return container.tried("systemctl", "is-system-running").stdout.strip() in ("running", "degraded")


def _take_away_cgroups() -> None:
    """Take away what systemd-nspawn leaves where it has not a unit of its own."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        own = line.split(":", 2)[2].lstrip("/")
        for hierarchy in ("", "unified", "systemd"):
            for left in ("payload", "supervisor"):
                top = Path("/sys/fs/cgroup", hierarchy, own, left)
                for folder, _, _ in os.walk(top, topdown=False):
                    with suppress(OSError):  # somebody else's is not empty
                        os.rmdir(folder)
