"""Under the cup: a seat sees what it may, 22 dots high, and what depends on dice stays in boxes that do not."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as shown_with
from PIL import Image, ImageChops

from engine import DUDO, RULESETS, Bid, Call, Match, Pass, Phase, Reason, RoundKind
from firmware_host.screens import dice_boxes, draw, draw_peek
from firmware_host.screens.graphics.canvas import SHEET, Box, Canvas
from firmware_host.screens.renderer import paint_peek
from firmware_host.table.seat.menu import Menu, bidding_menu
from firmware_host.table.seat.view import SceneName, SeatView

NAMES = ("Montserrat", "Wilhelmina", "Bob", "Ángel", "Jo", "Zoë", "Ñandújyç", "WWWWWWWWWW")
OPEN_KINDS = (RoundKind.OPEN, RoundKind.FIXED_FACE_NO_WILDS_OPEN)
ORDINARY = (RoundKind.NORMAL, RoundKind.FIXED_FACE, RoundKind.FIXED_FACE_NO_WILDS)
BIDS = (None, Bid(1, 6), Bid(7, 4), Bid(40, 6), Bid(123456, 5))

kinds, seats_at_table, leaves = st.sampled_from(list(RoundKind)), st.integers(2, 8), st.integers(0, 9)
seeds = st.integers(0, 2**32)


def round_of(kind: RoundKind, players: int = 8, dice: int = 5) -> Match:
    """Return a match about to roll a round of this kind, owned by seat 0, who holds one die; the others hold `dice`."""
    special = next((rules for rules in RULESETS.values() if kind in rules.special), RULESETS["perudo"])
    position = Match.start(replace(special, seating="fixed"), players).position
    owner = 0 if kind is not RoundKind.NORMAL else None
    held = (1 if owner == 0 else dice, *(dice,) * (players - 1))
    return Match(position.replace(kind=kind, owner=owner, dice=held))


def bidding(match: Match, hands: Mapping[int, Sequence[int]], bid: Bid | None = None) -> Match:
    rolled = match.roll({seat: tuple(hand) for seat, hand in hands.items()})
    return rolled if bid is None or bid not in rolled.legal(0) else rolled.play(0, bid)


def view_of(match: Match, seat: int, leaf: int = 0) -> SeatView:
    position = match.position
    waiting = () if position.turn is None else (position.turn,)
    names = NAMES[: position.seats]
    return SeatView(
        SceneName.BIDDING, NAMES[seat], names, seat, position, waiting_for=waiting, page=leaf, has_peeked=True
    )


def menu_of(match: Match, seat: int) -> Menu:
    return bidding_menu(match.position, seat, dudo_button=True)


def look(match: Match, seat: int, leaf: int = 0) -> Image.Image:
    return draw_peek(view_of(match, seat, leaf), menu_of(match, seat), match.view(seat))


def painted(match: Match, seat: int, leaf: int = 0) -> Canvas:
    return paint_peek(view_of(match, seat, leaf), menu_of(match, seat), match.view(seat))


def boxes(match: Match, seat: int, leaf: int = 0) -> tuple[Box, ...]:
    return dice_boxes(view_of(match, seat, leaf), match.view(seat))


def any_hands(match: Match, seed: int) -> dict[int, tuple[int, ...]]:
    rng = random.Random(seed)
    return {
        seat: tuple(rng.randint(1, 6) for _ in range(match.position.dice_to_roll(seat)))
        for seat in match.position.rolling
    }


def without(picture: Image.Image, dark: Sequence[Box]) -> bytes:
    """Return the dots outside these boxes."""
    rest = picture.copy()
    for box in dark:
        rest.paste(0, (box.left, box.top, box.right, box.bottom))
    return rest.tobytes()


@given(kinds, seats_at_table, st.integers(1, 5), leaves, st.sampled_from(BIDS), seeds, seeds, st.data())
@settings(max_examples=120, deadline=None)
def test_what_depends_on_dice_is_inside_boxes_that_depend_on_none(
    kind: RoundKind, players: int, dice: int, leaf: int, bid: Bid | None, one: int, other: int, data: st.DataObject
) -> None:
    before = round_of(kind, players, dice)
    match, another = (bidding(before, any_hands(before, seed), bid) for seed in (one, other))
    seat = data.draw(st.integers(0, players - 1))
    assert boxes(match, seat, leaf) == boxes(another, seat, leaf)
    pictures = [without(look(dealt, seat, leaf), boxes(match, seat, leaf)) for dealt in (match, another)]
    assert pictures[0] == pictures[1]


@given(st.sampled_from(ORDINARY), seats_at_table, st.integers(1, 5), st.sampled_from(BIDS), seeds, st.data())
@settings(max_examples=60, deadline=None)
def test_where_everybody_sees_the_own_dice_a_peek_changes_the_boxes_alone(
    kind: RoundKind, players: int, dice: int, bid: Bid | None, seed: int, data: st.DataObject
) -> None:
    before = round_of(kind, players, dice)
    match = bidding(before, any_hands(before, seed), bid)
    seat = data.draw(st.integers(0, players - 1))
    menu = menu_of(match, seat)
    covered = draw(view_of(match, seat), menu)
    peeked, dark = look(match, seat), boxes(match, seat)
    assume(not isinstance(menu.chosen, Call | Pass))  # explained in the dice's place
    assert without(covered, dark) == without(peeked, dark)
    assert covered.tobytes() != peeked.tobytes()


@given(seats_at_table, seeds, seeds, st.data())
@settings(max_examples=60, deadline=None)
def test_dice_in_place_of_a_call_s_explanation_stay_in_their_boxes(
    players: int, one: int, other: int, data: st.DataObject
) -> None:
    before = round_of(RoundKind.NORMAL, players)
    matches = [bidding(before, any_hands(before, seed), Bid(2, 5)) for seed in (one, other)]
    seat = data.draw(st.integers(1, players - 1))
    items = bidding_menu(matches[0].position, seat, dudo_button=False).items
    calls = [Menu(items, place) for place, item in enumerate(items) if isinstance(item, Call | Pass)]
    menu = data.draw(st.sampled_from(calls))
    dark = boxes(matches[0], seat)
    peeked = [draw_peek(view_of(match, seat), menu, match.view(seat)) for match in matches]
    assert without(peeked[0], dark) == without(peeked[1], dark)
    assert len({draw(view_of(match, seat), menu).tobytes() for match in matches}) == 1


@given(kinds, seats_at_table, leaves, st.data())
@settings(max_examples=60, deadline=None)
def test_boxes_lie_apart_on_the_sheet(kind: RoundKind, players: int, leaf: int, data: st.DataObject) -> None:
    before = round_of(kind, players)
    match = bidding(before, any_hands(before, 1))
    found = boxes(match, data.draw(st.integers(0, players - 1)), leaf)
    assert all(SHEET.holds(box) for box in found)
    assert not [(a, b) for i, a in enumerate(found) for b in found[i + 1 :] if a.meets(b)]


@pytest.mark.parametrize("dice", range(1, 6))
def test_an_own_dies_box_is_16_columns_of_two_whole_pages(dice: int) -> None:
    before = round_of(RoundKind.NORMAL, dice=dice)
    found = boxes(bidding(before, any_hands(before, 1)), 3)
    assert [(box.width, box.top, box.height) for box in found] == [(16, 40, 16)] * dice


@given(st.lists(st.integers(1, 6), min_size=5, max_size=5), st.lists(st.integers(1, 6), min_size=5, max_size=5))
@settings(max_examples=30, deadline=None)
def test_different_dice_look_different(one: list[int], other: list[int]) -> None:
    before = round_of(RoundKind.NORMAL)
    hands = any_hands(before, 1)
    pictures = [look(bidding(before, {**hands, 3: mine}), 3) for mine in (one, other)]
    changed = ImageChops.logical_xor(*pictures).getbbox()
    assert (changed is None) == (sorted(one) == sorted(other))


@pytest.mark.parametrize("kind", RoundKind)
def test_nobody_elses_hidden_dice_change_a_picture(kind: RoundKind) -> None:
    before = round_of(kind)
    for seat in (0, 4):
        hands = any_hands(before, 1)
        seen = before.roll(hands).view(seat).hands
        pictures = {
            look(
                bidding(before, {**any_hands(before, seed), **{s: hands[s] for s, hand in enumerate(seen) if hand}}),
                seat,
            ).tobytes()
            for seed in range(8)
        }
        assert len(pictures) == 1


@pytest.mark.parametrize("kind", OPEN_KINDS)
def test_an_open_round_counts_the_others_dice_by_face_and_never_the_own(kind: RoundKind) -> None:
    before = round_of(kind)
    hands = any_hands(before, 2)
    others = [die for seat, hand in hands.items() if seat != 5 for die in hand]
    pieces = painted(bidding(before, hands), 5).pieces
    counts = [pieces[index + 1].what for index, piece in enumerate(pieces) if piece.what == "die 12"]
    assert counts == [str(others.count(face)) for face in range(1, 7)]


@pytest.mark.parametrize("kind", OPEN_KINDS)
def test_an_open_rounds_leaves_are_the_others_hands_from_the_next_player_on(kind: RoundKind) -> None:
    before = round_of(kind, 3)
    match = bidding(before, {0: (6,), 1: (1, 2, 3, 4, 5), 2: (2, 2, 2, 2, 2)})
    assert [piece.what for piece in painted(match, 1, 1).pieces if "DICE" in piece.what][-1] == "BOB'S DICE"
    assert look(match, 1, 2).tobytes() == look(bidding(before, {0: (6,), 1: (6,) * 5, 2: (1,) * 5}), 1, 2).tobytes()


@pytest.mark.parametrize("kind", [RoundKind.BLIND, RoundKind.FIXED_FACE_NO_WILDS_CLOSED])
def test_where_there_is_nothing_to_see_words_say_so_and_there_are_no_boxes(kind: RoundKind) -> None:
    before = round_of(kind)
    match = bidding(before, any_hands(before, 1))
    assert "look" in " ".join(piece.what for piece in painted(match, 4).pieces)
    assert boxes(match, 4) == ()


@pytest.mark.parametrize("dice", range(1, 6))
def test_own_dice_are_22_dots_high_and_three_apart(dice: int) -> None:
    before = round_of(RoundKind.NORMAL, dice=dice)
    match = bidding(before, any_hands(before, 1))
    found = [piece.box for piece in painted(match, 2).pieces if piece.what == "die 22"]
    assert [box.height for box in found] == [22] * dice
    assert all(right.left - left.right == 3 for left, right in pairwise(found))


@pytest.mark.parametrize("kind", RoundKind)
@pytest.mark.parametrize("players", [2, 8])
def test_nothing_is_cut_and_nothing_overlaps_under_the_cup(kind: RoundKind, players: int) -> None:
    before = round_of(kind, players)
    for bid in BIDS:
        match = bidding(before, any_hands(before, 3), bid)
        for seat in range(players):
            for leaf in range(players):
                pieces = painted(match, seat, leaf).pieces
                assert all(SHEET.holds(piece.box) for piece in pieces)
                assert not [(a, b) for i, a in enumerate(pieces) for b in pieces[i + 1 :] if a.box.meets(b.box)]


def test_a_refusal_leaves_the_dice_to_who_looks() -> None:
    before = round_of(RoundKind.NORMAL)
    match = bidding(before, any_hands(before, 1))
    refused = shown_with(view_of(match, 2), notice=Reason.NOT_IN_TURN)
    assert draw_peek(refused, menu_of(match, 2), match.view(2)).tobytes() == look(match, 2).tobytes()


def test_a_seat_that_is_out_sees_words() -> None:
    match = round_of(RoundKind.NORMAL, 3, dice=1).roll({0: (6,), 1: (6,), 2: (6,)})
    match = match.play(0, Bid(9, 2)).play(1, DUDO)
    assert match.position.phase is Phase.ROLLING
    match = match.roll({1: (2,), 2: (3,)})
    assert "You are out" in " ".join(piece.what for piece in painted(match, 0).pieces)
