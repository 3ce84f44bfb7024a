"""The check of the dice in a real browser: the verdicts of `dudo-table verify`, and how a guest gets one."""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from support import ROOT
from support.pages.accessibility import broken_rules
from support.pages.browser import PATIENCE_MS
from support.pages.public_pages import Line, StagedTable, a_screen, showdown, state
from support.proofs import captured_records
from support.proofs.forgery import rechained
from support.proofs.phone_dice import CHECKED, difference, matches_of
from support.proofs.proven_matches import ProvenMatch

from engine import PERUDO, RULESETS, parse_rules, settlement
from firmware_host.fairness.verify.checker import verify
from firmware_host.fairness.verify.deal_checker import DealStage
from firmware_host.fairness.verify.verdict import find_head
from firmware_host.store.scores.record_verdict import told

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

MATCH = ProvenMatch(PERUDO, 5, seats=4)
RECORD = MATCH.record
OVER = state("over", showdown=showdown(), winner=3, standings=[3, 0, 1, 2], match=MATCH.id, head=MATCH.heads[-1])
HEADS = """async ([text, heads]) => {
    const { checkDice } = await import("/check/dice.js");
    const { coverage, findHead } = await import("/check/letters.js");
    const check = checkDice(text);
    return heads.map((head) => {
        const found = findHead(check, head);
        return [found.line, found.following, coverage(check, found)];
    });
}"""
SLOW_TESTS = "test_any_other_character_in_the_place_of_one_is_told_by_its_line"
CUSTOM_RULES = (
    "la%20cantina=palo-fijo(cap=dice-in-play,calza.by=anyone,pass.raise_after=false,pass.with_fewer_dice=false)",
    "o=kill-spot(wild_aces=true,to_aces=half,halving_without_wilds=true,banked_lives=true,special_after_cancel=true)",
    "caf%C3%A9%0A=pyrudo(starting_dice=3,special=-,pass.wild_aces=true)",
)


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
    """Give a phone's page; an error of its script fails the test."""
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
    """Give the page that the code of the screen opens, with its verdict."""
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


def records_of_the_tests() -> list[str]:
    """Return every record that the tests of fairness verify, right ones and forged ones."""
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
        return list(json.loads(file.read_text("utf-8")))


def changed_records(count: int) -> list[str]:
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
    return [*right, *records]


@pytest.mark.parametrize(
    "records", [records_of_the_tests, lambda: changed_records(300)], ids=["of-the-tests", "changed"]
)
def test_the_page_computes_the_dice_of_every_record_as_verify_does(
    chromium: "Browser", table: StagedTable, records: Any
) -> None:
    texts = matches_of(records())
    assert len(texts) > 250
    with a_screen(table.path) as screen, a_page(chromium, f"{screen.address}check/") as page:
        said = page.evaluate(CHECKED, texts)
    wrong = [(different, text) for text, told in zip(texts, said, strict=True) if (different := difference(text, told))]
    assert [different for different, _ in wrong] == []


def test_the_page_finds_the_letters_that_verify_finds(chromium: "Browser", table: StagedTable) -> None:
    verdicts, heads = verify(RECORD), [head[:11] for head in MATCH.heads]
    found = [find_head(verdicts, head) for head in heads]
    with a_screen(table.path) as screen, a_page(chromium, f"{screen.address}check/") as page:
        said = page.evaluate(HEADS, [RECORD, heads])
    for (line, following, covered), there in zip(said, found, strict=True):
        assert there is not None
        assert (line, following) == (there.line, there.following)
        bound, late = "was bound by then", "a cup committed after it"
        last = [*there.lines()][-1]
        assert (covered is not None, bool(covered and covered["late"])) == (bound in last or late in last, late in last)


def played_by_a_made_up_rule(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return an honest record of a table whose rules have a field that no other table knows: a call costs two dice."""
    change = settlement._apply_dice_change
    with monkeypatch.context() as patch:
        for written in ("firmware_host.fairness.chain.write_rules", "engine.notation.score_text.write_rules"):
            patch.setattr(written, lambda _: "moon=perudo(a_call_costs=two)")
        patch.setattr("firmware_host.fairness.chain.parse_rules", lambda _: PERUDO)
        patch.setattr(
            settlement,
            "_apply_dice_change",
            lambda ended, seat, count: change(ended, seat, 2 * count if ended.dice[seat] > 1 else count),
        )
        return ProvenMatch(PERUDO, 5, seats=4, accidents=False).record


def test_a_rule_that_no_other_table_knows_changes_nothing_for_the_phone(
    chromium: "Browser", table: StagedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    moon = played_by_a_made_up_rule(monkeypatch)
    call = next(word for word in moon.split() if word.endswith(":dudo"))
    a_word_more = rechained(moon.replace(call, f"{call[0]}:howl {call}", 1))
    as_perudo = re.compile(r"% deal 2 seed (\w)")
    forged = rechained(as_perudo.sub(lambda seed: seed[0][:-1] + ("0" if seed[1] != "0" else "1"), moon))
    with a_screen(table.path) as screen, a_page(chromium, f"{screen.address}check/") as page:
        right, also_right, wrong = page.evaluate(CHECKED, [moon, a_word_more, forged])
    assert all(verdict.wrong is not None for verdict in verify(moon))
    assert (right["wrong"], right["proven"], right["closed"]) == (None, True, True)
    assert also_right["wrong"] is None
    assert wrong["wrong"][0] == forged[: forged.index("% deal 2 seed")].count("\n") + 1


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


def verdict_line(text: str) -> Line:
    return {"type": "verdict", "match": MATCH.id, "text": text}


def table_word(page: "Page") -> tuple[str, str]:
    """Return the kind and the text of the table's own word, once it is there."""
    page.wait_for_selector("#word:not([data-kind=working])")
    return str(page.get_attribute("#word", "data-kind")), page.inner_text("#word")


def test_the_verdict_of_verify_stands_beside_as_the_word_of_the_table(chromium: "Browser", table: StagedTable) -> None:
    table.verdict = verdict_line(told(RECORD))
    (verdict,) = verify(RECORD)
    with a_check(chromium, table) as page:
        kind, word = table_word(page)
        assert (outcome(page), kind) == ("right", "right")
        assert "The table’s own word" in word
        assert "This phone has checked the dice, not the rules." in word
        assert page.text_content("#details pre") == "\n".join(verdict.lines())


def test_a_broken_rule_is_the_word_of_the_table_and_leaves_the_dice_right(
    chromium: "Browser", table: StagedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    moon = played_by_a_made_up_rule(monkeypatch)
    table.record, table.verdict = record_line(moon), verdict_line(told(moon))
    with a_check(chromium, table) as page:
        kind, word = table_word(page)
        assert (outcome(page), kind) == ("right", "wrong")
        assert "line 2 of the record is wrong" in word


def test_a_table_that_gives_no_verdict_leaves_the_dice_right(chromium: "Browser", table: StagedTable) -> None:
    with a_check(chromium, table) as page:
        kind, word = table_word(page)
        assert (outcome(page), kind) == ("right", "open")
        assert "says nothing about this match" in word


def test_everything_unusual_in_a_record_has_a_note(chromium: "Browser", table: StagedTable) -> None:
    match = ProvenMatch(PERUDO, 0, seats=4, undos=0.1, handovers=0.05, reopenings=2)
    cut = match.record.removesuffix("\n").rpartition("\n")[0] + "\n"
    table.record = record_line(cut)
    (verdict,) = verify(cut)
    void = len(verdict.deals_at(DealStage.SECRET))
    assert min(verdict.undone, verdict.handed_over, verdict.reopened, void, len(match.repeated)) > 1
    with a_check(chromium, table) as page:
        notes = page.inner_text("#sources ul").split("\n")
    for note in (
        f"{len(match.repeated)} rolls were repeated.",
        f"The dice of {void} void rounds stay secret.",
        f"{verdict.undone} actions were taken back.",
        f"Seats were handed over to another person {verdict.handed_over} times.",
        f"The match went on {verdict.reopened} times after its end, with new rolls.",
        "The record ends before the match does.",
    ):
        assert notes.count(note) == 1, note


def test_a_round_has_its_number_of_the_record_after_a_reopened_call(chromium: "Browser", table: StagedTable) -> None:
    record = ProvenMatch(PERUDO, 2, seats=3, reopenings=1).record
    assert re.search(r"^reopen$", record, re.M)
    table.record = record_line(record)
    with a_check(chromium, table) as page:
        page.evaluate("document.querySelector('#rounds').open = true")
        shown = page.locator("#rounds li > b").all_inner_texts()
    assert shown[:5] == ["1.", "2.", "3.", "3.", "4."]
    assert len(shown) - 1 == int(shown[-1].rstrip("."))


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
    with a_check(chromium, table) as page:
        compared(page, "ABCD EFGH JKM")
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert broken_rules(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
