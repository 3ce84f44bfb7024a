"""Rule set checks across several fields: contradictions, and fields without effect.

`firmware_host.configuration.rules.custom` runs them on every custom rule set. Keys are those of `engine.rules`.
"""

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from engine.rules import DICE, ExactCall, RoundKind, Rules, value_at
from hardware.config.problems import Problem, preview

CLOSED = RoundKind.FIXED_FACE_NO_WILDS_CLOSED


def contradictions(rules: Rules) -> Iterator[Problem]:
    """Yield the contradictions that make the rules unplayable."""
    special, choices = rules.special, rules.choices
    if len(set(special)) < len(special):
        yield Problem("special", preview(special), "has a kind of round twice", "write each once")
    if len(choices) > 1 and rules.special_unchosen not in choices:
        unchosen = preview(rules.special_unchosen)
        yield Problem(
            "special_unchosen", unchosen, "is not among the owner's choices", f"there is {', '.join(choices)}"
        )
    passing, dice = rules.passing, rules.starting_dice
    if passing is not None and not passing.with_fewer_dice and dice < DICE:
        problem = f"allows no pass at all, as nobody ever holds more than {dice} dice"
        yield Problem("pass.with_fewer_dice", preview(False), problem, "write true, or pass = false")
    for name, call in _exact_calls(rules):
        for end, outcome, opener in (
            ("right", call.right, call.opener_if_right),
            ("wrong", call.wrong, call.opener_if_wrong),
        ):
            if opener == "loser" and outcome not in ("caller-loses", "bidder-loses"):
                problem = f"opens nothing: nobody loses a die by a {end} {name} ({outcome})"
                yield Problem(f"{name}.opener_if_{end}", preview(opener), problem, 'write "caller" or "bidder"')


def without_effect(rules: Rules, changed: Collection[str]) -> Iterator[Problem]:
    """Yield keys from `changed` without effect because of other fields."""
    for need in _NEEDS:
        for key in need.keys:
            if key in changed and not need.met(rules):
                problem = f"has no effect, as {need.otherwise}"
                yield Problem(key, preview(value_at(rules, key)), problem, "take it out, or change that")


def idle_fields(rules: Rules) -> dict[str, str]:
    """Return keys without effect because of other fields, each with the reason."""
    return {key: need.otherwise for need in reversed(_NEEDS) if not need.met(rules) for key in need.keys}


class _Need(NamedTuple):
    """A condition without which some keys have no effect."""

    keys: tuple[str, ...]
    met: Callable[[Rules], bool]
    otherwise: str


def _exact_calls(rules: Rules) -> Iterator[tuple[str, ExactCall]]:
    for name in ("calza", "kill", "spot"):
        if call := rules.exact(name):
            yield name, call


def _outcomes(rules: Rules) -> set[str]:
    return {outcome for _, call in _exact_calls(rules) for outcome in (call.right, call.wrong)}


_NEEDS = (
    _Need(
        (
            *("special", "special_waivable", "special_again", "special_with_two", "special_unchosen"),
            *("special_after_cancel", "open_on_aces_in_special", "halving_without_wilds", "face_change"),
            *("closed_seen_by", "fixed_face_name", "calza.in_special", "kill.in_special", "spot.in_special"),
        ),
        lambda rules: rules.starting_dice > 1,
        "nobody falls from two dice to one",
    ),
    _Need(
        ("pass.wild_aces", "pass.called_honest"),
        lambda rules: rules.starting_dice == DICE,
        "no pass is honest with fewer than five dice",
    ),
    _Need(
        ("to_aces", "from_aces", "halving_without_wilds", "pass.wild_aces"),
        lambda rules: rules.wild_aces,
        "aces are never wild",
    ),
    _Need(
        ("halving_without_wilds",),
        lambda rules: any(not kind.wilds for kind in rules.special),
        "aces are wild in every round",
    ),
    _Need(
        (
            *("special_waivable", "special_again", "special_with_two", "open_on_aces_in_special"),
            *("special_after_cancel", "calza.in_special", "kill.in_special", "spot.in_special"),
        ),
        lambda rules: bool(rules.special),
        "there are no special rounds",
    ),
    _Need(("special_unchosen",), lambda rules: len(rules.choices) > 1, "the owner has no choice"),
    _Need(
        ("special_after_cancel",),
        lambda rules: "nobody-loses" in _outcomes(rules),
        "no call cancels a round",
    ),
    _Need(("face_change",), lambda rules: any(kind.fixed_face for kind in rules.special), "no round has a fixed face"),
    _Need(
        ("fixed_face_name",),
        lambda rules: not {RoundKind.FIXED_FACE, RoundKind.FIXED_FACE_NO_WILDS}.isdisjoint(rules.special),
        "no round has that name",
    ),
    _Need(("closed_seen_by",), lambda rules: CLOSED in rules.special, "there is no closed round"),
    _Need(("banked_lives",), lambda rules: any(o.endswith("gains") for o in _outcomes(rules)), "no call wins a die"),
    _Need(("pass.calza_after",), lambda rules: any(_exact_calls(rules)), "there is no exact call"),
)
