"""The picture of strength over thinking time in `docs/opponents.md`, as SVG from the measured figures below."""

from math import log10
from typing import NamedTuple

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 32, 56
MIN_MS, MAX_MS = 0.01, 100.0


class Measured(NamedTuple):
    """An opponent: milliseconds of a decision, the share of matches won, and the 95 % interval of that."""

    name: str
    ms: float
    won: float
    low: float
    high: float
    is_named_left: bool = False


# python -m engine arena NAME bayes --only NAME --rules obliging --seats 2 --matches 1000, strong with 400 matches.
# The earlier strong did not weigh whole hands; its simulated rounds, with 100 matches each, are not in the program.
MEASURED = (
    Measured("honest", 0.033, 0.297, 0.269, 0.326, is_named_left=True),
    Measured("easy", 0.035, 0.105, 0.087, 0.126),
    Measured("odds", 0.044, 0.355, 0.326, 0.385),
    Measured("middle", 0.101, 0.352, 0.323, 0.382),
    Measured("strong", 0.71, 0.815, 0.774, 0.850),
    Measured("earlier strong", 0.173, 0.703, 0.674, 0.731, is_named_left=True),
    Measured("4 simulated rounds", 1.6, 0.74, 0.65, 0.82),
    Measured("16", 5.5, 0.67, 0.57, 0.75),
    Measured("64", 22.0, 0.58, 0.48, 0.67),
)


def strength_svg() -> str:
    """Return the picture."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
    ]
    for share in range(0, 101, 25):
        y = _y(share / 100)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{"#888" if share == 50 else "#ddd"}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#444">{share} %</text>')
    parts.append(f'<text x="{LEFT}" y="{TOP - 12}">matches won against bayes at obliging, two seats</text>')
    ms = MIN_MS
    while ms <= MAX_MS:
        x, y = _x(ms), HEIGHT - BOTTOM
        parts.append(f'<path d="M{x:.1f} {TOP}V{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{x:.1f}" y="{y + 18}" text-anchor="middle" fill="#444">{ms:g} ms</text>')
        ms *= 10
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle:.0f}" y="{HEIGHT - 12}" text-anchor="middle">one decision, in the median</text>')
    for one in MEASURED:
        x, y = _x(one.ms), _y(one.won)
        parts.append(f'<path d="M{x:.1f} {_y(one.low):.1f}V{_y(one.high):.1f}" stroke="#1c6b52" stroke-width="2"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#1c6b52"/>')
        side = 'text-anchor="end"' if one.is_named_left else ""
        parts.append(f'<text x="{x - 9 if side else x + 9:.1f}" y="{y - 7:.1f}" {side}>{one.name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _x(ms: float) -> float:
    share = (log10(ms) - log10(MIN_MS)) / (log10(MAX_MS) - log10(MIN_MS))
    return LEFT + share * (WIDTH - LEFT - RIGHT)


def _y(won: float) -> float:
    return HEIGHT - BOTTOM - won * (HEIGHT - TOP - BOTTOM)
