"""The bench's card: it plays as ALSA does, from a full buffer on."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bench.sections import sound
from bench.tools import processes

pytestmark = pytest.mark.slow

FORM = ("-r", "48000", "--buffer-time", "60000")
SOUND = b"\x01" * 9600
"""A tenth of a second."""


def test_the_card_notes_the_first_sound_of_each_after_silence(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    stream = SOUND + bytes(4 * len(SOUND)) + SOUND + bytes(len(SOUND)) + SOUND
    began_s = time.monotonic()
    environment = {**os.environ, sound.HEARD: str(heard), "PYTHONPATH": str(processes.ROOT)}
    subprocess.run([sys.executable, sound.__file__, *FORM], input=stream, env=environment, check=True)
    first_s, second_s = map(float, heard.read_text().splitlines())
    assert began_s < first_s < second_s < time.monotonic()
