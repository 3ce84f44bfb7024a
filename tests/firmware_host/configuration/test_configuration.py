"""A layout or a rules file that is wrong leaves the last good one in force, whatever is wrong with it and whenever."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from engine import PERUDO, PYRUDO, RULESETS
from firmware_host.configuration.configuration import Configuration, Reading
from firmware_host.configuration.layout_in_force import LastGood
from firmware_host.configuration.rules.custom import parse
from firmware_host.table.health import Alert
from hardware.config.layout import Layout
from hardware.config.problems import FileError

TABLE = """\
name = "bar"
rules = "{rules}"  # ours

[[seat]]
name = "Ñandú"
color = "red"
board = "E661000000000001"

[[seat]]
name = "Bar"
color = "blue"
board = "E661000000000002"
"""
OURS = 'name = "ours"\nbased_on = "perudo"\nto_aces = "half"\ncalza = false\n'


class ConfigFolder:
    """A folder as in /etc, a state folder, and what is read there."""

    def __init__(self, folder: Path, *, rules: str = "ours.toml") -> None:
        self.table, self.rules, self.state = folder / "table.toml", folder / "ours.toml", folder / "state"
        self.state.mkdir()
        self.table.write_text(TABLE.format(rules=rules))
        self.rules.write_text(OURS)

    @property
    def configuration(self) -> Configuration:
        """As a daemon that has just started has it."""
        return Configuration(str(self.table), self.state)

    def read(self) -> Reading:
        return self.configuration.read()

    def kept(self) -> "ConfigFolder":
        """Once it was in force."""
        self.configuration.keep(self.read())
        return self


@pytest.fixture
def config(tmp_path: Path) -> ConfigFolder:
    return ConfigFolder(tmp_path)


def half(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2 + 3])


def unreadable(file: Path) -> None:
    """As another user's file; root may read everything, so a name in no folder has to do there."""
    file.chmod(0)
    if os.access(file, os.R_OK):
        file.unlink()
        file.symlink_to(file)


DAMAGE: dict[str, Callable[[Path], object]] = {
    "half written": half,
    "empty": lambda file: file.write_text(""),
    "deleted": lambda file: file.unlink(),
    "unreadable": unreadable,
    "a directory": lambda file: (file.unlink(), file.mkdir()),
    "no text": lambda file: file.write_bytes(b"\xff\xfe\x00" * 99),
    "an endless file": lambda file: (file.unlink(), file.symlink_to("/dev/zero")),
    "a wrong key": lambda file: file.write_text(f"colour = 7\n{file.read_text()}"),
}


@pytest.fixture(params=DAMAGE)
def damage(request: pytest.FixtureRequest) -> Callable[[Path], object]:
    return DAMAGE[request.param]


def test_what_is_right_is_in_force(config: ConfigFolder) -> None:
    reading = config.read()
    assert [seat.name for seat in reading.layout.seats] == ["Ñandú", "Bar"]
    assert reading.rules == parse(OURS)
    assert not reading.alerts


def test_a_layout_that_is_damaged_leaves_the_last_good_one_in_force(
    config: ConfigFolder, damage: Callable[[Path], object]
) -> None:
    before = config.kept().read()
    damage(config.table)
    reading = config.read()
    assert (reading.layout, reading.rules) == (before.layout, before.rules)
    assert reading.alerts.keys() == {Alert.LAYOUT}


def test_rules_that_are_damaged_leave_the_last_good_ones_in_force(
    config: ConfigFolder, damage: Callable[[Path], object]
) -> None:
    before = config.kept().read()
    damage(config.rules)
    reading = config.read()
    assert (reading.layout, reading.rules) == (before.layout, before.rules)
    assert reading.alerts.keys() == {Alert.RULES}


def test_what_was_never_good_is_refused(config: ConfigFolder, damage: Callable[[Path], object]) -> None:
    damage(config.table)
    with pytest.raises(FileError, match=str(config.table)):
        config.read()


def test_rules_that_were_never_good_are_refused(config: ConfigFolder, damage: Callable[[Path], object]) -> None:
    damage(config.rules)
    with pytest.raises(FileError):
        config.read()


def test_both_may_be_wrong(config: ConfigFolder) -> None:
    before = config.kept().read()
    config.table.unlink()
    config.rules.unlink()
    reading = config.read()
    assert (reading.layout, reading.rules) == (before.layout, before.rules)
    assert reading.alerts.keys() == {Alert.LAYOUT, Alert.RULES}


def test_the_rules_may_change_while_the_layout_is_wrong(config: ConfigFolder) -> None:
    config.kept()
    config.table.write_text("")
    config.rules.write_text(OURS.replace("calza = false\n", ""))
    assert config.read().rules == parse(OURS.replace("calza = false\n", ""))


def test_every_fault_is_told_with_file_key_value_and_remedy_and_where_the_last_good_one_is(
    config: ConfigFolder,
) -> None:
    config.kept()
    config.table.write_text(config.table.read_text().replace("red", "gren").replace("blue", "bleu"))
    first, second, where = config.read().alerts[Alert.LAYOUT].splitlines()
    assert first.startswith(f'{config.table}: seat[1, Ñandú].color = "gren": ')
    assert "did you mean green?" in first
    assert second.startswith(f'{config.table}: seat[2, Bar].color = "bleu": ')
    assert where == f"{config.state}/last-good/table.toml is what was there before"
    assert (config.state / "last-good/table.toml").read_text() == TABLE.format(rules="ours.toml")


def test_a_rule_set_that_is_spelled_wrong_is_a_fault_of_the_rules(config: ConfigFolder) -> None:
    config.kept()
    config.table.write_text(TABLE.format(rules="perudoo"))
    reading = config.read()
    assert 'rules = "perudoo"' in reading.alerts[Alert.RULES]
    assert reading.rules == parse(OURS)


def test_what_a_daemon_has_in_force_is_better_than_what_was_kept(config: ConfigFolder) -> None:
    configuration = config.configuration
    reading = configuration.read()
    config.table.unlink()
    config.rules.unlink()
    again = configuration.read(reading.layout, reading.rules)
    assert (again.layout, again.rules) == (reading.layout, reading.rules)


@pytest.mark.parametrize("rules", RULESETS)
def test_rules_that_are_shipped_are_kept_too(tmp_path: Path, rules: str) -> None:
    config = ConfigFolder(tmp_path, rules=rules).kept()
    config.table.write_text(TABLE.format(rules="nothing"))
    assert config.read().rules == RULESETS[rules]


def test_what_was_wrong_is_not_kept(config: ConfigFolder) -> None:
    config.kept()
    config.table.write_text("")
    for _ in range(3):
        config.kept()
    assert (config.state / "last-good/table.toml").read_text() == TABLE.format(rules="ours.toml")


def test_a_layout_is_kept_although_its_rules_are_wrong(config: ConfigFolder) -> None:
    config.kept()
    config.rules.unlink()
    config.table.write_text(config.table.read_text().replace("red", "green"))
    config.kept()
    config.table.unlink()
    reading = config.read()
    assert reading.layout.seats[0].color == "green"
    assert reading.rules == parse(OURS)


def test_another_tables_layout_is_no_help(config: ConfigFolder, tmp_path: Path) -> None:
    config.kept()
    with pytest.raises(FileError, match="there is no such file"):
        Configuration(str(tmp_path / "tabel.toml"), config.state).read()


def test_from_another_folder_a_file_is_the_same_one(config: ConfigFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    config.kept()
    config.table.unlink()
    monkeypatch.chdir(config.table.parent)
    assert Configuration("table.toml", config.state).read().alerts


def test_a_shipped_layout_needs_no_copy(tmp_path: Path) -> None:
    configuration = Configuration("wired-4", tmp_path)
    reading = configuration.read()
    configuration.keep(reading)
    assert reading.rules is PERUDO
    assert not [*tmp_path.iterdir()]


def test_a_copy_that_is_damaged_is_none(config: ConfigFolder, damage: Callable[[Path], object]) -> None:
    config.kept()
    damage(config.state / "last-good/table.toml")
    config.table.unlink()
    with pytest.raises(FileError, match="there is no such file"):
        config.read()


def test_what_is_kept_already_is_not_written_again(config: ConfigFolder) -> None:
    config.kept()
    before = {file.name: file.stat().st_mtime_ns for file in (config.state / "last-good").iterdir()}
    config.kept()
    assert {file.name: file.stat().st_mtime_ns for file in (config.state / "last-good").iterdir()} == before


def test_a_state_folder_that_cannot_be_written_is_told_and_stops_nothing(
    config: ConfigFolder, caplog: pytest.LogCaptureFixture
) -> None:
    (config.state / "last-good").write_text("in the way")
    config.kept()
    (record,) = caplog.records
    assert f"{config.state}/last-good: can't keep the configuration there" in record.getMessage()


def cut_off(kept: LastGood, times: int, patch: pytest.MonkeyPatch) -> Iterator[tuple[str | None, str | None]]:
    """Yield both files after a power cut at each step from one configuration to another."""
    write = Path.replace
    for steps in range(times):
        done = []

        def replace(file: Path, target: Path, steps: int = steps, done: list[int] = done) -> Path:
            if len(done) == steps:
                raise KeyboardInterrupt
            done.append(1)
            return write(file, target)

        patch.setattr(Path, "replace", replace)
        with suppress(KeyboardInterrupt):
            kept.keep("new layout", "new rules")
        yield kept.layout(), kept.rules()


def test_a_power_cut_leaves_one_configuration_or_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = LastGood(tmp_path, "table.toml")
    kept.keep("old layout", "old rules")
    for layout, rules in cut_off(kept, 3, monkeypatch):
        assert layout in ("old layout", "new layout")
        assert rules in ("old rules", "new rules")


def test_a_power_cut_on_the_way_to_another_table_leaves_that_one_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    LastGood(tmp_path, "other.toml").keep("other layout", "other rules")
    kept = LastGood(tmp_path, "table.toml")
    seen = [*cut_off(kept, 4, monkeypatch)]
    assert seen[:3] == [(None, None)] * 3
    assert seen[3] == ("new layout", "new rules")


def test_a_file_saved_with_other_line_ends_is_kept_as_it_is(config: ConfigFolder) -> None:
    config.table.write_bytes(TABLE.format(rules="pyrudo").replace("\n", "\r\n").encode())
    reading = config.kept().read()
    config.table.unlink()
    again = config.read()
    assert isinstance(again.layout, Layout)
    assert (again.layout, again.rules) == (reading.layout, PYRUDO)
