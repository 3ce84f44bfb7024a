"""Sound output: the mix of playing sounds, and the card, by a pipe to `aplay`, or a WAV file.

`app` calls `write` with one block of the mix after another. A missing, lost or stuck card raises `OutputError`; `app`
then opens it again.
"""

import fcntl
import os
import re
import subprocess
import wave
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from operator import add
from pathlib import Path

from firmware_host.clients.voice import mix
from firmware_host.clients.voice.clips import RATE, Clip
from firmware_host.errors import UserError
from firmware_host.util.system_error import reason_of

BLOCK_S = 0.04
BLOCK = round(BLOCK_S * RATE)
"""Samples of a block."""
BUFFER_US = 60_000
"""Microseconds of sound in the card's buffer."""
PIPE_BYTES = 4096
"""Size of the pipe to aplay in bytes, Linux's minimum. With the card's buffer it determines a sound's delay."""
FADE = round(0.01 * RATE)
"""Samples in a cut phrase's fade-out."""
MAX_SOUNDS = 4
LIMIT = 24_576
"""The mix's highest sample: 2.5 dB below full scale, which keeps true peaks below −2 dBTP."""
DUCKED = mix.factor(mix.DUCK_DB)
"""Factor on sounds beside a phrase."""
CARDS = Path("/proc/asound/cards")
_SILENT = bytes(2 * BLOCK)


class OutputError(OSError):
    """A card that refuses sound. The text names it and the reason."""


class Mixer:
    """The current sounds and phrase, a block at a time."""

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain
        """Mix volume from 0 to 1. A change takes a block, to avoid a click."""
        self._heard = gain  # at the end of the last block
        self._sounds: list[array[int]] = []
        self._phrase: array[int] | None = None
        self._cut: array[int] | None = None  # the end of a phrase that fades out
        self._ducked = 1.0  # the sounds' factor at the end of the last block
        self.played = 0
        """Number of mixed samples."""

    @property
    def speaks(self) -> bool:
        """Whether a phrase is still playing."""
        return bool(self._phrase)

    @property
    def is_silent(self) -> bool:
        """Whether the mix is empty."""
        return not (self._sounds or self._phrase or self._cut)

    def sound(self, clip: "Clip[int]") -> None:
        """Play a sound from now on, on top of the others; beyond the limit, the oldest ends."""
        self._begin()
        self._sounds = [*self._sounds[1 - MAX_SOUNDS :], clip]

    def speak(self, clip: "Clip[int]") -> None:
        """Replace the current phrase by this one."""
        self._begin()
        self.hush()
        self._phrase = clip

    def hush(self) -> None:
        """Let the phrase fade out within a moment."""
        if self._phrase:
            rest = self._phrase[:FADE]
            self._cut = array("h", (value * (FADE - i) // FADE for i, value in enumerate(rest)))
        self._phrase = None

    def block(self) -> bytes:
        """Return the next `BLOCK` samples, 16 bits each."""
        self.played += BLOCK
        if self.is_silent:
            return _SILENT
        mixed = _sum([self._duck(_sum(self._sounds)), self._phrase, self._cut])
        self._sounds = [clip[BLOCK:] for clip in self._sounds if len(clip) > BLOCK]
        self._phrase = self._phrase[BLOCK:] if self._phrase and len(self._phrase) > BLOCK else None
        self._cut = None
        return _SILENT if mixed is None else self._scaled(mixed).tobytes()

    def _duck(self, sounds: "array[int] | None") -> "array[int] | None":
        """Return the sounds at their level, lower beside a phrase. A change takes a block."""
        before, self._ducked = self._ducked, DUCKED if self._phrase else 1.0
        return None if sounds is None else _ramped(sounds, before, self._ducked)

    def _begin(self) -> None:
        """Begin at the current gain, unless a playing sound would click."""
        if self.is_silent:
            self._heard = self.gain

    def _scaled(self, mixed: "array[int]") -> "array[int]":
        """Return the mix at the current volume."""
        before, self._heard = self._heard, self.gain
        return _ramped(mixed, before, self.gain)


def _sum(clips: "Iterable[array[int] | None]") -> "array[int] | None":
    """Return the sum of the clips' first blocks, None without clips."""
    playing = [clip for clip in clips if clip]
    if not playing:
        return None
    mixed, *others = (clip[:BLOCK] + array("h", bytes(2 * max(0, BLOCK - len(clip)))) for clip in playing)
    for other in others:
        sums = [*map(add, mixed, other)]
        is_loud = max(sums) > LIMIT or min(sums) < -LIMIT
        mixed = array("h", [max(-LIMIT, min(LIMIT, value)) for value in sums] if is_loud else sums)
    return mixed


def _ramped(block: "array[int]", before: float, after: float) -> "array[int]":
    """Return a block with its factor moving from `before` to `after`."""
    if before == after == 1.0:
        return block
    if before == after:
        factor = round(before * 32768)  # whole numbers are faster
        return array("h", [value * factor >> 15 for value in block])
    step = (after - before) / BLOCK
    return array("h", [int(value * (before + step * at)) for at, value in enumerate(block, start=1)])


class Output(ABC):
    """An open sample stream."""

    may_close = True
    """Whether the stream may be closed in a pause, and opened again."""
    may_rest = False
    """Whether a pause needs no samples."""

    @abstractmethod
    def write(self, block: bytes) -> bool:
        """Take a block, or return False while there is no room. Raises `OutputError`."""

    @abstractmethod
    def close(self) -> None:
        """End the stream at once. Further calls are no-ops."""


class WavOutput(Output):
    """A WAV file, with its cues as text beside it. The pauses of a closed card are left out."""

    may_close = False

    def __init__(self, path: Path) -> None:
        """Begin both files. Raises `UserError`, as every method does when a file can't be written."""
        self._path = path
        with self._named():
            self._cues = path.with_suffix(".txt").open("w", encoding="utf-8")
            self._file = wave.open(str(path), "wb")  # noqa: SIM115
        self._file.setnchannels(1)
        self._file.setsampwidth(2)
        self._file.setframerate(RATE)

    def note(self, at_s: float, what: str) -> None:
        """Record a cue and its file time in seconds."""
        with self._named():
            print(f"{at_s:9.3f}  {what}", file=self._cues, flush=True)

    def write(self, block: bytes) -> bool:
        """Write a block and the header, so the file stays playable if it ends here, even on a full disk."""
        with self._named():
            self._file.writeframes(block)
        return True

    def close(self) -> None:
        """Complete the files."""
        with self._named(), closing(self._cues):
            self._file.close()

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Turn the block's errors into one with the file's name."""
        try:
            yield
        except OSError as error:
            why = reason_of(error)
            raise UserError(f"{self._path}: can't be written: {why}; make room there, or name another file") from error


class CardOutput(Output):
    """A card by its ALSA name, played by a process of `aplay`."""

    _ended: "list[subprocess.Popen[bytes]]" = []  # noqa: RUF012  # killed, and perhaps stuck in the kernel

    def __init__(self, card: str) -> None:
        """Start aplay. Raises `OutputError`; a card that can't be opened shows at a later `write`."""
        self.card = card
        self.may_rest = "hdmi" not in card.casefold()  # a TV swallows the sound after a stream that ran dry
        CardOutput._ended = [process for process in self._ended if process.poll() is None]
        out, self._pipe = os.pipe2(os.O_CLOEXEC)
        fcntl.fcntl(self._pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        os.set_blocking(self._pipe, False)
        form = ("-t", "raw", "-f", "S16_LE", "-r", str(RATE), "-c", "1", "--buffer-time", str(BUFFER_US))
        command = ("aplay", "-q", "-D", card, *form)
        try:
            self._process = subprocess.Popen(
                command, stdin=out, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"}
            )
        except OSError as error:
            os.close(self._pipe)
            missing = isinstance(error, FileNotFoundError)
            remedy = "aplay is not installed: sudo apt install alsa-utils"
            raise OutputError(remedy if missing else f"aplay does not start: {reason_of(error)}") from error
        finally:
            os.close(out)
        assert self._process.stderr is not None
        self._errors = self._process.stderr.fileno()
        os.set_blocking(self._errors, False)
        self._said = b""
        self._is_open = True

    def write(self, block: bytes) -> bool:
        """Pass a block to aplay, or return False while its pipe is full. Raises `OutputError`."""
        if not self._is_open:
            raise OutputError(f"{self.card}: closed")
        with suppress(BlockingIOError):  # aplay reports each underrun; a full pipe of reports would stop it
            self._said = (self._said + os.read(self._errors, 4096))[-1024:]
        try:
            return os.write(self._pipe, block) > 0  # at most PIPE_BUF, so all or nothing, pipe(7)
        except BlockingIOError:
            return False
        except OSError:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(0.2)
            raise OutputError(f"{self.card}: {self._reason()}") from None

    def close(self) -> None:
        """Kill aplay. The kernel closes the card."""
        if not self._is_open:
            return
        self._is_open = False
        os.close(self._pipe)
        self._process.kill()
        if self._process.stderr is not None:
            self._process.stderr.close()
        self._ended.append(self._process)

    def _reason(self) -> str:
        with suppress(OSError):
            self._said += os.read(self._errors, 4096)
        lines = self._said[-1024:].decode("utf-8", "replace").strip().splitlines()
        return re.sub(r"^aplay: \w+:\d+: ", "", lines[-1]) if lines else f"aplay ended ({self._process.poll()})"


def open_card(named: str | None) -> CardOutput:
    """Return a card's stream: the `named` one, else the likeliest. Raises `OutputError`."""
    return CardOutput(card_name(named))


def card_name(named: str | None, cards: Path = CARDS) -> str:
    """Return a card's ALSA name: the `named` one, else the likeliest. Raises `OutputError` without a card.

    Plugged-in cards come before the Pi's own, and HDMI comes last: a TV swallows the first second.
    """
    try:
        listed = re.findall(r"^ *\d+ \[(\S+) *\]: (.*)$", cards.read_text("utf-8", "replace"), re.MULTILINE)
    except OSError:
        listed = []
    if named is not None:
        return f"plughw:CARD={named}" if named in dict(listed) or named.isdecimal() else named
    if not listed:
        raise OutputError("there is no sound card; plug in a USB loudspeaker or name one with --card")
    ranks = {card: (0 if "USB" in kind else 2 if "hdmi" in f"{card}{kind}".casefold() else 1) for card, kind in listed}
    return f"plughw:CARD={min(ranks, key=lambda card: ranks[card])}"
