"""`blank`, `check` and `show` go by the owner's layout in /etc, by what stands in, and blank by what was in force."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from firmware_host import cli
from firmware_host.commands import check, parser
from firmware_host.configuration import layout_in_force
from firmware_host.configuration.layout_in_force import LastGood
from firmware_host.devices.host_io import blank, ports
from firmware_host.devices.pairing import replacements
from hardware.config.layout import Layout

TABLE = """\
name = "bar"

[[seat]]
name = "North"
color = "red"
board = "E661000000000001"

[[seat]]
name = "Bar"
color = "blue"
board = "E661000000000002"
"""
WRONG = TABLE.replace("blue", "bleu")
OTHER = TABLE.replace("0002", "0003")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "table.toml"
    file.write_text(TABLE)
    return file


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Give the state of a table at which somebody has put another board."""
    state = tmp_path / "state"
    state.mkdir()
    replacements.write(state, {"E661000000000001": "E661000000000009"})
    return state


@pytest.fixture
def blanked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Give the boards of every layout that was made dark."""
    layouts: list[list[str]] = []

    def dark(layout: Layout, wires: object, *, timeout_s: float) -> Mapping[int, str]:
        layouts.append([seat.board.id for seat in layout.seats if seat.board])
        return {}

    monkeypatch.setattr(blank, "blank", dark)
    monkeypatch.setattr(ports, "SystemPorts", lambda: None)
    return layouts


def run(command: str, *paths: Path) -> int:
    return cli.main(command.format(*paths).split())


def test_what_stands_in_is_made_dark(file: Path, state: Path, blanked: list[list[str]]) -> None:
    assert run("blank --layout {} --state {}", file, state) == 0
    assert blanked == [["E661000000000009", "E661000000000002"]]


def test_where_the_file_is_wrong_the_last_good_layout_is_made_dark(
    file: Path, state: Path, blanked: list[list[str]]
) -> None:
    LastGood(state, str(file)).keep(TABLE, "")
    file.write_text(WRONG)
    assert run("blank --layout {} --state {}", file, state) == 0
    assert blanked == [["E661000000000009", "E661000000000002"]]


def test_where_the_file_was_changed_both_are_made_dark(file: Path, state: Path, blanked: list[list[str]]) -> None:
    LastGood(state, str(file)).keep(TABLE, "")
    file.write_text(OTHER)
    assert run("blank --layout {} --state {}", file, state) == 0
    assert blanked == [["E661000000000009", "E661000000000002"], ["E661000000000009", "E661000000000003"]]


def test_where_neither_is_good_that_is_said(
    file: Path, state: Path, blanked: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    LastGood(state, str(file)).keep(WRONG, "")
    file.write_text(WRONG)
    assert run("blank --layout {} --state {}", file, state) == 2
    assert blanked == []
    assert "did you mean blue?" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check {} --state {}", "show {} --state {}"])
def test_what_stands_in_is_told(command: str, file: Path, state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(command, file, state) == 0
    out = capsys.readouterr().out
    assert "North’s board is E661000000000009, assigned at the table, in place of the layout's E661000000000001" in out


def test_a_drawing_has_what_stands_in(file: Path, state: Path, tmp_path: Path) -> None:
    assert run("show {} --state {} --wiring {}", file, state, tmp_path / "wires.svg") == 0
    assert "E661000000000009" in (tmp_path / "wires.svg").read_text()


def test_stand_ins_that_cannot_be_read_stand_in_for_nothing(
    file: Path, state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (state / replacements.FILE).write_text("[")
    assert run("check {} --state {}", file, state) == 0
    assert "assigned" not in capsys.readouterr().out


@pytest.mark.parametrize("command", ["blank", "check", "show"])
def test_without_a_name_it_is_the_services_table(
    command: str,
    file: Path,
    state: Path,
    blanked: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for module in (parser, layout_in_force, check):
        monkeypatch.setattr(module, "DEFAULT_LAYOUT", str(file))
    monkeypatch.setattr(layout_in_force, "STATE", state)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    assert run(command) == 0
    assert blanked in ([], [["E661000000000009", "E661000000000002"]])
    assert command == "blank" or "E661000000000009" in capsys.readouterr().out


def test_a_table_of_somebodys_own_has_a_state_of_its_own(
    state: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(layout_in_force, "STATE", state)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert layout_in_force.state_of("boards-8", None) == tmp_path / "dudo-table"
    assert layout_in_force.state_of(parser.DEFAULT_LAYOUT, None) == state
    assert layout_in_force.state_of(parser.DEFAULT_LAYOUT, tmp_path) == tmp_path
