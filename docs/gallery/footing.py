"""Matches brought to where a picture is wanted, by playing them: nothing here can't happen at a table.

Everybody always holds dice from `HANDS`, so every picture comes out the same each time.
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
"""What each seat throws, as far as it still has dice for it."""
FULL_HOUSE = (2, 2, 2, 5, 5)
_SURE = 2  # the face everybody throws in a round of which the end is known


def at(rules: Rules, dice: Sequence[int], *, last: int | None = None) -> Match:
    """A match whose cups are to be shaken, in which seat i holds `dice[i]`; `last` is who lost a die last.

    A round that its owner may choose is left to be chosen if `last` has just earned it.
    """
    match = rolled_for_order(Match.start(rules, len(dice)))
    seats = sorted(range(len(dice)), key=lambda seat: (seat == last, dice[seat]))
    for seat in seats:
        while match.position.dice[seat] > dice[seat]:
            match = without_a_die(match, seat)
    return match


def rolled_for_order(match: Match) -> Match:
    """The match with its order of play, where the rules roll for it."""
    while match.position.phase is Phase.SEATING:
        match = match.roll({seat: (max(6 - place, 1),) for place, seat in enumerate(match.position.rolling)})
    return match


def chosen(match: Match, kind: RoundKind) -> Match:
    """The match with its special round chosen."""
    assert match.position.owner is not None
    return match.play(match.position.owner, kind)


def dealt(match: Match, hands: Sequence[Sequence[int]] = HANDS) -> Match:
    """The match with dice under the cups."""
    return match.roll({seat: hands[seat][: match.position.dice_to_roll(seat)] for seat in match.position.rolling})


def said(match: Match, *words: str) -> Match:
    """The match after the players in turn have said this, one after the other."""
    for word in words:
        assert match.position.turn is not None
        match = match.play(match.position.turn, parse_action(word))
    return match


def there(match: Match, face: int) -> int:
    """How many dice count for a face in a round that has just been dealt."""
    showdown = said(match, f"1x{face}", "dudo").position.showdown
    assert showdown is not None
    assert showdown.matching is not None
    return showdown.matching


def without_a_die(match: Match, seat: int) -> Match:
    """The match one round later, in which the seat has lost a die by a call."""
    match = _sure(match)
    position = match.position
    if position.first == seat:
        return said(match, f"{position.in_play + 1}x{_SURE}", "dudo")
    return said(_raised_until(match, seat), "dudo")


def _sure(match: Match) -> Match:
    """The match dealt, in a special round if it must be; all dice show the same face."""
    if match.position.phase is Phase.CHOOSING:
        match = chosen(match, match.position.choices[-1])
    return dealt(match, ((_SURE,) * 5,) * match.position.seats)


def _raised_until(match: Match, seat: int) -> Match:
    quantity = 0
    while match.position.turn != seat:
        quantity += 1
        match = said(match, f"{quantity}x{_SURE}")
    return match
