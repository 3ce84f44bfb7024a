"""Every small raise of every rule set, judged a second time: by each text's sentence and not by ranges."""

from itertools import product

import pytest

from engine import RULESETS, Bid, RoundKind
from engine.bidding import legal_bids

BIDS = [Bid(quantity, face) for face in range(1, 7) for quantity in range(1, 16)]


def is_raise(name: str, kind: RoundKind, old: Bid, new: Bid, dice: int) -> bool:
    """Return whether the text of rule set `name` lets a player with `dice` dice bid `new` over `old`."""
    more, higher = new.quantity > old.quantity, new.face > old.face
    same_face, same_quantity = new.face == old.face, new.quantity == old.quantity
    if kind.fixed_face and not same_face and (name in ("pyrudo", "perudo") or dice > 1):
        return False  # "the entire round is played with the same num"
    if same_face:
        return more
    if kind is RoundKind.NORMAL and name != "kill-spot":
        if new.face == 1:
            return 2 * new.quantity >= old.quantity  # "divided by 2 (rounded up)"
        if old.face == 1:
            return new.quantity > 2 * old.quantity  # "higher or equal to 2 times the previous number + 1"
    match name:
        case "kill-spot":
            return higher  # "any ammount of dice of a higher value"
        case "obliging":
            return higher and (more or same_quantity)  # "the number of dice or the die number or both"
        case "palo-fijo" | "boxed":
            return more or (higher and same_quantity)  # "they can choose any number"
        case "pyrudo" | "perudo":
            return higher and same_quantity  # "a bet cannot raise both"
    raise AssertionError(f"write here what the text of {name} says of a raise")


@pytest.mark.parametrize("dice", [1, 2])
@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for name, rules in RULESETS.items() for kind in (RoundKind.NORMAL, *rules.special)],
)
def test_a_bid_goes_over_another_where_the_text_says_so(name: str, kind: RoundKind, dice: int) -> None:
    rules = RULESETS[name]
    for old, new in product(BIDS, BIDS):
        legal = new in legal_bids(rules, kind, old, dice=dice, in_play=10)
        assert legal is is_raise(name, kind, old, new, dice), (old, new)
