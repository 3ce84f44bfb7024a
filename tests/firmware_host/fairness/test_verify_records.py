"""Records of all kinds of matches verify, and as far as they go if they were cut off."""

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.proofs.forgery import first_wrong, rechained
from support.proofs.proven_matches import DAY, NAMES, ProvenMatch

from engine import PERUDO, RULESETS, Call, Entry, PlayedAction, Rules, parse_score
from firmware_host import wire
from firmware_host.fairness.chain import head_text
from firmware_host.fairness.verify.checker import verify
from firmware_host.fairness.verify.deal_checker import DealStage
from firmware_host.fairness.verify.verdict import Verdict, find_head
from firmware_host.store.scores.recorder import MatchRecorder, recording
from firmware_host.table import events

RECORD = ProvenMatch(PERUDO, 5, seats=3, rounds=3, accidents=False, how=("cup", "cup", "switch")).record


def verdict(text: str) -> Verdict:
    (found,) = verify(text)
    return found


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_in_a_match_its_record_is_right(rules: Rules, seed: int) -> None:
    match = ProvenMatch(rules, seed, seats=2 + seed % 3)
    found = verdict(match.record)
    assert (found.wrong, found.cut, found.closed) == (None, None, True)
    assert found.match == match.id
    assert found.score == parse_score(match.record, playable=True)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_every_head_that_the_table_told_is_in_its_record(rules: Rules) -> None:
    match = ProvenMatch(rules, 3)
    found = verdict(match.record)
    assert [head_text(head) for _, head in found.heads] == match.heads
    assert head_text(found.head) == match.heads[-1]


def test_every_deal_is_counted_by_what_became_of_it() -> None:
    for seed in range(20):
        match = ProvenMatch(PERUDO, seed, seats=4)
        found = verdict(match.record)
        assert [deal.number for deal in found.deals] == [deal.number for deal in match.deals]
        assert [deal.number for deal in found.deals_at(DealStage.REPEATED)] == match.repeated
        assert len(found.deals_at(DealStage.OPEN)) == found.rounds == sum(map(is_call, match.score.entries))


def is_call(entry: Entry) -> bool:
    return isinstance(entry, PlayedAction) and isinstance(entry.action, Call)


def test_a_match_without_proofs_is_no_record() -> None:
    lines = [line for line in RECORD.splitlines() if not line.startswith("%")]
    wrong = first_wrong("\n".join(lines) + "\n")
    assert wrong is not None
    assert wrong.line == 9
    assert wrong.problem.startswith("the match was kept without proofs, lines that begin with %")
    assert "  Can’t be checked: see line 9." in verdict("\n".join(lines) + "\n").lines()


def test_the_last_dice_of_a_match_broken_off_under_the_cups_are_not_checked() -> None:
    match = ProvenMatch(PERUDO, 5, seats=2, accidents=False)
    published = []
    for event in match.events():
        published.append(event)
        if isinstance(event, events.ActionTaken) and sum(isinstance(e, events.Revealed) for e in published) == 2:
            break
    found = verdict(kept(published))
    assert (found.wrong, found.rounds) == (None, 2)
    assert [deal.number for deal in found.deals_at(DealStage.DEALT)] == [3]
    assert "  Deal 3 was not opened when the record ends: its dice are not checked." in found.lines()


def test_a_match_that_is_broken_off_between_a_call_and_the_reveal_is_right() -> None:
    published = []
    for event in ProvenMatch(PERUDO, 5, seats=2, accidents=False).events():
        if isinstance(event, events.Revealed):
            break
        published.append(event)
    found = verdict(kept(published))
    assert (found.wrong, found.rounds, found.closed) == (None, 0, True)
    assert [deal.number for deal in found.deals_at(DealStage.DEALT)] == [1]


def kept(published: list[events.PublicEvent]) -> str:
    file = io.StringIO()
    recorder = MatchRecorder(PERUDO, NAMES, lambda: DAY, file)
    for event in published:
        recorder.record(event)
    recorder.close()
    return file.getvalue()


# Cut off


@given(st.integers(1, len(RECORD) - 1))
@settings(deadline=None, max_examples=200)
def test_a_record_cut_off_anywhere_is_right_as_far_as_it_goes(at: int) -> None:
    if at < len("dudo score 1"):
        assert first_wrong(RECORD[:at]) is not None
        return
    whole, found = verdict(RECORD), verdict(RECORD[:at])
    assert found.wrong is None
    assert found.heads == whole.heads[: len(found.heads)]
    assert len(found.deals_at(DealStage.OPEN)) <= len(whole.deals_at(DealStage.OPEN))


def test_a_line_that_was_cut_off_is_named_and_left_out() -> None:
    cut = RECORD[: RECORD.index("% deal 2 seed") + 30]
    found = verdict(cut)
    line = cut.count("\n") + 1
    assert found.cut == line
    assert f"  Cut off on line {line}, which is left out; what stands before it is right." in found.lines()


def test_a_record_cut_off_behind_a_line_says_that_the_match_goes_on() -> None:
    found = verdict(RECORD[: RECORD.index("% deal 2 seed")])
    assert "  Cut off: the match goes on where the record ends." in found.lines()


def test_a_power_cut_costs_the_next_match_nothing(tmp_path: Path) -> None:
    file = tmp_path / "evening.dudo"
    file.write_text(RECORD[:2000], "utf-8")
    match = ProvenMatch(PERUDO, 8, seats=2)
    with recording(file, PERUDO, NAMES) as record:
        for event in match.events():
            record(event)
    first, second = verify(file.read_text("utf-8"))
    assert (first.wrong, first.cut) == (None, RECORD[:2000].count("\n") + 1)
    assert (second.wrong, second.cut, second.closed) == (None, None, True)


def test_what_is_proven_is_on_disk_before_its_round_is_over(tmp_path: Path) -> None:
    file = tmp_path / "evening.dudo"
    with recording(file, PERUDO, NAMES) as record:
        for event in ProvenMatch(PERUDO, 5, seats=3, accidents=False).events():
            record(event)
            if isinstance(event, wire.ChainEntryAdded) and event.line == "deal 2 sealed":
                break
        found = verdict(file.read_text("utf-8"))
        assert (found.wrong, found.rounds, head_text(found.head)) == (None, 1, event.head)


# Several in a file


def test_matches_of_one_file_have_a_verdict_each() -> None:
    records = [ProvenMatch(PERUDO, seed, seats=2, rounds=2).record for seed in range(3)]
    assert [found.wrong for found in verify("\n".join(records))] == [None] * 3


def test_what_is_wrong_in_one_match_leaves_the_others_right() -> None:
    records = [ProvenMatch(PERUDO, seed, seats=2, rounds=2).record for seed in range(3)]
    records[1] = records[1].replace("deal 1 sealed", "deal 1 sealde")
    assert [found.wrong is None for found in verify("\n".join(records))] == [True, False, True]


def test_one_match_twice_in_a_file_is_wrong_once() -> None:
    first, second = verify(f"{RECORD}\n{RECORD}")
    assert first.wrong is None
    assert second.wrong is not None
    assert str(second.wrong) == f"line {RECORD.count(chr(10)) + 2}: is the match of line 1 once more"


def test_lines_may_end_as_windows_ends_them() -> None:
    assert verdict(RECORD.replace("\n", "\r\n")).wrong is None


def test_empty_lines_around_a_match_do_not_matter() -> None:
    assert verdict(f"\n\n{RECORD}\n\n").wrong is None


# Heads


def test_the_last_head_is_found_with_nothing_after_it() -> None:
    found = verdict(RECORD)
    there = find_head([found], head_text(found.head)[:8])
    assert there is not None
    assert there.following == 0
    assert [*there.lines()] == [
        f"The head is the last one of match {found.match}: nothing in it has changed since that head was seen."
    ]


def test_a_head_on_the_way_tells_after_which_line_it_was_seen() -> None:
    found = verdict(RECORD)
    line, head = found.heads[10]
    there = find_head([found], head_text(head))
    assert there is not None
    assert (there.line, there.following) == (line, len(found.heads) - 11)
    report = " ".join(there.lines())
    assert f"after line {line}: nothing up to there has changed" in report
    assert "What stands further down it does not cover." in report


def report_on_deal_2(before: str) -> str:
    """Return the report on the head that was seen just before this line."""
    found = verdict(RECORD)
    lines = RECORD.splitlines()
    head = next(lines[at - 1] for at, line in enumerate(lines) if line.startswith(f"% {before}")).rpartition(" ")[2]
    there = find_head([found], head)
    assert there is not None
    return " ".join(there.lines())


def test_a_head_seen_before_the_shake_covers_all_that_the_dice_come_from() -> None:
    lines = [line for line in RECORD.splitlines() if line.startswith("% deal 2")]
    last_cup = max(place for place, line in enumerate(lines) if " cup " in line)
    after = lines[last_cup + 1].removeprefix("% ").partition(" =")[0]
    assert report_on_deal_2(after).endswith("All that the dice of deal 2 come from was bound by then.")


def test_a_head_from_before_a_cup_committed_does_not_cover_that_cup() -> None:
    cups = [line for line in RECORD.splitlines() if line.startswith("% deal 2 cup")]
    assert len(cups) == 2
    assert "In deal 2 a cup committed after it, on line " in report_on_deal_2(cups[1][2:20])


def test_letters_that_no_head_begins_with_are_found_nowhere() -> None:
    assert find_head([verdict(RECORD)], "00000000") is None


def test_a_head_of_an_earlier_match_of_the_file_is_found() -> None:
    text = f"{RECORD}\n{ProvenMatch(PERUDO, 6, seats=2, rounds=1).record}"
    first, second = verify(text)
    assert find_head([first, second], head_text(first.head)).verdict is first  # type: ignore[union-attr]


# What a player reads


def test_a_verdict_is_told_to_players() -> None:
    match = ProvenMatch(PERUDO, 5, seats=3, rounds=3)
    report = [*verdict(match.record).lines()]
    assert report[0] == f'Match {match.id} of perudo on {DAY}: Lima, Quito, La "Paz"; not over.'
    assert any(line.startswith("  3 rounds, ") for line in report)
    assert any(line.startswith("  Quito: committed by cup ") for line in report)
    assert any(line.startswith('  La "Paz": shaken by switch ') for line in report)
    assert report[-1] == f"  In full: {match.heads[-1]}"


def test_deals_that_no_cup_committed_to_are_told_apart() -> None:
    match = ProvenMatch(PERUDO, 5, seats=2, how=("switch", "switch"), rounds=2, accidents=False)
    assert "  No cup committed in any deal: there the host’s word is all there is." in verdict(match.record).lines()
    mixed = ProvenMatch(PERUDO, 5, seats=2, rounds=2, accidents=False)
    assert not any("No cup committed" in line for line in verdict(mixed.record).lines())


def test_deals_that_stay_sealed_are_told_and_no_others() -> None:
    found = verdict(ProvenMatch(PERUDO, 15, seats=2).record)
    numbers = ", ".join(str(deal.number) for deal in found.deals_at(DealStage.SECRET))
    assert numbers
    assert any(line.endswith(f"of void rounds stay sealed and unchecked: {numbers}.") for line in found.lines())
    assert not any("stay sealed" in line for line in verdict(RECORD).lines())


def test_what_was_rechained_without_a_change_is_the_same() -> None:
    assert rechained(RECORD) == RECORD
