"""The displays' languages, and suggestions for a misspelled language.
`hardware.config.layout_schema` checks a layout's `language` with it; `firmware_host.i18n.catalogues` has the texts.
"""

from collections.abc import Iterator

from msgspec import Struct

from hardware.config.problems import Problem, closest_match, preview, suggest

_NAMES = {
    "en": ("english", "inglés", "anglais"),
    "es": ("spanish", "español", "castellano", "espagnol"),
    "fr": ("french", "francés", "français"),
}
LANGUAGES = tuple(_NAMES)
_CODES = {name: code for code, names in _NAMES.items() for name in names}


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
