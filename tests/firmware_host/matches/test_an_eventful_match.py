"""Ten undos, three hand-overs, two robots, five kills: the record verifies, its replay ends in the same standing."""

import pytest
from support.table.eventful_match import DEATHS, HAND_OVERS, ROBOTS, UNDOS, EventfulMatch

from engine import parse_score
from firmware_host.fairness.verify.checker import verify
from firmware_host.store.scores import replay_events
from firmware_host.table.events import Undone
from firmware_host.wire import MatchWon
from hardware.emulated.virtual_loop import VirtualLoop

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> EventfulMatch:
    match = EventfulMatch(VirtualLoop(), tmp_path_factory.mktemp("match"), seed=1)
    match.play()
    return match


def test_it_has_all_that_it_promises(match: EventfulMatch) -> None:
    assert match.deaths_to_come == 0
    assert match.runs >= DEATHS + 1
    assert match.undone >= UNDOS
    assert match.handed_over >= HAND_OVERS
    assert match.last is not None
    assert {seat for seat, _ in match.last.table.scene.robots} == {*ROBOTS}
    for level in ("hard", "easy"):
        assert match.record.count(f"[robot {level}]") == 2  # in the heading and in the chain
    names = parse_score(match.record).names
    assert [name.endswith(("[robot hard]", "[robot easy]")) for name in names] == [False, False, False, True, True]


def test_its_record_verifies(match: EventfulMatch) -> None:
    (verdict,) = verify(match.record)
    assert verdict.wrong is None
    assert verdict.closed
    assert verdict.is_proven
    assert (verdict.undone, verdict.handed_over) == (match.undone, match.handed_over)


def test_its_replay_ends_in_the_same_standing(match: EventfulMatch) -> None:
    assert match.last is not None
    *_, last = replay_events.steps(parse_score(match.record))
    assert last.position == match.last.game.position
    (won,) = [event for event in last.events if isinstance(event, MatchWon)]
    assert [match.last.game.players[player] for player in won.standings] == [*match.last.game.standings]
    steps = replay_events.steps(parse_score(match.record))
    assert sum(isinstance(event, Undone) for step in steps for event in step.events) == match.undone
