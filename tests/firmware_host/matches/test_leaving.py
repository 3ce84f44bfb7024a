"""Somebody gives up, somebody is voted out, and those who are left go home: from edge to display, and to the record."""

import asyncio
import io
from pathlib import Path

import pytest
from support.wires.table_at_wires import AtWires, at_wires

from engine import PERUDO
from engine.notation.score import Departure
from firmware_host.fairness.verify.checker import verify
from firmware_host.fairness.verify.deal_checker import DealStage
from firmware_host.store.scores.recorder import MatchRecorder
from firmware_host.table.events import LeaveReason, PublicEvent
from firmware_host.table.parts import timeouts
from firmware_host.table.parts.timeouts import AWAY_TIMEOUT_NS
from firmware_host.table.scenes.lobby import COUNTDOWN_NS, Lobby
from firmware_host.table.seat.menu import MenuCommand, MenuItem
from firmware_host.table.seat.view import SceneName, SeatView
from firmware_host.wire import Away, Left, MatchBrokenOff
from hardware.config.layout import load_builtin
from hardware.emulated.virtual_loop import VirtualLoop

SECOND_NS = 1_000_000_000
DESERTED_NS = 400 * SECOND_NS
"""Here nobody waits for an hour."""
NORTH, EAST, SOUTH, WEST = range(4)


def view(table: AtWires, seat: int) -> SeatView:
    return table.seen[seat][-1][0]


async def tap(table: AtWires, seat: int, button: str) -> None:
    table.seats[seat].tap(button)
    await asyncio.sleep(0.3)


async def pick(table: AtWires, seat: int, item: MenuItem) -> None:
    """▶ until it is under the cursor, and OK."""
    for _ in range(60):
        if table.menu(seat).chosen == item:
            break
        await tap(table, seat, "right")
    assert table.menu(seat).chosen == item
    await tap(table, seat, "ok")


async def shake(table: AtWires, *seats: int) -> None:
    for seat in seats:
        table.seats[seat].shake()
    await asyncio.sleep(2)


async def play_match(layout: str, folder: Path, *, bids: bool) -> list[PublicEvent]:
    async with at_wires(layout, Lobby(), folder) as table:
        for seat in (NORTH, EAST, SOUTH, WEST):
            await pick(table, seat, MenuCommand.JOIN)
        await pick(table, NORTH, MenuCommand.START)
        await asyncio.sleep(COUNTDOWN_NS / SECOND_NS + 1)

        await shake(table, NORTH, EAST, SOUTH, WEST)
        position = view(table, WEST).position
        assert position is not None
        assert position.turn is not None
        if bids:
            await tap(table, position.turn, "ok")
        await pick(table, WEST, MenuCommand.GIVE_UP)
        await pick(table, WEST, MenuCommand.QUIT)

        await shake(table, NORTH, SOUTH)  # East has gone for a smoke
        await asyncio.sleep(AWAY_TIMEOUT_NS / SECOND_NS)
        await pick(table, NORTH, MenuCommand.PLAY_ON)
        await pick(table, SOUTH, MenuCommand.PLAY_ON)

        await shake(table, NORTH, SOUTH)
        assert view(table, NORTH).scene is SceneName.BIDDING
        await asyncio.sleep(DESERTED_NS / SECOND_NS)
        assert {view(table, seat).scene for seat in range(4)} == {SceneName.LOBBY}
        return table.events


@pytest.mark.parametrize(("layout", "bids"), [("boards-8", False), ("wired-4", True)])
def test_a_match_that_everybody_leaves_in_another_way_is_a_record_that_holds(
    layout: str, bids: bool, loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timeouts, "DESERTED_TIMEOUT_NS", DESERTED_NS)
    events = loop.run_until_complete(play_match(layout, tmp_path, bids=bids))
    ends = [event for event in events if isinstance(event, Left | Away | MatchBrokenOff)]
    assert ends[:3] == [Left(WEST, LeaveReason.GAVE_UP), Away(EAST), Left(EAST, LeaveReason.OUTVOTED)]
    assert isinstance(ends[-1], MatchBrokenOff)

    file = io.StringIO()
    names = [seat.name for seat in load_builtin(layout).seats]
    recorder = MatchRecorder(PERUDO, names, lambda: "2026-11-21", file)
    for event in events:
        recorder.record(event)
    recorder.close()
    (verdict,) = verify(file.getvalue())
    assert verdict.wrong is None
    assert verdict.score is not None
    assert [entry.seat for entry in verdict.score.entries if isinstance(entry, Departure)] == [WEST, EAST]
    assert verdict.score.winner is None
    stages = [deal.stage for deal in verdict.deals]
    assert stages == [DealStage.SECRET, DealStage.REPEATED, DealStage.SEALED], "dice of which nobody ever learns"
    assert file.getvalue().endswith("\n*\n")
