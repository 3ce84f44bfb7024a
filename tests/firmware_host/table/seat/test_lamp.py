"""The light of a seat: whose turn it is, and the cues of a reveal."""

from support.table.harness import TableHarness, lay_out

from drivers.messages import Button
from engine import PYRUDO, Bid
from firmware_host.table.cues import FALL_FRAME_MS, CueKind, reveal_cues
from firmware_host.table.seat.lamp import lamp_is_on
from firmware_host.table.seat.view import SceneName

HANDS = [(1, 2, 3), (4, 5, 5), (2, 6)]


def lit(harness: TableHarness) -> list[int]:
    """Return the seats whose light is on."""
    return [seat for seat in range(len(HANDS)) if lamp_is_on(harness[seat].view)]


def revealing() -> TableHarness:
    """Return a table at the begin of a reveal in which seat 0 loses a die."""
    harness = lay_out(PYRUDO, HANDS, Bid(8, 6))
    harness[1].press(Button.DUDO)
    return harness


def test_it_is_on_while_the_table_waits_for_the_seat() -> None:
    harness = lay_out(PYRUDO, HANDS)
    assert lit(harness) == [0]
    harness[0].pick(Bid(2, 3))
    assert lit(harness) == [1]


def test_a_caller_has_it_before_the_cups_go_up() -> None:
    harness = revealing()
    assert harness.scene is SceneName.CALLED
    assert lit(harness) == [1]


def test_in_a_reveal_it_goes_from_cup_to_cup_and_flashes_at_the_player_who_pays() -> None:
    harness = revealing().revealed()
    position = harness[0].view.position
    assert position is not None
    assert position.showdown is not None
    cues = reveal_cues(position.showdown, position.showdown.bid, position.order)
    shown, now_ms = dict[int, list[int]](), 0
    for cue in cues:
        harness.wait((cue.at_ms - now_ms) / 1000)
        shown[cue.at_ms] = lit(harness)
        now_ms = cue.at_ms
    lifted = [(cue.seat, shown[cue.at_ms]) for cue in cues if cue.kind is CueKind.LIFT]
    assert lifted == [(1, [1]), (2, [0, 2]), (0, [0, 2])]  # the call is decided by the first
    assert shown[next(cue.at_ms for cue in cues if cue.kind is CueKind.VERDICT)] == []
    assert shown[next(cue.at_ms for cue in cues if cue.kind is CueKind.PAYS)] == [0]
    flashes = [lit(harness)]
    for _ in range(3):
        harness.wait(FALL_FRAME_MS / 1000)
        flashes.append(lit(harness))
    assert flashes == [[], [0], [], [0]]


def test_when_all_is_told_it_shows_who_has_not_gone_on() -> None:
    harness = revealing().revealed()
    harness.wait(12)
    assert lit(harness) == [0, 1, 2]


def test_the_winner_has_it_alone() -> None:
    harness = lay_out(PYRUDO, [(1,), (2,)], Bid(2, 6))
    harness[1].press(Button.DUDO)
    harness.revealed().wait(45)
    assert harness.scene is SceneName.OVER
    assert [lamp_is_on(harness[seat].view) for seat in (0, 1)] == [False, True]


def test_it_is_off_where_the_displays_are_dark() -> None:
    harness = lay_out(PYRUDO, HANDS)
    harness.wait(30 * 60.0)
    assert lit(harness) == []
