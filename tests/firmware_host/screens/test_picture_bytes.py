"""What changes often is small: bytes of the controller's memory from one picture to the next."""

from itertools import pairwise
from statistics import mean

import pytest
from msgspec.structs import replace
from PIL import Image

from drivers.display.frame import to_page_format
from engine import RULESETS, Bid, Match, Position
from firmware_host.screens import draw
from firmware_host.table.seat.menu import Menu, bidding_menu
from firmware_host.table.seat.view import SceneName, SeatView

NAMES = ("Lima", "Cusco", "Puno", "Ica", "Tacna", "Nazca", "Huaraz", "Arequipa")


def changed(one: Image.Image, other: Image.Image) -> int:
    """Bytes that differ, in the picture or in its inverse, whichever is less."""
    pairs = list(zip(to_page_format(one), to_page_format(other), strict=True))
    return min(sum(a != b for a, b in pairs), sum(a != b ^ 0xFF for a, b in pairs))


def raised(players: int) -> list[Position]:
    """Positions of a round in which everybody makes the least raise."""
    match = Match.start(RULESETS["perudo"], players)
    match = match.roll(dict.fromkeys(range(players), (1, 2, 3, 4, 5))).play(0, Bid(2, 2))
    positions = [match.position]
    for _ in range(4 * players):
        seat = match.position.turn
        assert seat is not None
        least = bidding_menu(match.position, seat, dudo_button=True).step(0).chosen
        assert isinstance(least, Bid)
        match = match.play(seat, least)
        positions.append(match.position)
    return positions


def picture(position: Position, seat: int) -> Image.Image:
    assert position.turn is not None
    view = SeatView(
        SceneName.BIDDING, NAMES[seat], NAMES[: position.seats], seat, position, waiting_for=(position.turn,)
    )
    return draw(view, bidding_menu(position, seat, dudo_button=True))


@pytest.mark.parametrize("players", [2, 4, 8])
def test_a_bid_changes_68_bytes_off_turn_and_180_where_the_turn_comes_or_goes(players: int) -> None:
    off: list[int] = []
    switched: list[int] = []
    for before, after in pairwise(raised(players)):
        for seat in range(players):
            cost = changed(picture(before, seat), picture(after, seat))
            (switched if seat in (before.turn, after.turn) else off).append(cost)
    assert mean(off or [0]) <= 68  # with every name in turn in bold
    assert mean(switched) <= 180  # with the words for whose turn it is and what OK does


@pytest.mark.parametrize("players", [2, 8])
def test_a_step_of_the_cursor_changes_40_bytes(players: int) -> None:
    position = raised(players)[0]
    assert position.turn is not None
    view = SeatView(SceneName.BIDDING, "x", NAMES[:players], position.turn, position, waiting_for=(position.turn,))
    menu = bidding_menu(position, position.turn, dudo_button=True)
    steps = [Menu(menu.items, cursor) for cursor in range(menu.cursor, len(menu.items))]
    assert mean(changed(draw(view, one), draw(view, other)) for one, other in pairwise(steps)) <= 40


@pytest.mark.parametrize("players", [3, 8])
def test_a_cup_that_is_down_changes_25_bytes_elsewhere_and_the_name_of_the_last_one_180(players: int) -> None:
    position = Match.start(RULESETS["perudo"], players).position
    view = SeatView(SceneName.SHAKING, "x", NAMES[:players], 0, position)
    for down in range(1, players - 1):
        waiting = tuple(range(down + 1, players))
        pictures = [draw(replace(view, waiting_for=w), Menu()) for w in ((down, *waiting), waiting)]
        assert changed(*pictures) <= (25 if len(waiting) > 1 else 180)
