"""Clips: mono sound at the stream's rate, read from untrusted WAV data, and folders with recorded ones.

`app` reads the shipped sounds, espeak-ng phrases and an owner's own clips with it. A faulty file is logged once, and
the sound that it would have replaced is heard.
"""

import io
import logging
import math
import os
import stat
import wave
from array import array
from collections.abc import Iterable
from operator import mul
from pathlib import Path

from PIL import Image

from firmware_host.clients.voice import mix
from firmware_host.util.system_error import reason_of

RATE = 48_000
"""Samples a second of the stream."""
PEAK, RMS = 0.7, 0.06
"""A clip's highest sample at full volume, and a phrase's root mean square in its loudest `WINDOW_S`. `mix` declares the
distance from speech for each sound."""
WINDOW_S, HOPS = 0.4, 4
"""Momentary loudness after ITU-R BS.1770: the window's length, and its hops. Silence fills up a shorter sound."""
MAX_CLIP_S = 8.0
MAX_CLIP_BYTES = 4 << 20
"""Maximum file size in bytes: eight seconds in two channels with 32 bits at 48 kHz are 3 MB."""
MAX_RATE = 192_000
MAX_FILES = 5000
"""Maximum number of files read in a folder."""
SOUNDS = Path(__file__).with_name("sounds")
"""The folder of the shipped sounds."""
_REMEDY = "make it a WAV with 16 bits: sox CLIP -b 16 NEW.wav"

log = logging.getLogger(__name__)
Clip = array
"""Samples as `array("h")`."""


class ClipError(ValueError):
    """Unusable clip data. The text gives reason and remedy."""


def read_clip(data: bytes, gain: float = 1.0, level_db: float = 0.0) -> "Clip[int]":
    """Return a WAV's samples at `level_db` over speech, below `PEAK`, times `gain`. Raises `ClipError`."""
    frames, width, channels, rate = _frames(data, MAX_CLIP_S)
    count = len(frames) // (channels * width)
    return _resampled(_narrowed(frames[: count * channels * width], width), count, channels, rate, gain, level_db)


def check(data: bytes) -> None:
    """Raise `ClipError` unless data begins as a WAV with sound."""
    _frames(data, 0.01)


def _frames(data: bytes, most_s: float) -> tuple[bytes, int, int, int]:
    """Return a WAV's first frames, bytes per sample, channels and rate. Raises `ClipError`."""
    try:
        with wave.open(io.BytesIO(data)) as sound:
            rate, channels, width = sound.getframerate(), sound.getnchannels(), sound.getsampwidth()
            if not 0 < rate <= MAX_RATE or channels not in (1, 2):
                raise ClipError(f"has {channels} channels at {rate} Hz; {_REMEDY} -c 1 -r 48000")
            frames = sound.readframes(min(sound.getnframes(), int(most_s * rate)))
    except (wave.Error, EOFError, OSError, RuntimeError) as error:
        raise ClipError(f"is no sound that can be read: {error or 'it ends in its head'}; {_REMEDY}") from error
    if len(frames) < channels * width:
        raise ClipError(f"has no samples; {_REMEDY}")
    return frames, width, channels, rate


def _narrowed(frames: bytes, width: int) -> bytes:
    """Return samples of any width as 16 bits: the two highest bytes of each."""
    narrow = bytearray(len(frames) // width * 2)
    if width == 1:  # unsigned
        narrow[1::2] = frames.translate(bytes(byte ^ 0x80 for byte in range(256)))
    else:
        narrow[0::2], narrow[1::2] = frames[width - 2 :: width], frames[width - 1 :: width]
    return bytes(narrow)


def _resampled(samples: bytes, count: int, channels: int, rate: int, gain: float, level_db: float) -> "Clip[int]":
    """Return one channel at `RATE`.

    Pillow scales a picture of `channels` by `count` pixels with a windowed sinc, just like a resampler.
    """
    picture = Image.frombytes("F", (channels, count), samples, "raw", "F;16S")
    scaled = picture.resize((1, max(1, round(count * RATE / rate))), Image.Resampling.LANCZOS)
    values = array("f", scaled.tobytes())
    loudest = max(max(values), -min(values), 1.0)
    factor = 32767 * gain * min(PEAK / loudest, mix.factor(level_db) * RMS / (_momentary(values) or 1.0))
    return array("h", [int(value * factor) for value in values])


def _momentary(values: "array[float]") -> float:
    """Return the root mean square in the loudest `WINDOW_S`."""
    hop = round(WINDOW_S * RATE) // HOPS
    parts = (values[at : at + hop] for at in range(0, len(values), hop))
    energies = [sum(map(mul, part, part)) for part in parts]
    loudest = max(sum(energies[at : at + HOPS]) for at in range(max(1, len(energies) - HOPS + 1)))
    return math.sqrt(loudest / (HOPS * hop))


def read_file(path: Path) -> bytes:
    """Return a regular file's content, at most `MAX_CLIP_BYTES`. Raises `ClipError`; never waits for a pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        if path.is_symlink():
            raise ClipError("is a link; copy the file itself there") from error
        raise ClipError(f"can't be read: {reason_of(error)}") from error
    try:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode):
            raise ClipError("is no file; only WAV files are played")
        if about.st_size > MAX_CLIP_BYTES:
            raise ClipError(f"has {about.st_size >> 20} MiB; a clip is at most {MAX_CLIP_S:g} s long")
        return os.read(descriptor, MAX_CLIP_BYTES)
    except OSError as error:
        raise ClipError(f"can't be read: {reason_of(error)}") from error
    finally:
        os.close(descriptor)


class ClipFolder:
    """A folder of clips by key: `bid_5_3.wav`, and `bid_5_3+1.wav` and so on as alternates used in turn."""

    def __init__(self, folder: Path, gain: float = 1.0) -> None:
        self._folder = folder
        self._gain = gain
        self._files: dict[str, list[str]] = {}
        self._clips: dict[str, Clip[int] | None] = {}
        for name in sorted(self._names()):
            self._files.setdefault(_key(name), []).append(name)

    def find(self, keys: Iterable[str]) -> "Clip[int] | None":
        """Return a clip for the first playable key in `keys`."""
        for key in keys:
            for _ in range(len(self._files.get(key, ()))):
                names = self._files[key]
                names.append(names.pop(0))  # take turns
                if (clip := self._read(names[-1])) is not None:
                    return clip
        return None

    def _names(self) -> list[str]:
        try:
            with os.scandir(self._folder) as entries:
                found = [entry.name for entry, _ in zip(entries, range(MAX_FILES), strict=False)]
        except OSError as error:
            log.warning("%s: no clips from there: %s", self._folder, reason_of(error))
            return []
        return [name for name in found if name.endswith(".wav")]

    def _read(self, name: str) -> "Clip[int] | None":
        if name not in self._clips:
            try:
                self._clips[name] = read_clip(read_file(self._folder / name), self._gain, mix.level_db(_key(name)))
            except ClipError as error:
                log.warning("%s: %s", self._folder / name, error)
                self._clips[name] = None
        return self._clips[name]

    def __repr__(self) -> str:
        return f"<ClipFolder {self._folder}, {len(self._files)} keys>"


def _key(name: str) -> str:
    """Return a file name's key, without a variant's number."""
    return name.removesuffix(".wav").partition("+")[0]
