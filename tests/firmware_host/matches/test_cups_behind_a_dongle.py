"""Whole matches at a table whose cups share one serial port: a radio dongle, and an address for each cup."""

import asyncio
from dataclasses import replace

import pytest
from support.wires.layouts import at_a_dongle

from engine import PERUDO, PYRUDO, Rules
from firmware_host.play.emulated_session import EmulatedSession
from firmware_host.table.events import PublicEvent
from firmware_host.wire import DeviceLost, MatchWon
from hardware.config.layout import Layout
from hardware.emulated.virtual_loop import VirtualLoop

pytestmark = pytest.mark.slow


RADIO = at_a_dongle(*(f'{{ serial = "DONGLE", address = {number} }}' for number in (1, 2, 255)), '{ serial = "CUP4" }')


def played(layout: Layout, rules: Rules) -> list[PublicEvent]:
    events: list[PublicEvent] = []
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
        runner.run(EmulatedSession(layout, rules, 3).play(events.append, ()))
    return events


@pytest.mark.parametrize("rules", [PERUDO, PYRUDO], ids=str)
def test_a_match_is_played_with_cups_that_share_a_port(rules: Rules) -> None:
    kinds = [type(event) for event in played(RADIO, replace(rules, starting_dice=3))]
    assert (kinds.count(MatchWon), kinds.count(DeviceLost)) == (1, 0)
