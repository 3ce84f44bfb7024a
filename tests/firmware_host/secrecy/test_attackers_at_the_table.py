"""Cups that cheat at a real table, and what `verify` says of its record; honest matches, too."""

import io
import random
from collections import Counter
from collections.abc import Collection

import pytest
from support import rest_slow
from support.proofs.forgery import first_wrong
from support.table.harness import TableHarness
from support.table.program_cup import ProgramCup

from drivers.messages import Drawn, Opened
from engine import PERUDO, RULESETS, Player, Rules, parse_rules
from firmware_host.fairness import commitments
from firmware_host.fairness.chain import head_text
from firmware_host.fairness.commitments import cup_commitment
from firmware_host.fairness.verify.checker import verify
from firmware_host.fairness.verify.deal_checker import DealStage
from firmware_host.fairness.verify.verdict import Verdict
from firmware_host.store.scores.recorder import MatchRecorder
from firmware_host.table.events import DealFailure, PublicEvent
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import DealRepeated

CHEAT = 1
EVERY_FACE = 20.5  # chi-square with 5 degrees of freedom: exceeded by honest dice once in a thousand


def record_text(harness: TableHarness, rules: Rules) -> str:
    file = io.StringIO()
    recorder = MatchRecorder(rules, [seat.name for seat in harness.seat_infos], lambda: "2026-11-21", file)
    said: list[PublicEvent] = harness.events
    for event in said:
        recorder.record(event)
    recorder.close()
    return file.getvalue()


def verdict_on(harness: TableHarness, rules: Rules = PERUDO) -> Verdict:
    (verdict,) = verify(record_text(harness, rules))
    assert verdict.wrong is None
    assert head_text(verdict.head) == head_text(harness.game.head)
    return verdict


OPENER = parse_rules("ours=perudo(seating=roll-opener)")


@pytest.mark.parametrize("programs", rest_slow((1,), (), (0, 1, 2)), ids=str)
@pytest.mark.parametrize("rules", [*RULESETS.values(), OPENER], ids=str)
def test_the_record_of_every_match_is_right(rules: Rules, programs: Collection[int]) -> None:
    harness = TableHarness(rules, 3, programs=programs).joined().until_over(random.Random(2))
    verdict = verdict_on(harness, rules)
    assert len(verdict.deals) == len(verdict.deals_at(DealStage.OPEN)) == harness.game.deals
    assert {deal.cups for deal in verdict.deals if len(deal.wanted) == 3} == {tuple(programs)}


def shaken(harness: TableHarness) -> None:
    for hand in harness:
        if hand.awaited and harness.scene is SceneName.SHAKING:
            hand.shake()


# A cup that tries entropies


class GrindingCup(ProgramCup):
    """Knows how dice are made, and draws until it likes what it expects."""

    def draw(self, deal: bytes) -> None:
        """Hear `Draw`, and answer with the best of many tries against a seed and entropies that it guesses."""
        super().draw(deal)
        guess = self._rng.randbytes(32)
        tries = [self._rng.randbytes(32) for _ in range(8)]
        self.entropy = max(
            tries,
            key=lambda tried: commitments.deal_dice("m", 1, guess, {0: guess, 1: tried}, {1: 5})[Player(1)].count(6),
        )
        self.answers[-1] = Drawn(self.seat, deal, cup_commitment(deal, self.entropy))


def test_a_cup_that_tries_entropies_gets_every_face_as_often() -> None:
    thrown: Counter[int] = Counter()
    for seed in range(120):
        cheat = GrindingCup(CHEAT, random.Random(seed))
        harness = TableHarness(PERUDO, 2, seed=seed, programs=[0], cups={CHEAT: cheat}).joined()
        shaken(harness)
        assert harness.scene is SceneName.BIDDING
        thrown.update(harness.game.match.view(CHEAT).hands[CHEAT] or ())
    expected = thrown.total() / 6
    assert thrown.total() == 600
    assert sum((thrown[face] - expected) ** 2 / expected for face in range(1, 7)) < EVERY_FACE


# Cups that would take back what they committed to


class RetractingCup(ProgramCup):
    """Opens something else than it committed to, once."""

    regrets = True

    def open(self, deal: bytes) -> None:
        """Hear `Open`."""
        super().open(deal)
        if self.regrets and self.answers:
            self.regrets = False
            self.answers[-1] = Opened(self.seat, deal, bytes(32))


def test_a_cup_that_opens_something_else_has_the_deal_repeated_and_counted() -> None:
    cheat = RetractingCup(CHEAT, random.Random(1))
    harness = TableHarness(PERUDO, 3, programs=[0, 2], cups={CHEAT: cheat}).joined()
    shaken(harness)
    assert [event.why for event in harness.events_of(DealRepeated)] == [DealFailure.WRONG]
    verdict = verdict_on(harness.until_over(random.Random(3)))
    assert [deal.number for deal in verdict.deals_at(DealStage.REPEATED)] == [1]


class ForgetfulCup(ProgramCup):
    """Says that it restarted whenever its player has shaken, and commits to something else."""

    def settle(self) -> None:
        """Stand still again after a shake."""
        super().settle()
        deal = self.deal
        self.start()
        self.draw(deal)


def test_a_cup_that_commits_again_after_the_shake_is_in_no_dice_and_at_last_not_asked() -> None:
    cheat = ForgetfulCup(CHEAT, random.Random(1))
    harness = TableHarness(PERUDO, 3, programs=[0, 2], cups={CHEAT: cheat}).joined().until_over(random.Random(3))
    verdict = verdict_on(harness)
    assert len(verdict.deals_at(DealStage.REPEATED)) == len(harness.events_of(DealRepeated)) >= 1
    assert all(CHEAT not in deal.cups for deal in verdict.deals_at(DealStage.OPEN))


# A table that is picked up


@pytest.mark.parametrize("rules", [PERUDO, OPENER], ids=str)
def test_a_table_that_came_up_again_in_mid_match_goes_on_with_the_same_chain(rules: Rules) -> None:
    harness = TableHarness(rules, 3, programs=[0, 1, 2]).joined()
    for _ in range(60):
        if harness.scene is SceneName.OVER:
            break
        before = [hand for hand in harness if hand.awaited]
        before[0].does_something(harness.rng)
    scene = harness.table.scene
    again = TableHarness(rules, 3, seed=1, scene=scene, cups=harness.cups, programs=[]).until_over(random.Random(4))
    again.effects[:0] = harness.effects
    assert first_wrong(record_text(again, rules)) is None
    verdict_on(again, rules)
