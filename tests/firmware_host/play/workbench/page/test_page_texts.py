"""The texts of the page: each is used, none is missing for a code of the game, and each public event is told."""

import re
from collections.abc import Iterator, Mapping
from typing import get_args, get_type_hints

from engine import RULESETS, Call, RoundKind, Rules
from firmware_host.i18n.page_texts import TEXTS, Text, Texts
from firmware_host.i18n.workbench_texts import WORKBENCH_TEXTS
from firmware_host.play.workbench import protocol
from firmware_host.play.workbench.web_app import FILES, load_files
from firmware_host.table.seat.menu import MenuCommand


def group(key: str) -> Mapping[str, Text | Texts]:
    found = WORKBENCH_TEXTS[key]
    assert isinstance(found, Mapping)
    return found


def flat(texts: Texts, path: str = "") -> Iterator[str]:
    """Yield the path of every text."""
    for key, text in texts.items():
        if isinstance(text, Mapping):
            yield from flat(text, f"{path}/{key}")
        else:
            yield f"{path}/{key}"


def test_every_call_round_and_rule_is_worded() -> None:
    assert group("call-names").keys() == group("claims").keys() - {"pass"} == {str(call) for call in Call}
    assert {f"claim-{call}" for call in group("claims")} <= TEXTS.keys()
    assert group("choices").keys() == set(RoundKind)
    special = {kind for rules in RULESETS.values() for kind in rules.special}
    assert special <= group("lesson").keys() & group("special").keys()
    exact = [call for rules in RULESETS.values() for call in (rules.calza, rules.kill, rules.spot) if call is not None]
    assert {code for call in exact for code in (call.right, call.wrong)} <= group("lesson").keys()


def test_every_refusal_is_worded() -> None:
    assert group("refused").keys() == {*get_args(protocol.Refusal)}


def test_every_effect_of_ok_has_a_hint() -> None:
    of_scenes = {MenuCommand.JOIN, MenuCommand.START, MenuCommand.ROLL, MenuCommand.GO_ON, MenuCommand.AGAIN}
    silent = {MenuCommand.WAIT, MenuCommand.BACK}
    assert {*MenuCommand} - of_scenes - silent <= group("ok").keys()


def test_a_page_has_every_text_that_it_looks_up() -> None:
    modules = "".join(file.read_text() for file in [*FILES.glob("*.js"), *FILES.glob("*.html")])
    looked_up = {*re.findall(r'\btexts(?:\.(\w+)|\["([\w-]+)"\])', modules)}
    labelled = {(key, "") for key in re.findall(r'data-(?:text|label)="([\w-]+)"', modules)}
    made = {"faces", "nobody"}  # by page_texts
    missing = {one or other for one, other in looked_up | labelled} - {*TEXTS, *WORKBENCH_TEXTS} - made
    assert missing == set()


def test_every_text_is_used() -> None:
    modules = "".join(file.read_text() for file in [*FILES.glob("*.js"), *FILES.glob("*.html")])
    looked_up = set(re.findall(r"[\w-]+", modules))
    composed = ("keys", "devices", "choices", "special", "claims", "refused", "call-names", "ok")
    for path in flat(WORKBENCH_TEXTS):
        part, key = path.split("/")[1], path.split("/")[-1]
        if part not in composed:
            assert key in looked_up or _is_composed(part, key), path


def _is_composed(part: str, key: str) -> bool:
    """Return whether a key is put together from a code."""
    codes = {"seat": ("no-board", "no-buttons", "no-cup", "no-panel", "no-phone", "you", "robot", "person", "free")}
    codes["hint"] = ("lift-own", "lift-others", "hold-own", "hold-others")
    codes["advice"] = ("look", "wait", "nothing")
    codes["lesson"] = (
        *RoundKind,
        *get_args(get_type_hints(Rules)["fixed_face_name"]),
        "caller-gains",
        "bidder-loses",
        "nobody-loses",
        "caller-loses",
        "bidder-gains",
    )
    return key in codes.get(part, ())


def test_a_table_in_english_leaves_the_language_to_the_browser() -> None:
    meta = b'<meta name="table-language" content="%s">'
    assert meta % b"" in load_files("en")["index.html"]
    assert meta % b"fr" in load_files("fr")["index.html"]
