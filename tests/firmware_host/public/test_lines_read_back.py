"""A public line, read back as its event, tells the same story."""

import random
from collections.abc import Sequence

import msgspec
import pytest
from support.table.harness import TableHarness

from engine import RULESETS, Rules
from firmware_host.public.decoder import event_of
from firmware_host.public.encoder import LineEncoder
from firmware_host.public.narration import Narrator
from firmware_host.table.events import PublicEvent, RoundBegan
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import Joined, PublicState, Seat, read

NAMES = ("North", "East", "South")


def in_order_of_seats(event: PublicEvent) -> PublicEvent:
    """Return an event with a round's dice by seat, as its line has them."""
    if isinstance(event, RoundBegan):
        return msgspec.structs.replace(event, dice=tuple(sorted(event.dice)))
    return event


def read_back(events: Sequence[PublicEvent], rules: Rules) -> list[PublicEvent]:
    encoder = LineEncoder(NAMES, rules)
    lines = [read(encoder.event(event)) for event in events]
    return [event_of(line) for line in lines if line is not None and not isinstance(line, PublicState)]


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_whole_match_is_told_the_same_from_its_lines(rules: Rules, language: str) -> None:
    harness, rng = TableHarness(rules, 3).joined(), random.Random(str(rules))
    narrator = Narrator(NAMES, rules, language)
    while harness.scene is not SceneName.OVER:
        rng.choice([hand for hand in harness if hand.awaited]).does_something(rng)
    events = harness.events
    assert len(events) > 50
    told = [narrator.lines(event) for event in read_back(events, rules)]
    assert told == [narrator.lines(in_order_of_seats(event)) for event in events]


def test_a_word_of_a_newer_table_is_an_error() -> None:
    with pytest.raises(ValueError, match="dragon"):
        event_of(Joined(Seat(1), "dragon"))
