"""A match at two boards, conducted by the service of a container: what happens to the service incidents no dice."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.system import container, package
from support.system.container import Container

SERVICE = "dudo-table.service"
INSTALL = ("apt-get", "install", "--yes")
TABLE = """\
# my own
name = "two"

[[seat]]
name = "Window"
color = "red"
board = "STAYS0"

[[seat]]
name = "Door"
color = "blue"
board = "STAYS1"
"""
PUT = "opt/boards"


class Boards:
    """What `support.system.boards` does in the container, and what the room is told meanwhile."""

    def __init__(self, debian: Container) -> None:
        self._debian = debian
        folder = debian.root / PUT
        for file in ("support/crash/boards.py", "support/system/boards.py"):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_bytes((package.ROOT / "tests" / file).read_bytes())
        self._program = subprocess.Popen(
            debian.entering("env", f"PYTHONPATH=/usr/lib/dudo-table:/{PUT}", "python3", "-m", "support.system.boards"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=container.ENVIRONMENT,
            text=True,
        )
        assert self._program.stdout is not None
        assert self._program.stdout.readline() == "plugged\n"

    def do(self, motion: str, seat: int) -> str:
        """Make a motion and return what is on the display after it."""
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.write(f"{motion} {seat}\n")
        self._program.stdin.flush()
        return self._program.stdout.readline().strip()

    def state(self) -> dict[str, Any]:
        """Return what a newcomer is told."""
        said = self._debian.tried("timeout", "1", "dudo-table", "listen").stdout
        return next((json.loads(line) for line in said.splitlines() if '"scene"' in line), {})

    def until(self, what: Callable[[dict[str, Any]], bool], within_s: float = 30.0) -> dict[str, Any]:
        """Wait until what is told is so, and return it."""
        until_s = time.monotonic() + within_s
        while not what(state := self.state()):
            assert time.monotonic() < until_s, f"it stays at {state}"
        return state

    def close(self) -> None:
        """Unplug them."""
        self._program.kill()
        self._program.wait()


@pytest.fixture(scope="module")
def debian(debian: Container) -> Container:
    """Give it configured for two boards."""
    (debian.root / "etc/dudo-table/table.toml").write_text(TABLE)
    debian.run("systemctl", "restart", SERVICE)
    return debian


@pytest.fixture(scope="module")
def match(debian: Container) -> Iterator[Boards]:
    """Give a match that has come to its second bid, with hands that lie still."""
    boards = Boards(debian)
    boards.until(lambda state: not any(seat["missing"] for seat in state["seats"]))
    boards.do("ok", 0)
    boards.do("ok", 1)
    boards.do("ok", 0)
    boards.until(lambda state: state["scene"] == "shaking" and state["deal"] is not None)
    boards.do("shake", 0)
    boards.do("shake", 1)
    first = boards.until(lambda state: state["scene"] == "bidding")["turn"]
    boards.do("ok", first)
    boards.until(lambda state: state["standing"] is not None)
    yield boards
    boards.close()


def upgraded(debian: Container, version: str) -> None:
    """Install a package of a later version, made from the one that is."""
    debian.run("rm", "-rf", "/root/later")
    debian.run("dpkg-deb", "--raw-extract", "/dudo-table.deb", "/root/later")
    debian.run("sed", "-i", f"s/^Version: .*/Version: {version}/", "/root/later/DEBIAN/control")
    debian.run("dpkg-deb", "-Znone", "--build", "/root/later", "/root/later.deb")
    debian.run(*INSTALL, "/root/later.deb")


def frozen(debian: Container) -> None:
    debian.run("kill", "-STOP", debian.shown(SERVICE, "MainPID"))


def killed(debian: Container) -> None:
    debian.run("kill", "-KILL", debian.shown(SERVICE, "MainPID"))


def restarted(debian: Container) -> None:
    debian.run("systemctl", "restart", SERVICE)


def reloaded(debian: Container) -> None:
    debian.run("systemctl", "reload", SERVICE)


def updated(debian: Container) -> None:
    upgraded(debian, "99")


def installed_again(debian: Container) -> None:
    debian.run(*INSTALL, "--reinstall", "--allow-downgrades", "/dudo-table.deb")


@pytest.mark.parametrize("incidents", [killed, frozen, restarted, updated, installed_again])
def test_the_match_goes_on_as_it_was(incidents: Callable[[Container], None], debian: Container, match: Boards) -> None:
    before, dice = match.state(), [match.do("peek", seat) for seat in (0, 1)]
    pid = debian.shown(SERVICE, "MainPID")
    incidents(debian)
    debian.wait_until(lambda: debian.shown(SERVICE, "MainPID") not in ("0", pid), 30.0)
    after = match.until(lambda state: bool(state) and not any(seat["missing"] for seat in state["seats"]))
    assert {**after, "seats": 0} == {**before, "seats": 0}
    assert [match.do("peek", seat) for seat in (0, 1)] == dice


def test_a_reload_leaves_the_match_alone(debian: Container, match: Boards) -> None:
    before = match.state()
    pid = debian.shown(SERVICE, "MainPID")
    reloaded(debian)
    assert match.state() == before
    assert debian.shown(SERVICE, "MainPID") == pid


def test_an_update_keeps_what_the_owner_configured(debian: Container, match: Boards) -> None:
    updated(debian)
    assert (debian.root / "etc/dudo-table/table.toml").read_text() == TABLE


def test_displays_are_dark_when_the_service_has_stopped(debian: Container, match: Boards) -> None:
    lit = match.do("display", 0)
    debian.run("systemctl", "stop", SERVICE)
    assert lit != "dark"
    assert [match.do("display", seat) for seat in (0, 1)] == ["dark", "dark"]
    debian.run("systemctl", "start", SERVICE)


def test_displays_are_dark_when_it_was_killed_for_good(debian: Container, match: Boards) -> None:
    match.until(bool)
    debian.run("systemctl", "kill", "--kill-whom=main", "--signal=KILL", SERVICE)
    debian.run("systemctl", "stop", SERVICE)
    assert [match.do("display", seat) for seat in (0, 1)] == ["dark", "dark"]
    debian.run("systemctl", "start", SERVICE)


def test_removed_and_purged_it_leaves_nothing(debian: Container, match: Boards) -> None:
    debian.run("apt-get", "remove", "--yes", "dudo-table")
    assert debian.tried("pgrep", "-u", "dudo-table").stdout == ""
    assert (
        debian.tried("systemctl", "is-active", SERVICE, "dudo-table-blank.service").stdout.split() == ["inactive"] * 2
    )
    assert (debian.root / "etc/dudo-table/table.toml").read_text() == TABLE
    assert (debian.root / "var/lib/dudo-table/journal.sqlite").exists()
    debian.run("apt-get", "purge", "--yes", "dudo-table")
    left = debian.run("find", "/etc", "/usr", "/var", "/run", "-name", "*dudo-table*", "-not", "-path", "/var/log/*")
    assert left.split() == []
    assert debian.run("find", "/", "-xdev", "(", "-nouser", "-or", "-user", "dudo-table", ")").split() == []
