"""Settings changed by staff while the table is in use, separate from the owner's layout.

`settings.toml` in the state folder has the settings differing from the layout; it survives restarts and updates.
`configuration` reads it at each start and reload, `daemon.staff` changes it, and `check` prints it. A damaged file
counts as empty: the layout's values are in effect, and the next change replaces the file.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import msgspec

from engine import RULESETS, Rules
from firmware_host.configuration import DEFAULT_LAYOUT, layout_in_force
from firmware_host.configuration.layout_in_force import LastGood
from firmware_host.errors import UserError
from firmware_host.table.staff.sound import MAX_VOLUME, SoundAndLight, TvSetting
from firmware_host.util import atomic_file
from hardware.config import toml_file
from hardware.config.languages import Language
from hardware.config.layout import Layout
from hardware.config.layout_schema import NAMES_DAYS, TURN_CLOCK_S
from hardware.config.problems import FileError, Problem, preview
from hardware.config.schema import Integer, OneOf, TomlTable, ValueType

FILE = "settings.toml"
MAX_BYTES = 4096
"""Bytes of the file; with every setting it has 250."""
NO_CLOCK = 0
"""The turn clock that never runs out, in seconds."""
BRIGHTNESS = ("bright", "dim")
HOUSE_RULES = "house"
"""The value of `rules` for the custom rule set that the owner's page has written."""


class ClockSetting(msgspec.Struct, frozen=True):
    """Seconds for one action, 0 without a limit."""

    example: str = "60"

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield a time's faults; true is not 1."""
        if type(value) is not int or (value != NO_CLOCK and value not in TURN_CLOCK_S):
            remedy = f"use {TURN_CLOCK_S[0]} to {TURN_CLOCK_S[-1]} seconds, or {NO_CLOCK} for no clock"
            yield Problem(key, preview(value), "is not a time of the turn clock", remedy)


_Percent = Annotated[int | None, Integer(range(MAX_VOLUME + 1), "a volume in percent", "60")]


class SettingsError(FileError):
    """An unusable settings file or setting."""


class Settings(msgspec.Struct, frozen=True):
    """The staff settings, each with the values that it takes; None keeps the layout's value."""

    rules: Annotated[str | None, OneOf((*RULESETS, HOUSE_RULES), "a shipped rule set")] = None
    language: Annotated[str | None, Language()] = None
    turn_clock_s: Annotated[int | None, ClockSetting()] = None
    names_days: Annotated[int | None, Integer(NAMES_DAYS, "a number of days for which names are kept", "365")] = None
    brightness: Annotated[str | None, OneOf(BRIGHTNESS, "a brightness of the displays")] = None
    volume: _Percent = None
    guests_volume_min: _Percent = None
    guests_volume_max: _Percent = None
    tv: Annotated[str | None, OneOf(tuple(map(str, TvSetting)), "a setting of the TV")] = None

    def changed(self) -> dict[str, str | int]:
        """Return the settings differing from the layout, by their names in the file."""
        return {name: value for name, value in msgspec.structs.asdict(self).items() if value is not None}

    def layout(self, layout: Layout) -> Layout:
        """Return a layout with these settings in place of its own values. A seat keeps its own language."""
        clock_s = layout.turn_clock_s if self.turn_clock_s is None else (self.turn_clock_s or None)
        days = layout.names_days if self.names_days is None else self.names_days
        language = self.language or layout.language
        return msgspec.structs.replace(layout, language=language, turn_clock_s=clock_s, names_days=days)

    def sound_and_light(self) -> SoundAndLight:
        """Return the settings with immediate effect; guests may not change the volume until their maximum is set."""
        return msgspec.convert(self.changed(), SoundAndLight)

    def rule_set(self, rules: Rules, house: Rules | None = None) -> Rules:
        """Return the rule set at a table; `rules` is its layout's, `house` the house rules, if any."""
        if self.rules == HOUSE_RULES:
            return house or rules
        return rules if self.rules is None else RULESETS[self.rules]

    def with_setting(self, name: str, value: str | int | None) -> "Settings":
        """Return the settings with one more change, None for the layout's value. Raises `SettingsError`."""
        problems = [] if value is None else [*FIELDS[name].problems(name, value)]
        changed = msgspec.structs.replace(self, **{name: value})
        problems = problems or [*_contradictions(changed, name)]
        if problems:
            raise SettingsError("settings", problems)
        return changed


FIELDS: Mapping[str, ValueType] = {
    name: hint.__metadata__[0] for name, hint in get_type_hints(Settings, include_extras=True).items()
}
_SCHEMA = TomlTable("", optional=FIELDS)


def read(state: Path) -> Settings:
    """Return the settings in the state folder. Blocks; raises `SettingsError` for a damaged file."""
    path = state / FILE
    if not path.exists() and not path.is_symlink():
        return Settings()
    try:
        text = toml_file.read(path, SettingsError, "settings", (), max_bytes=MAX_BYTES)
        return _parse(toml_file.table(text, str(path), SettingsError), str(path))
    except SettingsError as error:
        remedy = "the layout's values are in force; dudo-table staff sets them again, or remove the file"
        faults = [Problem(fault.key, fault.value, fault.message, remedy) for fault in error.problems]
        raise SettingsError(str(path), faults) from error


def of_table(name: str, given: Path | None) -> Settings:
    """Return a table's settings; `name` is its layout and `given` its state folder, if named.

    A default folder that last served another layout has another table's settings. Blocks; raises `SettingsError`.
    """
    try:
        state = layout_in_force.state_of(name, given)
    except UserError:  # without a state folder there are none
        return Settings()
    is_of_this_table = given or name == DEFAULT_LAYOUT or LastGood(state, name).layout() is not None
    return read(state) if is_of_this_table else Settings()


def write(settings: Settings, state: Path) -> None:
    """Save the settings in the state folder. Blocks; raises `OSError`."""
    lines = [f"{name} = {preview(value)}\n" for name, value in settings.changed().items()]
    atomic_file.write_atomic(state / FILE, "".join(("# changed by staff; dudo-table staff writes this file\n", *lines)))


def _parse(written: Mapping[str, Any], path: str) -> Settings:
    problems = [*_SCHEMA.problems("", written)]
    settings = Settings() if problems else Settings(**written)
    if problems := problems or [*_contradictions(settings)]:
        raise SettingsError(path, problems)
    return settings


def _contradictions(settings: Settings, changed: str = "guests_volume_min") -> Iterator[Problem]:
    """Yield contradictions between settings, as faults in the `changed` one."""
    least, most = settings.guests_volume_min, settings.guests_volume_max
    if least is None or most is None or least <= most:
        return
    if changed == "guests_volume_max":
        remedy = f"use at least {least}, or lower guests_volume_min first"
        yield Problem(changed, str(most), f"is below guests_volume_min = {least}", remedy)
    else:
        remedy = f"use at most {most}, or raise guests_volume_max first"
        yield Problem(changed, str(least), f"is above guests_volume_max = {most}", remedy)
