"""The daemon has figures made by one process at a time, however many clients ask, and goes on without them."""

import asyncio
import sys
from pathlib import Path

import pytest

from firmware_host.daemon import answers
from firmware_host.daemon.answers import FRESH_S, HouseFigures, SideProgram
from firmware_host.store.house.database import FILE_NAME
from firmware_host.wire import FiguresAnswer
from hardware.emulated.virtual_loop import VirtualLoop


def test_figures_are_made_once_for_all_who_ask_and_again_when_they_are_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    async def printed(_: SideProgram, folder: str, *, text: str) -> str:
        made.append(folder)
        await asyncio.sleep(3)
        return str(len(made))

    async def scenario() -> None:
        house = HouseFigures(tmp_path)
        assert await asyncio.gather(*[house.get() for _ in range(50)]) == [FiguresAnswer("1")] * 50
        assert await house.get() == FiguresAnswer("1")
        await asyncio.sleep(FRESH_S)
        assert await house.get() == FiguresAnswer("2")
        assert made == [str(tmp_path)] * 2

    monkeypatch.setattr(answers, "printed", printed)
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
        runner.run(scenario())


def test_a_client_that_goes_does_not_take_the_figures_from_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def printed(_: SideProgram, *arguments: str, text: str) -> str:
        await asyncio.sleep(3)
        return "{}"

    async def scenario() -> None:
        house = HouseFigures(tmp_path)
        first, second = asyncio.create_task(house.get()), asyncio.create_task(house.get())
        await asyncio.sleep(1)
        first.cancel()
        assert await second == FiguresAnswer("{}")

    monkeypatch.setattr(answers, "printed", printed)
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(patience_s=30)) as runner:
        runner.run(scenario())


def test_a_process_that_fails_costs_the_figures_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "matches").mkdir()
    (tmp_path / FILE_NAME).mkdir()
    assert asyncio.run(HouseFigures(tmp_path).get()) == FiguresAnswer(None)
    assert caplog.messages == [
        "the figures of the house can't be made: its process ended with 2; dudo-table stats says more"
    ]


def test_a_process_that_prints_too_much_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    endless = tmp_path / "python"
    endless.write_text("#!/bin/sh\nexec cat /dev/zero\n")
    endless.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(endless))
    assert asyncio.run(HouseFigures(tmp_path).get()) == FiguresAnswer(None)
    assert "prints more than 49152 bytes" in caplog.text


def test_a_program_that_is_not_there_costs_the_figures_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    assert asyncio.run(HouseFigures(tmp_path).get()) == FiguresAnswer(None)
