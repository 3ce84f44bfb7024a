"""What an owner has configured: the layout in a file and its rules, or the last good ones where a file is wrong.

`run` reads it at its start and whenever it is told to reload. A table is never without a layout because somebody was
interrupted while editing one.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from engine import Rules
from firmware_host.configuration import lookup
from firmware_host.configuration.last_good import LAYOUT, RULES, LastGood
from firmware_host.configuration.rules import custom, registry
from firmware_host.table.health import Alert
from hardware.config import layout as layouts
from hardware.config import toml_file
from hardware.config.layout import Layout, LayoutError
from hardware.config.problems import FileError

Meant = TypeVar("Meant", Layout, Rules)


class Reading(Struct, frozen=True):
    """What is to be in force. `troubles` has the parts of which that is the last good one, and why."""

    layout: Layout
    rules: Rules
    troubles: Mapping[Alert, str]
    text: str | None  # of the layout's file; None where that is shipped, or the last good one


class Configuration:
    """The configuration that begins with the layout called `name`, shipped or a file; `state` is the state folder."""

    def __init__(self, name: str, state: Path) -> None:
        self._name = name
        self._last_good = LastGood(state, name)

    def read(self, layout_now: Layout | None = None, rules_now: Rules | None = None) -> Reading:
        """What is to be in force, of a wrong file what is given as in force now, else the last good one.

        Blocks; raises `FileError` where a file is wrong and none was ever good.
        """
        troubles: dict[Alert, str] = {}
        text = None
        try:
            text, layout = self._written()
        except FileError as error:
            layout = _or_raise(layout_now or self.last_layout(), error)
            troubles[Alert.LAYOUT] = self._told(error, LAYOUT)
        try:
            rules = registry.of_layout(layout)
        except FileError as error:
            rules = _or_raise(rules_now or self._last_rules(), error)
            troubles[Alert.RULES] = self._told(error, RULES)
        return Reading(layout, rules, troubles, text)

    def keep(self, reading: Reading) -> None:
        """This is in force: what of it is good is from now on the last that was. Blocks."""
        if reading.text is not None or Alert.LAYOUT in reading.troubles:
            rules = None if Alert.RULES in reading.troubles else custom.to_toml(reading.rules)
            self._last_good.keep(reading.text, rules)

    def last_layout(self) -> Layout | None:
        """The layout that was last in force; None if that is not known, or can't be used any more. Blocks."""
        return _read(self._last_good.layout(), lambda text: lookup.parse_layout(text, self._name))

    def _last_rules(self) -> Rules | None:
        return _read(self._last_good.rules(), custom.parse)

    def _written(self) -> tuple[str | None, Layout]:
        shipped = layouts.builtin()
        if self._name in shipped or not registry.looks_like_a_file(self._name):
            return None, lookup.layout(self._name)
        text = toml_file.read(self._name, LayoutError, "layout", shipped)
        return text, lookup.parse_layout(text, self._name)

    def _told(self, error: FileError, copy: str) -> str:
        """Every fault on a line of its own, and where the owner finds what was there before."""
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
