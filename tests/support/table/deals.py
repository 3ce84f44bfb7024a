"""Three players at cups with a program, and what their deals announce."""

from collections.abc import Collection

from support.table.harness import TableHarness

from drivers.messages import Button
from engine import PERUDO, Rules
from firmware_host.table.scenes.deal import RequestCommitment
from firmware_host.wire import ChainEntryAdded

BOARDS = range(3)


def begun(programs: Collection[int] = BOARDS, rules: Rules = PERUDO, seed: int = 0) -> TableHarness:
    """Return a table whose three players are to shake."""
    return TableHarness(rules, 3, seed=seed, programs=programs).joined()


def proven(harness: TableHarness) -> list[str]:
    """Return the lines of deals so far, without their hashes."""
    lines = [event.line for event in harness.events_of(ChainEntryAdded) if event.line.startswith("deal")]
    return [" ".join(word for word in line.split() if len(word) < 16) for line in lines]


def shaken(harness: TableHarness, *seats: int) -> TableHarness:
    for seat in seats:
        harness[seat].shake()
    return harness


def drawn(harness: TableHarness) -> list[int]:
    """Return the seats that were asked to bind themselves."""
    return [effect.seat for effect in harness.effects if isinstance(effect, RequestCommitment)]


def called(harness: TableHarness) -> TableHarness:
    """Return a table after a bid and a call, with its cups up."""
    harness.turn.tap()
    harness.turn.tap(Button.DUDO)
    return harness.revealed()
