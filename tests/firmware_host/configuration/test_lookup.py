"""Which file is a layout and which are rules, and every fault of either at once."""

from pathlib import Path

import pytest

from engine import PERUDO
from firmware_host import cli
from firmware_host.configuration import lookup
from firmware_host.configuration.lookup import file_kind
from hardware.config.layout import Layout, LayoutError, load_builtin
from hardware.config.problems import FileError

WIRED = Path(load_builtin("wired-4").path).read_text()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"seat": [], "based_on": "perudo"}, "layout"),
        ({"based_on": "perudo", "rules": "perudo"}, "rules"),
        ({"name": "x", "language": "en"}, "layout"),
        ({"name": "x", "calza": False}, "rules"),
        ({"seats": []}, "layout"),
        ({"basedon": "perudo"}, "rules"),
        ({"name": "x"}, None),
        ({"tool": {}}, None),
        ({}, None),
    ],
)
def test_a_file_is_told_by_its_keys(written: dict[str, object], meant: str | None) -> None:
    assert file_kind(written) == meant


def test_shipped_names_of_both_kinds_are_found() -> None:
    assert lookup.find("perudo") is PERUDO
    assert lookup.find("wired-4") == load_builtin("wired-4")


def test_files_of_both_kinds_are_found(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text('based_on = "perudo"')
    (tmp_path / "table").write_text(WIRED)
    assert str(lookup.find(str(tmp_path / "ours.toml"))) == "perudo-house"
    assert isinstance(lookup.find(str(tmp_path / "table")), Layout)


def test_rules_are_no_layout(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('based_on = "perudo"')
    with pytest.raises(LayoutError) as error:
        lookup.layout(str(file))
    assert (
        str(error.value) == f"{file}: is a custom rule set, not a layout; dudo-table rules {file} prints what it says"
    )


def test_letters_no_panel_has_are_told_with_the_other_faults(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(WIRED.replace('"North"', '"Nørð東"').replace('"East"', '"Жук"').replace("tilt = 25", "tilt = 2"))
    with pytest.raises(FileError) as error:
        lookup.find(str(file))
    assert [(fault.key, fault.message) for fault in error.value.problems][1:] == [
        ("seat[1, Nørð東].name", "the displays have no letter 東"),
        ("seat[2, Жук].name", "the displays have no letter Ж у к"),
    ]
    assert len(error.value.problems) == 3


def test_letters_written_as_letter_and_accent_can_be_shown(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(WIRED.replace('"North"', '"Ame\u0301lie"'))
    assert isinstance(lookup.find(str(file)), Layout)


def test_what_is_neither_gets_one_line(tmp_path: Path) -> None:
    file = tmp_path / "empty.toml"
    file.touch()
    with pytest.raises(FileError, match="is neither a layout nor a rule set; head each seat") as error:
        lookup.find(str(file))
    assert "\n" not in str(error.value)


def test_check_tells_what_is_right_of_both_kinds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = tmp_path / "house.toml"
    house.write_text('based_on = "perudo"\nto_aces = "half"')
    assert cli.main(["check", str(house), "wired-4"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f'{house}: right, rules called perudo-house, perudo but for to_aces = "half"',
        "wired-4: right, 4 seats: 20 pins, displays on 1 I2C wire, rules perudo",
    ]


def test_check_tells_of_the_rules_a_layout_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "table.toml"
    table.write_text(WIRED.replace('rules = "perudo"', 'rules = "bluff"'))
    assert cli.main(["check", str(table)]) == 2
    assert capsys.readouterr().err.startswith(f'{table}: rules = "bluff": no such rule set; ')
