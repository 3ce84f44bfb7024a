"""Rounds of every kind with any dice, bids, calls, passes, faults and names: nothing cut or covered on any display."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support import rest_slow
from support.pictures.picture_layout import faults
from support.table.random_rounds import names, rounds, to_be_rolled, views

from engine import PERUDO, Bid, Call, Match, Phase, Position
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.words import Words
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.renderer import paint, paint_peek
from firmware_host.table.cues import moments_ms, reveal_cues
from firmware_host.table.seat.menu import Menu, MenuCommand, bidding_menu
from firmware_host.table.seat.view import SceneName, SeatView

SPOKEN = {language: Words(translation_for(language)) for language in LANGUAGES}
NAMES = ("Wilhelmina", "Montserrat", "Ñandújyç", "Ángel", "Maximilian", "Jo", "Zoë", "WWWWWWWWWW")
spoken = st.sampled_from([*SPOKEN.values()])


def menu_of(view: SeatView, presses: int) -> Menu:
    assert view.position is not None
    return Menu() if view.me is None else bidding_menu(view.position, view.me, dudo_button=False).step(presses)


def fits(canvas: Canvas, view: SeatView) -> None:
    found = faults(canvas, (*view.names, view.name))
    assert not found, f"{found} on {canvas.pieces} of {view}"


def bidding_fits(data: st.DataObject, match: Match, words: Words) -> None:
    view = data.draw(views(SceneName.BIDDING, match.position))
    fits(paint(view, menu_of(view, data.draw(st.integers(-4, 60))), words), view)


def peek_fits(data: st.DataObject, match: Match, words: Words) -> None:
    view = data.draw(views(SceneName.BIDDING, match.position))
    if view.me is not None and match.position.dice[view.me]:
        menu = menu_of(view, data.draw(st.integers(-4, 60)))
        fits(paint_peek(view, menu, match.view(view.me), words), view)


def call_fits(data: st.DataObject, match: Match, words: Words) -> None:
    calls = [(seat, call) for seat in range(match.position.seats) for call in Call if call in match.legal(seat)]
    if not calls:
        return
    caller, call = data.draw(st.sampled_from(calls))
    view = data.draw(views(SceneName.CALLED, match.position))
    fits(paint(replace(view, caller=caller, call=call, waiting_for=()), Menu(), words), view)
    after = match.play(caller, call).position
    assert after.showdown is not None
    cues = reveal_cues(after.showdown, after.showdown.bid, after.order)
    cue_ms = data.draw(st.sampled_from((None, *moments_ms(cues))))
    revealed = replace(view, scene=SceneName.REVEAL, position=after, cue_ms=cue_ms)
    for menu in (Menu(), Menu((MenuCommand.GO_ON,))):
        fits(paint(revealed, menu, words), revealed)
    if after.phase is Phase.OVER:
        fits(paint(replace(revealed, scene=SceneName.OVER), Menu((MenuCommand.AGAIN,)), words), revealed)


@pytest.mark.slow
@given(st.data(), rounds(), spoken)
@settings(max_examples=150)
def test_while_bids_are_made(data: st.DataObject, match: Match, words: Words) -> None:
    bidding_fits(data, match, words)


@pytest.mark.slow
@given(st.data(), rounds(), spoken)
@settings(max_examples=150)
def test_under_the_cup(data: st.DataObject, match: Match, words: Words) -> None:
    peek_fits(data, match, words)


@given(st.data(), rounds(), spoken)
@settings(max_examples=150)
def test_a_call_and_what_comes_of_it(data: st.DataObject, match: Match, words: Words) -> None:
    call_fits(data, match, words)


@pytest.mark.soak
@given(st.data(), rounds(), spoken)
@settings(max_examples=3000)
def test_any_round_for_long(data: st.DataObject, match: Match, words: Words) -> None:
    bidding_fits(data, match, words)
    peek_fits(data, match, words)
    call_fits(data, match, words)


@pytest.mark.slow
@given(st.data(), to_be_rolled(), spoken)
@settings(max_examples=150)
def test_before_the_cups_are_down(data: st.DataObject, position: Position, words: Words) -> None:
    view = data.draw(views(SceneName.SHAKING, position))
    waiting = tuple(seat for seat in position.rolling if data.draw(st.booleans()))
    for menu in (Menu(), Menu((MenuCommand.ROLL,))):
        fits(paint(replace(view, waiting_for=waiting), menu, words), view)


@given(names, spoken, st.integers(0, 8), st.none() | st.integers(0, 99), st.integers(0, 99), st.booleans())
@settings(max_examples=100)
def test_in_the_lobby(
    called: tuple[str, ...], words: Words, joined: int, countdown_s: int | None, beat: int, mine: bool
) -> None:
    me = 0 if joined and mine else None
    view = SeatView(SceneName.LOBBY, called[0], called[:joined], me, countdown_s=countdown_s, idle_frame=beat)
    for items in ((MenuCommand.JOIN,), (MenuCommand.START, MenuCommand.LEAVE), (MenuCommand.WAIT, MenuCommand.LEAVE)):
        for cursor in range(len(items)):
            fits(paint(view, Menu(items, cursor), words), view)


@pytest.mark.parametrize("language", rest_slow(*LANGUAGES))
@pytest.mark.parametrize("face", rest_slow(*range(1, 7)))
def test_every_bid_up_to_forty_dice(face: int, language: str) -> None:
    """Standing, in the menu, under the cup; in and out of turn."""
    words = SPOKEN[language]
    match = Match.start(PERUDO, 8).roll(dict.fromkeys(range(8), (1, 2, 3, 4, 5)))
    for quantity in range(1, 41):
        said = match.play(0, Bid(quantity, face))
        for me in (0, 1, 5, None):
            view = SeatView(SceneName.BIDDING, "Jo", NAMES, me, said.position, (1,))
            fits(paint(view, Menu((Bid(quantity, face),)), words), view)
            for call in Call:
                fits(paint(view, Menu((call, MenuCommand.WAIT)), words), view)
        view = replace(view, me=1)
        fits(paint_peek(view, menu_of(view, 0), said.view(1), words), view)


@pytest.mark.parametrize("language", rest_slow(*LANGUAGES))
@pytest.mark.parametrize("dice", range(1, 6))
def test_every_count_of_a_bid(dice: int, language: str) -> None:
    """Every number of dice bid and every number there, up to forty of each."""
    for matching in range(8 * dice + 1):
        hands = [2 if index < matching else 3 for index in range(8 * dice)]
        cups = {seat: hands[seat * dice : (seat + 1) * dice] for seat in range(8)}
        position = Match.start(PERUDO, 8).position.replace(dice=(dice,) * 8)
        match = Match(position).roll(cups)
        for quantity in {1, matching, matching + 1, 40}:
            if quantity:
                shown = match.play(0, Bid(quantity, 2)).play(1, Call.DUDO).position
                for me in (0, 1, None):
                    view = SeatView(SceneName.REVEAL, "Jo", NAMES, me, shown)
                    fits(paint(view, Menu((MenuCommand.GO_ON,)), SPOKEN[language]), view)


@pytest.mark.parametrize("language", rest_slow(*LANGUAGES))
@pytest.mark.parametrize("seats", range(2, 9))
def test_every_number_of_seats_and_dice(seats: int, language: str) -> None:
    """As who shakes, who waits, who bids, who is off turn, who looks."""
    words, called = SPOKEN[language], NAMES[-seats:]
    for dice in range(1, 6):
        to_roll = Match.start(PERUDO, seats).position.replace(dice=(dice,) * seats)
        dealt = Match(to_roll).roll(dict.fromkeys(range(seats), (1, 2, 3, 4, 5)[:dice]))
        for me in (*range(seats), None):
            view = SeatView(SceneName.SHAKING, "Jo" if me is None else called[me], called, me, to_roll)
            for waiting in range(seats + 1):
                shaking = replace(view, waiting_for=tuple(range(waiting)))
                fits(paint(shaking, Menu(), words), shaking)
            for match in (dealt, dealt.play(0, Bid(dice * seats, 6))):
                bidding = replace(view, scene=SceneName.BIDDING, position=match.position, waiting_for=(0,))
                fits(paint(bidding, menu_of(bidding, 0), words), bidding)
                if me is not None:
                    fits(paint_peek(bidding, menu_of(bidding, 0), match.view(me), words), bidding)
