"""The table's languages, and suggestions for a misspelled language.
`hardware.config.layout_schema` checks a layout's `language` with it; `firmware_host.i18n.catalogues` has the texts.
"""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from hardware.config.problems import Problem, closest_match, preview, suggest


class _LanguageRow(NamedTuple):
    """A language's own name, its espeak-ng voice, and its names in other languages, for an owner's file."""

    name: str
    voice: str
    also: tuple[str, ...]


_LANGUAGES = {
    "en": _LanguageRow("English", "en-gb", ("inglés", "anglais")),
    "es": _LanguageRow("Español", "es-419", ("spanish", "castellano", "espagnol")),
    "fr": _LanguageRow("Français", "fr", ("french", "francés")),
}
LANGUAGES = tuple(_LANGUAGES)
LANGUAGE_NAMES = {code: known.name for code, known in _LANGUAGES.items()}
VOICES = {code: known.voice for code, known in _LANGUAGES.items()}
ONE_OF_LANGUAGES = f"{', '.join(LANGUAGES[:-1])} or {LANGUAGES[-1]}"
"""The codes, for a command's help."""
_CODES = {name: code for code, known in _LANGUAGES.items() for name in (known.name.casefold(), *known.also)}


def suggest_language(word: str) -> str:
    """Return the remedy for an unknown language: the one that `Spanish` or `es_PE` probably means, then all."""
    code = word.casefold().replace("-", "_").partition("_")[0]
    meant = code if code in LANGUAGES else _CODES.get(closest_match(word, _CODES) or "")
    return suggest(meant or word, LANGUAGES)


class Language(Struct, frozen=True):
    """A language by its two-letter code."""

    example: str = f'"{LANGUAGES[0]}"'

    def problems(self, key: str, value: object) -> Iterator[Problem]:
        """Yield a problem for anything but a known code."""
        if value not in LANGUAGES:
            remedy = suggest_language(value if isinstance(value, str) else "")
            yield Problem(key, preview(value), "is not a language this version speaks", remedy)
