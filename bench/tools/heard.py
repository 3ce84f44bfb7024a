"""`python -m bench.tools.heard SOCKET`: the caller of `dudo-table voice` at a card that takes everything at once.

`bench.sections.cues` starts it. Each line of its output is the time at which a cue was mixed, in seconds of the clock
of this computer, and the cue as the text beside a recording has it.
"""

import asyncio
import sys
import time
from pathlib import Path

from firmware_host.clients.voice.app import Voice
from firmware_host.clients.voice.clips import SOUNDS, ClipFolder
from firmware_host.clients.voice.output import Output
from firmware_host.clients.voice.speech import Speech
from firmware_host.i18n.caller_phrases import CallerWords
from firmware_host.i18n.catalogues import translation_for


class SilentCard(Output):
    """A card that takes everything at once."""

    def write(self, block: bytes) -> bool:
        """Take a block."""
        return True

    def close(self) -> None:
        """Nothing is open."""


def note(at_s: float, what: str) -> None:
    """Print what begins now."""
    print(f"{time.time():.4f} {what}", flush=True)


if __name__ == "__main__":
    words, speech = CallerWords(translation_for("en")), Speech("en", None)
    asyncio.run(Voice(words, speech, (ClipFolder(SOUNDS),), SilentCard, on_cue=note).run(Path(sys.argv[1])))
