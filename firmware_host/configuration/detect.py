"""What can be said of an owner's file before it is checked: which kind it is, and whether panels can show its names."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Literal

from firmware_host.configuration.rules.custom import KEYS
from hardware.config.layout_schema import LAYOUT
from hardware.config.problems import Fault, closest, shown

MAX_KEYS = 64
"""The misspelled keys by which a file's kind is guessed; each takes a tenth of a millisecond."""
_LAYOUT_KEYS = frozenset((*LAYOUT.needed, *LAYOUT.optional)) - {"name"}
_RULES_KEYS = frozenset(KEYS) - {"name"}


def kind(written: Mapping[str, Any]) -> Literal["layout", "rules"] | None:
    """What a file is meant to be: by its one sure key, else by most of its keys, else by what they nearly are."""
    if "seat" in written or "based_on" in written:
        return "layout" if "seat" in written else "rules"
    for keys in (written, [closest(key, _LAYOUT_KEYS | _RULES_KEYS) for key in islice(written, MAX_KEYS)]):
        laid, ruled = (sum(key in known for key in keys) for known in (_LAYOUT_KEYS, _RULES_KEYS))
        if laid != ruled:
            return "layout" if laid > ruled else "rules"
    return None


def illegible(key: str, name: object) -> Iterator[Fault]:
    """The letters of a name that no panel has."""
    from firmware_host.screens.graphics.text import missing_glyphs

    if isinstance(name, str) and name.isprintable() and (letters := missing_glyphs(name)):
        yield Fault(key, shown(name), f"the panels have no letter {' '.join(letters)}", "write it in Latin letters")
