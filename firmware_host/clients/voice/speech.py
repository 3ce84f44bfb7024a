"""Speech by espeak-ng, and a cache of its clips. `app` asks for a sentence's clip.

espeak-ng makes a phrase in some 20 ms on a PC, so the cache is for slow computers. If it is lost or full, phrases are
made again.
"""

import asyncio
import hashlib
import logging
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from firmware_host.clients.voice.clips import MAX_CLIP_BYTES, Clip, ClipError, check, read_clip, read_file
from firmware_host.util.system_error import reason_of
from hardware.config.languages import VOICES

TIMEOUT_S = 3.0
"""Seconds after which espeak-ng is killed."""
RETRY_S = 60.0
"""Seconds without another try after espeak-ng failed."""
MAX_CACHED = 4000
"""Maximum number of cache files. Eight seats' bids in three languages are 720, 60 kB each."""
MAX_RECENT = 32
"""Clips in memory, of some 130 kB each."""
WORDS_A_MINUTE = 160
_OPTIONS = ("-z", "-s", str(WORDS_A_MINUTE), "--stdin", "--stdout")

log = logging.getLogger(__name__)
Speak = Callable[[str], Awaitable[bytes]]


class SpeechError(Exception):
    """A sentence rejected by espeak-ng. The text gives reason and remedy."""


class Speech:
    """Spoken sentences in one language. `cache` is a folder, or None for no cache."""

    def __init__(self, language: str, cache: Path | None, gain: float = 1.0, speak: Speak | None = None) -> None:
        self._voice = VOICES[language]
        self._gain = gain
        self._speak = speak or self._run
        self._failed_s: float | None = None
        self._may_write = True
        self._recent: dict[str, Clip[int]] = {}
        self._cache = cache
        if cache is not None:
            self._prepare(cache)

    @property
    def keeps(self) -> bool:
        """Whether phrases can be made in advance."""
        return self._cache is not None and self._may_write and self._failed_s is None

    def cached(self, sentence: str) -> "Clip[int] | None":
        """Return a sentence spoken before, from memory or the cache."""
        if sentence in self._recent:
            self._recent[sentence] = self._recent.pop(sentence)  # the most recent again
            return self._recent[sentence]
        if self._cache is None:
            return None
        file = self._file(self._cache, sentence)
        try:
            return self._remember(sentence, read_clip(read_file(file), self._gain))
        except ClipError:  # missing, or cut off by a power cut
            with suppress(OSError):
                file.unlink(missing_ok=True)
            return None

    async def clip(self, sentence: str) -> "Clip[int] | None":
        """Return a sentence as sound, None without speech. Never raises."""
        if (found := self.cached(sentence)) is not None:
            return found
        data = await self._made(sentence)
        return None if data is None else self._remember(sentence, read_clip(data, self._gain))

    async def prepare(self, sentence: str) -> None:
        """Put a missing sentence into the cache, without decoding: that would hold up the stream."""
        if self._cache is not None and not self._file(self._cache, sentence).exists():
            await self._made(sentence)

    async def _made(self, sentence: str) -> bytes | None:
        """Return a sentence made by espeak-ng, and keep it; None if that fails, and for a while afterwards."""
        now_s = asyncio.get_running_loop().time()
        if self._failed_s is not None and now_s < self._failed_s + RETRY_S:
            return None
        try:
            data = await self._speak(sentence)
            check(data)
        except (SpeechError, ClipError) as error:
            if self._failed_s is None:
                log.warning("no speech: %s; only sounds are played until it works", error)
            self._failed_s = now_s
            return None
        if self._failed_s is not None:
            log.warning("speech works again")
        self._failed_s = None
        self._keep(sentence, data)
        return data

    async def _run(self, sentence: str) -> bytes:
        """Run espeak-ng for a sentence. Raises `SpeechError`."""
        environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"}
        pipe, null = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        try:
            process = await asyncio.create_subprocess_exec(
                *("espeak-ng", "-v", self._voice, *_OPTIONS), stdin=pipe, stdout=pipe, stderr=null, env=environment
            )
        except FileNotFoundError:
            raise SpeechError("espeak-ng is not installed: sudo apt install espeak-ng") from None
        except OSError as error:
            raise SpeechError(f"espeak-ng does not start: {reason_of(error)}") from error
        try:
            return await asyncio.wait_for(_talk(process, sentence), TIMEOUT_S)
        except TimeoutError:
            raise SpeechError(f"espeak-ng did not answer within {TIMEOUT_S:g} s and was stopped") from None
        finally:
            # Process.wait would never return with unread output left; closing also kills.
            process._transport.close()  # type: ignore[attr-defined]

    def _prepare(self, cache: Path) -> None:
        try:
            cache.mkdir(mode=0o755, parents=True, exist_ok=True)
            files = sorted(cache.glob("*.wav"), key=lambda file: file.stat().st_mtime)
            for file in files[: max(0, len(files) - MAX_CACHED)]:
                file.unlink()
        except OSError as error:
            self._cannot_write(error)

    def _file(self, cache: Path, sentence: str) -> Path:
        digest = hashlib.sha256("\0".join((*_OPTIONS, sentence)).encode()).hexdigest()[:20]
        return cache / f"{self._voice}-{digest}.wav"

    def _remember(self, sentence: str, clip: "Clip[int]") -> "Clip[int]":
        self._recent[sentence] = clip
        if len(self._recent) > MAX_RECENT:
            del self._recent[next(iter(self._recent))]
        return clip

    def _keep(self, sentence: str, data: bytes) -> None:
        if self._cache is None or not self._may_write:
            return
        file = self._file(self._cache, sentence)
        new = file.with_suffix(".new")
        try:
            new.unlink(missing_ok=True)
            new.write_bytes(data)
            new.replace(file)  # without a sync: half a clip is invalid, and made again
        except OSError as error:
            self._cannot_write(error)
            with suppress(OSError):
                new.unlink(missing_ok=True)

    def _cannot_write(self, error: OSError) -> None:
        self._may_write = False
        why = reason_of(error)
        log.warning("%s: phrases are not kept there: %s; they are made again each time", self._cache, why)

    def __repr__(self) -> str:
        return f"<Speech {self._voice} in {self._cache}>"


async def _talk(process: asyncio.subprocess.Process, sentence: str) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(ConnectionError):
        process.stdin.write(sentence.encode())
        await process.stdin.drain()
    process.stdin.close()
    data = bytearray()
    while chunk := await process.stdout.read(1 << 16):
        data += chunk
        if len(data) > MAX_CLIP_BYTES:
            raise SpeechError("espeak-ng wrote more than a phrase")
    if await process.wait():
        raise SpeechError(f"espeak-ng failed with exit code {process.returncode}; reinstall it")
    return bytes(data)


def default_cache() -> Path | None:
    """Return systemd's cache folder, else the user's by the XDG specification, if any."""
    if given := os.environ.get("CACHE_DIRECTORY"):
        return Path(given.partition(":")[0])
    home = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(home) if os.path.isabs(home) else Path.home() / ".cache") / "dudo-table" / "voice"
    except RuntimeError:
        return None
