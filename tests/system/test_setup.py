"""Changes of the owner's page on a real systemd: the unit of root, with its sandbox, does each of them.

NetworkManager is a stub that notes how it was called: a container has no radio.
"""

import json
import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.system import container, debian_root, package
from support.system.container import Container

SERVICE = "dudo-table.service"
TIMER = "dudo-table-closing.timer"
RESULT = "/run/dudo-table-jobs/setup.json"
REQUEST = "/run/dudo-table/setup-wanted"
PAGE = "/run/dudo-table-owner"
ZONE = "Europe/Madrid"
SECRET = "correct horse battery"
NMCLI = """#!/bin/sh
printf '%s\\n' "$*" >>/run/dudo-table-jobs/nmcli
case "$*" in
  *list*) printf 'bar\\nGuests\\\\: upstairs\\n' ;;
  *up*) exit "$(cat /etc/nmcli-exit 2>/dev/null || echo 0)" ;;
esac
"""
APART_S = 2.5


@pytest.fixture(scope="module")
def debian() -> Iterator[Container]:
    """Give a Debian with the package, a time zone and the stub, and with the folder of the owner's page."""
    with debian_root.unpacked() as root:
        (root / "dudo-table.deb").write_bytes(package.built().read_bytes())
        zone = root / "usr/share/zoneinfo" / ZONE
        zone.parent.mkdir(parents=True, exist_ok=True)
        zone.write_bytes(Path("/usr/share/zoneinfo", ZONE).read_bytes())
        (root / "etc/NetworkManager/system-connections").mkdir(parents=True)
        stub = root / "usr/bin/nmcli"
        stub.write_text(NMCLI)
        stub.chmod(0o755)
        with container.booted(root) as debian:
            debian.run("apt-get", "install", "--yes", "/dudo-table.deb")
            debian.run("install", "--directory", "--owner=dudo-table", "--mode=0700", PAGE)
            yield debian


def asked(debian: Container, **change: object) -> dict[str, Any]:
    """Ask the table for a change, as the page does; return its answer."""
    line = shlex.quote(json.dumps({"ask": "set-up", "change": change}))
    said = debian.run("sh", "-c", f"echo {line} | socat -t 10 - UNIX-CONNECT:/run/dudo-table/staff.sock")
    answer: dict[str, Any] = json.loads(said)
    return answer


def mark(debian: Container) -> str:
    """Return what tells a result from the next one; nothing without a result."""
    return debian.tried("sh", "-c", f"stat --format='%i %y' {RESULT} 2>/dev/null").stdout


def is_there(debian: Container, path: str) -> bool:
    """Return whether there is a file in the container, whose /run no other sees."""
    return debian.tried("test", "-e", path).returncode == 0 or debian.tried("test", "-L", path).returncode == 0


def made(debian: Container, **change: object) -> dict[str, Any]:
    """Have root make a change; return its result."""
    before = mark(debian)
    time.sleep(APART_S)  # the daemon looks for a result twice a second
    assert asked(debian, **change)["done"], change
    debian.wait_until(lambda: mark(debian) not in (before, ""), 60.0)
    result: dict[str, Any] = json.loads(debian.run("cat", RESULT))
    print(change.get("do"), result)
    return result


def test_a_seat_is_renamed_in_the_layout_and_the_daemon_has_it(debian: Container) -> None:
    table = debian.root / "etc/dudo-table/table.toml"
    before, process = table.read_text(), debian.shown(SERVICE, "MainPID")
    seats = [
        {"was": name, "name": "Bar" if name == "Red" else name, "color": name.lower(), "board": f"E66141000000000{at}"}
        for at, name in enumerate(("Red", "Orange", "Yellow"), start=1)
    ]
    assert made(debian, do="seats", seats=seats) == {
        "outcome": "set",
        "matches": 0,
        "size_bytes": 0,
        "version": "",
        "lines": [],
    }
    text = table.read_text()
    assert 'name = "Bar"\n' in text
    assert text.startswith(before.partition("\n")[0])
    assert (table.stat().st_uid, table.stat().st_mode & 0o777) == (0, 0o644)
    assert debian.shown(SERVICE, "MainPID") == process
    debian.wait_until(lambda: "boards-8 is ready: 3 seats" in debian.log(SERVICE), 20.0)


def test_a_wrong_seat_is_refused_with_the_words_of_check(debian: Container) -> None:
    table = debian.root / "etc/dudo-table/table.toml"
    before = table.read_bytes()
    result = made(debian, do="seats", seats=[{"was": "Bar", "name": "Bar", "color": "red"}])
    assert result["outcome"] == "not-set"
    (line,) = result["lines"]
    assert line.startswith("/etc/dudo-table/table.toml: seat = 1 seat: is the wrong number of seats; ")
    assert table.read_bytes() == before


def test_closing_time_is_systemds(debian: Container) -> None:
    assert made(debian, do="closing", time="02:00", late="04:30")["outcome"] == "set"
    assert debian.run("systemctl", "is-enabled", TIMER).strip() == "enabled"
    assert debian.shown(TIMER, "ActiveState") == "active"
    calendar = debian.shown(TIMER, "TimersCalendar")
    assert ("Mon..Fri *-*-* 02:00:00" in calendar, "Sat,Sun *-*-* 04:30:00" in calendar) == (True, True)
    assert "*-*-* 04:00:00" not in calendar
    assert made(debian, do="closing")["outcome"] == "set"
    assert debian.tried("systemctl", "is-enabled", TIMER).stdout.strip() == "disabled"
    assert debian.shown(TIMER, "ActiveState") == "inactive"


def test_the_time_zone_is_set(debian: Container) -> None:
    assert made(debian, do="time-zone", zone=ZONE)["outcome"] == "set"
    assert (debian.root / "etc/localtime").readlink().name == "Madrid"
    assert made(debian, do="time-zone", zone="Europe/Atlantis")["outcome"] == "not-set"


def test_a_copy_is_the_pages_and_comes_back_with_the_table_restarted(debian: Container) -> None:
    settings = debian.root / "var/lib/dudo-table/settings.toml"
    debian.run("dudo-table", "staff", "volume", "30")
    result = made(debian, do="copy")
    assert result["outcome"] == "copied"
    assert result["lines"][0].startswith("dudo-table-")
    assert debian.run("stat", "--format=%U %a", f"{PAGE}/copy.tar.gz") == "dudo-table 600\n"
    debian.run("mv", f"{PAGE}/copy.tar.gz", f"{PAGE}/received.tar.gz")
    debian.run("dudo-table", "staff", "volume", "70")
    process = debian.shown(SERVICE, "MainPID")
    assert made(debian, do="restore")["outcome"] == "restored"
    debian.wait_until(lambda: debian.shown(SERVICE, "ActiveState") == "active", 20.0)
    assert debian.shown(SERVICE, "MainPID") != process
    assert "volume = 30" in settings.read_text()
    assert debian.run("stat", "--format=%U %a", "/var/lib/dudo-table/settings.toml") == "dudo-table 600\n"
    assert not is_there(debian, f"{PAGE}/received.tar.gz")


def test_a_damaged_copy_leaves_the_table_as_it_was(debian: Container) -> None:
    debian.run("sh", "-c", f"echo nonsense >{PAGE}/received.tar.gz")
    result = made(debian, do="restore")
    assert result["outcome"] == "not-set"
    assert result["lines"][0].startswith("the copy is damaged, or no copy of a table")
    assert debian.shown(SERVICE, "ActiveState") == "active"


def test_a_network_is_joined_and_its_password_is_in_one_file_of_root_alone(debian: Container) -> None:
    assert made(debian, do="networks")["lines"] == ["bar", "Guests: upstairs"]
    assert made(debian, do="network", name="bar", password=SECRET)["outcome"] == "set"
    file = debian.root / "etc/NetworkManager/system-connections/dudo-table.nmconnection"
    assert (file.stat().st_uid, file.stat().st_mode & 0o777) == (0, 0o600)
    assert f"psk={SECRET}" in file.read_text()
    found = debian.tried("grep", "-rlsF", SECRET, "/etc", "/run", "/tmp", "/var", "/root").stdout.split()
    assert found == [f"/{file.relative_to(debian.root)}"]
    assert SECRET not in debian.run("journalctl", "--no-pager", "--output=verbose")
    assert "staff ask: set-up, network" in debian.log(SERVICE)


def test_a_refused_network_leaves_the_one_before(debian: Container) -> None:
    file = debian.root / "etc/NetworkManager/system-connections/dudo-table.nmconnection"
    before = file.read_bytes()
    (debian.root / "etc/nmcli-exit").write_text("4\n")
    assert made(debian, do="network", name="other", password="wrong password")["outcome"] == "not-joined"
    assert file.read_bytes() == before


def test_nobody_else_can_ask(debian: Container) -> None:
    said = debian.tried("runuser", "-u", "nobody", "--", "touch", REQUEST)
    assert said.returncode
    done = debian.tried("dudo-table", "setup")
    assert (done.returncode, "there is no request of the owner's page" in done.stdout) == (2, True)


def test_a_planted_request_does_what_the_page_may_do_and_nothing_else(debian: Container) -> None:
    """A broken daemon can write any request; root takes changes of the page alone, and no link or large file."""
    for plant in ("ln -s /etc/shadow", "echo nonsense >", "head -c 100000 /dev/zero >"):
        debian.run("runuser", "-u", "dudo-table", "--", "sh", "-c", f"{plant} {REQUEST}")
        debian.wait_until(lambda: not is_there(debian, REQUEST), 20.0)
        time.sleep(1)
        debian.run("systemctl", "reset-failed", "dudo-table-setup.service")
    assert "root:" not in debian.log("dudo-table-setup.service")
    assert debian.shown("dudo-table-setup.path", "ActiveState") == "active"
