"""The control socket: who may use it, what it takes, and what becomes of hostile input."""

import asyncio
import json
import os
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

import pytest

from firmware_host import cli
from firmware_host.configuration.settings import Settings
from firmware_host.daemon.control import MAX_CLIENTS, ControlSocket
from firmware_host.daemon.service.jobs import JobResult
from firmware_host.daemon.staff import StaffRequests, StaffTable
from firmware_host.public.address import path_beside
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.view import SceneName
from firmware_host.table.staff.actions import FiguresRead, StaffCommand, StaffFigure, StaffRefusal
from firmware_host.table.staff.items import FIGURES, StaffItem
from firmware_host.table.staff.machine import Job, JobOutcome
from firmware_host.table.staff.requests import Reply, Request
from firmware_host.table.staff.setup import SetupChange
from firmware_host.wire import PublicSeat, PublicState

SEATS = (
    PublicSeat("North", "white", False, 0, place="North"),
    PublicSeat("Ana", "white", False, 0, place="Ñandú"),  # its player's name is public
)
STATE = PublicState(scene=SceneName.LOBBY, rules="perudo", seats=SEATS)


class Table:
    """A table that notes what staff have it do."""

    def __init__(self) -> None:
        self.public_state: PublicState | None = STATE
        self.settings = Settings()
        self.acts: list[tuple[StaffCommand, int | None]] = []
        self.refusal: StaffRefusal | None = None
        self.error: Exception | None = None
        self.waits = False
        self.names_read = 0
        self.jobs_begun: list[Job] = []
        self.result = JobResult(JobOutcome.BEGUN)
        self.figures = FiguresRead({item: StaffFigure(7201, "2026-03-01") for item in FIGURES})
        self.figures.figures[StaffItem.STARTS] = StaffFigure(48, "2026-03-01", crashes=3)
        self.counters = self.names = self.jobs = self

    async def act_for_staff(self, what: StaffCommand, seat: int | None, level: RobotLevel) -> StaffRefusal | None:
        self.acts.append((what, seat))
        return self.refusal

    async def begin(self, job: Job, change: SetupChange | None = None) -> JobResult:
        self.jobs_begun.append(job)
        return self.result

    async def reset(self, figure: StaffItem) -> None:
        if self.error:
            raise self.error
        self.figures.figures[figure] = StaffFigure(0, "2026-11-23")

    async def read_again(self) -> None:
        self.names_read += 1

    async def change_settings(self, changed: Settings) -> bool:
        if self.error:
            raise self.error
        self.settings = changed
        return self.waits


Ask = Callable[[bytes], Awaitable[bytes]]


def served(folder: Path, table: Table, script: Callable[[Ask], Awaitable[None]]) -> None:
    async def run() -> None:
        path = path_beside(folder / "events.sock")

        async def ask(sent: bytes) -> bytes:
            reader, writer = await asyncio.open_unix_connection(str(path))
            writer.write(sent)
            try:
                return await reader.read()
            except ConnectionError:
                return b""
            finally:
                writer.close()

        async with ControlSocket(path, StaffRequests(cast(StaffTable, table)).answer):
            await script(ask)

    asyncio.run(run())


def replies(folder: Path, table: Table, *requests: bytes | dict[str, object]) -> list[Reply]:
    found: list[Reply] = []

    async def script(ask: Ask) -> None:
        for request in requests:
            line = request if isinstance(request, bytes) else json.dumps(request).encode()
            answer = await ask(line + b"\n")
            found.append(Reply(**json.loads(answer)) if answer else Reply(False, ()))

    served(folder, table, script)
    return found


def test_only_the_tables_user_and_root_may_connect_and_the_file_goes_with_the_daemon(tmp_path: Path) -> None:
    async def script(_: Ask) -> None:
        assert stat.S_IMODE((tmp_path / "staff.sock").stat().st_mode) == 0o600

    served(tmp_path, Table(), script)
    assert not (tmp_path / "staff.sock").exists()


def test_staff_pause_and_take_a_seat_out_by_its_name(tmp_path: Path) -> None:
    table = Table()
    said = replies(tmp_path, table, {"ask": "act", "what": "pause"}, {"ask": "act", "what": "remove", "seat": "ñandú"})
    assert all(reply.done for reply in said)
    assert table.acts == [(StaffCommand.PAUSE, None), (StaffCommand.REMOVE, 1)]


@pytest.mark.parametrize("what", StaffCommand)
def test_an_action_is_answered_in_one_line(what: StaffCommand, tmp_path: Path) -> None:
    table = Table()
    (reply,) = replies(tmp_path, table, {"ask": "act", "what": what, "seat": "ñandú"})
    assert (reply.done, len(reply.lines)) == (True, 1)
    assert table.acts == [(what, 1 if StaffItem[what.name].row.of_seat else None)]


def test_an_internal_error_ends_the_connection(tmp_path: Path) -> None:
    table = Table()
    table.error = ValueError()
    assert replies(tmp_path, table, {"ask": "reset", "figure": "calls"}) == [Reply(False, ())]


def test_a_refusal_names_the_seat(tmp_path: Path) -> None:
    table = Table()
    table.refusal = StaffRefusal.NOT_FREE
    (reply,) = replies(tmp_path, table, {"ask": "act", "what": "robot", "seat": "ñandú", "level": "hard"})
    assert [*reply.lines] == ["Ñandú is not free: a person has joined there"]


@pytest.mark.parametrize("refusal", StaffRefusal)
def test_a_refusal_is_one_line(refusal: StaffRefusal, tmp_path: Path) -> None:
    table = Table()
    table.refusal = refusal
    (reply,) = replies(tmp_path, table, {"ask": "act", "what": "pause"})
    assert (reply.done, len(reply.lines)) == (False, 1)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b'{"ask": "act", "what": "format"}',
        b'{"ask": "act", "what": "pause", "extra": 1}',
        b'{"ask": "change", "setting": "rules", "value": 1e999}',
        b'{"ask": "change", "setting": "' + b"x" * 65 + b'"}',
        b'{"ask": "change", "setting": "rules", "value": 99999999999999999999999}',
        b"[" * 1000,
    ],
)
def test_what_is_no_request_changes_nothing(line: bytes, tmp_path: Path) -> None:
    table = Table()
    (reply,) = replies(tmp_path, table, line)
    assert (reply.done, table.acts, table.settings) == (False, [], Settings())
    assert len(reply.lines) == 1


def test_a_line_that_never_ends_is_cut_off_and_the_next_client_served(tmp_path: Path) -> None:
    async def script(ask: Ask) -> None:
        assert await ask(b"x" * (1 << 16)) == b""
        assert b'"done":true' in await ask(b'{"ask":"status"}\n')

    served(tmp_path, Table(), script)


@pytest.mark.slow
def test_clients_that_say_nothing_make_room_after_some_seconds(tmp_path: Path) -> None:
    async def script(ask: Ask) -> None:
        silent = [await asyncio.open_unix_connection(str(tmp_path / "staff.sock")) for _ in range(MAX_CLIENTS)]
        assert b'"done":true' in await ask(b'{"ask":"status"}\n')
        for _, writer in silent:
            writer.close()

    served(tmp_path, Table(), script)


@pytest.mark.parametrize(
    ("change", "done"),
    [
        ({"setting": "rules", "value": "pyrudo"}, True),
        ({"setting": "rules", "value": None}, True),
        ({"setting": "turn_clock_s", "value": 0}, True),
        ({"setting": "rules", "value": "nonsense"}, False),
        ({"setting": "turn_clock_s", "value": 7}, False),
        ({"setting": "turn_clock_s", "value": "60"}, False),
        ({"setting": "brightness", "value": "dark"}, False),
        ({"setting": "__class__", "value": "x"}, False),
        ({"setting": "language", "value": "\x1b[2J"}, False),
    ],
)
def test_settings_are_checked(change: dict[str, object], done: bool, tmp_path: Path) -> None:
    table = Table()
    (reply,) = replies(tmp_path, table, {"ask": "change", **change})
    assert reply.done is done
    assert done or table.settings == Settings()
    assert all(line.isprintable() for line in reply.lines)


def test_a_file_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    table = Table()
    table.error = OSError(21, os.strerror(21))
    (reply,) = replies(tmp_path, table, {"ask": "change", "setting": "rules", "value": "pyrudo"})
    assert not reply.done
    assert "is a directory; make settings.toml in the state folder a file" in reply.lines[0]


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    table = Table()
    table.error = OSError(28, os.strerror(28))
    (reply,) = replies(tmp_path, table, {"ask": "change", "setting": "rules", "value": "pyrudo"})
    assert "can't be kept: no space left" in reply.lines[0]


def test_a_table_that_hangs_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_host.daemon.control.TIMEOUT_S", 0.05)

    async def hangs(_: Request) -> Reply:
        await asyncio.Event().wait()
        raise AssertionError

    async def run() -> None:
        async with ControlSocket(tmp_path / "staff.sock", hangs) as control:
            assert "did not answer" in (await control.reply(b'{"ask":"status"}')).lines[0]

    asyncio.run(run())


def test_a_path_that_is_taken_costs_the_socket_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "staff.sock").write_text("mine")

    async def script(_: Ask) -> None: ...

    served(tmp_path, Table(), script)
    assert (tmp_path / "staff.sock").read_text() == "mine"
    assert "dudo-table staff does not work" in caplog.text


def run_command(folder: Path, table: Table, *words: str) -> int:
    found: list[int] = []

    async def script(_: Ask) -> None:
        line = ["staff", "--events", str(folder / "events.sock"), *words]
        found.append(await asyncio.to_thread(cli.main, line))

    served(folder, table, script)
    return found[0]


@pytest.mark.parametrize(
    ("words", "prints"),
    [
        (["status"], "Lobby, nobody sits at the table"),
        (["pause"], "the match is paused"),
        (["remove", "North"], "the seat is out"),
        (["rules", "pyrudo"], 'rules: "pyrudo", from now on'),
        (["turn-clock", "45"], "turn_clock_s: 45, from now on"),
        (["brightness", "dim"], 'brightness: "dim", from now on'),
        (["language", "layout"], "language: as the layout has it, from now on"),
        (["volume", "layout"], "volume: as at first, from now on"),
    ],
)
def test_the_command_asks_and_prints(
    words: list[str], prints: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(tmp_path, Table(), *words) == 0
    assert capsys.readouterr().out == f"{prints}\n"


@pytest.mark.parametrize("words", [["remove", "Nort"], ["rules", "perudos"], ["turn-clock", "5"], ["brightness", "x"]])
def test_the_command_prints_what_is_wrong_and_ends_with_2(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(tmp_path, Table(), *words) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.count("\n") == 1


def test_without_a_table_the_command_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["staff", "--events", str(tmp_path / "events.sock"), "pause"]) == 2
    assert "no table listens to staff there" in capsys.readouterr().err


def test_figures_are_a_line_each_or_one_of_json(tmp_path: Path) -> None:
    lines, as_json = replies(tmp_path, Table(), {"ask": "figures"}, {"ask": "figures", "json": True})
    assert [*lines.lines] == [
        "matches    7,201 since 2026-03-01",
        "calls      7,201 since 2026-03-01",
        "hours          2 since 2026-03-01",
        "starts        48 since 2026-03-01, 3 of them after a power cut or a failure",
    ]
    assert json.loads(*as_json.lines) == {
        "matches": {"count": 7201, "since": "2026-03-01"},
        "calls": {"count": 7201, "since": "2026-03-01"},
        "hours": {"count": 2, "since": "2026-03-01"},
        "starts": {"count": 48, "since": "2026-03-01", "crashes": 3},
    }


def test_one_figure_is_reset_and_the_log_has_what_it_was(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    table = Table()
    (reply,) = replies(tmp_path, table, {"ask": "reset", "figure": "calls"})
    assert reply == Reply(True, ["calls: 0 from now on, 7,201 before"])  # type: ignore[arg-type]
    assert [item for item, figure in table.figures.figures.items() if figure.count == 0] == [StaffItem.CALLS]
    assert "staff have reset calls from 7,201 since 2026-03-01" in caplog.text


def test_what_is_no_figure_is_not_reset(tmp_path: Path) -> None:
    pause, nonsense = replies(
        tmp_path, Table(), {"ask": "reset", "figure": "pause"}, {"ask": "reset", "figure": "dice"}
    )
    assert not pause.done
    assert "is not a figure" in pause.lines[0]
    assert not nonsense.done


def test_a_figure_that_cannot_be_written_is_not_reset(tmp_path: Path) -> None:
    table = Table()
    table.error = OSError(28, "No space left on device")
    (reply,) = replies(tmp_path, table, {"ask": "reset", "figure": "hours"})
    assert not reply.done
    assert "no space left on device; make room" in reply.lines[0]
    assert table.figures.figures[StaffItem.HOURS].count == 7201
