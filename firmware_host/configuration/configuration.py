"""The configuration of `dudo-table run`: a file's layout and its rules, or the last good ones if a file is wrong.

The daemon reads it at each start and reload. Half-edited files never leave a table without a layout.
"""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from engine import Rules
from firmware_host.configuration import lookup, settings
from firmware_host.configuration.layout_in_force import LAYOUT, RULES, LastGood
from firmware_host.configuration.rules import custom, house_rules
from firmware_host.configuration.settings import HOUSE_RULES, Settings, SettingsError
from firmware_host.table.health import Alert
from hardware.config import layout as layouts
from hardware.config import toml_file
from hardware.config.layout import Layout, LayoutError
from hardware.config.problems import FileError

log = logging.getLogger("dudo-table")

Meant = TypeVar("Meant", Layout, Rules)


class Reading(Struct, frozen=True):
    """The layout and rules to run, with staff settings in place of the layout's own values.

    `alerts` has an alert for each of the owner's wrong files, with the reason.
    """

    layout: Layout
    rules: Rules
    alerts: Mapping[Alert, str]
    text: str | None  # of the layout's file; None for a shipped layout and for the last good one
    settings: Settings = Settings()
    rules_of_layout: Rules | None = None  # where a setting replaces them
    house: Rules | None = None  # the house rules, in effect or not


class Configuration:
    """The layout `name`, shipped or a file, and its rules; `state` is the state folder."""

    def __init__(self, name: str, state: Path) -> None:
        self._name = name
        self._state = state
        self._last_good = LastGood(state, name)

    def read(self, layout_now: Layout | None = None, rules_now: Rules | None = None) -> Reading:
        """Read the files. If one is wrong, keep the current one, if given, else use the last good one.

        Blocks; raises `FileError` for a wrong file without a good predecessor.
        """
        alerts: dict[Alert, str] = {}
        text = None
        try:
            text, layout = self._read_layout()
        except FileError as error:
            layout = _or_raise(layout_now or self.last_layout(), error)
            alerts[Alert.LAYOUT] = self._describe(error, LAYOUT)
        try:
            rules = lookup.rules_of(layout)
        except FileError as error:
            rules = _or_raise(rules_now or self._last_rules(), error)
            alerts[Alert.RULES] = self._describe(error, RULES)
        changed, house = self.read_settings(), None
        try:
            house = house_rules.read(self._state)
        except FileError as error:
            if changed.rules == HOUSE_RULES:
                alerts[Alert.RULES] = str(error)
        if changed.rules == HOUSE_RULES and house is None:
            missing = f"{self._state / house_rules.FILE}: is missing; dudo-table staff rules chooses other rules"
            alerts.setdefault(Alert.RULES, missing)
        chosen = changed.rule_set(rules, house or rules_now)
        return Reading(changed.layout(layout), chosen, alerts, text, changed, rules, house)

    def keep(self, reading: Reading) -> None:
        """Save the current files as the last good configuration, without its faulty parts. Blocks."""
        if reading.text is not None or Alert.LAYOUT in reading.alerts:
            rules = None if Alert.RULES in reading.alerts else custom.to_toml(reading.rules_of_layout or reading.rules)
            self._last_good.keep(reading.text, rules)

    def read_settings(self) -> Settings:
        """Return the staff settings; if their file is damaged, log that and return defaults. Blocks."""
        try:
            return settings.read(self._state)
        except SettingsError as error:
            for line in str(error).splitlines():
                log.error("%s", line)
            return Settings()

    def write_settings(self, changed: Settings) -> None:
        """Save the staff settings. Blocks; raises `OSError`."""
        settings.write(changed, self._state)

    def write_house_rules(self, rules: Rules) -> None:
        """Save the house rules. Blocks; raises `OSError`."""
        house_rules.write(rules, self._state)

    def last_layout(self) -> Layout | None:
        """Return the last layout in effect; None if it is unknown or unusable in this version. Blocks."""
        return _read(self._last_good.layout(), lambda text: lookup.parse_layout(text, self._name))

    def _last_rules(self) -> Rules | None:
        return _read(self._last_good.rules(), custom.parse)

    def _read_layout(self) -> tuple[str | None, Layout]:
        shipped = layouts.builtin()
        if self._name in shipped or not lookup.looks_like_a_file(self._name):
            return None, lookup.layout(self._name)
        text = toml_file.read(self._name, LayoutError, "layout", shipped)
        return text, lookup.parse_layout(text, self._name)

    def _describe(self, error: FileError, copy: str) -> str:
        """Describe each fault on its own line, and name the file with the last good copy."""
        return f"{error}\n{self._last_good.folder / copy} is what was there before"


def _read(text: str | None, parse: Callable[[str], Meant]) -> Meant | None:
    try:
        return None if text is None else parse(text)
    except FileError:
        return None


def _or_raise(kept: Meant | None, error: FileError) -> Meant:
    if kept is None:
        raise error
    return kept
