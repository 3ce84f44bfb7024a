"""Settings of staff are in force over those of the layout, and a damaged file of them never stops a table."""

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import structs

from engine import PERUDO, PYRUDO, RULESETS
from firmware_host import cli
from firmware_host.configuration.configuration import Configuration
from firmware_host.configuration.settings import FILE, Settings, SettingsError, read, write
from firmware_host.table.health import Alert
from firmware_host.table.staff.sound import AS_AT_FIRST, SoundAndLight, TvSetting

OLD = Settings(rules="pyrudo", language="fr", turn_clock_s=45, brightness="dim")
OLD_FILE = """\
# changed by staff; dudo-table staff writes this file
rules = "pyrudo"
language = "fr"
turn_clock_s = 45
brightness = "dim"
"""
SOUND = {"volume": 60, "guests_volume_min": 20, "guests_volume_max": 80, "tv": "off"}
EVERYTHING = structs.replace(OLD, **SOUND)
LAYOUT = """\
name = "bar"
turn_clock_s = 60

[[seat]]
name = "North"
color = "red"
board = "E661000000000001"

[[seat]]
name = "South"
color = "blue"
board = "E661000000000002"
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
        "volume = true\n",
        "volume = 101\n",
        "volume = -1\n",
        "guests_volume_min = 1.5\n",
        'tv = "maybe"\n',
        "tv = true\n",
        "guests_volume_min = 50\nguests_volume_max = 49\n",
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
    rules, _, changed = said.rstrip("\n").partition("; changed by staff: ")
    assert rules.endswith("rules perudo")
    assert changed == ", ".join(f"{name} = {value}" for name, value in EVERYTHING.changed().items())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("rules", "x"), ("language", "xx"), ("turn_clock_s", 5), ("turn_clock_s", 999)),
        *(("volume", 110), ("tv", "hdmi")),
    ],
)
def test_a_wrong_setting_is_refused_with_its_remedy(name: str, value: str | int) -> None:
    with pytest.raises(SettingsError, match=f"settings: {name} = .*; "):
        EVERYTHING.with_setting(name, value)


def test_a_setting_can_be_given_back_to_the_layout() -> None:
    assert EVERYTHING.with_setting("language", None).changed().keys() == {"rules", "turn_clock_s", "brightness", *SOUND}


# Sound and light


def test_a_file_of_the_version_before_has_no_sound_and_all_else(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(OLD_FILE)
    assert read(tmp_path) == OLD
    assert read(tmp_path).sound_and_light() == SoundAndLight(brightness="dim")


def test_what_staff_have_set_is_what_takes_effect() -> None:
    assert EVERYTHING.sound_and_light() == SoundAndLight(60, 20, 80, TvSetting.OFF, "dim")
    assert Settings().sound_and_light() == AS_AT_FIRST


def test_guests_may_change_the_volume_only_under_a_ceiling_above_the_floor() -> None:
    offered = {
        (least, most): Settings(guests_volume_min=least, guests_volume_max=most).sound_and_light().lets_guests
        for least, most in ((None, None), (50, None), (None, 50), (20, 50), (50, 50), (None, 0))
    }
    assert [bounds for bounds, is_offered in offered.items() if is_offered] == [(None, 50), (20, 50)]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("guests_volume_min", 81, "81: is above guests_volume_max = 80; use at most 80, or raise guests_volume_max"),
        ("guests_volume_max", 19, "19: is below guests_volume_min = 20; use at least 20, or lower guests_volume_min"),
    ],
)
def test_a_floor_above_the_ceiling_is_refused_with_one_error(name: str, value: int, said: str) -> None:
    with pytest.raises(SettingsError) as refused:
        EVERYTHING.with_setting(name, value)
    assert len(refused.value.problems) == 1
    assert f"settings: {name} = {said} first" in str(refused.value)


def test_any_settings_are_read_as_they_were_written(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("state")
    percent = st.none() | st.integers(0, 100)

    @given(volume=percent, least=percent, most=percent, tv=st.none() | st.sampled_from(["auto", "on", "off"]))
    def kept(volume: int | None, least: int | None, most: int | None, tv: str | None) -> None:
        assume(least is None or most is None or least <= most)
        settings = Settings(volume=volume, guests_volume_min=least, guests_volume_max=most, tv=tv)
        write(settings, folder)
        assert read(folder) == settings

    kept()
