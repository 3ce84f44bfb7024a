"""Loudness as in ITU-R BS.1770-4, without libraries: K-weighting at 48 kHz, and the loudest 400 ms."""

from collections.abc import Iterable, Sequence
from math import log10

WINDOW, HOP = 19_200, 480
"""400 ms and 10 ms, in samples."""
_SHELF = (1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585)
_HIGH_PASS = (1.0, -2.0, 1.0, -1.99004745483398, 0.99007225036621)


def momentary_lufs(samples: Sequence[int]) -> float:
    """Return the highest momentary loudness of 16-bit samples; a shorter sound counts with silence."""
    weighted = _filtered(_filtered((value / 32768 for value in samples), _SHELF), _HIGH_PASS)
    values = [*weighted, *[0.0] * WINDOW]
    hops = [sum(value * value for value in values[at : at + HOP]) for at in range(0, len(values), HOP)]
    width = WINDOW // HOP
    loudest = max(sum(hops[at : at + width]) for at in range(len(hops) - width + 1))
    return -0.691 + 10 * log10(max(loudest / WINDOW, 1e-12))


def _filtered(values: Iterable[float], coefficients: tuple[float, ...]) -> Iterable[float]:
    """Yield values after one second-order section."""
    b0, b1, b2, a1, a2 = coefficients
    x1 = x2 = y1 = y2 = 0.0
    for value in values:
        y = b0 * value + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
        x1, x2, y1, y2 = value, x1, y, y1
        yield y
