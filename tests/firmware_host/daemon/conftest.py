"""A daemon on a virtual clock for the tests of its order, of hiding and of faults, and a service with its files."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.table.daemon_harness import DaemonHarness, SlowJournal, Start
from support.wires.edited_service import Serve, serving

from engine import PYRUDO, Rules
from firmware_host.table.scenes.scene import Scene
from hardware.emulated.virtual_loop import VirtualLoop


@pytest.fixture
def start(loop: VirtualLoop, tmp_path: Path) -> Iterator[Start]:
    """Give a function that starts a daemon on a round that is laid out, or on nothing."""
    opened: list[DaemonHarness] = []

    def start(
        rules: Rules = PYRUDO, seats: int = 3, scene: Scene | None = None, *, commits: bool = False
    ) -> DaemonHarness:
        harness = DaemonHarness(loop, SlowJournal(tmp_path / f"{len(opened)}.sqlite"), rules, seats, scene, commits)
        opened.append(harness)
        return harness

    yield start
    for harness in opened:
        harness.close()
        harness.journal.close()


@pytest.fixture
def serve(loop: VirtualLoop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Run a script beside a service whose owner edits its file."""
    return serving(tmp_path, loop, monkeypatch)
