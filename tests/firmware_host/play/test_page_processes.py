"""The public page beside a match of `play`: no Ctrl-C leaves its process behind."""

import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from firmware_host.play.page_processes import screen_process


def test_ctrl_c_while_the_process_begins_leaves_none_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[subprocess.Popen[bytes]] = []

    class Interrupted(subprocess.Popen[bytes]):
        """A process that is there when Ctrl-C comes, and whose parent does not know it yet."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            begun.append(self)
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt), screen_process(tmp_path / "events.sock", None, "en"):
        pytest.fail("it goes on")
    assert [process.poll() is None for process in begun] == [False]
    assert signal.getsignal(signal.SIGINT) is before
