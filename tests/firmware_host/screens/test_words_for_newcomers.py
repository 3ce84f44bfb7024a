"""What somebody who has only the panel must be able to read off it: what a call costs, what holds, how long it is."""

from dataclasses import replace
from itertools import product

import pytest
from support.pictures.picture_layout import faults, written
from support.table.harness import LaidRound

from docs.gallery import gallery
from docs.gallery.matches import at, dealt, said
from docs.gallery.stage import Stage
from drivers.messages import Button
from engine import (
    BOXED,
    CALZA,
    DUDO,
    KILL,
    KILL_SPOT,
    OBLIGING,
    PALO_FIJO,
    PERUDO,
    PYRUDO,
    SPOT,
    Bid,
    Call,
    Match,
    Reason,
    RoundKind,
    Rules,
)
from engine.rules import ExactCall
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.words import ENGLISH, Words
from firmware_host.screens.graphics.canvas import Canvas
from firmware_host.screens.widgets import draw_banner
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName, SeatView

NAMES = ("Ica", "Lima", "Puno")
HANDS = ((2, 2), (3, 3), (4, 4))
BID = Bid(4, 1)
ES, FR = Words(translation_for("es")), Words(translation_for("fr"))


def sentences(call: Call, rules: Rules, bid: Bid = BID, words: Words = ENGLISH, names: tuple[str, ...] = NAMES) -> str:
    return words.item_hint(call, LaidRound(rules, HANDS, bid).game.position, names)


@pytest.mark.parametrize("rules", [PERUDO, PYRUDO, PALO_FIJO], ids=str)
def test_a_calza_says_what_it_brings_and_what_a_miss_costs(rules: Rules) -> None:
    assert sentences(CALZA, rules) == "Exactly 4 aces wins a\u00a0die, else lose one"


def test_a_calza_that_brings_nothing_promises_nothing() -> None:
    assert sentences(CALZA, OBLIGING) == "Exactly 4 aces or you lose a die"


def test_kill_and_spot_say_what_they_do_to_whom() -> None:
    assert sentences(KILL, KILL_SPOT) == "Exactly 4 aces and Ica loses a die, else you"
    assert sentences(SPOT, KILL_SPOT) == "Exactly 4 aces wins a\u00a0die, else Ica does"


@pytest.mark.parametrize("words", [Words(translation_for(language)) for language in LANGUAGES], ids=LANGUAGES)
def test_whatever_an_exact_call_does_fits_in_the_dice_s_place(words: Words) -> None:
    rights = ("caller-gains", "bidder-loses", "nobody-loses")
    for right, wrong in product(rights, ("caller-loses", "bidder-gains")):
        rules = replace(PERUDO, calza=ExactCall(right=right, wrong=wrong))  # type: ignore[arg-type]
        for quantity, face in product((1, 40), range(1, 7)):
            position = LaidRound(rules, HANDS, Bid(quantity, face)).game.position
            canvas = Canvas()
            draw_banner(canvas, words.item_hint(CALZA, position, ("Wilhelmina", "", ""), words.drawn), lit=False)
            assert not faults(canvas), written(canvas)


def holds(kind: RoundKind, rules: Rules) -> tuple[str, str, str]:
    position = LaidRound(rules, HANDS, kind=kind, owner=0).game.position
    view = SeatView(SceneName.BIDDING, "Ica", NAMES, 0, position)
    english, spanish, french = (words.round_rule(view, position)[0] for words in (ENGLISH, ES, FR))
    return english, spanish, french


def test_a_fixed_face_says_whether_aces_are_wild() -> None:
    with_wilds = ("one face, aces wild", "una pinta, as comodín", "une valeur, paco joker")
    without = ("one face, no wilds", "una pinta, sin comodín", "une valeur, sans joker")
    assert holds(RoundKind.FIXED_FACE, PYRUDO) == with_wilds
    assert holds(RoundKind.FIXED_FACE_NO_WILDS, OBLIGING) == without
    assert holds(RoundKind.FIXED_FACE, replace(PYRUDO, wild_aces=False)) == without


@pytest.mark.parametrize(
    ("rules", "titles"),
    [
        (BOXED, ("PALIFICO", "PALIFICO", "PALIFICO")),
        (OBLIGING, ("OBLIGING", "OBLIGADA", "OBLIGÉE")),
        (replace(BOXED, name="ours"), ("PALIFICO", "PALIFICO", "PALIFICO")),
        (replace(PYRUDO, fixed_face_name="obliging"), ("OBLIGING", "OBLIGADA", "OBLIGÉE")),
    ],
    ids=str,
)
def test_a_fixed_face_has_the_name_that_its_players_use(rules: Rules, titles: tuple[str, ...]) -> None:
    (kind,) = rules.special
    assert tuple(words.kind(kind, rules) for words in (ENGLISH, ES, FR)) == titles
    assert tuple(words.item(kind, rules) for words in (ENGLISH, ES, FR)) == titles


def test_who_chooses_a_fixed_face_is_told_the_same() -> None:
    position = LaidRound(PYRUDO, HANDS).game.position
    assert ENGLISH.item_hint(RoundKind.FIXED_FACE, position, NAMES) == "one face, aces wild"
    plain = LaidRound(replace(PYRUDO, wild_aces=False), HANDS).game.position
    assert ENGLISH.item_hint(RoundKind.FIXED_FACE, plain, NAMES) == "one face, no wilds"


def test_the_last_second_is_one() -> None:
    assert [ES.begins_in(seconds) for seconds in (2, 1, 0)] == ["Faltan 2 s", "Falta 1 s", "Faltan 0 s"]
    assert ENGLISH.begins_in(1) == "Begins in 1 s"


def test_a_countdown_that_cannot_be_hurried_gives_no_order() -> None:
    assert [words.item(MenuCommand.WAIT) for words in (ENGLISH, ES, FR)] == ["Waiting", "Esperando", "On attend"]


def read(stage: Stage, seat: int) -> str:
    return written(stage.shot("now", seat).painted())


def test_when_a_reveal_is_told_its_display_says_what_ok_does_and_then_who_is_missing() -> None:
    stage = Stage(NAMES, said(dealt(Match.start(PERUDO, 3)), "4x3"), dudo_button=False).pick(1, DUDO)
    assert "OK: NEXT" not in read(stage.until(SceneName.REVEAL), 0)
    assert "OK: NEXT" in read(stage.until_told().wait(5), 0)
    after = read(stage.pick(0, MenuCommand.GO_ON), 0)
    assert "OK: NEXT" not in after
    assert "LIMA + PUNO TO GO" in after


def test_the_side_menu_names_its_items_and_leaving_is_a_question_with_no_under_ok() -> None:
    stage = Stage(NAMES, at(PYRUDO, (4, 4, 4), last=0)).tap(0, Button.RIGHT)
    assert read(stage, 0) == "Give up leave this match for good arrow Back OK: Give up"
    assert read(stage.tap(0), 0) == "Leave for good? Your dice are lost. OK: No arrow Yes"
    stage.tap(0).tap(0, Button.RIGHT)
    assert read(stage.tap(0, Button.LEFT), 0).startswith("cup Shake!")


@pytest.mark.parametrize(
    ("bid", "why", "number"), [("4x1", Reason.DOUBLE, 9), ("5x3", Reason.HALF, 3), ("4x3", Reason.HALF, 2)]
)
def test_a_bid_to_or_from_aces_is_refused_with_the_least_number(bid: str, why: Reason, number: int) -> None:
    match = said(dealt(Match.start(PERUDO, 3)), "1x6" if bid == "4x1" else bid)
    if bid == "4x1":
        match = said(match, bid)
    assert f"so {number} or more" in read(Stage(NAMES, match).notify(0, why), 0)
    face = 2 if why is Reason.DOUBLE else 1
    turn = match.position.turn
    assert turn is not None
    legal = [item for item in match.legal(turn) if isinstance(item, Bid) and item.face == face]
    assert min(item.quantity for item in legal) == number


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_the_display_of_a_robot_names_the_robot_and_speaks_to_nobody(seats: int) -> None:
    states = [state for state in gallery(seats) if state.view.robot is not None and state.view.position is not None]
    assert {state.view.scene for state in states} >= {SceneName.REVEAL, SceneName.OVER, SceneName.SHAKING}
    for state in states:
        words = written(state.painted())
        assert not {"you", "your"}.intersection(words.casefold().replace(":", " ").split()), (state.name, words)
    told = (SceneName.REVEAL, SceneName.OVER)  # which name only who loses or wins
    if seats == 2:
        assert all("Robot" in written(state.painted()) for state in states if state.view.scene not in told)
