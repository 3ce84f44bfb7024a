"""Whatever hand is drawn first, it fills no cache: no picture takes longer because a face is new to this process."""

import random
import sys
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import pytest
from PIL import Image
from support import rest_slow
from support.noninterference.variants import dealt

from drivers.display.frame import DesiredFrame, DeviceFrame, diff, to_page_format
from engine import FACES, KILL_SPOT, PERUDO, Bid, Hand, Match, RoundKind
from firmware_host.daemon.seat_display import SeatDisplay
from firmware_host.screens import dice_boxes, draw_peek
from firmware_host.screens.graphics.glyphs import CUTS, die
from firmware_host.screens.peek import preload
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SceneName, SeatView

PACKAGES = ("engine", "hardware", "drivers", "firmware_host")
NAMES = tuple("NESWABCD")


class NoPanel:
    def show(self, image: Image.Image, **_: object) -> None:
        pass

    def set_brightness(self, brightness: object) -> None:
        pass


def caches() -> Mapping[str, Any]:
    """Every function of the project that keeps its results."""
    modules = [module for name, module in sys.modules.items() if name.split(".")[0] in PACKAGES]
    named = ((f"{module.__name__}.{name}", value) for module in modules for name, value in vars(module).items())
    return {name: value for name, value in named if hasattr(value, "cache_info")}


def hands_of_a_match(seed: int) -> tuple[Hand, ...]:
    """Roll for eight seats with 1, 5, … 5 and 4 dice, as `variants` has them; few or many faces among them."""
    rng = random.Random(seed)
    faces = rng.sample(range(1, 7), 1 + seed % 6)
    return tuple(Hand(rng.choices(faces, k=held)) for held in (1, 5, 5, 5, 5, 5, 5, 4))


def pictures(kind: RoundKind, hands: tuple[Hand, ...]) -> Iterator[None]:
    """Draw and pack all that seat 1 may see of a round of this kind, with a bid on the table and without."""
    rules = PERUDO if kind is RoundKind.NORMAL else KILL_SPOT
    match = Match(dealt(rules, kind, 8).game.position).roll(dict(enumerate(hands)))
    for each in (match, match.play(0, Bid(2, 5))):
        for leaf in range(8 if kind is RoundKind.OPEN else 1):
            view = SeatView(SceneName.BIDDING, "E", NAMES, 1, each.position, waiting_for=(0,), page=leaf)
            look = each.view(1)
            image, boxes = draw_peek(view, Menu(), look), dice_boxes(view, look)
            diff(DesiredFrame(to_page_format(image), boxes), DeviceFrame(DesiredFrame()))
            yield


def filled(kind: RoundKind, hands: tuple[Hand, ...], *, is_long_since: bool = False) -> dict[str, int]:
    """Count each cache's results from a table's start to a seat's first look at these hands.

    If the start `is_long_since`, everything has fallen out of the bounded caches meanwhile.
    """
    for cached in caches().values():
        cached.cache_clear()
    SeatDisplay(NoPanel())
    for cached in caches().values():
        if is_long_since and cached.cache_parameters()["maxsize"] is not None:
            cached.cache_clear()
    assert all(_ is None for _ in pictures(kind, hands))
    return {name: cached.cache_info().misses for name, cached in caches().items()}


@pytest.mark.parametrize("is_long_since", rest_slow(False, True))
@pytest.mark.parametrize("kind", rest_slow(RoundKind.NORMAL, RoundKind.OPEN), ids=str)
def test_the_first_look_computes_as_much_whatever_the_hands_are(kind: RoundKind, is_long_since: bool) -> None:
    of_aces = filled(kind, hands_of_a_match(0), is_long_since=is_long_since)
    assert of_aces["firmware_host.screens.graphics.glyphs.die"]
    for seed in range(1, 30):
        assert filled(kind, hands_of_a_match(seed), is_long_since=is_long_since) == of_aces


def test_a_face_stays_drawn_whatever_is_drawn_after_it() -> None:
    preload.cache_clear()
    preload()
    for face, cut in product((0, *FACES), CUTS):
        die(face, cut)  # kept apart from the same die with its style named
    drawn = die.cache_info().misses
    preload.cache_clear()
    preload()
    assert die.cache_info().misses == drawn


@pytest.mark.parametrize("kind", [RoundKind.NORMAL, RoundKind.OPEN], ids=str)
def test_faces_that_are_drawn_when_they_are_first_seen_would_be_noticed(
    kind: RoundKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_host.daemon.seat_display.preload", lambda: None)
    assert filled(kind, hands_of_a_match(0)) != filled(kind, hands_of_a_match(5))
