"""Whatever befalls cups in a match, it comes to its end, and its record proves every die."""

import io
import random

import pytest
from hands import Evening, SeatHand

from drivers.messages import Device, Drawn, Opened
from engine import RULESETS, Rules
from firmware_host.fairness.deals import Stage
from firmware_host.fairness.verify import verify
from firmware_host.journal import records
from firmware_host.scores.scorekeeper import Scorekeeper
from firmware_host.table.effects import Announce
from firmware_host.table.events import DealRepeated
from firmware_host.table.seat_view import SceneName

SEATS = 4


def trouble(evening: Evening, hand: SeatHand, rng: random.Random) -> None:
    """Something befalls a seat's cup."""
    match rng.randrange(6):
        case 0:
            hand.unplug()
        case 1:
            hand.lose(Device.CUP)
        case 2:
            hand.cup.keeps_silent = True
        case 3:
            evening.send(Drawn(hand.seat, hand.cup.deal, rng.randbytes(32)))
        case 4:
            evening.send(Opened(hand.seat, hand.cup.deal, rng.randbytes(32)))
        case 5:
            evening.wait(rng.choice([0.1, 2.0]))


def come_up(evening: Evening) -> Evening:
    """The program begins anew."""
    scene = evening.table.scene
    back = records.decode(records.name_of(scene), records.encode(scene))
    again = Evening(evening.position.rules, SEATS, cups=evening.cups, scene=back)
    again.rng = evening.rng
    return again


def played(rules: Rules, seed: int) -> tuple[list[Evening], str]:
    """A match with three cups of programs and a switch, one evening after each start, and its record."""
    rng = random.Random(seed)
    evenings = [Evening(rules, SEATS, seed=seed, programs=range(1, SEATS)).joined()]
    while (evening := evenings[-1]).scene is not SceneName.OVER:
        if rng.random() < 0.2:
            trouble(evening, evening[rng.randrange(1, SEATS)], rng)
        if rng.random() < 0.3:
            for hand in list(evening)[1:]:
                hand.cup.keeps_silent = False
                hand.find(Device.CUP)
        if rng.random() < 0.02:
            evenings.append(come_up(evening))
        elif hands := [hand for hand in evening if hand.awaited]:
            rng.choice(hands).does_something(rng)
        else:
            evening.wait(2)
    file = io.StringIO()
    keeper = Scorekeeper(rules, [info.name for info in evenings[0].furniture], lambda: "2026-11-21", file)
    for evening in evenings:
        for effect in evening.effects:
            if isinstance(effect, Announce):
                keeper.hear(effect.event)
    keeper.close()
    return evenings, file.getvalue()


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_a_match_with_faulty_cups_ends_and_its_record_verifies(rules: Rules, seed: int) -> None:
    evenings, record = played(rules, seed)
    (verdict,) = verify(record)
    assert verdict.wrong is None
    assert verdict.closed
    assert verdict.head == evenings[-1].game.head
    repeated = [told.deal for evening in evenings for told in evening.told(DealRepeated)]
    assert [deal.number for deal in verdict.staged(Stage.REPEATED)] == repeated


def test_deals_were_repeated_and_shares_came_from_everywhere() -> None:
    _, record = played(RULESETS["perudo"], 1)
    (verdict,) = verify(record)
    assert verdict.staged(Stage.REPEATED)
    assert {told.what for deal in verdict.deals for told in deal.given.values()} == {"cup", "switch", "button"}
