"""The panels' languages: from a language's code to the translation that `screens.words.Words` speaks with.

The words are in `locale/*/LC_MESSAGES/dudo-table.po`. They are compiled where the packages are built (`setup.py`) or by
`make words`; what is read here is the compiled `.mo`. English is what stands in the code.
"""

from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

from firmware_host.errors import UnknownLanguageError
from hardware.config.languages import LANGUAGES, choose_language

__all__ = ["LANGUAGES", "tongue"]

DOMAIN = "dudo-table"
CATALOGUES = Path(__file__).with_name("locale")


@cache
def tongue(language: str) -> NullTranslations:
    """The translation into one of `LANGUAGES`. Raises UnknownLanguageError."""
    if language not in LANGUAGES:
        raise UnknownLanguageError(f"{language} is not a language the panels speak; {choose_language(language)}")
    if language == "en":
        return NullTranslations()
    try:
        return translation(DOMAIN, CATALOGUES, [language])
    except FileNotFoundError as error:
        problem = f"the panels' words in {language} have not been compiled"
        raise UnknownLanguageError(f"{problem}; install dudo-table anew, or in a clone: make words") from error
