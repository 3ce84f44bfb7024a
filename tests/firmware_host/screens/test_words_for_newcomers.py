"""What somebody who has only the panel must be able to read off it: what a call costs, what holds, how long it is."""

from dataclasses import replace
from itertools import product

import pytest
from support.table.harness import LaidRound

from engine import BOXED, CALZA, KILL, KILL_SPOT, OBLIGING, PALO_FIJO, PERUDO, PYRUDO, SPOT, Bid, Call, RoundKind, Rules
from engine.rules import ExactCall
from firmware_host.i18n.catalogues import LANGUAGES, translation_for
from firmware_host.i18n.words import ENGLISH, Words
from firmware_host.screens.graphics.text import SMALL, width
from firmware_host.screens.widgets import HINT
from firmware_host.table.menu import MenuCommand
from firmware_host.table.seat_view import SceneName, SeatView

NAMES = ("Ica", "Lima", "Puno")
HANDS = ((2, 2), (3, 3), (4, 4))
BID = Bid(4, 1)
ES, FR = Words(translation_for("es")), Words(translation_for("fr"))


def sentences(call: Call, rules: Rules, bid: Bid = BID, words: Words = ENGLISH, names: tuple[str, ...] = NAMES) -> str:
    return words.item_hint(call, LaidRound(rules, HANDS, bid).game.position, names)


@pytest.mark.parametrize("rules", [PERUDO, PYRUDO, PALO_FIJO], ids=str)
def test_a_calza_says_what_it_brings_and_what_a_miss_costs(rules: Rules) -> None:
    assert sentences(CALZA, rules) == "exactly 4 aces: +1, else −1"


def test_a_calza_that_brings_nothing_promises_nothing() -> None:
    assert sentences(CALZA, OBLIGING) == "exactly 4 aces, else −1"


def test_kill_and_spot_say_what_they_do_to_whom() -> None:
    assert sentences(KILL, KILL_SPOT) == "miss −1, exact −1 for Ica"
    assert sentences(SPOT, KILL_SPOT) == "exact +1, miss +1 for Ica"


@pytest.mark.parametrize("words", [ENGLISH, ES, FR], ids=LANGUAGES)
def test_whatever_an_exact_call_does_fits_the_line(words: Words) -> None:
    rights = ("caller-gains", "bidder-loses", "nobody-loses")
    for right, wrong in product(rights, ("caller-loses", "bidder-gains")):
        rules = replace(PERUDO, calza=ExactCall(right=right, wrong=wrong))  # type: ignore[arg-type]
        for quantity, face in product((1, 40), range(1, 7)):
            line = sentences(CALZA, rules, Bid(quantity, face), words, ("Wilhelmina", "", ""))
            assert width(line, SMALL) <= HINT.width, line


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
