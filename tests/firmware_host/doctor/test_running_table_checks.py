"""The doctor's checks beside a running table: its alerts and losses, its lock and socket, its service."""

import json
import os
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support import ROOT
from support.host.doctor_table import LAYOUT, DoctorTable, told

from drivers.link.handshake import check_hello
from drivers.messages import Device
from firmware_host.configuration import DEFAULT_LAYOUT
from firmware_host.configuration.configuration import Configuration
from firmware_host.doctor import running_table
from firmware_host.doctor.checks import service
from firmware_host.doctor.context import Context
from firmware_host.doctor.findings import Finding, Health, is_well, wrong
from firmware_host.doctor.machine import User
from firmware_host.doctor.runner import run_checks
from firmware_host.table.health import Alert
from firmware_host.wire import PublicSeat, PublicState
from hardware.link import messages as link

DOCUMENT = ROOT / "docs/doctor.md"
PI = User("pi", 4242, frozenset({5001}), frozenset({5001}))


@contextmanager
def publishing(
    here: DoctorTable,
    *missing: list[str],
    troubles: tuple[str, ...] = (),
    losses: Iterable[tuple[int, str, str]] = (),
    later: int = 0,
) -> Iterator[None]:
    """Give a table's public socket beside the journal, with its events of lost devices."""
    place = here.state / "events.sock"
    seats = tuple(PublicSeat("North", "red", False, 0, missing=tuple(each)) for each in missing)
    shown = PublicState(scene="lobby", rules="perudo", seats=seats, troubles=troubles)
    state: dict[str, object] = msgspec.to_builtins(shown)
    events: list[dict[str, Any]] = [
        {"type": "device-lost", "seq": seq, "seat": seat, "device": device, "why": why}
        for seq, (seat, device, why) in enumerate(losses, 5)
    ]
    events += [{"type": "joined", "seq": seq, "seat": 0} for seq in range(5 + len(events), 5 + len(events) + later)]
    state |= {"seq": 4 + len(events), "journal": "5f0c3a91", "since": None, "oldest": 5}
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place))
        listening.listen()

        def serve() -> None:
            near, _ = listening.accept()
            with near, near.makefile("rb") as requests:
                near.sendall(json.dumps(state).encode() + b"\n")
                if line := requests.readline():
                    request = json.loads(line)
                    assert request["journal"] == state["journal"]
                    missed = [event for event in events if event["seq"] > request["since"]]
                    has_all = request["since"] >= 4  # a table without some of them sends none
                    answer = [*(missed if has_all else []), state | {"since": request["since"]}]
                    near.sendall(b"".join(json.dumps(each).encode() + b"\n" for each in answer))

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield
        thread.join()


def test_a_table_that_runs_is_asked_what_it_misses_and_no_wire_is_touched(here: DoctorTable) -> None:
    here.do(lambda: here.table.seats[0].press("ok"))  # which may be somebody who plays
    before = [bus.transfers for bus in here.table.buses.values()]
    with publishing(here, [], ["panel"], ["cup"], []):
        context = here.context()
    found = [(each.what, each.state) for each in run_checks(context) if each.state is not Health.RIGHT]
    assert found == [
        ("the running table misses East's display", Health.WRONG),
        ("the running table misses South's cup", Health.WRONG),
    ]
    assert [bus.transfers for bus in here.table.buses.values()] == before


@pytest.mark.parametrize("trouble", Alert)
def test_the_alerts_of_a_running_table_are_told(here: DoctorTable, trouble: Alert) -> None:
    with publishing(here, [], [], [], [], troubles=(trouble.value,)):
        context = here.context()
    (found,) = [each for each in service.check(context) if each.state is not Health.RIGHT]
    assert (found.what, found.remedy) == (f"the running table {trouble.row.finding}", trouble.row.remedy)
    assert bool(found.remedy) is (found.state is Health.WRONG)


def test_a_wrong_file_is_named_by_its_faults_alone(here: DoctorTable) -> None:
    here.layout.write_text("name = ")
    with publishing(here, [], [], [], [], troubles=("layout", "rules", "boards")):
        context = here.context()
    noted = [each.what for each in service.check(context) if each.state is not Health.RIGHT]
    assert noted == [f"the running table {Alert.BOARDS.row.finding}"]


def test_a_layout_that_was_edited_wrong_leaves_the_last_one_to_be_looked_at(here: DoctorTable) -> None:
    configured = Configuration(str(here.layout), here.state)
    configured.keep(configured.read())
    here.layout.write_text("name = ")
    ((what, _), *others) = here.faults()
    assert (what.startswith(f"{here.layout}: "), others) == (True, [])
    assert "panels" in {each.check for each in here.findings()}


def test_a_mistake_in_the_rules_names_the_file_that_it_is_in(here: DoctorTable) -> None:
    rules = here.layout.with_name("house.toml")
    rules.write_text('based_on = "perudo"\nto_aces = "halff"\n')
    here.layout.write_text(f'rules = "house.toml"\n{LAYOUT}')
    found = [each.what for each in here.findings() if each.check == "layout"]
    assert len(found) == 1
    assert found[0].startswith(f'{rules}: to_aces = "halff": ')


def test_buttons_and_a_tilt_switch_that_a_running_table_misses_are_checked_when_it_is_stopped(
    here: DoctorTable,
) -> None:
    with publishing(here, ["buttons", "cup"], [], [], []):
        context = here.context()
    (one,) = {remedy for _, remedy in told(service.check, context)}
    assert one.startswith("sudo systemctl stop dudo-table")


def test_panels_that_a_running_table_misses_are_their_bus_where_it_is_switched_off(here: DoctorTable) -> None:
    for bus in (1, 30, 31, 32):
        here.remove(f"/dev/i2c-{bus}")
    with publishing(here, ["panel"], ["panel"], ["panel"], []):
        context = here.context()
    found = [each.what for each in run_checks(context) if each.state is Health.WRONG]
    assert found == ["there is no /dev/i2c-30, /dev/i2c-31, /dev/i2c-32: I2C is off"]


def test_a_cup_that_a_running_table_misses_is_looked_for_among_the_ports(here: DoctorTable) -> None:
    here.do(lambda: here.table.seats[2].unplug("cup"))
    with publishing(here, [], [], ["cup"], []):
        context = here.context()
    found = [each.what for each in run_checks(context) if each.state is Health.WRONG]
    assert found == ["South's cup CUP0001 is not plugged in"]


def test_a_board_with_the_program_of_another_release_is_to_be_updated_also_matches_later(here: DoctorTable) -> None:
    hello = link.Hello(1, 255, 0, "E6614103E7452D21", version=link.VERSION - 1)
    why = check_hello(hello, Device.BOARD, None, 0)
    assert why is not None
    with publishing(
        here, [], [], [], ["board"], losses=[(3, "board", "its cable is out"), (3, "board", why)], later=3000
    ):
        context = here.context()
    ((what, remedy),) = told(service.check, context)
    assert what == f"the running table misses West's board: {why}"
    assert remedy.startswith("update the board: ")


def test_the_reason_of_a_loss_that_is_over_is_not_told(here: DoctorTable) -> None:
    with publishing(here, ["panel"], [], [], [], losses=[(0, "panel", "new"), (3, "board", "old")]):
        context = here.context()
    assert [what for what, _ in told(service.check, context)] == ["the running table misses North's display: new"]


@pytest.mark.parametrize("why", ["two\nlines \x1b[2J", "x" * 5000])
def test_a_reason_that_breaks_lines_is_escaped_and_cut(why: str, here: DoctorTable) -> None:
    with publishing(here, ["panel"], [], [], [], losses=[(0, "panel", why)]):
        context = here.context()
    ((what, _),) = told(service.check, context)
    assert len(what) < 500


def test_a_running_table_is_known_by_its_lock_which_is_not_taken(here: DoctorTable) -> None:
    lock = here.state / "lock"
    lock.touch()
    at = lock.stat()
    place = f"{os.major(at.st_dev):02x}:{os.minor(at.st_dev):02x}:{at.st_ino}"
    here.write(
        "/proc/locks", f"1: POSIX  ADVISORY  READ 17 08:02:1 0 EOF\n2: FLOCK  ADVISORY  WRITE 812 {place} 0 EOF\n"
    )
    running = here.context().running
    assert running is not None
    assert (running.process, running.state) == (812, None)
    assert [found.state for found in service.check(here.context())] == [Health.NOTE]


@pytest.mark.parametrize(
    ("line", "runs"),
    [
        ("/usr/bin/python3\0/usr/bin/dudo-table\0run\0", True),
        ("python\0-m\0firmware_host.cli\0run\0--layout\0x\0", True),
        ("/usr/bin/python3\0/usr/bin/dudo-table\0doctor\0", False),
        ("vi\0run\0", False),
    ],
)
def test_a_running_table_is_known_by_its_command_line(here: DoctorTable, line: str, runs: bool) -> None:
    here.write("/proc/813/cmdline", line)
    assert (here.context().running is not None) is runs


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_foreign_program_that_calls_a_process_so_is_no_table(here: DoctorTable) -> None:
    here.write("/proc/813/cmdline", "/usr/bin/python3\0/usr/bin/dudo-table\0run\0")
    os.chown(here.root / "proc/813", 60_001, 60_001)
    assert here.context().running is None


NONSENSE = {
    "deep": b"[" * 200_000 + b"\n",
    "no end": b"x" * (1 << 19),
    "a number of seats": b'{"seats": 3}\n',
    "a number of devices": b'{"seats": [{"missing": 1}]}\n',
    "a table of troubles": b'{"seats": [], "troubles": {"a": 1}}\n',
}


@pytest.mark.parametrize("line", NONSENSE.values(), ids=NONSENSE)
def test_a_socket_that_tells_nonsense_tells_nothing(line: bytes, tmp_path: Path) -> None:
    with dripping(tmp_path / "s", [line]):
        assert running_table._read_state(tmp_path / "s") is None


def test_a_socket_that_drips_is_listened_to_no_longer_than_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_table, "ANSWER_TIMEOUT_S", 0.2)
    drops = repeat(b"x", 500)
    with dripping(tmp_path / "s", drops):
        assert running_table._read_state(tmp_path / "s") is None
        assert next(drops, None) is not None


@contextmanager
def dripping(place: Path, pieces: Iterable[bytes]) -> Iterator[None]:
    """Give a socket that tells one thing after the other, until nobody listens any more."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place))
        listening.listen()

        def serve() -> None:
            near, _ = listening.accept()
            with near, suppress(OSError):
                for piece in pieces:
                    near.sendall(piece)
                    time.sleep(0.01)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield
        thread.join(2)
        assert not thread.is_alive()


def test_what_others_call_themselves_hides_nothing_in_what_is_found(here: DoctorTable) -> None:
    def check(_: Context) -> Iterator[Finding]:
        yield wrong("\x1b[2J\x9b\u202e" + "y" * 5000, "\x7f")

    (found,) = run_checks(here.context(), {"x": check})
    assert (found.what + found.remedy).isprintable()
    assert len(found.what) <= 2000


def test_a_pin_that_the_running_table_has_is_right(here: DoctorTable) -> None:
    here.chip.hold(4, "dudo-table")
    with publishing(here, [], [], [], []):
        context = here.context()
    assert is_well(run_checks(context))


def test_a_service_that_does_not_come_up_is_told_with_where_to_read_why(here: DoctorTable) -> None:
    shown = "ActiveState=failed\nSubState=failed\nNRestarts=4\nResult=exit-code\nStatusText=\nUnitFileState=enabled\n"
    context = replace(here.context(), is_service=True)
    here.outputs = SystemdAnswers(shown)
    assert told(service.check, context) == [
        (
            "dudo-table.service does not start (exit-code, restarted 4 times)",
            "journalctl -b -u dudo-table.service -n 20 tells why",
        )
    ]


def test_a_service_that_found_nothing_to_play_with_is_started_by_hand(here: DoctorTable) -> None:
    context = replace(here.context(), is_service=True)
    here.outputs = SystemdAnswers("ActiveState=failed\nResult=exit-code\nExecMainStatus=78\nNRestarts=0\n")
    ((what, remedy),) = told(service.check, context)
    assert what == "dudo-table.service found no layout that it can use and waits"
    assert remedy.endswith("sudo systemctl start dudo-table.service")


class SystemdAnswers(dict[tuple[str, ...], str]):
    """Whatever systemctl is asked."""

    def __init__(self, shown: str) -> None:
        super().__init__()
        self._shown = shown

    def get(self, command: tuple[str, ...], default: object = None) -> str | None:  # type: ignore[override]
        return self._shown if command[0] == "systemctl" else None


def test_a_table_that_systemd_runs_is_the_one_that_is_meant(here: DoctorTable) -> None:
    from firmware_host.doctor.checks.gpio import KernelPinHolders
    from firmware_host.doctor.context import build
    from firmware_host.doctor.machine import Machine

    here.write("/usr/lib/systemd/system/dudo-table.service", "")
    here.write("/etc/passwd", "dudo-table:x:990:990::/:/usr/sbin/nologin\n")
    machine = Machine(here.root, lambda command: None)
    context = build(
        DEFAULT_LAYOUT,
        None,
        ports=here.table,
        pin_holders=KernelPinHolders(lambda: here.chip),
        machine=machine,
        environment={"HOME": "/"},
    )
    assert (context.is_service, context.user.name) == (True, "dudo-table")
    assert context.state == here.root / "var/lib/dudo-table"
    assert context.layout_name == str(here.layout)
