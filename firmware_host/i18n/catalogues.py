"""Display languages: from a language code to the translation for `i18n.words.Words`.

The texts are in `locale/*/LC_MESSAGES/dudo-table.po`. `setup.py` compiles them with the packages, `make words` in a
clone; this module reads the compiled `.mo` files. Texts in the code are English.
"""

from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

from firmware_host.errors import UnknownLanguageError
from hardware.config.languages import LANGUAGES, suggest_language

__all__ = ["LANGUAGES", "translation_for"]

DOMAIN = "dudo-table"
CATALOGUES = Path(__file__).with_name("locale")


@cache
def translation_for(language: str) -> NullTranslations:
    """Return the translation into one of `LANGUAGES`. Raises UnknownLanguageError."""
    if language not in LANGUAGES:
        raise UnknownLanguageError(f"{language} is not a language of the displays; {suggest_language(language)}")
    if language == "en":
        return NullTranslations()
    try:
        return translation(DOMAIN, CATALOGUES, [language])
    except FileNotFoundError as error:
        problem = f"the display texts in {language} are not compiled"
        raise UnknownLanguageError(f"{problem}; reinstall dudo-table, or run make words in a clone") from error
