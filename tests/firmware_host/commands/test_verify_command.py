"""`dudo-table verify`: what it prints, where, and its exit code; and the records that `play` writes."""

from pathlib import Path

import pytest
from support.proofs.proven_matches import ProvenDeal, ProvenMatch

from engine import PERUDO
from firmware_host import cli

MATCH = ProvenMatch(PERUDO, 5, seats=2, rounds=2, accidents=False)
RECORD = MATCH.record
LAST, EARLIER = MATCH.heads[-1], MATCH.heads[4]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "evening.dudo"
    path.write_text(RECORD, "utf-8")
    return path


def verify(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = cli.main(["verify", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_right_record_is_told_in_full_and_ends_with_0(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = verify(capsys, file)
    assert (code, err) == (0, "")
    assert out.startswith(
        f"Match {MATCH.id} of perudo on 2026-11-21: Lima, Quito; not over.\n  2 rounds, 2 deals. 2 opened: "
    )
    assert f"\n  In full: {LAST}\n" in out


def test_without_a_head_it_says_what_that_does_not_prove(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = verify(capsys, file)
    assert "Without --head this says only that the record agrees with itself" in out


def test_the_first_wrong_line_is_told_on_stderr_and_ends_with_1(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(RECORD.replace("deal 1 seed ", "deal 1 seed 0"), "utf-8")
    code, out, err = verify(capsys, file)
    line = RECORD[: RECORD.index("% deal 1 seed")].count("\n") + 1
    assert (code, err) == (1, f"{file}:{line}: expected 64 hex digits after seed\n")
    assert f"Not right: see line {line}." in out
    assert "recomputed" not in out


def test_a_wrong_line_of_every_match_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = ProvenMatch(PERUDO, 6, seats=2, rounds=2, accidents=False).record
    file.write_text("\n".join(text.replace("deal 1 sealed", "deal 1 sealde") for text in (RECORD, other)), "utf-8")
    code, _, err = verify(capsys, file)
    assert (code, err.count("\n")) == (1, 2)


def test_a_record_that_is_wrong_is_not_said_to_agree_with_itself(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(RECORD.replace("deal 2 sealed", "deal 2 sealde"), "utf-8")
    code, out, _ = verify(capsys, file)
    assert code == 1
    assert "agrees with itself" not in out


@pytest.mark.parametrize("spelled", [LAST, LAST[:8], f"{LAST[:4]} {LAST[4:8]}".lower(), "-".join(LAST[:16])])
def test_the_last_head_is_told_as_such(spelled: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = verify(capsys, file, "--head", spelled)
    assert (code, err) == (0, "")
    assert "The head is the last one of match" in out
    assert "Without --head" not in out


def test_a_head_on_the_way_is_told_with_its_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = verify(capsys, file, "--head", EARLIER[:16])
    assert code == 0
    assert f"The head is that of match {MATCH.id} after line " in out


def test_a_head_that_is_not_there_is_told_and_ends_with_1(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = verify(capsys, file, "--head", "00000000")
    assert (code, err.count("\n")) == (1, 1)
    assert err.startswith(
        f"{file}: 00000000: no head begins so: this is not the record of that match, or it was changed"
    )


def test_a_head_from_before_what_is_wrong_makes_nothing_right(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(RECORD.replace("deal 2 sealed", "deal 2 sealde"), "utf-8")
    code, out, err = verify(capsys, file, "--head", EARLIER)
    assert (code, err.count("\n")) == (1, 1)
    assert "but the record is not right" in out


def test_a_record_cut_off_is_right_as_far_as_it_goes(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(RECORD[:-100], "utf-8")
    code, out, err = verify(capsys, file)
    assert (code, err) == (0, "")
    assert "which is left out; what stands before it is right." in out
    assert "Deal 2 was not opened when the record ends: its dice are not checked." in out


def test_a_record_cut_off_before_the_head_that_was_seen_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(RECORD[:-100], "utf-8")
    code, _, err = verify(capsys, file, "--head", LAST)
    assert code == 1
    assert "cut off before it" in err


NOTHING = {
    "its first words": "dudo score 1\n",
    "half of a heading": RECORD[:40],
    "a heading": RECORD[: RECORD.index("\n\n") + 2],
    "a match": RECORD[: RECORD.index("% deal 1 house")],
    "a sealed deal": RECORD[: RECORD.index("1. ")],
    "a seed": RECORD[: RECORD.index("% deal 1 opens 1")],
}


@pytest.mark.parametrize("what", NOTHING)
def test_a_record_that_proves_no_deal_is_told_and_ends_with_3(
    what: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(NOTHING[what], "utf-8")
    code, out, err = verify(capsys, file)
    assert (code, err.count("\n")) == (3, 1)
    assert err.startswith(f"{file}:1: no deal of this match was opened, so none of its dice is proven")
    assert "agrees with itself" not in out


def test_a_match_that_proves_nothing_is_not_made_good_by_another(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = ProvenMatch(PERUDO, 6, seats=2, rounds=2, accidents=False).record
    file.write_text(f"{RECORD}\n{other[: other.index('1. ')]}", "utf-8")
    code, out, err = verify(capsys, file)
    assert (code, err.partition(": ")[0]) == (3, f"{file}:{RECORD.count(chr(10)) + 2}")
    assert "2 opened: " in out


def test_what_is_wrong_comes_before_what_is_not_proven(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = ProvenMatch(PERUDO, 6, seats=2, rounds=2, accidents=False).record
    file.write_text(f"dudo score 1\n\n{other.replace('deal 1 sealed', 'deal 1 sealde')}", "utf-8")
    assert verify(capsys, file)[0] == 1


def test_repeats_end_with_1_and_one_line_that_names_them(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def stuck(deal: ProvenDeal) -> None:
        deal.entropies[0] = bytes(32)

    file.write_text(ProvenMatch(PERUDO, 5, seats=2, rounds=2, accidents=False, change=stuck).record, "utf-8")
    code, out, err = verify(capsys, file)
    assert (code, err) == (1, f"{file}:25: opens the same bytes as line 16, so they were no secret\n")
    assert "  Not fair as shown: see line 25.\n" in out


def test_proofs_of_a_newer_version_are_told_as_such(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(RECORD.replace(" proofs 2 ", " proofs 3 "), "utf-8")
    code, _, err = verify(capsys, file)
    assert (code, err) == (1, f"{file}:8: expected proofs 2: these are for another version of dudo-table\n")


BAD = {
    "a rule set": (b'name = "x"\n', "line 1: expected the first line of a record, dudo score 1; name a file that"),
    "nothing": (b"", "line 1: expected the first line of a record"),
    "another version": (b"dudo score 2\n", "line 1: expected the first line of a record of this version, dudo score 1"),
    "binary": (bytes(range(256)), "is not UTF-8"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_record_is_told_in_one_line_and_ends_with_2(
    what: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, problem = BAD[what]
    file.write_bytes(content)
    code, out, err = verify(capsys, file)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"{file}: ")
    assert problem in err


def test_a_name_can_not_hide_anything_in_what_is_printed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(RECORD.replace("seat 0: Lima", "seat 0: \x1b[31mLima"), "utf-8")
    code, out, err = verify(capsys, file)
    assert code == 1
    assert "\x1b" not in out + err


@pytest.mark.parametrize("layout", ["emulated", "wired-4"])
def test_what_play_records_is_right(layout: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "evening.dudo"
    line = f"play --headless --layout {layout} --seats 2 --rules obliging --seed 4 --record {file}"
    assert cli.main(line.split()) == 0
    capsys.readouterr()
    code, out, err = verify(capsys, file)
    assert (code, err) == (0, "")
    assert ("No cup committed in any deal" in out) is (layout == "wired-4")


def test_after_twenty_matches_that_are_wrong_the_rest_is_not_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evening.dudo"
    file.write_text("dudo score 1\nrules: none\n\n*\n" * 5000)
    assert cli.main(["verify", str(file)]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 21
    assert (
        lines[-1] == f"{file}:81: this match and 4979 more were not looked at, after 20 that are wrong or prove no die"
    )
