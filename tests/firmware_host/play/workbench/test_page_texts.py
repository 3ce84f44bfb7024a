"""The texts of the page: every language has each of them, with the same gaps and plurals, in the panels' vocabulary."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from string import Formatter
from typing import Any, get_args, get_type_hints

import pytest
from support import ROOT

from engine import RULESETS, Call, RoundKind, Rules
from firmware_host.i18n.catalogues import translation_for
from firmware_host.i18n.phrases import FACE_NAMES
from firmware_host.play.workbench.guests import Refusal
from firmware_host.play.workbench.web_app import FILES
from firmware_host.table.health import Alert
from hardware.config.languages import LANGUAGES

TRANSLATED = [language for language in LANGUAGES if language != "en"]
in_every_language = pytest.mark.parametrize("language", LANGUAGES)
in_every_translation = pytest.mark.parametrize("language", TRANSLATED)
DOCUMENT = (ROOT / "docs/events.md").read_text(encoding="utf-8")
FIRST_WORDS = "\nexport default "


def texts(language: str) -> dict[str, Any]:
    """Return the texts of a language: its module is a comment, `export default` and JSON."""
    _, json_text = (FILES / "texts" / f"{language}.js").read_text(encoding="utf-8").split(FIRST_WORDS)
    read: dict[str, Any] = json.loads(json_text.rstrip().removesuffix(";"))
    return read


def flat(texts: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text with its path."""
    if isinstance(texts, str):
        yield path, texts
        return
    for key, text in texts.items() if isinstance(texts, dict) else enumerate(texts):
        yield from flat(text, f"{path}/{key}")


def gaps(text: str) -> Counter[str]:
    return Counter(field for _, field, _, _ in Formatter().parse(text) if field is not None)


def test_the_page_speaks_the_languages_of_the_displays() -> None:
    assert {file.stem for file in (FILES / "texts").iterdir()} == set(LANGUAGES)
    imported = re.findall(r'from "./texts/(\w+).js"', (FILES / "texts.js").read_text())
    assert set(imported) == set(LANGUAGES)


@in_every_translation
def test_a_language_has_every_text_and_no_other(language: str) -> None:
    english = {path for path, _ in flat(texts("en"))}
    assert {path for path, _ in flat(texts(language)) if not path.startswith("/story/")} == english


@in_every_translation
def test_the_gaps_of_a_text_are_those_of_the_english(language: str) -> None:
    english = dict(flat(texts("en")))
    for path, text in flat(texts(language)):
        if path in english:
            assert gaps(text) == gaps(english[path]), path


@in_every_language
def test_no_text_is_empty(language: str) -> None:
    assert [path for path, text in flat(texts(language)) if not text.strip()] == []


def test_every_translation_tells_the_same_story() -> None:
    """English is told in the events' own sentences."""
    stories = [{path: gaps(text) for path, text in flat(texts(language)["story"])} for language in TRANSLATED]
    assert all(story == stories[0] for story in stories)


def test_every_event_with_a_sentence_is_in_the_story_of_each_language() -> None:
    """The examples of docs/events.md have each event, with its English sentences."""
    examples = map(json.loads, re.findall(r'^{"type":.+,"sentences":.+$', DOCUMENT, re.MULTILINE))
    told = {line["type"] for line in examples if line["sentences"]}
    module = (FILES / "story.js").read_text(encoding="utf-8")
    (entries,) = re.findall(r"^const EVENTS = {\n(.*?)^};", module, re.MULTILINE | re.DOTALL)
    listed = re.findall(r'^  "?([a-z-]+)"?(:[^,\n]*)?,?', entries, re.MULTILINE)
    missing = sorted(told - {kind for kind, _ in listed})
    assert missing == [], f"write these events into EVENTS of story.js: {', '.join(missing)}"
    simple = {kind for kind, value in listed if value.strip(": ") in ("simple", "device", "trouble")}
    for language in TRANSLATED:
        missing = sorted(simple - texts(language)["story"].keys())
        assert missing == [], f"write these events into the story of {language}: {', '.join(missing)}"


@in_every_translation
def test_every_alert_is_worded(language: str) -> None:
    assert {str(alert) for alert in Alert} <= texts(language)["story"].keys()


@in_every_language
def test_every_call_round_and_rule_is_worded(language: str) -> None:
    words = texts(language)
    assert words["calls"].keys() == words["claims"].keys() - {"pass"} == {str(call) for call in Call}
    assert words["kinds"].keys() == set(RoundKind)
    special = {kind for rules in RULESETS.values() for kind in rules.special}
    assert special <= words["help"].keys() & words["round"].keys()
    exact = [call for rules in RULESETS.values() for call in (rules.calza, rules.kill, rules.spot) if call is not None]
    assert {code for call in exact for code in (call.right, call.wrong)} <= words["help"].keys()


@in_every_language
def test_faces_have_the_names_that_panels_give_them(language: str) -> None:
    translation = translation_for(language)
    for face, (one, many) in FACE_NAMES.items():
        expected = [translation.ngettext(one, many, count) for count in (1, 2)]
        assert texts(language)["faces"][str(face)] == expected


def test_every_text_is_used() -> None:
    modules = "".join(file.read_text() for file in [*FILES.glob("*.js"), *FILES.glob("*.html")])
    looked_up = set(re.findall(r"[\w-]+", modules))
    composed = ("keys", "devices", "faces", "calls", "kinds", "round", "claims", "story", "refused")
    for path, _ in flat(texts("en")):
        part, key = path.split("/")[1:3]
        if part not in composed and part != "dice":
            assert key in looked_up or _is_composed(part, key), path


def _is_composed(part: str, key: str) -> bool:
    """Whether a key is put together from a code."""
    codes = {"seat": ("no-board", "no-buttons", "no-cup", "no-panel", "you", "robot", "person", "free")}
    codes["hint"] = ("lift-own", "lift-others", "hold-own", "hold-others")
    codes["join"] = get_args(Refusal)
    codes["help"] = (
        *RoundKind,
        *get_args(get_type_hints(Rules)["fixed_face_name"]),
        "caller-gains",
        "bidder-loses",
        "nobody-loses",
        "caller-loses",
        "bidder-gains",
    )
    return key in codes.get(part, ())
