from pathlib import Path

import pytest

from firmware_host.errors import UnknownLanguageError, UserError
from firmware_host.i18n import catalogues
from firmware_host.i18n.catalogues import LANGUAGES, translation_for


def test_english_is_what_stands_in_the_code() -> None:
    assert translation_for("en").gettext("Whatever it is") == "Whatever it is"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_spoken(language: str) -> None:
    assert (translation_for(language).gettext("You win!") == "You win!") is (language == "en")


@pytest.mark.parametrize(("asked", "meant"), [("Spanish", "es"), ("es_PE.UTF-8", "es"), ("français", "fr")])
def test_one_who_names_a_language_in_another_way_is_told_its_code(asked: str, meant: str) -> None:
    with pytest.raises(UnknownLanguageError, match=f"{asked} is not .*; did you mean {meant}"):
        translation_for(asked)


@pytest.mark.parametrize("asked", ["", "de", "../es", "\0"])
def test_a_language_nobody_speaks_is_refused(asked: str) -> None:
    with pytest.raises(UnknownLanguageError, match="there is en, es, fr"):
        translation_for(asked)


def test_words_that_are_not_compiled_are_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(catalogues, "CATALOGUES", tmp_path)
    translation_for.cache_clear()
    with pytest.raises(UserError, match=r"display texts in es are not compiled; .* make words"):
        translation_for("es")
