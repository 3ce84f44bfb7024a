"""The check of the dice in a real browser: the verdicts of `dudo-table verify`, and how a guest gets one."""

import json
import os
import random
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support import ROOT
from support.host.browser import PATIENCE_MS, a_chromium
from support.host.public_pages import Line, StagedTable, a_screen, showdown, state
from support.proofs import captured_records
from support.proofs.forgery import rechained
from support.proofs.proven_matches import ProvenMatch

from engine import PERUDO, RULESETS, parse_rules

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

MATCH = ProvenMatch(PERUDO, 5, seats=4)
RECORD = MATCH.record
OVER = state("over", showdown=showdown(), winner=3, standings=[3, 0, 1, 2], match=MATCH.id, head=MATCH.heads[-1])
VERDICTS = """async (records) => {
    const { verify } = await import("/check/verify.js");
    const { lines } = await import("/check/report.js");
    return records.map((text) => {
        try {
            return verify(text).map((each) => {
                const wrong = each.wrong && [each.wrong.line, each.wrong.message];
                return [each.match, wrong, each.cut, each.isProven, lines(each)];
            });
        } catch (error) {
            return [error.line ?? 0, error.message];
        }
    });
}"""
HEADS = """async ([text, heads]) => {
    const { verify } = await import("/check/verify.js");
    const { findHead, headLines } = await import("/check/report.js");
    const verdicts = verify(text);
    return heads.map((head) => headLines(findHead(verdicts, head)));
}"""
SLOW_TESTS = "test_any_other_character_in_the_place_of_one_is_told_by_its_line"
CUSTOM_RULES = (
    "la%20cantina=palo-fijo(cap=dice-in-play,calza.by=anyone,pass.raise_after=false,pass.with_fewer_dice=false)",
    "o=kill-spot(wild_aces=true,to_aces=half,halving_without_wilds=true,banked_lives=true,special_after_cancel=true)",
    "caf%C3%A9%0A=pyrudo(starting_dice=3,special=-,pass.wild_aces=true)",
)


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    with a_chromium() as browser:
        yield browser


@pytest.fixture
def table() -> Iterator[StagedTable]:
    with tempfile.TemporaryDirectory() as folder:  # a socket's path may not be as long as a test's
        staged = StagedTable(Path(folder) / "events.sock")
        staged.record = record_line(RECORD)
        staged.send(OVER)
        yield staged
        staged.close()


def record_line(text: str) -> Line:
    return {"type": "record", "match": MATCH.id, "text": text}


@contextmanager
def a_page(browser: "Browser", address: str) -> Iterator["Page"]:
    """A phone's page; an error of its script fails the test."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce", locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda text: complaints.append(text.text) if "Content Security" in text.text else None)
    page.goto(address)
    yield page
    context.close()
    assert complaints == []


@contextmanager
def a_check(browser: "Browser", table: StagedTable) -> Iterator["Page"]:
    """The page that the code of the screen opens, with its verdict."""
    with a_screen(table.path) as screen, a_page(browser, screen.address) as page:
        page.wait_for_selector("#check:not([hidden])", state="attached")
        page.goto(f"{screen.address}{page.get_attribute('#check', 'href')}")
        page.wait_for_selector("#verdict:not([data-kind=working])")
        yield page


def outcome(page: "Page") -> str:
    return str(page.get_attribute("#verdict", "data-kind"))


def compared(page: "Page", letters: str) -> str:
    """Return what the page says of letters."""
    page.fill("#noted", letters)
    page.click("#letters button")
    return page.inner_text("#found")


# The verdicts


def records_of_the_tests() -> list[tuple[str, Any]]:
    """Return every record that the tests of fairness verify, right ones and forged ones, with its outcome."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "records.json"
        command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider"]
        chosen = [
            "-p",
            captured_records.__name__,
            "-k",
            f"(verify or attack or faulty or version_1) and not {SLOW_TESTS}",
        ]
        environment = os.environ | {captured_records.FILE: str(file), "PYTHONPATH": "tests"}
        subprocess.run(
            [*command, *chosen, "tests/firmware_host/fairness"],
            cwd=ROOT,
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        captured = json.loads(file.read_text("utf-8"))
    # Python and a browser may know different versions of Unicode: one can't see what the other can.
    return [(text, told) for text, told in captured if "Cn" not in set(map(unicodedata.category, set(text)))]


def changed_records(count: int) -> list[tuple[str, Any]]:
    """Return records of all rules in which one character or word was changed, some with heads that fit again."""
    rng, records = random.Random(3), list[str]()
    rules = [*RULESETS.values(), *map(parse_rules, CUSTOM_RULES)]
    right = [
        ProvenMatch(each, seed, seats=2 + seed % 3, rounds=4, undos=0.15 * seed, handovers=0.05 * seed).record
        for each in rules
        for seed in range(2)
    ]
    for _ in range(count):
        record = rng.choice(right)
        at = rng.randrange(len(record))
        if rng.random() < 0.5:
            record = record[:at] + rng.choice("0123456789abcdefXZ%=:/ x?*-\t\u2028é\u200b") + record[at + 1 :]
        else:
            words = record.split(" ")
            seat, said = rng.randrange(4), rng.choice(["dudo", "calza", "spot", "pass", "leave", "blind", "3x2", "0x7"])
            words[rng.randrange(9, len(words))] = rng.choice([f"{seat}:{said}", "void", "forgo", "undo", "?"])
            record = " ".join(words)
        records.append(rechained(record) if rng.random() < 0.5 and "\u2028" not in record else record)
    return [(record, captured_records.outcome(record)) for record in [*right, *records]]


def without_hint(told: Any) -> Any:
    """Return an outcome without the key that a misspelled one may have meant, which the page does not guess."""
    if isinstance(told, list):
        return [without_hint(each) for each in told]
    if isinstance(told, str) and ": expected " in told and told.endswith(": …"):
        return told.partition(": expected ")[0] + ": expected rules, date, seat 0 to 7 or first, and a colon"
    return told.partition(", did you mean ")[0] if isinstance(told, str) else told


@pytest.mark.parametrize(
    "records", [records_of_the_tests, lambda: changed_records(250)], ids=["of-the-tests", "changed"]
)
def test_the_page_says_of_every_record_what_verify_says(chromium: "Browser", table: StagedTable, records: Any) -> None:
    captured = records()
    assert len(captured) > 250
    with a_screen(table.path) as screen, a_page(chromium, f"{screen.address}check/") as page:
        said = page.evaluate(VERDICTS, [text for text, _ in captured])
    wrong = [(told, seen) for (_, told), seen in zip(captured, said, strict=True) if without_hint(told) != seen]
    assert wrong == []


def test_the_page_finds_the_letters_that_verify_finds(chromium: "Browser", table: StagedTable) -> None:
    from firmware_host.fairness.verify.checker import verify
    from firmware_host.fairness.verify.verdict import find_head

    verdicts, heads = verify(RECORD), [head[:11] for head in MATCH.heads]
    found = [find_head(verdicts, head) for head in heads]
    with a_screen(table.path) as screen, a_page(chromium, f"{screen.address}check/") as page:
        said = page.evaluate(HEADS, [RECORD, heads])
    assert said == [[*each.lines()] for each in found if each is not None]


# A guest


def test_after_a_match_the_code_opens_a_check_that_says_the_dice_are_right(
    chromium: "Browser", table: StagedTable
) -> None:
    with a_check(chromium, table) as page:
        assert outcome(page) == "right"
        assert page.inner_text("#verdict h2") == "The dice are right"
        assert "Lima" in page.inner_text("#match")
        assert compared(page, MATCH.heads[-1][:16].lower()).startswith(
            "Found: these are the last letters of the match."
        )
        assert compared(page, MATCH.heads[3][:11]).startswith("Found")
        assert page.get_attribute("#save", "download") == f"{MATCH.id}.dudo"


def test_letters_that_were_mistyped_are_told_from_letters_of_another_match(
    chromium: "Browser", table: StagedTable
) -> None:
    head = MATCH.heads[-1][:12]
    other = head[:5] + ("A" if head[5] != "A" else "B") + head[6:]
    swapped = head[:7] + head[8] + head[7] + head[9:]
    with a_check(chromium, table) as page:
        for mistyped in (other, head[:5] + head[6:], head[:5] + "7" + head[5:], swapped):
            assert "but these are: K3PT WSSS" in compared(page, mistyped), mistyped
        assert compared(page, "ABCD EFGH JKM").startswith("Not in this record. Look again")
        assert compared(page, "7K3U").startswith("“U” is on no display.")
        assert compared(page, "7K3M") == "4 of at least 8 letters"


def test_a_forged_record_gets_a_clear_verdict_in_every_language(chromium: "Browser", table: StagedTable) -> None:
    lines = RECORD.splitlines()
    line = next(at for at, text in enumerate(lines) if text.startswith("% deal 1 seed"))
    lines[line] = lines[line].replace("seed ", "seed 0123456789abcdef", 1)[: len(lines[line])]
    table.record = record_line("\n".join(lines) + "\n")
    titles = set()
    with a_check(chromium, table) as page:
        for language in ("es", "fr", "en"):
            page.select_option("#language", language)
            page.wait_for_selector(f"html[lang={language}] #verdict:not([data-kind=working])")
            assert outcome(page) == "wrong"
            assert str(line + 1) in page.inner_text("#verdict p")
            titles.add(page.inner_text("#verdict h2"))
    assert len(titles) == 3


def test_the_check_breaks_no_serious_rule_of_accessibility(chromium: "Browser", table: StagedTable) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="make test installs axe").Axe()
    with a_check(chromium, table) as page:
        compared(page, "ABCD EFGH JKM")
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        violations = axe.run(page).response["violations"]
        assert [rule["id"] for rule in violations if rule["impact"] in ("serious", "critical")] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
