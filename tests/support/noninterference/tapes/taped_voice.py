"""The caller of `dudo-table voice` at a taped session: each cue, what its queue holds, each use of its cache, and what
is heard.
"""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import ClassVar
from zlib import crc32

from support.host.caller_lines import wav

from firmware_host.clients.voice.app import Voice
from firmware_host.clients.voice.clips import SOUNDS, Clip, ClipFolder, read_clip
from firmware_host.clients.voice.output import Output
from firmware_host.clients.voice.speech import Speech
from firmware_host.i18n.caller_phrases import CallerWords
from firmware_host.i18n.catalogues import translation_for

Record = Callable[[str, object], None]
SPOKEN = wav(0.3, rate=8000)
read_once = cache(read_clip)
"""Decodes `SPOKEN` once for all sessions."""
BLOCK_S = 0.1
"""Seconds between two looks at the queue: fewer than really, to save time."""


class TapedSpeech(Speech):
    """A speech whose cache is watched, as access times would tell. It has only what was said: nothing is prepared."""

    keeps = False

    def __init__(self, cache: Path, record: Record) -> None:
        async def speak(sentence: str) -> bytes:
            record("speech", sentence)
            return SPOKEN

        super().__init__("en", cache, speak=speak)
        self._record = record

    def cached(self, sentence: str) -> "Clip[int] | None":
        assert self._cache is not None
        self._record("cache", self._file(self._cache, sentence).name)
        return super().cached(sentence)


class ShippedClips(ClipFolder):
    """The project's own sounds, read once for all sessions."""

    _read_once: ClassVar["dict[str, Clip[int] | None]"] = {}

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._clips = self._read_once


class Loudspeaker(Output):
    """A card that takes everything, and records what is heard: the cues do not say how loud it is."""

    def __init__(self, record: Record) -> None:
        self._record = record

    def write(self, block: bytes) -> bool:
        if any(block):
            self._record("loudspeaker", crc32(block))
        return True

    def close(self) -> None:
        pass


def taped_voice(cache: Path, record: Record) -> Voice:
    """Return a caller that keeps its phrases in `cache`; `record` is given a channel and what went there."""

    def on_cue(at_s: float, what: str) -> None:
        record("cue", (round(at_s, 6), what, repr(voice.queue)))

    speech = TapedSpeech(cache, record)
    words = CallerWords(translation_for("en"))
    voice = Voice(words, speech, (ShippedClips(SOUNDS),), partial(Loudspeaker, record), on_cue=on_cue)
    return voice
