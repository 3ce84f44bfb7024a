"""Under the cup: a seat sees what it may, 24 dots high, and its picture knows nothing of the rest."""

import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from engine import DUDO, RULESETS, Bid, Match, Phase, RoundKind
from firmware_host.screens import draw_peek
from firmware_host.screens.canvas import SHEET
from firmware_host.screens.paint import paint_peek
from firmware_host.screens.peek import WINDOW
from firmware_host.table.seat_view import SceneName, SeatView

NAMES = ("Montserrat", "Wilhelmina", "Bob", "Ángel", "Jo", "Zoë", "Ñandújyç", "WWWWWWWWWW")
OPEN_KINDS = (RoundKind.OPEN, RoundKind.FIXED_FACE_NO_WILDS_OPEN)

faces = st.integers(1, 6)


def round_of(kind: RoundKind, players: int = 8, dice: int = 5) -> Match:
    """A match about to roll a round of this kind, owned by seat 0, who holds one die; the others hold `dice`."""
    special = next((rules for rules in RULESETS.values() if kind in rules.special), RULESETS["perudo"])
    position = Match.start(replace(special, seating="fixed"), players).position
    owner = 0 if kind is not RoundKind.NORMAL else None
    held = (1 if owner == 0 else dice, *(dice,) * (players - 1))
    return Match(replace(position, kind=kind, owner=owner, dice=held))


def look(match: Match, hands: Mapping[int, tuple[int, ...]], seat: int, bid: Bid | None = None) -> Image.Image:
    rolled = match.roll(hands)
    if bid is not None:
        rolled = rolled.play(0, bid)
    return draw_peek(view_of(rolled, seat), rolled.view(seat))


def view_of(match: Match, seat: int) -> SeatView:
    players = match.position.seats
    return SeatView(SceneName.BIDDING, NAMES[seat], NAMES[:players], seat, match.position)


def any_hands(match: Match, seed: int) -> dict[int, tuple[int, ...]]:
    rng = random.Random(seed)
    return {
        seat: tuple(rng.randint(1, 6) for _ in range(match.position.dice_to_roll(seat)))
        for seat in match.position.rolling
    }


@given(st.lists(faces, min_size=5, max_size=5), st.lists(faces, min_size=5, max_size=5))
@settings(max_examples=30, deadline=None)
def test_own_dice_change_the_picture_inside_the_window_alone(one: list[int], other: list[int]) -> None:
    match = round_of(RoundKind.NORMAL)
    hands = any_hands(match, 1)
    pictures = [look(match, {**hands, 3: tuple(mine)}, 3, Bid(7, 4)) for mine in (one, other)]
    changed = ImageChops.logical_xor(*pictures).getbbox()
    assert (changed is None) == (sorted(one) == sorted(other))
    assert changed is None or changed[3] <= WINDOW.bottom


@pytest.mark.parametrize("kind", RoundKind)
def test_nobody_elses_hidden_dice_change_a_picture(kind: RoundKind) -> None:
    match = round_of(kind)
    for seat in (0, 4):
        hands = any_hands(match, 1)
        seen = match.roll(hands).view(seat).hands
        pictures = {
            look(
                match, {**any_hands(match, seed), **{s: hands[s] for s, hand in enumerate(seen) if hand}}, seat
            ).tobytes()
            for seed in range(8)
        }
        assert len(pictures) == 1


@pytest.mark.parametrize("kind", OPEN_KINDS)
def test_an_open_round_shows_the_others_dice_as_counts_and_never_the_own(kind: RoundKind) -> None:
    match = round_of(kind)
    hands = any_hands(match, 2)
    rolled = match.roll(hands)
    others = [die for seat, hand in hands.items() if seat != 5 for die in hand]
    written = [piece.what for piece in paint_peek(view_of(rolled, 5), rolled.view(5)).pieces]
    assert [word for word in written if word.startswith("× ")] == [f"× {others.count(face)}" for face in range(1, 7)]


@pytest.mark.parametrize("kind", [RoundKind.BLIND, RoundKind.FIXED_FACE_NO_WILDS_CLOSED])
def test_where_there_is_nothing_to_see_words_say_so(kind: RoundKind) -> None:
    match = round_of(kind)
    rolled = match.roll(any_hands(match, 1))
    written = " ".join(piece.what for piece in paint_peek(view_of(rolled, 4), rolled.view(4)).pieces)
    assert "round:" in written
    assert "die 24" not in written


@pytest.mark.parametrize("dice", range(1, 6))
def test_own_dice_are_24_dots_high_and_apart(dice: int) -> None:
    match = round_of(RoundKind.NORMAL, dice=dice)
    rolled = match.roll(any_hands(match, 1))
    boxes = [p.box for p in paint_peek(view_of(rolled, 2), rolled.view(2)).pieces if p.what == "die 24"]
    assert len(boxes) == dice
    assert all(box.height == 24 and WINDOW.holds(box) for box in boxes)
    assert all(left.right < right.left for left, right in pairwise(boxes))


@pytest.mark.parametrize("kind", RoundKind)
@pytest.mark.parametrize("players", [2, 8])
def test_nothing_is_cut_and_nothing_overlaps_under_the_cup(kind: RoundKind, players: int) -> None:
    match = round_of(kind, players)
    rolled = match.roll(any_hands(match, 3))
    for bid in (None, Bid(1, 1), Bid(40, 6), Bid(123456, 5)):
        said = rolled if bid is None or bid not in rolled.legal(0) else rolled.play(0, bid)
        for seat in range(players):
            pieces = paint_peek(view_of(said, seat), said.view(seat)).pieces
            assert all(SHEET.holds(piece.box) for piece in pieces)
            assert not [(a, b) for i, a in enumerate(pieces) for b in pieces[i + 1 :] if a.box.meets(b.box)]


def test_an_ace_is_not_a_six() -> None:
    match = round_of(RoundKind.NORMAL)
    hands = any_hands(match, 1)
    pictures = {look(match, {**hands, 3: (face,) * 5}, 3).tobytes() for face in range(1, 7)}
    assert len(pictures) == 6


def test_a_seat_that_is_out_sees_words() -> None:
    match = round_of(RoundKind.NORMAL, 3, dice=1).roll({0: (6,), 1: (6,), 2: (6,)})
    match = match.play(0, Bid(9, 2)).play(1, DUDO)
    assert match.position.phase is Phase.ROLLING
    match = match.roll({1: (2,), 2: (3,)})
    written = [piece.what for piece in paint_peek(view_of(match, 0), match.view(0)).pieces]
    assert "No dice for you to see." in " ".join(written)
