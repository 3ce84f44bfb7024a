"""The picture of the strong opponent's strength over its thinking time: `docs/pictures/strength.svg`.

`python -m docs.strength` plays the matches and writes `docs/strength.json`; `docs.pictures` draws the picture from that
file. The arena knows each budget as `docs.strength:rounds_16`.
"""

from __future__ import annotations

import argparse
import json
from functools import partial
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine import RULESETS
from engine.opponents import strong

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from engine import Action, View

DATA = Path(__file__).parent / "strength.json"
BUDGETS = (0, 4, 16, 64)
"""Simulated rounds of a decision."""
SEATS = (2,)
YARDSTICK = "bayes"
RULES = "obliging"
"""The rule set in which the strong opponent wins least."""

# The picture, in pixels
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 320, 60, 40, 130, 50
COLOURS = {2: "#1f5fa8"}


def _with_budget(view: View, rng: Random, rounds: int) -> Action | None:
    return strong.choose(view, rng, rounds)


rounds_0, rounds_4, rounds_16, rounds_64 = [partial(_with_budget, rounds=rounds) for rounds in BUDGETS]


def svg() -> str:
    """Draw the measured shares and times."""
    measured = json.loads(DATA.read_text(encoding="utf-8"))
    return "\n".join([*_frame(measured), *_lines(measured["points"]), "</svg>"]) + "\n"


def _frame(measured: dict[str, Any]) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="13" role="img">'
    )
    title = f"Matches won against {YARDSTICK} at {RULES}, by thinking time"
    yield f"<title>{title}</title>"
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    yield f'<text x="{LEFT}" y="22" font-size="15">{title}</text>'
    for percent in range(0, 101, 25):
        y = _y(percent / 100)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ccc"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{percent} %</text>'
    for milliseconds in (0.1, 1, 10, 100):
        x = _x(milliseconds)
        yield f'<path d="M{x:.1f} {HEIGHT - BOTTOM}v5" stroke="black"/>'
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{milliseconds:g} ms</text>'
    yield (
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">'
        f"mean time of a decision; {measured['matches']} matches a point, bars: 95 %</text>"
    )


def _lines(points: list[dict[str, Any]]) -> Iterator[str]:
    for seats in SEATS:
        own, colour = [point for point in points if point["seats"] == seats], COLOURS[seats]
        fair = _y(1 / seats)
        yield f'<path d="M{LEFT} {fair:.1f}H{WIDTH - RIGHT}" stroke="{colour}" stroke-dasharray="2 4"/>'
        path = " ".join(f"{_x(point['ms']):.1f},{_y(point['share']):.1f}" for point in own)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        for point in own:
            x = _x(point["ms"])
            yield f'<path d="M{x:.1f} {_y(point["low"]):.1f}V{_y(point["high"]):.1f}" stroke="{colour}"/>'
            yield f'<circle cx="{x:.1f}" cy="{_y(point["share"]):.1f}" r="4" fill="{colour}"/>'
        x, y = WIDTH - RIGHT + 10, _y(own[-1]["share"])
        yield f'<text x="{x}" y="{y + 4:.1f}" fill="{colour}">{seats} players</text>'
        yield f'<text x="{x}" y="{fair + 4:.1f}" fill="{colour}" font-size="11">fair share of {seats}</text>'


def _x(milliseconds: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (log(max(milliseconds, 0.05)) - log(0.05)) / (log(300) - log(0.05))


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


def main() -> None:
    """Play the matches and write what they show."""
    from engine.arena import tournament
    from engine.arena.play import Lineup
    from engine.opponents import find

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100, help="a point (default: 100)")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    points = []
    for rounds in BUDGETS:
        name = f"docs.strength:rounds_{rounds}"
        for seats in SEATS:
            lineup = Lineup(RULESETS[RULES], seats, name, YARDSTICK)
            played = tournament.run(
                [lineup],
                [find(name), find(YARDSTICK)],
                matches=options.matches,
                seed="0",
                jobs=options.jobs,
                limit_s=60,
            )
            (result,), clock = played.results, played.clocks[name]
            low, high = result.interval
            points.append(
                {
                    "rounds": rounds,
                    "seats": seats,
                    "ms": round(1000 * clock.seconds / clock.decisions, 3),
                    "share": round(result.share, 3),
                    "low": round(low, 3),
                    "high": round(high, 3),
                }
            )
            print(points[-1], flush=True)
    measured = {"command": "python -m docs.strength", "matches": options.matches, "points": points}
    DATA.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
