"""Whoever may see that the journal grows, and by how much, learns nothing of dice that are not yet shown."""

import random

import pytest
from support.noninterference.variants import HELD, ROUNDS, dealt

from engine import DUDO, Bid, Match, RoundKind, Rules
from firmware_host.store.journal import records
from firmware_host.table.scenes.bidding import Bidding
from firmware_host.table.scenes.called import Called
from firmware_host.table.scenes.scene import Game


@pytest.mark.parametrize("seats", HELD)
@pytest.mark.parametrize(("rules", "kind"), ROUNDS, ids=str)
def test_a_record_is_as_long_whatever_lies_under_the_cups_and_comes_of_a_call(
    rules: Rules, kind: RoundKind, seats: int
) -> None:
    position, rng = dealt(rules, kind, seats).game.position, random.Random(seats)
    bid, bidder, caller = Bid(sum(position.dice) // 3 + 1, 3), position.living[0], position.living[1]
    lengths, matching = set(), set()
    for _ in range(50):
        hands = {seat: [rng.randint(1, 6) for _ in range(held)] for seat, held in enumerate(position.dice) if held}
        match = Match(position).roll(hands).play(bidder, bid)
        outcome = match.play(caller, DUDO)
        assert outcome.position.showdown is not None
        matching.add(outcome.position.showdown.matching)
        game, called = (Game("the same", each, tuple(range(seats)), deals=1) for each in (match, outcome))
        scene = Called(game=game, caller=caller, call=DUDO, outcome=called)
        assert records.decode_scene(scene.name, records.encode_scene(scene)) == scene
        lengths.add((len(records.encode_scene(Bidding(game=game))), len(records.encode_scene(scene))))
    assert len(matching) > 1
    assert len(lengths) == 1
