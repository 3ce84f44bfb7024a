"""The shipped sounds, made from sines and noise.

`python -m firmware_host.clients.voice.synthesis` writes them into `sounds`. The output is reproducible; a test checks
that. The sounds are the project's own, under its licence.
"""

import random
import sys
import wave
from array import array
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from math import exp, pi, sin
from pathlib import Path

from firmware_host.clients.voice import mix

RATE = 16_000
"""Samples a second: dice and wood have little above 8 kHz, and all sounds together stay below 350 kB."""
PEAK = 0.8
FOLDER = Path(__file__).with_name("sounds")
Wave = list[float]
SCALE = (0, 2, 4, 5, 7, 9, 11)
"""D major, in semitones over D: the key for pitched sounds."""
D3, F_SHARP3, G3, A3, B3, C_SHARP4, D4, E4, F_SHARP4, G4, A4, B4, D5 = (
    440 * 2 ** (semitones / 12) for semitones in (-19, -15, -14, -12, -10, -8, -7, -5, -3, -2, 0, 2, 5)
)
"""Notes in Hz, in equal temperament."""


def _silence(duration_s: float) -> Wave:
    return [0.0] * round(duration_s * RATE)


def _add(sound: Wave, at_s: float, part: Sequence[float], level: float = 1.0) -> None:
    first = round(at_s * RATE)
    for at, value in enumerate(part[: len(sound) - first], start=first):
        sound[at] += level * value


def _ring(duration_s: float, modes: Sequence[tuple[float, float, float]]) -> Wave:
    """Return a struck body's sound: modes as (frequency in Hz, decay in seconds, level)."""
    count = round(duration_s * RATE)
    return [
        sum(level * exp(-at / RATE / decay_s) * sin(2 * pi * hz * at / RATE) for hz, decay_s, level in modes)
        for at in range(count)
    ]


def _noise(duration_s: float, decay_s: float, smooth: int, chance: random.Random) -> Wave:
    """Return a noise burst without frequencies above about `RATE / 2 / smooth` Hz."""
    count = round(duration_s * RATE)
    raw = [chance.uniform(-1, 1) for _ in range(count + smooth)]
    return [sum(raw[at : at + smooth]) / smooth * exp(-at / RATE / decay_s) for at in range(count)]


def _brass(hz: float, duration_s: float, attack_s: float = 0.03, release_s: float = 0.12) -> Wave:
    """Return a note with overtones slightly after the fundamental, like a horn's."""
    overtones = [number for number in range(1, 12) if hz * number < 5000]

    def value(at_s: float) -> float:
        swell = min(1.0, at_s / attack_s) * min(1.0, max(0.0, duration_s - at_s) / release_s)
        bright = 0.55 + 0.25 * min(1.0, at_s / 0.12)
        return swell * sum(bright ** (number - 1) * sin(2 * pi * hz * number * at_s) for number in overtones)

    return [value(at / RATE) for at in range(round(duration_s * RATE))]


def shake() -> Wave:
    """Return dice rattling in a cup."""
    chance, sound = random.Random(5), _silence(0.55)
    for hit in range(22):
        at_s = 0.01 + hit * 0.022 + chance.uniform(0, 0.012)
        pitch = chance.uniform(0.85, 1.2)
        modes = [(1750 * pitch, 0.007, 1.0), (3100 * pitch, 0.005, 0.8), (4700 * pitch, 0.003, 0.5), (520, 0.012, 0.6)]
        _add(sound, at_s, _ring(0.05, modes), chance.uniform(0.35, 1.0))
    return sound


def slam() -> Wave:
    """Return a cup slammed on the table upside down."""
    chance, sound = random.Random(7), _silence(0.25)
    _add(sound, 0.0, _ring(0.25, [(95, 0.06, 1.0), (210, 0.04, 0.7), (430, 0.02, 0.5), (930, 0.01, 0.3)]))
    _add(sound, 0.0, _noise(0.06, 0.012, 3, chance), 0.9)
    for at_s in (0.03, 0.055, 0.09):
        _add(sound, at_s, _ring(0.03, [(2100, 0.005, 1.0), (3600, 0.004, 0.6)]), 0.18)
    return sound


def reshake() -> Wave:
    """Return dice rattling twice: this deal is void."""
    return [*shake()[: round(0.28 * RATE)], *_silence(0.1), *shake()[: round(0.28 * RATE)]]


def turn() -> Wave:
    """Return a knock on wood."""
    return _ring(0.14, [(D5, 0.03, 1.0), (1080, 0.018, 0.6), (1790, 0.01, 0.35), (D3, 0.03, 0.5)])


def join() -> Wave:
    """Return two marimba bars, going up."""
    return _bars((A4, D5), 0.11)


def dudo() -> Wave:
    """Return a horn chord, an open question: the dominant seventh."""
    return _horns((A3, C_SHARP4, E4, G4), 0.6)


def calza() -> Wave:
    """Return two horn chords: the subdominant, then the dominant, just as open."""
    sound = _silence(0.6)
    _add(sound, 0.0, _horns((G3, B3, D4), 0.2, release_s=0.04))
    _add(sound, 0.2, _horns((A3, C_SHARP4, E4), 0.4))
    return sound


def kill() -> Wave:
    """Return two strokes on low horns."""
    sound = _silence(0.55)
    for at_s in (0.0, 0.16):
        _add(sound, at_s, _horns((A3, E4), 0.14, release_s=0.04))
    _add(sound, 0.32, _horns((D3, A3), 0.23))
    return sound


def spot() -> Wave:
    """Return a horn chord rising to the dominant's ninth."""
    sound = _silence(0.6)
    for at_s, hz in ((0.0, A3), (0.08, C_SHARP4), (0.16, G4), (0.24, B4)):
        _add(sound, at_s, _brass(hz, 0.6 - at_s))
    return sound


def reveal() -> Wave:
    """Return cups going up: a rush of air, and a chime."""
    chance, sound = random.Random(11), _silence(0.5)
    air = _noise(0.3, 10.0, 4, chance)
    _add(sound, 0.0, [value * sin(pi * at / len(air)) ** 2 for at, value in enumerate(air)], 1.4)
    _add(sound, 0.18, _ring(0.32, [(2 * D5, 0.09, 0.6), (4 * A4, 0.08, 0.5), (4 * D5, 0.05, 0.3)]))
    return sound


def verdict() -> Wave:
    """Return a bell on the tonic and its fifth: the answer."""
    return _ring(0.5, [(D4, 0.16, 1.0), (A4, 0.13, 0.8), (D5, 0.1, 0.6), (2 * A4, 0.05, 0.3)])


def lost() -> Wave:
    """Return a falling die: three marimba bars going down, and a rattle."""
    chance, sound = random.Random(13), _silence(0.5)
    _add(sound, 0.0, _bars((A4, F_SHARP4, D4), 0.1))
    for at_s in (0.3, 0.35, 0.385, 0.41):
        _add(sound, at_s, _ring(0.04, [(2100, 0.006, 1.0), (3600, 0.004, 0.6)]), chance.uniform(0.3, 0.5))
    return sound


def gain() -> Wave:
    """Return a won die: four marimba bars going up."""
    return _bars((D4, F_SHARP4, A4, D5), 0.08)


def out() -> Wave:
    """Return horns falling to the tonic: a player is out."""
    sound = _silence(0.9)
    for at_s, hz in ((0.0, B3), (0.2, A3), (0.4, F_SHARP3)):
        _add(sound, at_s, _brass(hz, 0.2, release_s=0.05))
    _add(sound, 0.6, _horns((D3, A3), 0.3, release_s=0.2), 0.7)
    return sound


def win() -> Wave:
    """Return a short fanfare."""
    sound = _silence(0.95)
    for at_s, ends_s in pairwise((0.0, 0.13, 0.26, 0.39)):
        _add(sound, at_s, _brass(D4, ends_s - at_s, attack_s=0.015, release_s=0.03))
    _add(sound, 0.39, _horns((D4, F_SHARP4, A4, D5), 0.56, release_s=0.2), 0.6)
    return sound


def volume() -> Wave:
    """Return one marimba bar."""
    return _bars((A4,), 0.1)


def test() -> Wave:
    """Return the tonic chord, one marimba bar after the other."""
    return _bars((D4, A4, F_SHARP4, D5), 0.12)


def _step(number: int) -> Wave:
    """Return the count's note: the scale from D4 up, a step with each die."""
    octave, degree = divmod(number - 1, len(SCALE))
    hz = D4 * 2 ** (octave + SCALE[degree] / 12)
    return _ring(0.16, [(hz, 0.05, 1.0), (2 * hz, 0.025, 0.35)])


def _bars(notes: Sequence[float], every_s: float) -> Wave:
    """Return marimba bars one after the other."""
    sound = _silence(every_s * len(notes) + 0.12)
    for number, hz in enumerate(notes):
        _add(sound, number * every_s, _ring(0.2, [(hz, 0.06, 1.0), (4 * hz, 0.015, 0.3)]))
    return sound


def _horns(notes: Sequence[float], duration_s: float, release_s: float = 0.12) -> Wave:
    """Return a horn chord."""
    sound = _silence(duration_s)
    for hz in notes:
        _add(sound, 0.0, _brass(hz, duration_s, release_s=release_s))
    return sound


_MADE = (shake, reshake, slam, turn, join, dudo, calza, kill, spot, reveal, verdict, lost, gain, out, win, volume, test)
SOUNDS: dict[str, Callable[[], Wave]] = {
    **{made.__name__: made for made in _MADE},
    **{mix.step(number): partial(_step, number) for number in range(1, mix.STEPS + 1)},
}


def write(folder: Path) -> None:
    """Write every sound into `folder` as WAV with 16 bits."""
    for name, make in SOUNDS.items():
        made = make()
        fade = round(0.008 * RATE)
        for at in range(1, fade + 1):
            made[-at] *= at / fade
        loudest = max(map(abs, made))
        with wave.open(str(folder / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(array("h", [round(value / loudest * PEAK * 32767) for value in made]).tobytes())


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
