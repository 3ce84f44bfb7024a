"""The daemon's time for a hand's picture, and its dependence on the hand.

Other seats' pictures wait meanwhile, so a difference could show there. The hands take turns, to expose all to the same
load.
"""

import binascii
import time
from collections.abc import Callable
from statistics import median

from bench.report import Figure, Progress, Section, Target, at_most
from drivers.display.frame import DesiredFrame, DeviceFrame, diff, to_page_format
from drivers.link.seat_board import picture_of
from engine import PERUDO, Match
from firmware_host.screens import dice_boxes, draw, draw_peek, peek
from firmware_host.screens.graphics import fitting, glyphs, text
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SceneName, SeatView
from hardware.link import messages as link
from hardware.link.framing import frame

ROUNDS = 200
HANDS = {"aces": (1, 1, 1, 1, 1), "sixes": (6, 6, 6, 6, 6), "five faces": (2, 3, 4, 5, 6)}
SPREAD_US = 20.0
"""Microseconds between the fastest hand and the slowest: far less than the jitter of the loop's wakeups."""


def measure(progress: Progress, rounds: int = ROUNDS) -> Section:
    """Measure medians over `rounds`."""

    def figures(name: str, prepare: Callable[[], None], target: Target | None = None) -> list[Figure]:
        progress(name)
        taken_us = _medians_us(rounds, prepare)
        spread = max(taken_us.values()) - min(taken_us.values())
        note = ", ".join(f"{hand} {us:.0f}" for hand, us in taken_us.items())
        return [
            Figure(name, median(taken_us.values()), "µs", note=note),
            Figure("… between the fastest hand and the slowest", spread, "µs", target),
        ]

    held = at_most(SPREAD_US)
    every = (
        *figures("the first look of a process", lambda: _forget(preloads=True), held),
        *figures("… if the start drew no dice", lambda: _forget(preloads=False)),
        *figures("a later look", lambda: None, held),
        Figure("drawing all dice at the start", median(_preload_ms() for _ in range(rounds)), "ms"),
    )
    return Section(
        "Hands", every, f"Medians of {rounds} rounds: drawing, packing and framing five dice for a seat board."
    )


def _medians_us(rounds: int, prepare: Callable[[], None]) -> dict[str, float]:
    taken_us: dict[str, list[float]] = {name: [] for name in HANDS}
    for _ in range(rounds):
        for name, hand in HANDS.items():
            match = Match.start(PERUDO, 2)
            match = match.roll(dict.fromkeys(match.position.rolling, hand))
            view = SeatView(SceneName.BIDDING, "North", ("North", "East"), 0, match.position, waiting_for=(0,))
            prepare()
            covered = DeviceFrame(DesiredFrame(to_page_format(draw(view, Menu()))))
            began_ns = time.perf_counter_ns()
            look = match.view(0)
            desired = DesiredFrame(to_page_format(draw_peek(view, Menu(), look)), dice_boxes(view, look))
            picture = picture_of(diff(desired, covered), 1, binascii.crc32(covered.memory))
            frame(link.to_body(0, picture))
            taken_us[name].append((time.perf_counter_ns() - began_ns) / 1000)
    return {name: median(each) for name, each in taken_us.items()}


def _forget(*, preloads: bool) -> None:
    """Clear the caches, as at the start of a process."""
    for module in (fitting, glyphs, text, peek):
        for cached in vars(module).values():
            if hasattr(cached, "cache_clear"):
                cached.cache_clear()
    if preloads:
        peek.preload()


def _preload_ms() -> float:
    _forget(preloads=False)
    text.rasterise("0", text.SMALL)  # the typeface is loaded for the names anyway
    began_ns = time.perf_counter_ns()
    peek.preload()
    return (time.perf_counter_ns() - began_ns) / 1e6
