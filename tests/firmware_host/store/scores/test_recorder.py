"""The score made from public events is the score of the match, without dice that nobody saw."""

import asyncio
import io
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from engine import RULESETS, Bid, DealtHands, Match, Phase, Position, RoundKind, Rules, Score, parse_score, parse_scores
from firmware_host import wire
from firmware_host.errors import RecordFileError
from firmware_host.play.emulated_session import EmulatedSession
from firmware_host.store.scores.recorder import MatchRecorder, recording
from firmware_host.store.scores.replay_events import steps
from firmware_host.table import events
from firmware_host.table.events import PublicEvent
from hardware.config.layout import load_builtin
from hardware.emulated.virtual_loop import VirtualLoop

NAMES = ("Lima", "Quito", "Cusco", "La Paz")


def played(rules: Rules, seed: int) -> Iterator[Score]:
    """Yield a random match, entry by entry, in which rounds are void, special rounds forgone and seats leave."""
    rng = random.Random(seed)
    score, match = Score(rules, NAMES[: rng.randint(2, 4)], date="2026-11-21"), Match.start(rules, 2)
    match = Match.start(rules, score.seats)
    while match.position.phase is not Phase.OVER:
        score, match = _step(score, match, rng)
        yield score
    assert match.position.winner is not None
    yield score.won(match.position.winner)


def _step(score: Score, match: Match, rng: random.Random) -> tuple[Score, Match]:
    position = match.position
    said = not isinstance(score.entries[-1], DealtHands) if score.entries else False
    if position.phase is Phase.BIDDING and said and rng.random() < 0.03:
        return score.void(), match.void()
    if position.phase is Phase.BIDDING and said and rng.random() < 0.01:
        seat = rng.choice(position.living)
        return score.leave(seat), match.leave(seat)
    if match.forgo() is not match and rng.random() < 0.3:
        return score.forgo(), match.forgo()
    if position.rolling:
        dice = {seat: [rng.randint(1, 6) for _ in range(position.dice_to_roll(seat))] for seat in position.rolling}
        seating = position.phase is Phase.SEATING
        rolled = score.roll_for_order({seat: die for seat, (die,) in dice.items()}) if seating else score.roll(dice)
        return rolled, match.roll(dice)
    seat = rng.choice([seat for seat in position.living if match.legal(seat)])
    action = rng.choice(list(match.legal(seat)))
    return score.play(seat, action), match.play(seat, action)


def kept(rules: Rules, published: Iterator[PublicEvent]) -> str:
    file = io.StringIO()
    recorder = MatchRecorder(rules, NAMES, lambda: "2026-11-21", file)
    for event in published:
        recorder.record(event)
    recorder.close()
    return file.getvalue()


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
@pytest.mark.parametrize("seed", range(8))
def test_the_score_kept_of_a_match_is_its_public_one(rules: Rules, seed: int) -> None:
    *_, score = played(rules, seed)
    text = kept(rules, (event for step in steps(score) for event in step.events))
    assert parse_score(text, playable=True) == score.public


def test_a_match_that_is_broken_off_ends_with_a_star_and_without_its_last_dice() -> None:
    scores = [*played(RULESETS["perudo"], 3)]
    broken = next(
        score for score in scores if score.entries and str(score.entries[-1]).startswith("PlayedAction(seat=1")
    )
    text = kept(broken.rules, (event for step in steps(broken) for event in step.events))
    assert text.endswith("*\n")
    assert parse_score(text, playable=True) == broken.public


def test_a_round_announced_again_before_anybody_has_bid_is_the_same_round() -> None:
    rules = RULESETS["perudo"]
    began = events.RoundBegan(1, RoundKind.NORMAL, 1, None, ((0, 5), (1, 5)))
    published = [wire.MatchBegan("m", "perudo", (0, 1)), began, began, events.ActionTaken(1, Bid(2, 3))]
    assert kept(rules, iter(published)).splitlines()[-3:] == ["", "1. ? 1:2x3", "*"]


def test_what_is_heard_before_a_match_begins_is_no_part_of_a_score() -> None:
    published = [wire.Joined(0), events.ActionTaken(0, Bid(1, 2)), wire.CupSettled(0), wire.MatchWon(0, (0, 1))]
    assert kept(RULESETS["perudo"], iter(published)) == ""


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["kill-spot", "palo-fijo"])
def test_a_match_at_the_emulated_table_is_written_down_whole(rules: str, tmp_path: Path) -> None:
    layout = load_builtin("emulated").first(3)
    names = [seat.name for seat in layout.seats]
    file, published = tmp_path / "evening.dudo", list[PublicEvent]()
    with (
        asyncio.Runner(loop_factory=partial(VirtualLoop, speed=None)) as runner,
        recording(file, RULESETS[rules], names) as log_event,
    ):

        def handle(event: PublicEvent) -> None:
            published.append(event)
            log_event(event)

        runner.run(EmulatedSession(layout, RULESETS[rules], seed=5).play(handle))
    score = parse_score(file.read_text("utf-8"), playable=True)
    last = last_position(score)
    shown = [event for event in published if isinstance(event, events.Revealed)]
    assert score.names == tuple(names)
    assert (last.showdown, last.winner) == (shown[-1].showdown, score.winner)
    assert [step.events for step in steps(score)][-1][-1] == published[-1]


def last_position(score: Score) -> Position:
    *_, last = score.positions()
    return last


def test_a_second_evening_is_written_after_the_first(tmp_path: Path) -> None:
    file = tmp_path / "evening.dudo"
    *_, score = played(RULESETS["pyrudo"], 1)
    for _ in range(2):
        with recording(file, score.rules, NAMES) as log_event:
            for step in steps(score):
                for event in step.events:
                    log_event(event)
    first, second = parse_scores(file.read_text("utf-8"), playable=True)
    assert first == second
    assert first.entries == score.public.entries


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("my notes")
    with pytest.raises(RecordFileError, match=r"notes\.txt: holds something else than scores; name a new file$"):
        _record(file)
    assert file.read_text() == "my notes"


@pytest.mark.parametrize("name", [".", "no/such/folder.dudo", "a\0b"])
def test_a_file_that_can_not_be_written_is_told_in_one_line(name: str, tmp_path: Path) -> None:
    with pytest.raises(RecordFileError) as error:
        _record(tmp_path / name)
    assert "can't be written: " in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def _record(file: Path) -> None:
    with recording(file, RULESETS["perudo"], NAMES):
        pass


def test_a_disk_that_fails_costs_the_match_and_not_the_table(caplog: pytest.LogCaptureFixture) -> None:
    *_, score = played(RULESETS["pyrudo"], 1)
    with recording(Path("/dev/full"), score.rules, NAMES) as log_event:
        for step in steps(score):
            for event in step.events:
                log_event(event)
    assert caplog.messages[0].startswith("/dev/full: can't be written: no space left on device")
    assert len(caplog.messages) == 1
