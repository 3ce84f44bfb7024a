"""The status line of a real match."""

from support.table.harness import TableHarness, lay_out

from drivers.messages import Device, Lost
from engine import PERUDO, Bid
from firmware_host.daemon.service.status_line import status_line
from firmware_host.table.effects import Publish
from firmware_host.table.health import Alert, AlertRaised
from firmware_host.wire import PublicState


def line_of(harness: TableHarness) -> str:
    """Return the line for what was made public last."""
    states: list[PublicState] = [effect.state for effect in harness.effects if isinstance(effect, Publish)]
    return status_line(states[-1])


def test_the_lobby_names_who_sits_there() -> None:
    harness = TableHarness(PERUDO, seats=3)
    harness[0].tap()
    assert line_of(harness) == "Lobby, North sits at the table"
    harness[2].tap()
    assert line_of(harness) == "Lobby, North and South sit at the table"


def test_a_match_says_what_stands_and_whom_the_table_waits_for() -> None:
    harness = TableHarness(PERUDO, seats=3).joined().dealt()
    first = harness.turn
    first.pick(Bid(3, 4))
    names = [seat.name for seat in harness.seat_infos]
    line = line_of(harness)
    assert line.startswith("Match of perudo between North, East and South; round 1, bidding")
    assert f"{names[first.seat]} bids three quads" in line
    assert line.endswith(f"; waiting for {names[harness.turn.seat]}")


def test_what_does_not_answer_is_named() -> None:
    harness = TableHarness(PERUDO, seats=3)
    harness[0].tap()
    harness.send(Lost(1, Device.CUP, "it was unplugged"))
    assert line_of(harness) == "Lobby, North sits at the table; missing: East's cup"


def test_the_most_urgent_alert_is_told_first() -> None:
    harness = TableHarness(PERUDO, seats=2)
    for trouble in (Alert.RULES, Alert.DISK_FULL):
        harness.send(AlertRaised(trouble, "fix it"))
    parts = line_of(harness).split("; ")[1:]
    assert parts == ["disk full: don’t cut the power", "rules file wrong: the last ones hold"]


def test_the_line_is_the_same_whatever_lies_under_the_cups() -> None:
    laid_out = [lay_out(PERUDO, hands, Bid(2, 3)) for hands in ([(1, 2, 3), (4, 5, 6)], [(6, 6, 6), (2, 2, 2)])]
    lines = {line_of(harness) for harness in laid_out}
    assert len(lines) == 1


def test_a_match_that_is_over_says_who_has_won() -> None:
    harness = TableHarness(PERUDO, seats=2).joined().dealt()
    harness.until_over(harness.rng)
    assert line_of(harness).startswith("Match of perudo over, ")
    assert "has won" in line_of(harness)
