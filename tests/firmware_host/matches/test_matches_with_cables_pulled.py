"""Seats play to the end while cups and boards are pulled out and put back at any moment, and nothing is lost.

Dice stay what they are, what was said stands, and a second after a cable is back its seat is as if it had never gone.
"""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from support.wires.pulled_cables import PulledCables

from engine import RULESETS, Rules
from firmware_host import cli
from firmware_host.play.emulated_session import EmulatedSession
from firmware_host.store.scores.recorder import recording
from firmware_host.table.events import PublicEvent
from hardware.config.layout import load_builtin
from hardware.emulated.virtual_loop import VirtualLoop

pytestmark = pytest.mark.slow


LAYOUTS = ("boards-8", "wired-8")


def played(layout_name: str, rules: Rules, seed: int, record: Path, *, every_s: float, seats: int = 8) -> PulledCables:
    """Play a match to its end with cables pulled; its record verifies."""
    layout = load_builtin(layout_name).first(seats)
    cables = PulledCables(seed, every_s=every_s)
    with recording(record, rules, [seat.name for seat in layout.seats]) as log_event:

        def handle(event: PublicEvent) -> None:
            log_event(event)
            cables.tell(event)

        with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
            session = EmulatedSession(layout, rules, seed)
            runner.run(session.play(handle, [cables.onlooker], publish=cables.publish))
    assert len(cables.won) == 1, f"seed {seed}"
    assert cables.wrong == [], f"seed {seed}"
    assert cables.head is not None
    assert cli.main(["verify", str(record), "--head", cables.head]) == 0, f"seed {seed}"
    return cables


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_match_ends_though_cables_are_pulled(layout: str, tmp_path: Path) -> None:
    rules = replace(RULESETS["kill-spot"], starting_dice=3)
    cables = played(layout, rules, 1, tmp_path / "scores", every_s=3.0, seats=4)
    assert cables.pulled.total() >= 10
    assert cables.compared >= 10


@pytest.mark.soak
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_every_match_ends_though_ten_cables_and_more_are_pulled(
    layout: str, rules: Rules, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ten matches of these are a hundred cables and more."""
    cables = played(layout, rules, 5, tmp_path / "scores", every_s=8.0)
    with capsys.disabled():
        pulled = ", ".join(f"{cable} {times}" for cable, times in sorted(cables.pulled.items()))
        print(f"\n{rules.name} at {layout}: pulled {pulled}; looked {cables.compared} times")
    assert cables.pulled.total() >= 10
