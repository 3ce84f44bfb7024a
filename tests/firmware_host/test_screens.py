"""Scenes of real matches in every rule set, drawn for every seat: nothing cut, nothing on top of another."""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from drivers.messages import Device
from engine import PASS, RULESETS, Bid, Call, Match, Phase, Position, Reason, Rules
from firmware_host.screens import draw
from firmware_host.screens.canvas import HEIGHT, SHEET, WIDTH, Canvas
from firmware_host.screens.paint import paint
from firmware_host.screens.english import NOTICE
from firmware_host.table.commands import Command
from firmware_host.table.menu import Menu, bidding_menu
from firmware_host.table.seat_view import Missing, Refusal, SceneName, SeatView

NAMES = ("Montserrat", "Wilhelmina", "Bob", "Ángel", "Jo", "Zoë", "Ñandújyç", "WWWWWWWWWW")
LOST = (Missing("WWWWWWWWWW", Device.BUTTONS), Missing("Bob", Device.CUP))


def evening(rules: Rules, players: int, seed: int) -> Iterator[Match]:
    """Every position of a match between players who bid low and call often."""
    rng = random.Random(seed)
    match = Match.start(rules, players)
    while True:
        yield match
        position = match.position
        if position.phase is Phase.OVER:
            return
        if position.rolling:
            dice = {s: [rng.randint(1, 6) for _ in range(position.dice_to_roll(s))] for s in position.rolling}
            match = match.roll(dice)
        elif position.phase is Phase.CHOOSING:
            assert position.owner is not None
            match = match.play(position.owner, rng.choice(position.choices))
        else:
            seat = rng.choice(
                [s for s in position.living if any(c in position.legal(s) for c in Call)] or [position.turn]
            )
            calls = [
                item for item in bidding_menu(position, seat, dudo_button=False).items if not isinstance(item, Bid)
            ]
            calls = [call for call in calls if not isinstance(call, Command)]
            if calls and rng.random() < 0.4:
                match = match.play(seat, rng.choice(calls))
            else:
                assert position.turn is not None
                menu = bidding_menu(position, position.turn, dudo_button=False).step(rng.choice((0, 1, 3)))
                assert menu.chosen is not None
                assert not isinstance(menu.chosen, Command)
                match = match.play(position.turn, menu.chosen)


def pictures(position: Position, names: tuple[str, ...], me: int | None) -> Iterator[tuple[SeatView, Menu]]:
    """The views and menus a seat may have in a position, with and without notices and faults."""
    view = SeatView(SceneName.SHAKING, NAMES[-1], names, me, position)
    if position.showdown is not None:
        yield replace(view, scene=SceneName.REVEAL), Menu((Command.GO_ON,))
        yield replace(view, scene=SceneName.REVEAL, notice=Reason.NOT_ROLLED), Menu()
    match position.phase:
        case Phase.SEATING | Phase.ROLLING:
            views = [replace(view, waiting_for=position.rolling), replace(view, waiting_for=position.rolling[1:])]
            menus = [Menu(), Menu((Command.ROLL,))]
        case Phase.CHOOSING:
            views = [replace(view, scene=SceneName.CHOOSING)]
            menus = [Menu(position.choices, index) for index in range(len(position.choices))]
        case Phase.OVER:
            views = [replace(view, scene=SceneName.OVER)]
            menus = [Menu((Command.AGAIN,)), Menu()]
        case Phase.BIDDING:
            views = [replace(view, scene=SceneName.BIDDING)]
            items = () if me is None else bidding_menu(position, me, dudo_button=False).items
            menus = [
                Menu(items, cursor)
                for cursor in sorted({*range(len(items))[:5], len(items) // 2, *range(len(items))[-2:]})
            ]
    for shown in views:
        for menu in menus:
            yield shown, menu
            yield replace(shown, missing=LOST), menu
        yield replace(shown, picked_up=True), Menu()
        yield replace(shown, notice=Reason.PASS_STANDS), Menu()


def faults(canvas: Canvas) -> list[str]:
    """What is cut by the edge of the glass or lies on top of something else."""
    pieces = canvas.pieces
    cut = [f"{piece} is cut" for piece in pieces if not SHEET.holds(piece.box)]
    over = [
        f"{piece} meets {other}"
        for index, piece in enumerate(pieces)
        for other in pieces[index + 1 :]
        if piece.box.meets(other.box)
    ]
    return cut + over


@pytest.mark.parametrize("players", [2, 8])
@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_nothing_is_cut_and_nothing_overlaps_in_any_scene_of_a_match(rules: Rules, players: int) -> None:
    names = NAMES[-players:]
    seen: set[object] = set()
    for match in evening(rules, players, seed=players):
        position = match.position
        calls = position.showdown and (position.showdown.call, position.showdown.was_pass, position.showdown.right)
        key = (position.phase, position.kind, position.passer is None, len(position.living), calls)
        if key in seen and position.phase is not Phase.SEATING:
            continue
        seen.add(key)
        for me in {None, position.turn, position.owner, players - 1}:
            for view, menu in pictures(position, names, me):
                assert faults(paint(view, menu)) == [], (view, menu)


@pytest.mark.parametrize("count", range(9))
@pytest.mark.parametrize("lost", [(), LOST])
def test_nothing_is_cut_and_nothing_overlaps_in_the_lobby(count: int, lost: tuple[Missing, ...]) -> None:
    menu = Menu((Command.START, Command.LEAVE))
    asked = SeatView(SceneName.LOBBY, NAMES[-1], NAMES[:count], missing=lost)
    assert faults(paint(asked, Menu((Command.JOIN,)))) == []
    for view in (asked, replace(asked, countdown_s=120), replace(asked, notice=Refusal.MENU_CHANGED)):
        assert faults(paint(replace(view, me=0 if count else None), menu)) == []


@pytest.mark.parametrize("code", [*Reason, *Refusal], ids=str)
def test_every_refusal_is_a_sentence_that_fits_two_lines(code: Reason | Refusal) -> None:
    for scene, position in ((SceneName.LOBBY, None), (SceneName.BIDDING, bidding_position())):
        canvas = paint(SeatView(scene, "North", NAMES, 0, position, notice=code), Menu())
        assert faults(canvas) == []
        written = " ".join(piece.what for piece in canvas.pieces).split()
        assert set(NOTICE[code].split()) <= set(written)


def bidding_position(bid: Bid | None = None, rules: str = "perudo", players: int = 8) -> Position:
    match = Match.start(RULESETS[rules], players)
    match = match.roll(dict.fromkeys(range(players), (1, 2, 3, 4, 5)))
    return (match if bid is None else match.play(0, bid)).position


def test_a_picture_is_128_by_64_dots_of_one_bit() -> None:
    picture = draw(SeatView(SceneName.LOBBY, "North", ()), Menu((Command.JOIN,)))
    assert (picture.size, picture.mode) == ((WIDTH, HEIGHT), "1")


@pytest.mark.parametrize("quantity", [1, 7, 10, 38, 40])
def test_the_standing_bid_is_24_dots_high_for_everybody(quantity: int) -> None:
    position = bidding_position(Bid(quantity, 3))
    for me in (None, 0, 1, 5):
        canvas = paint(SeatView(SceneName.BIDDING, "x", NAMES, me, position), Menu())
        heights = {piece.what: piece.box.height for piece in canvas.pieces}
        assert heights["die 24"] == 24
        assert heights[str(quantity)] >= 24


def test_a_bid_beyond_all_measure_still_fits() -> None:
    position = bidding_position(Bid(999_999, 6))
    assert faults(paint(SeatView(SceneName.BIDDING, "x", NAMES, 1, position), Menu())) == []


def lit(canvas: Canvas) -> float:
    return canvas.image.histogram()[255] / (WIDTH * HEIGHT)


def test_the_seat_in_turn_shines_over_the_others() -> None:
    position = bidding_position(Bid(5, 3))

    def seat(me: int) -> Canvas:
        menu = bidding_menu(position, me, dudo_button=True)
        return paint(SeatView(SceneName.BIDDING, NAMES[me], NAMES, me, position), menu)

    assert lit(seat(1)) > 0.45
    assert all(lit(seat(me)) < 0.3 for me in (0, 2, 3, 4, 5, 6, 7))


def test_off_turn_everybodys_dice_are_counted() -> None:
    position = bidding_position(Bid(5, 3))
    canvas = paint(SeatView(SceneName.BIDDING, "x", NAMES, 3, position), Menu())
    assert [piece.what for piece in canvas.pieces].count("5") == 1 + 8


def test_a_call_out_of_turn_is_offered_in_an_outline_and_says_what_it_claims() -> None:
    position = bidding_position(Bid(5, 3))
    menu = bidding_menu(position, 3, dudo_button=True)
    view = SeatView(SceneName.BIDDING, "x", NAMES, 3, position)
    assert "call" in [piece.what for piece in paint(view, menu).pieces]
    words = [piece.what for piece in paint(view, menu.step(-1)).pieces]
    assert {"CALZA", "exactly 5 trains: one up"} <= set(words)


def test_a_passer_is_named() -> None:
    match = Match.start(RULESETS["palo-fijo"], 2).roll({0: [6], 1: [1]})
    match = match.roll({0: (1, 2, 3, 4, 5), 1: (2, 2, 3, 4, 6)})
    seat = match.position.turn
    assert seat is not None
    match = match.play(seat, Bid(1, 3)).play(1 - seat, PASS)
    canvas = paint(SeatView(SceneName.BIDDING, "x", ("North", "East"), seat, match.position), Menu())
    assert "East passed" in [piece.what for piece in canvas.pieces]


def test_a_match_scene_without_a_match_is_an_error() -> None:
    with pytest.raises(ValueError, match="bidding"):
        draw(SeatView(SceneName.BIDDING, "North", ()), Menu())
