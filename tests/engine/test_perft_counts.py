"""Bid sequences are counted right: against known counts, and against matches that are played out."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine import PALO_FIJO, RULESETS, Bid, Match, RoundKind, Rules
from engine.__main__ import main
from engine.perft import perft


@pytest.mark.parametrize(
    ("arguments", "counts"),
    [
        ("perudo --dice 3", "18 93 316 830"),
        ("pyrudo --round fixed-face --dice 5 --depth 6", "30 60 60 30 6 0"),
        ("obliging --dice 5", "25 305 1990 9055"),
        ("palo-fijo --opener-dice 1 --dice 5", "30 435 4060 27405"),
        ("kill-spot --dice 10", "60 1770 34220 487635"),
        ("kill-spot --dice 1 --depth 8", "6 15 20 15 6 1 0 0"),
        ("obliging --dice 2 --opener-dice 9 --depth 1", "10"),
    ],
)
def test_the_command_prints_the_known_counts(arguments: str, counts: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", *arguments.split()]) == 0
    assert capsys.readouterr().out == counts + "\n"


@pytest.mark.parametrize("opener_dice", [1, 5])
@pytest.mark.parametrize("kind", RoundKind)
@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_the_counts_are_those_of_matches_played_out(
    rules: Rules, kind: RoundKind, opener_dice: int, put: Callable[..., Match]
) -> None:
    most, depth = 2, 3
    # the seats after the opener hold two dice or more; a fourth seat keeps the opener from bidding twice
    match = put(rules, [opener_dice, 2, 2, 2], kind=kind)
    assert list(perft(rules, dice=most, kind=kind, opener_dice=opener_dice, depth=depth)) == [
        played_out(match, most, length) for length in range(1, depth + 1)
    ]


def test_opener_and_bidders_hold_the_starting_dice(put: Callable[..., Match]) -> None:
    rules, kind = replace(PALO_FIJO, starting_dice=1), RoundKind.FIXED_FACE_NO_WILDS_OPEN
    match = put(rules, [1, 1, 1, 1], kind=kind)
    assert [*perft(rules, dice=2, kind=kind, depth=2)] == [played_out(match, 2, length) for length in (1, 2)]


def played_out(match: Match, most: int, length: int) -> int:
    turn = match.position.turn
    assert turn is not None
    bids = [bid for face in range(1, 7) for n in range(1, most + 1) if (bid := Bid(n, face)) in match.legal(turn)]
    if length == 1:
        return len(bids)
    return sum(played_out(match.play(turn, bid), most, length - 1) for bid in bids)
