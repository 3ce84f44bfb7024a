"""Rounds between two players, for `exploit` and `solver`: how they begin, and where their calls lead."""

from itertools import combinations_with_replacement

from engine import Bid, Call, Hand, Phase, Player, Position, Round, RoundKind, Rules
from engine.rules import FACES
from engine.settlement import settle

PLAYERS = Player(0), Player(1)


def outcome(began: Round, caller: Player, call: Call, *, right: bool, doubts_pass: bool = False) -> Position:
    """Return the position after a right or a wrong call in a round."""
    other = Player(1 - caller)
    rest = [Hand([2] * dice) for dice in began.dice]
    if doubts_pass:
        hands = [Hand([2] * (dice - 1) + [3 if right else 2]) for dice in began.dice]
        passed = Position(began, Phase.BIDDING, caller, Bid(1, 6), caller, passer=other, passed=(other,))
        return settle(passed, (hands[0], hands[1]), caller, call)
    matching = right == (began.rules.exact(call) is not None)  # one die on the table is of the bid's face, or none is
    if matching:
        rest[0] = Hand([6, *rest[0][1:]])
    return settle(Position(began, Phase.BIDDING, caller, Bid(1, 6), other), (rest[0], rest[1]), caller, call)


def began(rules: Rules, kind: RoundKind, dice: tuple[int, int], first: Player) -> Round:
    """Return a round between two players; who has one die left has had the special round."""
    owner = None if kind is RoundKind.NORMAL else first
    used = tuple(seat for seat in PLAYERS if dice[seat] == 1)
    kept = (0, 0) if rules.banked_lives else ()
    return Round(
        rules, PLAYERS, dice, 2 * rules.starting_dice, first, kind=kind, owner=owner, special_used=used, banked=kept
    )


def hands_of(dice: int) -> tuple[Hand, ...]:
    """Return all hands of so many dice."""
    return tuple(map(Hand, combinations_with_replacement(FACES, dice)))
