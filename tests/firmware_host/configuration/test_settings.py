"""Settings of staff are in force over those of the layout, and a damaged file of them never stops a table."""

from pathlib import Path

import pytest

from engine import PERUDO, PYRUDO, RULESETS
from firmware_host import cli
from firmware_host.configuration.configuration import Configuration
from firmware_host.configuration.settings import FILE, Settings, SettingsError, read, write
from firmware_host.table.health import Alert

EVERYTHING = Settings(rules="pyrudo", language="fr", turn_clock_s=45, brightness="dim")
LAYOUT = """\
name = "bar"
turn_clock_s = 60

[[seat]]
name = "North"
color = "red"
board = "E66100000000001"

[[seat]]
name = "South"
color = "blue"
board = "E66100000000002"
language = "es"
"""


@pytest.fixture
def configuration(tmp_path: Path) -> Configuration:
    (tmp_path / "table.toml").write_text(LAYOUT)
    return Configuration(str(tmp_path / "table.toml"), tmp_path)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    for settings in (EVERYTHING, Settings(), Settings(turn_clock_s=0), *map(Settings, RULESETS)):
        write(settings, tmp_path)
        assert read(tmp_path) == settings
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600


def test_a_table_that_nobody_has_changed_has_no_settings(tmp_path: Path) -> None:
    assert read(tmp_path) == Settings()


def test_settings_take_the_place_of_the_layouts_values(configuration: Configuration) -> None:
    configuration.write_settings(EVERYTHING)
    reading = configuration.read()
    assert (reading.layout.turn_clock_s, reading.rules, reading.rules_of_layout) == (45, PYRUDO, PERUDO)
    assert reading.layout.languages() == ("fr", "es"), "a seat keeps a language of its own"


def test_a_setting_of_no_clock_ends_the_layouts_clock(configuration: Configuration) -> None:
    configuration.write_settings(Settings(turn_clock_s=0))
    assert configuration.read().layout.turn_clock_s is None


def test_the_kept_copy_has_the_rules_of_the_layout(configuration: Configuration, tmp_path: Path) -> None:
    configuration.write_settings(EVERYTHING)
    configuration.keep(configuration.read())
    assert "perudo" in (tmp_path / "last-good/rules.toml").read_text()
    assert "turn_clock_s = 60" in (tmp_path / "last-good/table.toml").read_text()


@pytest.mark.parametrize(
    "text",
    [
        "",
        'rules = "nonsense"\n',
        'language = "klingon"\n',
        "turn_clock_s = 9\n",
        "turn_clock_s = true\n",
        "turn_clock_s = -1\n",
        'brightness = "dark"\n',
        'volume = "loud"\n',
        "rules = 3\n",
        "\0",
        "[" * 3000,
        "#" * 5000,
        "rules\x1b[31m = 3",
    ],
)
def test_a_damaged_file_counts_as_empty_and_is_named(
    text: str, configuration: Configuration, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / FILE).write_text(text)
    reading = configuration.read()
    assert (reading.settings, reading.layout.turn_clock_s, reading.rules) == (Settings(), 60, PERUDO)
    assert not {Alert.LAYOUT, Alert.RULES} & {*reading.alerts}
    assert [record for record in caplog.messages if FILE in record or not text] or not text
    assert all(message.isprintable() for message in caplog.messages)
    assert cli.main(["check", str(tmp_path / "table.toml"), "--state", str(tmp_path)]) == (2 if text else 0)


def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / FILE)
    with pytest.raises(SettingsError, match="is a pipe"):
        read(tmp_path)


def test_check_prints_what_staff_have_changed(
    configuration: Configuration, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configuration.write_settings(EVERYTHING)
    assert cli.main(["check", str(tmp_path / "table.toml"), "--state", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "rules perudo; changed by staff: rules = pyrudo, language = fr, turn_clock_s = 45, brightness = dim" in said


@pytest.mark.parametrize(
    ("name", "value"), [("rules", "x"), ("language", "xx"), ("turn_clock_s", 5), ("turn_clock_s", 999)]
)
def test_a_wrong_setting_is_refused_with_its_remedy(name: str, value: str | int) -> None:
    with pytest.raises(SettingsError, match=f"settings: {name} = .*; "):
        EVERYTHING.with_setting(name, value)


def test_a_setting_can_be_given_back_to_the_layout() -> None:
    assert EVERYTHING.with_setting("language", None).changed().keys() == {"rules", "turn_clock_s", "brightness"}
