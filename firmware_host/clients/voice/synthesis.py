"""The shipped sounds, made from sines and noise.

`python -m firmware_host.clients.voice.synthesis` writes them into `sounds`. The output is reproducible; a test checks
that. The sounds are the project's own, under its licence.
"""

import random
import sys
import wave
from array import array
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import exp, pi, sin
from pathlib import Path

RATE = 16_000
"""Samples a second: dice and wood have little above 8 kHz, and all sounds together stay below 100 kB."""
PEAK = 0.8
FOLDER = Path(__file__).with_name("sounds")
Wave = list[float]


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


def turn() -> Wave:
    """Return a knock on wood."""
    sound = _silence(0.14)
    _add(sound, 0.0, _ring(0.14, [(620, 0.03, 1.0), (1080, 0.018, 0.6), (1790, 0.01, 0.35), (205, 0.03, 0.5)]))
    return sound


def dudo() -> Wave:
    """Return a horn chord that leaves the question open."""
    sound = _silence(0.6)
    for hz in (146.8, 220.0, 293.7, 415.3):
        _add(sound, 0.0, _brass(hz, 0.6))
    return sound


def reveal() -> Wave:
    """Return cups going up: a rush of air, and a chime."""
    chance, sound = random.Random(11), _silence(0.5)
    air = _noise(0.3, 10.0, 4, chance)
    _add(sound, 0.0, [value * sin(pi * at / len(air)) ** 2 for at, value in enumerate(air)], 1.4)
    _add(sound, 0.18, _ring(0.32, [(1046.5, 0.09, 0.6), (1568.0, 0.08, 0.5), (2637.0, 0.05, 0.3)]))
    return sound


def win() -> Wave:
    """Return a short fanfare."""
    sound = _silence(0.95)
    for at_s, ends_s in pairwise((0.0, 0.13, 0.26, 0.39)):
        _add(sound, at_s, _brass(293.7, ends_s - at_s, attack_s=0.015, release_s=0.03))
    for hz in (293.7, 370.0, 440.0, 587.3):
        _add(sound, 0.39, _brass(hz, 0.56, release_s=0.2), 0.6)
    return sound


SOUNDS: dict[str, Callable[[], Wave]] = {made.__name__: made for made in (shake, slam, turn, dudo, reveal, win)}


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
