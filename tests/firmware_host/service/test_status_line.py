"""The status line of a real match."""

from support.table.harness import Evening, laid

from drivers.messages import Device, Lost
from engine import PERUDO, Bid
from firmware_host.service.status_line import status_line
from firmware_host.table.effects import Publish
from firmware_host.table.health import Alert, AlertRaised
from firmware_host.table.public_state import PublicState


def said(evening: Evening) -> str:
    """The line for what was made public last."""
    states: list[PublicState] = [effect.state for effect in evening.effects if isinstance(effect, Publish)]
    return status_line(states[-1])


def test_the_lobby_names_who_sits_there() -> None:
    evening = Evening(PERUDO, seats=3)
    evening[0].tap()
    assert said(evening) == "Lobby, North sits at the table"
    evening[2].tap()
    assert said(evening) == "Lobby, North and South sit at the table"


def test_a_match_says_what_stands_and_whom_the_table_waits_for() -> None:
    evening = Evening(PERUDO, seats=3).joined().dealt()
    first = evening.turn
    first.pick(Bid(3, 4))
    names = [seat.name for seat in evening.furniture]
    line = said(evening)
    assert line.startswith("Match of perudo between North, East and South; round 1, bidding")
    assert f"{names[first.seat]} bids three quads" in line
    assert line.endswith(f"; waiting for {names[evening.turn.seat]}")


def test_what_does_not_answer_is_named() -> None:
    evening = Evening(PERUDO, seats=3)
    evening[0].tap()
    evening.send(Lost(1, Device.CUP, "it was unplugged"))
    assert said(evening) == "Lobby, North sits at the table; missing: East's cup"


def test_the_most_urgent_alert_is_told_first() -> None:
    evening = Evening(PERUDO, seats=2)
    for trouble in (Alert.RULES, Alert.DISK_FULL):
        evening.send(AlertRaised(trouble, "fix it"))
    told = said(evening).split("; ")[1:]
    assert told == ["the disk is full", "the rules' file is wrong, the last good ones are in force"]


def test_the_line_is_the_same_whatever_lies_under_the_cups() -> None:
    laid_out = [laid(PERUDO, hands, Bid(2, 3)) for hands in ([(1, 2, 3), (4, 5, 6)], [(6, 6, 6), (2, 2, 2)])]
    lines = {said(evening) for evening in laid_out}
    assert len(lines) == 1


def test_a_match_that_is_over_says_who_has_won() -> None:
    evening = Evening(PERUDO, seats=2).joined().dealt()
    evening.until_over(evening.rng)
    assert said(evening).startswith("Match of perudo over, ")
    assert "has won" in said(evening)
