"""A port that another program has open, and one that the daemon has: both are told who it is, and nobody shares."""

import asyncio
import errno
import fcntl
import os
import pty
import signal
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType, SimpleNamespace

import pytest

from drivers.link.seat_board import SeatBoard
from drivers.messages import Device, Lost, Message
from firmware_host.devices.host_io import ports, serial_ports
from firmware_host.devices.host_io.ports import SystemPorts
from firmware_host.devices.host_io.serial_ports import Holder, holder_of
from hardware.emulated.virtual_loop import VirtualLoop

ID = "E6614103E7452D21"
NAME = f"usb-MicroPython_Board_in_FS_mode_{ID.lower()}-if00"
NOBODY = 65534
SEARCH_TIMEOUT_S = serial_ports.SEARCH_TIMEOUT_S

HOLDS = """
import fcntl, os, sys, termios
port = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
exec(sys.argv[2])
print(flush=True)
sys.stdin.read()
"""
OPENS_AS_ANOTHER = """
import os, sys
try:
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(int(sys.argv[2]))
        os.setuid(int(sys.argv[2]))
    os.close(os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY))
except OSError as error:
    sys.exit(error.errno or 255)
"""
AS = MappingProxyType(
    {
        "minicom, which the kernel knows nothing of": "",
        "picocom and other daemons": "fcntl.flock(port, fcntl.LOCK_EX)",
        "screen and ModemManager": "fcntl.ioctl(port, termios.TIOCEXCL)",
    }
)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the search among all processes end on a busy machine."""
    monkeypatch.setattr(serial_ports, "SEARCH_TIMEOUT_S", 60.0)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[str]:
    """Give the terminal that a board's name in a folder like /dev/serial/by-id leads to."""
    far, near = pty.openpty()
    path = os.ttyname(near)
    (tmp_path / NAME).symlink_to(path)
    Path(path).chmod(0o666)
    yield path
    os.close(far)
    os.close(near)


@pytest.fixture
def cable(terminal: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give the same, taken for what is on a cable."""
    monkeypatch.setattr(ports, "PSEUDO_TERMINALS", Path("/nowhere"))
    return terminal


@contextmanager
def held(terminal: str, how: str) -> Iterator[subprocess.Popen[str]]:
    """Have a process hold a terminal."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, terminal, how], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        assert process.stdin is not None
        process.stdin.close()


def opened_by_others(terminal: str) -> int:
    """Open a terminal as a user other than root; return the error's number, or 0."""
    done = subprocess.run([sys.executable, "-c", OPENS_AS_ANOTHER, terminal, str(NOBODY)])
    return done.returncode


@pytest.mark.parametrize("how", AS.values(), ids=AS.keys())
def test_a_port_that_another_program_has_is_left_to_it_and_told_whose_it_is(
    how: str, cable: str, tmp_path: Path
) -> None:
    with held(cable, how) as process:
        with pytest.raises(
            OSError, match=rf"python\S* \({process.pid}\) has it open; end that, or: sudo kill"
        ) as refused:
            SystemPorts(tmp_path).open_port(ID)
        assert refused.value.errno == errno.EBUSY
    SystemPorts(tmp_path).open_port(ID).close()


def test_a_pseudo_terminal_that_is_locked_is_told_whose_it_is(terminal: str, tmp_path: Path) -> None:
    with (
        held(terminal, "fcntl.flock(port, fcntl.LOCK_EX)") as process,
        pytest.raises(OSError, match=rf"\({process.pid}\) has it open"),
    ):
        SystemPorts(tmp_path).open_port(ID)


def test_a_port_whose_holder_is_not_known_says_what_tells(
    cable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ports, "holder_of", lambda port: None)
    with (
        held(cable, "fcntl.flock(port, fcntl.LOCK_EX)"),
        pytest.raises(OSError, match=f"another program has it open; sudo fuser -v {cable} shows which"),
    ):
        SystemPorts(tmp_path).open_port(ID)


def test_a_seat_is_told_who_has_its_boards_port(loop: VirtualLoop, cable: str, tmp_path: Path) -> None:
    inbox: list[Message] = []
    with held(cable, "") as process:
        board = SeatBoard(2, lambda: SystemPorts(tmp_path).open_port(ID), loop=loop, post=inbox.append, identity=ID)
        loop.run_until_complete(asyncio.sleep(2))
        board.close()
    (lost,) = inbox
    assert isinstance(lost, Lost)
    assert (lost.seat, lost.device) == (2, Device.BOARD)
    assert lost.why.startswith("the board can't be opened: python")
    assert lost.why.endswith(f"({process.pid}) has it open; end that, or: sudo kill {process.pid}")


def test_nobody_else_gets_a_port_while_the_daemon_has_it(cable: str, tmp_path: Path) -> None:
    port = SystemPorts(tmp_path).open_port(ID)
    assert opened_by_others(cable) == errno.EBUSY
    port.close()
    assert opened_by_others(cable) == 0


def test_the_daemon_itself_gets_it_back(cable: str, tmp_path: Path) -> None:
    for _ in range(3):
        SystemPorts(tmp_path).open_port(ID).close()


def test_what_knows_no_exclusive_use_is_used_all_the_same(
    cable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ioctl: Callable[..., object] = fcntl.ioctl

    def knows_none(port: int, request: int, *rest: object) -> object:
        if request in (termios.TIOCEXCL, termios.TIOCNXCL):
            raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))
        return ioctl(port, request, *rest)

    monkeypatch.setattr(fcntl, "ioctl", knows_none)
    port = SystemPorts(tmp_path).open_port(ID)
    assert opened_by_others(cable) == 0
    port.close()


def locked(root: Path, content: str) -> Holder | None:
    """Return the holder of /dev/ttyACM0 by a lock alone."""
    lock = root / "run" / "lock" / "LCK..ttyACM0"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.write_text(content, "ascii")
    return holder_of(Path("/dev/ttyACM0"), root)


def test_a_lock_file_names_a_program_that_proc_does_not_tell_of(tmp_path: Path) -> None:
    assert locked(tmp_path, f"{os.getppid():10d} minicom root\n") == Holder(os.getppid(), "minicom")
    assert locked(tmp_path, f"{os.getppid():10d}\n") == Holder(os.getppid(), "a program")


@pytest.mark.parametrize("content", ["", "no number\n", "-7\n", "0\n", f"{2**40}\n"])
def test_a_lock_file_of_nobody_who_lives_holds_nothing(content: str, tmp_path: Path) -> None:
    assert locked(tmp_path, content) is None


OTHER_USER = 60_001  # a user that no test computer has


def test_a_lock_alone_is_told_by_its_path_and_is_no_reason_to_kill_anybody(
    cable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ports, "holder_of", lambda port: locked(tmp_path, f"{os.getppid():10d} minicom\n"))
    with pytest.raises(OSError, match="has it open") as refused:
        SystemPorts(tmp_path).open_port(ID)
    lock = tmp_path / "run/lock/LCK..ttyACM0"
    assert f"the lock file {lock} says that " in str(refused.value)
    assert str(refused.value).endswith(
        f"look at {lock}: if no such program has the port open, the file is stale and can be removed"
    )
    assert "kill" not in str(refused.value)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_lock_of_somebody_who_could_not_open_the_port_holds_nothing(tmp_path: Path) -> None:
    content = f"{os.getppid():10d} minicom\n"
    assert locked(tmp_path, content) is not None
    os.chown(tmp_path / "run/lock/LCK..ttyACM0", OTHER_USER, OTHER_USER)
    assert locked(tmp_path, content) is None


@pytest.mark.parametrize(("groups", "counts"), [({"dialout": 20}, True), ({"dialout": 21}, False), ({}, False)])
def test_a_lock_of_a_member_of_dialout_counts(
    groups: dict[str, int], counts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: OTHER_USER)
    locked(tmp_path, f"{os.getppid():10d}\n")
    owner = (tmp_path / "run/lock/LCK..ttyACM0").stat().st_uid or 1
    monkeypatch.setattr(serial_ports.grp, "getgrnam", lambda name: SimpleNamespace(gr_gid=groups[name]))
    monkeypatch.setattr(serial_ports.pwd, "getpwuid", lambda user: SimpleNamespace(pw_name="pi", pw_gid=1000))
    monkeypatch.setattr(os, "getgrouplist", lambda name, gid: [gid, 20])
    assert serial_ports._may_open_ports(owner) is counts


def fifo(lock: Path) -> None:
    os.mkfifo(lock)


def link(lock: Path) -> None:
    (lock.parent / "other").write_text(f"{os.getppid()}\n")
    lock.symlink_to("other")


def second_name(lock: Path) -> None:
    (lock.parent / "other").write_text(f"{os.getppid()}\n")
    lock.hardlink_to(lock.parent / "other")


def endless(lock: Path) -> None:
    lock.symlink_to("/dev/zero")


@pytest.mark.parametrize("lay", [fifo, link, second_name, endless, Path.mkdir])
def test_what_is_no_lock_file_holds_nothing_and_nobody_waits_for_it(
    lay: Callable[[Path], None], tmp_path: Path
) -> None:
    lock = tmp_path / "run/lock/LCK..ttyACM0"
    lock.parent.mkdir(parents=True)
    lay(lock)
    assert holder_of(Path("/dev/ttyACM0"), tmp_path) is None


def test_a_lock_with_a_lease_on_it_keeps_nobody_waiting(tmp_path: Path) -> None:
    locked(tmp_path, f"{os.getppid()}\n")
    leased = os.open(tmp_path / "run/lock/LCK..ttyACM0", os.O_RDWR)
    handler = signal.signal(signal.SIGIO, signal.SIG_IGN)
    try:
        fcntl.fcntl(leased, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        assert holder_of(Path("/dev/ttyACM0"), tmp_path) is None
    finally:
        os.close(leased)
        signal.signal(signal.SIGIO, handler)


def test_only_the_beginning_of_a_lock_is_read(tmp_path: Path) -> None:
    holder = locked(tmp_path, f"{os.getppid()} " + "x" * 100_000)
    assert holder is not None
    assert len(holder.name) < 64


def test_a_name_that_a_program_gave_itself_is_escaped_and_short(tmp_path: Path) -> None:
    (tmp_path / f"proc/{os.getppid()}").mkdir(parents=True)
    (tmp_path / f"proc/{os.getppid()}/comm").write_text("\x1b[2J\u202eevil\n" + "x" * 100)
    holder = locked(tmp_path, f"{os.getppid()}\n")
    assert holder is not None
    assert holder.name.startswith(r"\x1b[2J\u202eevil\n")
    assert len(holder.name) == 32


def test_however_many_descriptors_there_are_the_search_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With thousands of processes that have thousands of files open, all but a few are never looked at."""
    monkeypatch.setattr(serial_ports, "SEARCH_TIMEOUT_S", SEARCH_TIMEOUT_S)
    clock = iter(range(1_000_000))
    monkeypatch.setattr(serial_ports.time, "monotonic", lambda: next(clock) / 1000)  # a millisecond a look
    for process in range(1000, 1300):
        (tmp_path / f"proc/{process}/fd").mkdir(parents=True)
        (tmp_path / f"proc/{process}/fd/0").symlink_to("/dev/null")
    looked: list[str] = []
    monkeypatch.setattr(serial_ports, "_leads_to", lambda descriptor, port: looked.append(descriptor))
    assert holder_of(Path("/dev/ttyACM0"), tmp_path) is None
    assert 0 < len(looked) <= 100


def test_a_search_that_hangs_in_the_kernel_does_not_hang_the_loop(
    cable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()
    monkeypatch.setattr(ports, "holder_of", lambda port: released.wait(30) and None)
    with pytest.raises(TimeoutError, match="it hangs"):
        SystemPorts(tmp_path).open_port(ID)
    released.set()


def test_a_lock_file_of_the_daemon_itself_keeps_nobody_out(tmp_path: Path) -> None:
    assert locked(tmp_path, f"{os.getpid():10d} dudo-table\n") is None


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("minicom", "sudo kill 7"),
        ("ModemManager", "sudo systemctl disable --now ModemManager"),
        ("dudo-table", "sudo systemctl stop dudo-table"),
    ],
)
def test_what_would_be_started_again_is_stopped_for_good(name: str, remedy: str) -> None:
    assert Holder(7, name).remedy == remedy
