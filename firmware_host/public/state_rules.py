"""The rules of a public state, for clients that name rounds and wild aces. Reads the state's `position`."""

from contextlib import suppress

from engine import RULESETS, RoundKind, Rules
from engine.errors import NotationError
from engine.notation.position import parse_position
from firmware_host.wire import PublicState


def rules_of(state: PublicState) -> Rules | None:
    """Return a state's rules, None for an owner's own before a match, and for a newer table's."""
    if state.position is None:
        return RULESETS.get(state.rules)
    try:
        return parse_position(state.position).rules
    except NotationError:
        return None


def are_aces_wild(state: PublicState) -> bool | None:
    """Return whether aces are wild in a state's round, None if unknown. The lobby has the answer for a normal round."""
    rules = rules_of(state)
    kind = RoundKind.NORMAL if state.round is None else kind_of(state.round.kind)
    return None if rules is None or kind is None else rules.wilds_in(kind)


def renamed_kinds(state: PublicState) -> dict[str, str]:
    """Return the kinds of round with another kind's name in a state's rules."""
    if (rules := rules_of(state)) is None:
        return {}
    return {kind: called for kind in RoundKind if (called := rules.called_like(kind)) is not kind}


def kind_of(word: str) -> RoundKind | None:
    """Return the kind of round with this name, None for one of a newer table."""
    with suppress(ValueError):
        return RoundKind(word)
    return None
