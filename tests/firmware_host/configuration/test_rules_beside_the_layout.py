"""A layout's rules lie in its own folder: one that was laid by somebody else makes nobody quote another file."""

import os
from pathlib import Path

import pytest

from engine import PERUDO
from firmware_host import cli
from firmware_host.configuration import lookup
from hardware.config import regular_file
from hardware.config.layout import load_builtin
from hardware.config.regular_file import OutsideError

WIRED = Path(load_builtin("wired-4").path).read_text()
SECRET = "root:$y$j9T$secret:20000:0:99999:7:::\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give the folder of a layout, with a secret beside that folder."""
    (tmp_path / "secret.toml").write_text(SECRET)
    (tmp_path / "table").mkdir()
    return tmp_path / "table"


def checked(folder: Path, rules: str, capsys: pytest.CaptureFixture[str]) -> str:
    (folder / "table.toml").write_text(WIRED.replace('rules = "perudo"', f'rules = "{rules}"'))
    assert cli.main(["check", str(folder / "table.toml")]) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    "rules", ["/etc/passwd", "../secret.toml", "{folder}/../secret.toml", "link.toml", "way/secret.toml"]
)
def test_rules_from_elsewhere_are_refused_and_not_quoted(
    rules: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "link.toml").symlink_to(folder.parent / "secret.toml")
    (folder / "way").symlink_to(folder.parent)
    output = checked(folder, rules.format(folder=folder), capsys)
    assert f"leads out of {folder}; name a file beside this one, and no link to another place" in output
    assert output.count("\n") == 1
    assert "secret:" not in output
    assert "root:" not in output


@pytest.mark.parametrize("rules", ["house.toml", "ours/house.toml", "link.toml", "./house.toml", "{folder}/house.toml"])
def test_rules_below_the_layouts_folder_are_taken(rules: str, folder: Path) -> None:
    (folder / "ours").mkdir()
    for place in (folder, folder / "ours"):
        (place / "house.toml").write_text('name = "ours"\nbased_on = "perudo"')
    (folder / "link.toml").symlink_to("ours/house.toml")
    (folder / "table.toml").write_text(WIRED.replace('rules = "perudo"', f'rules = "{rules.format(folder=folder)}"'))
    assert str(lookup.rules_of(lookup.layout(str(folder / "table.toml")))) == "ours"


def test_a_layout_may_lie_in_a_folder_by_another_name(folder: Path) -> None:
    (folder / "house.toml").write_text('name = "ours"\nbased_on = "perudo"')
    (folder / "table.toml").write_text(WIRED.replace('rules = "perudo"', 'rules = "house.toml"'))
    (folder.parent / "also").symlink_to(folder)
    assert str(lookup.rules_of(lookup.layout(str(folder.parent / "also/table.toml")))) == "ours"


def test_rules_that_are_named_on_the_command_line_may_lie_anywhere(folder: Path) -> None:
    (folder / "house.toml").write_text('based_on = "perudo"')
    (folder.parent / "link.toml").symlink_to(folder / "house.toml")
    assert lookup.rules(str(folder.parent / "link.toml")).calza == PERUDO.calza


def test_a_link_that_is_swapped_while_it_is_opened_is_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file that is open is asked where it lies, not its name."""
    (folder / "house.toml").symlink_to(folder.parent / "secret.toml")
    opened = regular_file.opened

    def swapped(path: str | Path, flags: int = 0) -> int:
        descriptor = opened(path, flags)
        (folder / "house.toml").unlink()
        (folder / "house.toml").write_text('based_on = "perudo"')
        return descriptor

    monkeypatch.setattr(regular_file, "opened", swapped)
    with pytest.raises(OutsideError):
        regular_file.read(folder / "house.toml", 1 << 16, below=folder)


def test_a_file_that_became_a_pipe_keeps_nobody_waiting(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "house.toml"
    file.write_text("")
    looked = os.stat

    def swapped(path: str | Path, **how: bool) -> os.stat_result:
        found = looked(path, **how)
        file.unlink()
        os.mkfifo(file)
        return found

    monkeypatch.setattr(os, "stat", swapped)
    with pytest.raises(OSError, match="is a pipe, not a file"):
        regular_file.read(file, 1 << 16)
