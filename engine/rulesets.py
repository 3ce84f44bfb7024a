"""The five rule sets as data. What each field rests on is told in `docs/rules.md`, sentence by sentence."""

from engine.rounds import RoundKind
from engine.rules import ExactCall, PassRule, Rules

KILL_SPOT = Rules(
    name="kill-spot",
    wild_aces=False,
    higher_face="any",
    dudo_by="anyone",
    kill=ExactCall(by="anyone", right="bidder-loses", opener_if_right="loser"),
    spot=ExactCall(by="anyone", wrong="bidder-gains", opener_if_right="bidder", opener_if_wrong="caller"),
    special=(RoundKind.BLIND, RoundKind.OPEN),
    special_waivable=True,
)

PYRUDO = Rules(
    name="pyrudo",
    calza=ExactCall(),
    special=(RoundKind.FIXED_FACE,),
)

OBLIGING = Rules(
    name="obliging",
    seating="roll-order",
    higher_face="same-or-more",
    open_on_aces="never",
    open_on_aces_in_special="never",
    calza=ExactCall(right="nobody-loses", opener_if_right="bidder"),
    special=(RoundKind.FIXED_FACE_NO_WILDS,),
    special_with_two=False,
    face_change="one-die",
)

PERUDO = Rules(
    name="perudo",
    calza=ExactCall(by="anyone"),
    special=(RoundKind.FIXED_FACE,),
    special_again=True,
    special_with_two=False,
)

PALO_FIJO = Rules(
    name="palo-fijo",
    seating="roll-order",
    higher_face="same-or-more",
    lower_face="more",
    open_on_aces="one-die",
    open_on_aces_in_special="one-die",
    calza=ExactCall(while_most_dice_left=True),
    passing=PassRule(),
    special=(RoundKind.FIXED_FACE_NO_WILDS_OPEN, RoundKind.FIXED_FACE_NO_WILDS_CLOSED),
    special_unchosen=RoundKind.FIXED_FACE_NO_WILDS_CLOSED,
    face_change="one-die",
)

RULESETS = {rules.name: rules for rules in (KILL_SPOT, PYRUDO, OBLIGING, PERUDO, PALO_FIJO)}
"""The five by name."""
