"""Recognizes a layout or a rule set by its keys, and checks that the displays have the letters in an owner's names."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Literal

from firmware_host.configuration.rules.custom import KEYS
from hardware.config.layout_schema import LAYOUT
from hardware.config.problems import Problem, closest_match, preview

MAX_KEYS = 64
"""Misspelled keys that are used to guess a file's kind; each takes a tenth of a millisecond."""
_LAYOUT_KEYS = frozenset((*LAYOUT.required, *LAYOUT.optional)) - {"name"}
_RULES_KEYS = frozenset(KEYS) - {"name"}


def file_kind(written: Mapping[str, Any]) -> Literal["layout", "rules"] | None:
    """Return a file's intended kind: by a decisive key, or by most of its keys, or by similar ones."""
    if "seat" in written or "based_on" in written:
        return "layout" if "seat" in written else "rules"
    for keys in (written, [closest_match(key, _LAYOUT_KEYS | _RULES_KEYS) for key in islice(written, MAX_KEYS)]):
        laid, ruled = (sum(key in known for key in keys) for known in (_LAYOUT_KEYS, _RULES_KEYS))
        if laid != ruled:
            return "layout" if laid > ruled else "rules"
    return None


def unprintable_glyphs(key: str, name: object) -> Iterator[Problem]:
    """Yield a fault for a name's letters missing from the displays' fonts."""
    from firmware_host.screens.graphics.text import missing_glyphs

    if isinstance(name, str) and name.isprintable() and (letters := missing_glyphs(name)):
        yield Problem(
            key, preview(name), f"the displays have no letter {' '.join(letters)}", "write it in Latin letters"
        )
