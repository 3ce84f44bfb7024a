"""Sentences of public events."""

import ast
import inspect
from typing import get_args

import pytest

from drivers.messages import Device
from engine import BOXED, CALZA, DUDO, KILL, OBLIGING, PASS, SPOT, Action, Bid, Hand, RoundKind, Rules, Showdown
from firmware_host import wire
from firmware_host.public import narration
from firmware_host.public.narration import Narrator, count_in_words
from firmware_host.table import events
from firmware_host.table.health import Alert
from firmware_host.table.robot_level import RobotLevel

STORY = Narrator(("North", "East", "South", "West"))


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (Bid(5, 3), "North bids five trains."),
        (Bid(1, 6), "North bids one six."),
        (Bid(21, 1), "North bids twenty-one aces."),
        (Bid(120, 4), "North bids 120 quads."),
        (DUDO, "North doubts: dudo!"),
        (CALZA, "North calls calza."),
        (KILL, "North calls kill."),
        (SPOT, "North calls spot."),
        (PASS, "North passes."),
        (RoundKind.BLIND, "North chooses a blind round."),
        (RoundKind.NORMAL, "North chooses an ordinary round."),
    ],
)
def test_what_is_said_is_a_sentence(action: Action, line: str) -> None:
    assert STORY.lines(events.ActionTaken(0, action)) == (line,)


def showdown(**changes: object) -> events.Revealed:
    facts = {
        "number": 1,
        "call": DUDO,
        "caller": 1,
        "doubted": 0,
        "bid": Bid(5, 3),
        "kind": RoundKind.NORMAL,
        "matching": 3,
        "right": True,
        "hands": (Hand((3, 1, 6)), Hand((3,)), Hand()),
        "change": (-1, 0, 0),
        "out": (),
    }
    return events.Revealed(Showdown(**{**facts, **changes}), players=(0, 2, 3), dice=(2, 1, 0))  # type: ignore[arg-type]


def test_a_showdown_shows_the_dice_of_who_has_some_and_what_it_costs() -> None:
    assert STORY.lines(showdown()) == (
        "The cups go up: North 1 3 6, South 3.",
        "There are three trains, and five trains had been bid. North loses a die.",
    )


def test_an_exact_count_is_called_exact() -> None:
    exact = showdown(call=CALZA, bid=Bid(1, 6), matching=1, change=(0, 1, 0))
    assert STORY.lines(exact)[1] == "There is exactly one six, as bid. South wins a die."


def test_none_is_no_trains() -> None:
    assert STORY.lines(showdown(matching=0))[1].startswith("There are no trains, ")


def test_a_doubted_pass_is_told_by_its_hand() -> None:
    assert STORY.lines(showdown(matching=None))[1] == "North’s pass was a bluff. North loses a die."


def test_the_last_die_lost_is_told() -> None:
    lost = showdown(change=(0, -1, 0), out=(1,))
    assert STORY.lines(lost)[1].endswith("South loses the last die and is out.")


def test_nobody_may_lose() -> None:
    assert STORY.lines(showdown(change=(0, 0, 0)))[1].endswith("Nobody loses a die.")


def test_a_round_tells_its_dice_in_order_of_play_and_who_opens() -> None:
    began = events.RoundBegan(3, RoundKind.NORMAL, first=1, owner=None, dice=((1, 4), (0, 5)))
    assert STORY.lines(began) == ("", "Round 3. Nine dice: East 4, North 5. East opens.")


def test_a_special_round_tells_whose_it_is() -> None:
    began = events.RoundBegan(7, RoundKind.BLIND, first=1, owner=1, dice=((1, 1), (0, 5)))
    assert STORY.lines(began)[1].startswith("Round 7: East’s blind round. Six dice")


def test_the_match_ends_with_the_standing() -> None:
    assert STORY.lines(wire.MatchWon(2, (2, 0, 3))) == (
        "",
        "South wins the match.",
        "  1. South",
        "  2. North",
        "  3. West",
    )


def test_the_roll_for_the_order_tells_ties() -> None:
    rolls = ((0, (6, 2)), (1, (6, 5)), (2, (3,)))
    first = events.OrderRolled(((0, (6,)), (1, (6,)), (2, (3,))), ())
    assert STORY.lines(first)[-1] == "A tie: those roll again."
    assert STORY.lines(events.OrderRolled(rolls, (1, 0, 2))) == (
        "One die each for the order of play: North 6-2, East 6-5, South 3.",
        "They play in the order East, North and South.",
    )


def test_where_the_roll_decides_only_who_opens_play_goes_around_the_table() -> None:
    narrator = Narrator(("North", "East", "South"), BOXED)
    assert narrator.lines(events.OrderRolled(((0, (2,)), (1, (6,)), (2, (3,))), (1, 2, 0))) == (
        "One die each decides who opens: North 2, East 6, South 3.",
        "Play goes around the table from East.",
    )


@pytest.mark.parametrize(("rules", "word"), [(BOXED, "palifico"), (OBLIGING, "obliging round")], ids=str)
def test_a_special_round_is_called_as_the_players_of_its_rules_do(rules: Rules, word: str) -> None:
    kind, narrator = RoundKind.FIXED_FACE_NO_WILDS, Narrator(("North", "East"), rules)
    article = "an " if rules is OBLIGING else ""
    began = events.RoundBegan(3, kind, 0, 0, ((0, 1), (1, 4)))
    assert narrator.lines(began)[1] == f"Round 3: North’s {word}. Five dice: North 1, East 4. North opens."
    choice = wire.ChoiceAwaited(0, (kind, RoundKind.NORMAL))
    sentence = f"North is down to one die and may choose {article}{word} or an ordinary round."
    assert narrator.lines(choice) == (sentence,)
    assert narrator.lines(events.ActionTaken(0, kind)) == (f"North chooses {article}{word}.",)


@pytest.mark.parametrize(
    ("language", "rules", "heading"),
    [
        ("es", BOXED, "Ronda 3 (palifico, Ica). 5 dados: Ica 1, Lima 4. Abre Ica."),
        ("fr", BOXED, "Manche 3 (palifico, Ica). 5 dés : Ica 1, Lima 4. Ica ouvre."),
        ("fr", OBLIGING, "Manche 3 (manche obligée, Ica). 5 dés : Ica 1, Lima 4. Ica ouvre."),
    ],
    ids=str,
)
def test_a_special_round_is_told_in_every_language(language: str, rules: Rules, heading: str) -> None:
    began = events.RoundBegan(3, RoundKind.FIXED_FACE_NO_WILDS, 0, 0, ((0, 1), (1, 4)))
    (told,) = Narrator(("Ica", "Lima"), rules, language).sentences(began)
    assert told.replace("\u00a0", " ") == heading


@pytest.mark.parametrize(
    ("language", "won", "reopened"),
    [
        ("es", "Lima gana la partida.", "La partida sigue: el final no cuenta."),
        ("fr", "Lima gagne la partie.", "La partie continue : sa fin ne compte pas."),
    ],
)
def test_a_story_does_not_exclaim_in_any_language(language: str, won: str, reopened: str) -> None:
    narrator = Narrator(("Ica", "Lima"), language=language)
    assert narrator.sentences(wire.MatchWon(1, (1, 0))) == (won,)
    (told,) = narrator.sentences(wire.MatchReopened("m", "perudo", (0, 1), (1, 0)))
    assert told.replace("\u00a0", " ") == reopened


@pytest.mark.parametrize("language", ["es", "fr"])
def test_other_languages_have_digits_and_no_reasons_in_english(language: str) -> None:
    narrator = Narrator(("North", "East", "South", "West"), language=language)
    assert " 5 tr" in narrator.lines(events.ActionTaken(0, Bid(5, 3)))[0]
    for fault in (wire.DeviceLost(0, Device.CUP, "unplugged"), wire.AlertBegan(Alert.LAYOUT, "why")):
        (line,) = narrator.lines(fault)
        assert line.endswith(".")
        assert "unplugged" not in line
        assert "why" not in line


@pytest.mark.parametrize(
    ("event", "lines"),
    [
        (wire.Joined(3), ("West sits down.",)),
        (wire.Left(3), ("West gets up.",)),
        (wire.MatchBegan("m", "perudo", (0, 1, 3)), ("A match of perudo between North, East and West.",)),
        (wire.CupSettled(1), ()),
        (
            wire.ChoiceAwaited(1, (RoundKind.BLIND, RoundKind.OPEN, RoundKind.NORMAL)),
            ("East is down to one die and may choose a blind round, an open round or an ordinary round.",),
        ),
        (wire.DeviceLost(0, Device.CUP, "unplugged"), ("North’s cup does not answer: unplugged",)),
        (wire.DeviceLost(1, Device.BUTTONS, "no pins"), ("East’s buttons do not answer: no pins",)),
        (wire.DeviceFound(1, Device.BUTTONS), ("East’s buttons answer again.",)),
        (wire.DeviceFound(0, Device.BOARD), ("North’s seat board answers again.",)),
        (wire.DeviceReplaced(0, Device.BOARD), ("North has another seat board from now on.",)),
        (wire.AlertEnded(Alert.LAYOUT), ("The layout is right again.",)),
    ],
)
def test_everything_else_is_told_in_a_line(event: events.PublicEvent, lines: tuple[str, ...]) -> None:
    assert STORY.lines(event) == lines


EACH_REASON = [
    *(wire.Joined(0, level) for level in RobotLevel),
    *(wire.Left(0, why) for why in events.LeaveReason),
    *(wire.MatchBrokenOff("m", why) for why in events.BreakOffReason),
    *(wire.DealRepeated(1, 0, why) for why in events.DealFailure),
    *(wire.DeviceLost(0, device, "why") for device in Device),
    *(wire.AlertBegan(alert, "why") for alert in Alert),
    *(wire.AlertEnded(alert) for alert in Alert),
]


@pytest.mark.parametrize("event", EACH_REASON, ids=repr)
def test_every_level_and_reason_has_its_sentence(event: events.PublicEvent) -> None:
    assert any(STORY.lines(event))


@pytest.mark.parametrize(("count", "words"), [(0, "no"), (13, "thirteen"), (20, "twenty"), (40, "forty"), (100, "100")])
def test_counts_are_words_as_far_as_dice_go(count: int, words: str) -> None:
    assert count_in_words(count) == words


@pytest.mark.parametrize("why", events.DealFailure)
def test_a_repeated_deal_is_told_in_one_sentence_that_names_seat_and_deal(why: events.DealFailure) -> None:
    (line,) = STORY.lines(wire.DealRepeated(7, 1, why))
    assert line.startswith("East’s cup ")
    assert line.endswith(": everybody shakes again. Deal 7 is counted as repeated.")


def test_the_lines_of_the_chain_go_without_saying() -> None:
    assert STORY.lines(wire.ChainEntryAdded("deal 7 sealed", "7K3M")) == ()


def test_every_event_has_a_case() -> None:
    nodes = ast.walk(ast.parse(inspect.getsource(narration)))
    cases = {
        node.cls.attr for node in nodes if isinstance(node, ast.MatchClass) and isinstance(node.cls, ast.Attribute)
    }
    missing = sorted({kind.__name__ for kind in get_args(events.PublicEvent)} - cases)
    assert missing == [], f"write a case for these events: {', '.join(missing)}"
