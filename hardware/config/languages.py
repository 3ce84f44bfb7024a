"""The languages that panels can speak, and what somebody meant who names one in another way.

`hardware.config.layout_schema` checks a layout's `language` with it; the words themselves are
`firmware_host.i18n.catalogues`.
"""

from collections.abc import Iterator

from msgspec import Struct

from hardware.config.problems import Fault, choose_from, closest, shown

_NAMES = {
    "en": ("english", "inglés", "anglais"),
    "es": ("spanish", "español", "castellano", "espagnol"),
    "fr": ("french", "francés", "français"),
}
LANGUAGES = tuple(_NAMES)
_CODES = {name: code for code, names in _NAMES.items() for name in names}


def choose_language(word: str) -> str:
    """The remedy for a language nobody knows: the one that is meant, be it as `Spanish` or as `es_PE`; then all."""
    code = word.casefold().replace("-", "_").partition("_")[0]
    meant = code if code in LANGUAGES else _CODES.get(closest(word, _CODES) or "")
    return choose_from(meant or word, LANGUAGES)


class Language(Struct, frozen=True):
    """One of the languages, by its code of two letters."""

    example: str = f'"{LANGUAGES[0]}"'

    def faults(self, key: str, value: object) -> Iterator[Fault]:
        """Anything but a known code."""
        if value not in LANGUAGES:
            remedy = choose_language(value if isinstance(value, str) else "")
            yield Fault(key, shown(value), "is not a language this version speaks", remedy)
