"""Scenes of real matches in every rule set, drawn for every seat: nothing cut, nothing on top of another."""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops

from drivers.messages import Device
from engine import DUDO, PASS, RULESETS, Bid, Call, Match, Phase, Position, Reason, RoundKind, Rules, legal_actions
from firmware_host.i18n.phrases import NOTICE
from firmware_host.i18n.words import ENGLISH, die_letter
from firmware_host.screens import draw
from firmware_host.screens.bidding import draw_bidding
from firmware_host.screens.graphics.canvas import HEIGHT, SHEET, WIDTH, Canvas
from firmware_host.screens.renderer import paint
from firmware_host.screens.widgets import BID
from firmware_host.table.seat.menu import Menu, MenuCommand, bidding_menu
from firmware_host.table.seat.view import Missing, SceneName, SeatView, TableReason

NAMES = ("Montserrat", "Wilhelmina", "Bob", "Ángel", "Jo", "Zoë", "Ñandújyç", "WWWWWWWWWW")
HANDS = dict.fromkeys(range(8), (1, 2, 3, 4, 5))
LOST = (Missing("WWWWWWWWWW", Device.BUTTONS), Missing("Bob", Device.CUP))


def random_match(rules: Rules, players: int, seed: int) -> Iterator[Match]:
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
                [s for s in position.living if any(c in legal_actions(position, s) for c in Call)] or [position.turn]
            )
            calls = [
                item for item in bidding_menu(position, seat, dudo_button=False).items if not isinstance(item, Bid)
            ]
            calls = [call for call in calls if not isinstance(call, MenuCommand)]
            if calls and rng.random() < 0.4:
                match = match.play(seat, rng.choice(calls))
            else:
                assert position.turn is not None
                menu = bidding_menu(position, position.turn, dudo_button=False).step(rng.choice((0, 1, 3)))
                assert menu.chosen is not None
                assert not isinstance(menu.chosen, MenuCommand)
                match = match.play(position.turn, menu.chosen)


def pictures(position: Position, names: tuple[str, ...], me: int | None) -> Iterator[tuple[SeatView, Menu]]:
    """Yield the views and menus a seat may have in a position, with and without notices and faults."""
    view = SeatView(SceneName.SHAKING, NAMES[-1], names, me, position)
    if position.showdown is not None:
        for leaf in range(len(names) + 1):
            yield replace(view, scene=SceneName.REVEAL, page=leaf), Menu((MenuCommand.GO_ON,))
        yield replace(view, scene=SceneName.REVEAL, notice=Reason.NOT_ROLLED), Menu()
    match position.phase:
        case Phase.SEATING | Phase.ROLLING:
            views = [replace(view, waiting_for=position.rolling), replace(view, waiting_for=position.rolling[1:])]
            menus = [Menu(), Menu((MenuCommand.ROLL,))]
        case Phase.CHOOSING:
            waiting = () if position.owner is None else (position.owner,)
            views = [replace(view, scene=SceneName.CHOOSING, waiting_for=waiting)]
            menus = [Menu(), *(Menu(position.choices, index) for index in range(len(position.choices)))]
        case Phase.OVER:
            views = [replace(view, scene=SceneName.OVER)]
            menus = [Menu((MenuCommand.AGAIN,)), Menu()]
        case Phase.BIDDING:
            waiting = () if position.turn is None else (position.turn,)
            views = [replace(view, scene=SceneName.BIDDING, waiting_for=waiting)]
            if position.standing is not None:
                for call in Call:
                    yield replace(view, scene=SceneName.CALLED, caller=position.turn, call=call), Menu()
            items = () if me is None else bidding_menu(position, me, dudo_button=False).items
            menus = [
                Menu(items, cursor)
                for cursor in sorted({*range(len(items))[:5], len(items) // 2, *range(len(items))[-2:]})
            ]
    for shown in views:
        for menu in menus:
            yield shown, menu
            yield replace(shown, missing=LOST), menu
        yield replace(shown, resumed=True), Menu()
        yield replace(shown, notice=Reason.PASS_STANDS), Menu()


def faults(canvas: Canvas) -> list[str]:
    """Return the pieces that the display's edge cuts or that overlap."""
    pieces = canvas.pieces
    cut = [f"{piece} is cut" for piece in pieces if not SHEET.holds(piece.box)]
    over = [
        f"{piece} meets {other}"
        for index, piece in enumerate(pieces)
        for other in pieces[index + 1 :]
        if piece.box.meets(other.box)
    ]
    return cut + over


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 8])
@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_nothing_is_cut_and_nothing_overlaps_in_any_scene_of_a_match(rules: Rules, players: int) -> None:
    names = NAMES[-players:]
    seen: set[object] = set()
    for match in random_match(rules, players, seed=players):
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
    menu = Menu((MenuCommand.START, MenuCommand.LEAVE))
    asked = SeatView(SceneName.LOBBY, NAMES[-1], NAMES[:count], missing=lost)
    assert faults(paint(asked, Menu((MenuCommand.JOIN,)))) == []
    for view in (asked, replace(asked, countdown_s=120), replace(asked, notice=TableReason.MENU_CHANGED)):
        assert faults(paint(replace(view, me=0 if count else None), menu)) == []


@pytest.mark.parametrize("code", [*Reason, *TableReason], ids=str)
def test_every_refusal_is_a_sentence_that_fits_two_lines(code: Reason | TableReason) -> None:
    for scene, position in ((SceneName.LOBBY, None), (SceneName.BIDDING, bidding_position())):
        canvas = paint(SeatView(scene, "North", NAMES, 0, position, notice=code), Menu())
        assert faults(canvas) == []
        assert set(NOTICE[code].split()) <= set(" ".join(written(canvas)).split())


def bidding_position(bid: Bid | None = None, rules: str = "perudo", players: int = 8) -> Position:
    match = Match.start(RULESETS[rules], players)
    match = match.roll({seat: HANDS[seat] for seat in range(players)})
    return (match if bid is None else match.play(0, bid)).position


def test_a_picture_is_128_by_64_dots_of_one_bit() -> None:
    picture = draw(SeatView(SceneName.LOBBY, "North", ()), Menu((MenuCommand.JOIN,)))
    assert (picture.size, picture.mode) == ((WIDTH, HEIGHT), "1")


@pytest.mark.parametrize("quantity", [1, 7, 10, 38, 40])
def test_the_standing_bid_is_as_high_as_its_die_for_everybody(quantity: int) -> None:
    position = bidding_position(Bid(quantity, 3))
    for me in (None, 0, 1, 5):
        canvas = paint(SeatView(SceneName.BIDDING, "x", NAMES, me, position), Menu())
        standing = [piece for piece in canvas.pieces if piece.box.top == BID.top and piece.box.height >= 23]
        assert [piece.what for piece in standing] == [str(quantity), "die 24"]


def test_a_bid_beyond_all_measure_still_fits() -> None:
    position = bidding_position(Bid(999_999, 6))
    assert faults(paint(SeatView(SceneName.BIDDING, "x", NAMES, 1, position), Menu())) == []


def lit(picture: Image.Image) -> float:
    return picture.histogram()[255] / (WIDTH * HEIGHT)


def test_the_seat_in_turn_shines_over_the_others() -> None:
    position = bidding_position(Bid(5, 3))

    def seat(me: int) -> Image.Image:
        menu = bidding_menu(position, me, dudo_button=True)
        return draw(SeatView(SceneName.BIDDING, NAMES[me], NAMES, me, position, waiting_for=(1,)), menu)

    assert lit(seat(1)) > 0.65
    assert all(lit(seat(me)) < 0.35 for me in (0, 2, 3, 4, 5, 6, 7))


def written(canvas: Canvas) -> list[str]:
    return [piece.what for piece in canvas.pieces]


@pytest.mark.parametrize("players", [2, 4, 8])
def test_in_a_shake_everybody_is_named_whole_in_order_of_play_and_oneself_is_you(players: int) -> None:
    names = ("Lima", "Cusco", "Puno", "Ica", "Tacna", "Nazca", "Tumbes", "Arequipa")[:players]
    position = Match.start(RULESETS["perudo"], players).position
    view = SeatView(SceneName.SHAKING, "x", names, 1, position, waiting_for=(0,))
    shown = ("Lima", "You", *names[2:])
    told = [text for name in shown for text in ("5", name)]
    assert written(paint(view, Menu()))[-2 * players :] == told


def test_who_waits_for_cups_reads_how_many_and_the_name_of_the_last() -> None:
    position = Match.start(RULESETS["perudo"], 4).position
    view = SeatView(SceneName.SHAKING, "x", NAMES[:4], 3, position, waiting_for=(0, 2))
    for waiting, told in {(0, 2): "2 still shake", (0,): f"{NAMES[0]} still shakes", (): "All have shaken"}.items():
        assert told in " ".join(written(paint(replace(view, waiting_for=waiting), Menu())))


def test_who_has_never_looked_is_told_how_while_there_is_something_to_see() -> None:
    view = SeatView(SceneName.BIDDING, "x", NAMES, 3, bidding_position(Bid(5, 3)))
    assert "Tilt the cup to look" in " ".join(written(paint(view, Menu())))
    assert "die 22" in written(paint(replace(view, has_peeked=True), Menu()))[-5:]


def test_off_turn_the_player_in_turn_is_named_whole() -> None:
    view = SeatView(SceneName.BIDDING, "x", NAMES, 3, bidding_position(Bid(5, 3)), waiting_for=(1,))
    assert {"turn", "Wilhelmina"} <= set(written(paint(view, Menu())))


def test_in_turn_words_say_what_ok_does_and_name_nobody() -> None:
    position = bidding_position(Bid(5, 3))
    view = SeatView(SceneName.BIDDING, "x", NAMES, 1, position)
    menu = bidding_menu(position, 1, dudo_button=False)
    assert {"OK: BID"} <= set(written(paint(view, menu)))
    assert {"DUDO", "OK: CALL", f"Fewer than 5 {die_letter(3)}"} <= set(written(paint(view, menu.step(-1))))
    assert not {"turn", *NAMES} & {*written(paint(view, menu)), *written(paint(view, menu.step(-1)))}


def test_before_a_call_out_of_turn_it_says_whose_turn_it_is() -> None:
    position = bidding_position(Bid(5, 3))
    view = SeatView(SceneName.BIDDING, "x", NAMES, 3, position)
    menu = bidding_menu(position, 3, dudo_button=True).step(-1)
    assert {"turn: Wilhelmina", "CALZA"} <= set(written(paint(view, menu)))


def test_whoever_may_not_call_is_offered_nothing() -> None:
    position = bidding_position(Bid(5, 3))
    view = SeatView(SceneName.BIDDING, "x", NAMES, 0, position)
    assert not [text for text in written(paint(view, bidding_menu(position, 0, dudo_button=True))) if "CALZA" in text]


def test_a_bid_off_turn_changes_the_bid_and_the_name_in_turn_alone() -> None:
    position = bidding_position(Bid(5, 3))
    pictures = [
        draw(SeatView(SceneName.BIDDING, "x", NAMES, 4, after, waiting_for=(after.turn or 0,)), Menu())
        for after in (
            position,
            Match.start(RULESETS["perudo"], 8).roll(HANDS).play(0, Bid(5, 3)).play(1, Bid(6, 3)).position,
        )
    ]
    changed = ImageChops.logical_xor(*pictures)
    name_top, name_bottom = 16, 26
    assert changed.crop((BID.right, 0, WIDTH, name_top)).getbbox() is None
    assert changed.crop((BID.right, name_bottom, WIDTH, HEIGHT)).getbbox() is None
    assert changed.crop((0, BID.bottom, BID.right, HEIGHT)).getbbox() is None


def test_the_number_of_dice_is_below_the_bid_for_everybody() -> None:
    position = bidding_position(Bid(5, 3))
    for me in (0, 1, 5):
        menu = bidding_menu(position, me, dudo_button=True)
        assert "40 DICE" in written(paint(SeatView(SceneName.BIDDING, "x", NAMES, me, position), menu))


def test_in_a_special_round_everybody_reads_what_holds() -> None:
    position = bidding_position(Bid(2, 3)).replace(kind=RoundKind.FIXED_FACE, number=3)
    seen = {seat: SeatView(SceneName.BIDDING, "x", NAMES, seat, position) for seat in (1, 5)}
    menu = bidding_menu(position, 1, dudo_button=True)
    assert {"PALIFICO", "OK: BID"} <= set(written(paint(seen[1], menu)))
    assert "ONE FACE, ACES WILD" in written(paint(seen[5], Menu()))


def test_whoever_reads_hand_by_hand_is_not_told_that_an_arrow_calls() -> None:
    position = bidding_position(Bid(2, 3))
    view = SeatView(SceneName.BIDDING, "x", NAMES, 5, position)
    canvas = Canvas()
    draw_bidding(canvas, view, bidding_menu(position, 5, dudo_button=True), ENGLISH, position, open_hand=2)
    assert not [text for text in written(canvas) if "CALZA" in text]


def test_without_a_cup_the_words_agree_on_what_ok_does() -> None:
    position = Match.start(RULESETS["perudo"], 3).position
    lost = (Missing("x", Device.CUP),)
    view = SeatView(SceneName.SHAKING, "x", NAMES[:3], 0, position, waiting_for=(0,), missing=lost)
    shown = " ".join(written(paint(view, Menu((MenuCommand.ROLL,)))))
    assert "OK: roll" in shown
    assert "OK rolls for it" in shown


def test_a_call_out_of_turn_is_hinted_at_and_says_what_it_claims() -> None:
    position = bidding_position(Bid(5, 3))
    menu = bidding_menu(position, 3, dudo_button=True)
    view = SeatView(SceneName.BIDDING, "x", NAMES, 3, position)
    assert {"arrow", "CALZA"} <= set(written(paint(view, menu)))
    told = written(paint(view, menu.step(-1)))
    assert {"CALZA", "OK: CALL"} <= set(told)
    assert f"Exactly 5 {die_letter(3)} wins a\u00a0die, else lose one" in " ".join(told)


def test_a_call_names_who_made_it_before_the_dice_are_shown() -> None:
    position = bidding_position(Bid(5, 3))
    view = SeatView(SceneName.CALLED, "x", NAMES, 3, position, caller=2, call=DUDO)
    assert {"5", "die 15", "DUDO!", "Bob:"} <= set(written(paint(view, Menu())))
    assert "You:" in written(paint(replace(view, me=2), Menu()))


def test_a_passer_is_named() -> None:
    match = Match.start(RULESETS["palo-fijo"], 2).roll({0: [6], 1: [1]})
    match = match.roll({0: (1, 2, 3, 4, 5), 1: (2, 2, 3, 4, 6)})
    seat = match.position.turn
    assert seat is not None
    match = match.play(seat, Bid(1, 3)).play(1 - seat, PASS)
    canvas = paint(SeatView(SceneName.BIDDING, "x", ("North", "East"), seat, match.position), Menu())
    assert "EAST PASSED" in written(canvas)


def test_a_match_scene_without_a_match_is_an_error() -> None:
    with pytest.raises(ValueError, match="bidding"):
        draw(SeatView(SceneName.BIDDING, "North", ()), Menu())
