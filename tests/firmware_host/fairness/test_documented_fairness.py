"""The record, commands, lines and figures in docs/fairness.md are right."""

import re
from pathlib import Path

import pytest
from support import ROOT
from support.proofs.proven_matches import ProvenMatch

from engine import PERUDO
from firmware_host import cli
from firmware_host.fairness.verify import parser
from firmware_host.table.outputs import COMMITTED_LETTERS, FINAL_LETTERS

PAGE = (ROOT / "docs" / "fairness.md").read_text("utf-8")
FENCES = re.findall(r"^ *```(\w+)\n(.*?)^ *```$", PAGE, re.DOTALL | re.MULTILINE)
RECORD = ProvenMatch(PERUDO, 5, seats=2, rounds=3, accidents=False).record
SMALL = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def test_the_record_on_the_page_is_one_with_its_hashes_cut_short() -> None:
    (shown,) = (text for kind, text in FENCES if kind == "text")
    for shown_line, line in zip(shown.splitlines(), RECORD.splitlines(), strict=False):
        pattern = re.escape(shown_line).replace("…", r"\w*")
        assert re.fullmatch(pattern, line), shown_line


def test_the_commands_on_the_page_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("evening.dudo").write_text(RECORD, "utf-8")
    (text,) = (text for kind, text in FENCES if kind == "console")
    shown_line = []
    for command in text.split("\n")[:-1]:
        name, *words = command.split()
        assert name == "dudo-table"
        shown_line.append(cli.main(words))
    assert shown_line == [0, 1]  # the letters on the page are of another match
    assert "no head begins so" in capsys.readouterr().err


def test_the_page_tells_of_every_kind_of_line() -> None:
    table = PAGE[PAGE.index("| line | has |") :]
    shown_line = set(re.findall(r"`deal 3 (\w+)", table))
    assert shown_line == set(parser._FORMATS)


def test_letters_are_worth_what_the_page_says() -> None:
    rows = re.findall(r"^\| (\d+) \| 2([⁰¹²³⁴⁵⁶⁷⁸⁹]+).*\| 2([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", PAGE, re.MULTILINE)
    assert [int(letters) for letters, _, _ in rows] == [8, COMMITTED_LETTERS, FINAL_LETTERS, 26, 52]
    for letters, hit, alike in rows:
        bits = min(5 * int(letters), 256)
        assert (int(hit.translate(SMALL)), int(alike.translate(SMALL))) == (bits, bits // 2)


def test_what_the_page_refers_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", PAGE)
    assert links
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
    files = re.findall(r"`((?:tests|hardware|docs)/[\w/.]+)`", PAGE)
    assert [file for file in files if not (ROOT / file).exists()] == []
