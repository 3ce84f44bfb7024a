"""Matches played up to a picture's moment. They go through the rules, so each can happen at a table.

Each seat rolls its dice of `HANDS`, so every picture is the same each time.
"""

from collections.abc import Sequence

from engine import Match, Phase, RoundKind, Rules, parse_action

HANDS = (
    (1, 3, 3, 5, 6),
    (2, 2, 3, 4, 6),
    (1, 1, 4, 5, 5),
    (3, 3, 3, 4, 5),
    (1, 2, 5, 6, 6),
    (2, 3, 4, 4, 6),
    (1, 3, 5, 5, 6),
    (2, 4, 4, 5, 6),
)
"""The dice that each seat rolls; a seat with fewer dice rolls the first of them."""
FULL_HOUSE = (2, 2, 2, 5, 5)
_SURE = 2  # the face that all dice show in a round whose result must be known


def at(rules: Rules, dice: Sequence[int], *, last: int | None = None) -> Match:
    """Return a match before the shake: seat i holds `dice[i]`, and `last` was the last to lose a die.

    If `last` may choose a special round now, the choice is still open.
    """
    match = rolled_for_order(Match.start(rules, len(dice)))
    seats = sorted(range(len(dice)), key=lambda seat: (seat == last, dice[seat]))
    for seat in seats:
        while match.position.dice[seat] > dice[seat]:
            match = without_a_die(match, seat)
    return match


def rolled_for_order(match: Match) -> Match:
    """Return the match with its order of play, where rolled for."""
    while match.position.phase is Phase.SEATING:
        match = match.roll({seat: (max(6 - place, 1),) for place, seat in enumerate(match.position.rolling)})
    return match


def chosen(match: Match, kind: RoundKind) -> Match:
    """Return the match with its special round chosen."""
    assert match.position.owner is not None
    return match.play(match.position.owner, kind)


def dealt(match: Match, hands: Sequence[Sequence[int]] = HANDS) -> Match:
    """Return the match with dice under the cups."""
    return match.roll({seat: hands[seat][: match.position.dice_to_roll(seat)] for seat in match.position.rolling})


def said(match: Match, *words: str) -> Match:
    """Return the match after these actions, one by each player in turn, written as in `4x3`."""
    for word in words:
        assert match.position.turn is not None
        match = match.play(match.position.turn, parse_action(word))
    return match


def there(match: Match, face: int) -> int:
    """Return the number of dice counting for a face in a fresh round."""
    showdown = said(match, f"1x{face}", "dudo").position.showdown
    assert showdown is not None
    assert showdown.matching is not None
    return showdown.matching


def without_a_die(match: Match, seat: int) -> Match:
    """Return the match one round later, with a die lost by the seat's call."""
    match = _sure(match)
    position = match.position
    if position.first == seat:
        return said(match, f"{position.in_play + 1}x{_SURE}", "dudo")
    return said(_raised_until(match, seat), "dudo")


def _sure(match: Match) -> Match:
    """Return the match dealt, in a special round if one is due; all dice show the same face."""
    if match.position.phase is Phase.CHOOSING:
        match = chosen(match, match.position.choices[-1])
    return dealt(match, ((_SURE,) * 5,) * match.position.seats)


def _raised_until(match: Match, seat: int) -> Match:
    quantity = 0
    while match.position.turn != seat:
        quantity += 1
        match = said(match, f"{quantity}x{_SURE}")
    return match
