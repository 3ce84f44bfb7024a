"""Matches with faulty cups come to their end, and their records prove every die."""

import io
import random

import pytest
from support.table.harness import SeatHand, TableHarness
from support.table.program_cup import ProgramCup

from drivers.messages import Device, Drawn, Opened
from engine import PERUDO, RULESETS, Rules
from firmware_host.daemon.resume import opened_by_cups
from firmware_host.fairness.verify.checker import verify
from firmware_host.fairness.verify.deal_checker import DealStage
from firmware_host.store.journal import records
from firmware_host.store.journal.records import encode_events
from firmware_host.store.journal.store import MatchLog, MatchLogEntry
from firmware_host.store.scores.recorder import MatchRecorder
from firmware_host.table.events import DealFailure
from firmware_host.table.health import MAX_ENTROPIES, DeviceHealth
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import DealRepeated

pytestmark = pytest.mark.slow


SEATS = 4
KNOWN = bytes(range(32))


def trouble(harness: TableHarness, hand: SeatHand, rng: random.Random) -> None:
    """Something happens to a seat's cup."""
    match rng.randrange(6):
        case 0:
            hand.unplug()
        case 1:
            hand.lose(Device.CUP)
        case 2:
            hand.cup.keeps_silent = True
        case 3:
            harness.send(Drawn(hand.seat, hand.cup.deal, rng.randbytes(32)))
        case 4:
            harness.send(Opened(hand.seat, hand.cup.deal, rng.randbytes(32)))
        case 5:
            harness.wait(rng.choice([0.1, 2.0]))


def restarted(harness: TableHarness) -> TableHarness:
    """Return the table after its program began again."""
    scene = harness.table.scene
    back = records.decode_scene(records.scene_name(scene), records.encode_scene(scene))
    again = TableHarness(harness.position.rules, SEATS, cups=harness.cups, scene=back)
    again.rng = harness.rng
    return again


def played(rules: Rules, seed: int) -> tuple[list[TableHarness], str]:
    """Return a match with three cups of programs and a switch, one harness for each start, and its record."""
    rng = random.Random(seed)
    harnesses = [TableHarness(rules, SEATS, seed=seed, programs=range(1, SEATS)).joined()]
    while (harness := harnesses[-1]).scene is not SceneName.OVER:
        if rng.random() < 0.2:
            trouble(harness, harness[rng.randrange(1, SEATS)], rng)
        if rng.random() < 0.3:
            for hand in list(harness)[1:]:
                hand.cup.keeps_silent = False
                hand.find(Device.CUP)
        if rng.random() < 0.02:
            harnesses.append(restarted(harness))
        elif hands := [hand for hand in harness if hand.awaited]:
            rng.choice(hands).does_something(rng)
        else:
            harness.wait(2)
    return harnesses, record_text(*harnesses)


def record_text(*harnesses: TableHarness) -> str:
    """Return the record of a match; there is a harness for each start."""
    file = io.StringIO()
    names = [info.name for info in harnesses[0].seat_infos]
    recorder = MatchRecorder(harnesses[0].position.rules, names, lambda: "2026-11-21", file)
    for harness in harnesses:
        recorder.record_all(harness.events)
    recorder.close()
    return file.getvalue()


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 12))])
def test_a_match_with_faulty_cups_ends_and_its_record_verifies(rules: Rules, seed: int) -> None:
    harnesses, record = played(rules, seed)
    (verdict,) = verify(record)
    assert verdict.wrong is None
    assert verdict.closed
    assert verdict.head == harnesses[-1].game.head
    repeated = [event.deal for harness in harnesses for event in harness.events_of(DealRepeated)]
    assert [deal.number for deal in verdict.deals_at(DealStage.REPEATED)] == repeated


def test_deals_were_repeated_and_shares_came_from_everywhere() -> None:
    _, record = played(RULESETS["perudo"], 1)
    (verdict,) = verify(record)
    assert verdict.deals_at(DealStage.REPEATED)
    assert {line.kind for deal in verdict.deals for line in deal.given.values()} == {"cup", "switch", "button"}


# Cups that give the same again


class Stuck(random.Random):
    """A random source that is broken."""

    def randbytes(self, n: int) -> bytes:
        return bytes([n]) * n


def stuck(*seats: int) -> TableHarness:
    """Return a match with these cups at a broken source, and honest ones at the other seats."""
    cups = {seat: ProgramCup(seat, Stuck()) for seat in seats}
    return TableHarness(
        PERUDO, SEATS, programs=[seat for seat in range(SEATS) if seat not in seats], cups=cups
    ).joined()


def shaken(harness: TableHarness) -> TableHarness:
    for hand in harness:
        if hand.awaited and harness.scene is SceneName.SHAKING:
            hand.shake()
    return harness


def test_reused_entropy_is_announced_and_the_match_goes_on() -> None:
    harness = stuck(1).until_over(random.Random(1))
    repeated = harness.events_of(DealRepeated)
    assert {(event.seat, event.why) for event in repeated} == {(1, DealFailure.REUSED)}
    assert len(repeated) == 2  # after that the cup is not asked any more
    (verdict,) = verify(record_text(harness))
    assert verdict.wrong is None
    assert [deal.number for deal in verdict.deals if 1 in deal.cups] == [1, *(event.deal for event in repeated)]


def test_a_cup_that_opens_what_another_has_opened_for_this_deal_is_told() -> None:
    harness = shaken(stuck(1, 2))
    assert harness.events_of(DealRepeated) == [DealRepeated(1, 2, DealFailure.REUSED)]
    assert harness.position.number == 1


def test_what_a_cup_opened_is_remembered_over_a_restart() -> None:
    harness = stuck(1).dealt()
    assert harness.scene is SceneName.BIDDING
    again = restarted(harness)
    played = MatchLog(harness.game.id, "2026-11-21", [MatchLogEntry(harness.game.id, encode_events(harness.events))])
    again.table.remember_entropies(opened_by_cups(played, again.table.scene))
    rng = random.Random(1)
    while again.scene is not SceneName.SHAKING:
        rng.choice([hand for hand in again if hand.awaited]).does_something(rng)
    shaken(again)
    assert [event.why for event in again.events_of(DealRepeated)] == [DealFailure.REUSED]


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
