"""The panels' words in the catalogues: all of them, none too many, and such that the panels can show them."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from support import ROOT

from firmware_host.i18n import catalogues, phrases
from firmware_host.screens.graphics.fitting import wrap
from firmware_host.screens.graphics.text import SMALL, missing_glyphs, width
from hardware.config.languages import LANGUAGES

TRANSLATED = [language for language in LANGUAGES if language != "en"]
in_every_translation = pytest.mark.parametrize("language", TRANSLATED)


def written(language: str) -> Path:
    return catalogues.CATALOGUES / language / "LC_MESSAGES" / f"{catalogues.DOMAIN}.po"


def catalogue(language: str) -> Catalog:
    with written(language).open("rb") as file:
        return read_po(file, abort_invalid=True)


def messages(language: str) -> Iterator[tuple[Message, tuple[str, ...], tuple[str, ...]]]:
    """Every message with its English forms and its translated ones."""
    for message in catalogue(language):
        if message.id:
            yield message, forms(message.id), forms(message.string)


def forms(text: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def gaps(text: str) -> Counter[str]:
    return Counter(field for _, field, _, _ in Formatter().parse(text) if field is not None)


def in_the_code() -> set[tuple[str | None, str | tuple[str, ...]]]:
    mappings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["babel"]["mappings"]
    methods = [(mapping["pattern"], mapping["method"]) for mapping in mappings]
    return {(context, text) for _, _, text, _, context in extract_from_dir(ROOT, methods)}


@in_every_translation
def test_a_catalogue_has_the_words_that_are_in_the_code_and_no_others(language: str) -> None:
    there = {(message.context, message.id) for message, _, _ in messages(language)}
    assert there == in_the_code(), "make words"


@in_every_translation
def test_every_word_is_translated_in_all_its_forms(language: str) -> None:
    plurals = catalogue(language).num_plurals
    wanting = [
        english
        for message, english, translated in messages(language)
        if not all(translated) or len(translated) != (plurals if message.pluralizable else 1)
    ]
    assert not wanting


@in_every_translation
def test_nothing_is_fuzzy_or_kept_from_earlier(language: str) -> None:
    assert not [message.id for message, _, _ in messages(language) if message.fuzzy]
    assert not catalogue(language).obsolete


@in_every_translation
def test_a_translation_has_the_gaps_of_its_english(language: str) -> None:
    for _, english, translated in messages(language):
        assert gaps(translated[-1]) == gaps(english[-1])
        assert gaps(translated[0]) in (gaps(english[0]), gaps(english[-1]))


NO_NAME = {phrases.FEWER, phrases.PLACE, *phrases.DICE, *phrases.BEGINS_IN}
"""English texts whose gap `{}` is a number or a bid; in every other text it is the name of a player."""
UNFIT_FOR_SOME_NAMES = {
    # An owner's names may begin with a vowel, and be those of anybody, a place or a colour.
    "en": re.compile(r"\b(he|she|him|her|his|hers)\b", re.I),
    "es": re.compile(r"\b(el|la|al|del|y|o) NAME|NAME (no )?(es|está|fue|ha sido|queda|quedó) \w+[oa]\b", re.I),
    "fr": re.compile(
        r"\b(de|que|jusque|lorsque|puisque|quoique|presque|le|la|du|au|si|je|me|te|se|ne|ce) NAME|’NAME"
        r"|NAME (n’)?(est|était|reste|semble|a été) (?!pas\b)\w+",
        re.I,
    ),
}
"""By language: words that lose a vowel or merge before some names, and words that agree with a gender."""


def about_players(language: str) -> Iterator[str]:
    """Every text with a name in it; NAME stands where the name will."""
    texts = [(english, translated) for _, english, translated in messages("es" if language == "en" else language)]
    for english, translated in texts:
        for text in english if language == "en" else translated:
            if "name" in gaps(text) or ("" in gaps(text) and not NO_NAME.intersection(english)):
                yield re.sub(r"\{(name)?}", "NAME", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_about_a_player_is_right_for_any_name(language: str) -> None:
    sentences = [*about_players(language)]
    assert len(sentences) > 20
    assert not [sentence for sentence in sentences if UNFIT_FOR_SOME_NAMES[language].search(sentence)]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "NAME has lost his cup"),
        ("es", "NAME está listo"),
        ("es", "la mesa del NAME"),
        ("fr", "NAME est parti : on resecoue"),
        ("fr", "Câble de NAME débranché"),
        ("fr", "on attend que NAME secoue"),
    ],
)
def test_a_sentence_that_is_wrong_for_some_names_is_found(language: str, sentence: str) -> None:
    assert UNFIT_FOR_SOME_NAMES[language].search(sentence)


@in_every_translation
def test_a_translation_ends_as_its_english_does(language: str) -> None:
    for _, english, translated in messages(language):
        assert {text[-1] for text in (*english, *translated)} & {*".!?:…"} == {english[0][-1]} & {*".!?:…"}
        assert all(text == text.strip() for text in translated)


ON_PAGES_ALONE = {"◀", "▶", "⋯"}
"""Letters that only texts of pages have; on the displays they are drawn."""


@in_every_translation
def test_the_panels_have_every_letter(language: str) -> None:
    letters = "".join(letter for _, _, translated in messages(language) for letter in translated)
    assert {*missing_glyphs(letters)} <= ON_PAGES_ALONE


def test_a_space_that_does_not_break_keeps_a_mark_with_its_word() -> None:
    room = width("On a passé\u00a0", SMALL)
    assert wrap("On a passé\u00a0: doute", (room, 30), 3, (SMALL,))[0] == ("On a", "passé\u00a0:", "doute")


@in_every_translation
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    said = catalogues.translation_for(language)
    for message, english, translated in messages(language):
        if message.context is not None:
            assert said.pgettext(message.context, *english) == translated[0], "make words"
        elif message.pluralizable:
            one, many = english
            assert tuple(said.ngettext(one, many, number) for number in (1, 2)) == translated, "make words"
        else:
            assert said.gettext(*english) == translated[0], "make words"


@in_every_translation
def test_plurals_are_those_of_the_language(language: str) -> None:
    of_the_language = Catalog(locale=language)
    assert catalogue(language).plural_forms == of_the_language.plural_forms


def test_there_is_a_catalogue_for_every_language_and_no_other() -> None:
    assert sorted(file.parent.parent.name for file in catalogues.CATALOGUES.glob("*/*/*.po")) == sorted(TRANSLATED)
