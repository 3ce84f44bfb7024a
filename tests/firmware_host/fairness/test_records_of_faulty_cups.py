"""Matches with faulty cups come to their end, and their records prove every die."""

import io
import random

import pytest
from support.table.harness import Evening, SeatHand
from support.table.program_cup import ProgramCup

from drivers.messages import Device, Drawn, Opened
from engine import PERUDO, RULESETS, Rules
from firmware_host.daemon.resume import opened_by_cups
from firmware_host.fairness.verify.checker import verify
from firmware_host.fairness.verify.deal_checker import Stage
from firmware_host.journal import records
from firmware_host.journal.records import encode_events
from firmware_host.journal.store import MatchLog, MatchLogEntry
from firmware_host.scores.recorder import MatchRecorder
from firmware_host.table.events import DealFailure, DealRepeated
from firmware_host.table.health import MAX_ENTROPIES, DeviceHealth
from firmware_host.table.seat_view import SceneName

pytestmark = pytest.mark.slow


SEATS = 4
KNOWN = bytes(range(32))


def trouble(evening: Evening, hand: SeatHand, rng: random.Random) -> None:
    """Something happens to a seat's cup."""
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
    """The program begins again."""
    scene = evening.table.scene
    back = records.decode_scene(records.scene_name(scene), records.encode_scene(scene))
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
    return evenings, record_text(*evenings)


def record_text(*evenings: Evening) -> str:
    """The record of a match, one evening after each start."""
    file = io.StringIO()
    names = [info.name for info in evenings[0].furniture]
    recorder = MatchRecorder(evenings[0].position.rules, names, lambda: "2026-11-21", file)
    for evening in evenings:
        recorder.record_all(evening.said)
    recorder.close()
    return file.getvalue()


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_a_match_with_faulty_cups_ends_and_its_record_verifies(rules: Rules, seed: int) -> None:
    evenings, record = played(rules, seed)
    (verdict,) = verify(record)
    assert verdict.wrong is None
    assert verdict.closed
    assert verdict.head == evenings[-1].game.head
    repeated = [told.deal for evening in evenings for told in evening.told(DealRepeated)]
    assert [deal.number for deal in verdict.deals_at(Stage.REPEATED)] == repeated


def test_deals_were_repeated_and_shares_came_from_everywhere() -> None:
    _, record = played(RULESETS["perudo"], 1)
    (verdict,) = verify(record)
    assert verdict.deals_at(Stage.REPEATED)
    assert {line.kind for deal in verdict.deals for line in deal.given.values()} == {"cup", "switch", "button"}


# Cups that give the same again


class Stuck(random.Random):
    """A random source that is broken."""

    def randbytes(self, n: int) -> bytes:
        return bytes([n]) * n


def stuck(*seats: int) -> Evening:
    """A match with these cups at a broken source, and honest ones at the other seats."""
    cups = {seat: ProgramCup(seat, Stuck()) for seat in seats}
    return Evening(PERUDO, SEATS, programs=[seat for seat in range(SEATS) if seat not in seats], cups=cups).joined()


def shaken(evening: Evening) -> Evening:
    for hand in evening:
        if hand.awaited and evening.scene is SceneName.SHAKING:
            hand.shake()
    return evening


def test_reused_entropy_is_announced_and_the_match_goes_on() -> None:
    evening = stuck(1).until_over(random.Random(1))
    repeated = evening.told(DealRepeated)
    assert {(told.seat, told.why) for told in repeated} == {(1, DealFailure.REUSED)}
    assert len(repeated) == 2  # after that the cup is not asked any more
    (verdict,) = verify(record_text(evening))
    assert verdict.wrong is None
    assert [deal.number for deal in verdict.deals if 1 in deal.cups] == [1, *(told.deal for told in repeated)]


def test_a_cup_that_opens_what_another_has_opened_for_this_deal_is_told() -> None:
    evening = shaken(stuck(1, 2))
    assert evening.told(DealRepeated) == [DealRepeated(1, 2, DealFailure.REUSED)]
    assert evening.position.number == 1


def test_what_a_cup_opened_is_remembered_over_a_restart() -> None:
    evening = stuck(1).dealt()
    assert evening.scene is SceneName.BIDDING
    again = come_up(evening)
    played = MatchLog(evening.game.id, "2026-11-21", [MatchLogEntry(evening.game.id, encode_events(evening.said))])
    again.table.remember_entropies(opened_by_cups(played, again.table.scene))
    rng = random.Random(1)
    while again.scene is not SceneName.SHAKING:
        rng.choice([hand for hand in again if hand.awaited]).does_something(rng)
    shaken(again)
    assert [told.why for told in again.told(DealRepeated)] == [DealFailure.REUSED]


def test_a_cup_that_opens_the_same_deal_once_more_is_right() -> None:
    absent = DeviceHealth()
    assert not absent.is_reused(1, b"deal", KNOWN)
    assert not absent.is_reused(1, b"deal", KNOWN)
    assert absent.is_reused(1, b"other", KNOWN)
    assert absent.is_reused(2, b"deal", KNOWN)


def test_what_is_remembered_of_cups_is_bounded() -> None:
    absent = DeviceHealth()
    for number in range(MAX_ENTROPIES + 1):
        assert not absent.is_reused(1, b"deal", number.to_bytes(32, "big"))
    assert not absent.is_reused(2, b"deal", bytes(32))
    assert absent.is_reused(2, b"deal", MAX_ENTROPIES.to_bytes(32, "big"))
