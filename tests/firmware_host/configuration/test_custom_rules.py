"""A custom rule set: each field of it counts, and what can't be played is reported with its remedy."""

import pickle
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    CALZA,
    DUDO,
    KILL,
    KILL_SPOT,
    OBLIGING,
    PALO_FIJO,
    PASS,
    PERUDO,
    PYRUDO,
    RULESETS,
    SPOT,
    Action,
    Bid,
    ExactCall,
    Match,
    PassRule,
    Phase,
    RoundKind,
    Rules,
)
from engine.rules import FieldType, RuleField, fields_of
from firmware_host.configuration.rules.custom import parse, to_toml, toml
from firmware_host.errors import RulesError

Put = Callable[..., Match]


def custom(base: Rules, text: str) -> Rules:
    """`base` with these lines, as a custom rule set."""
    return parse(f'based_on = "{base.name}"\n{text}')


def problems(text: str) -> list[str]:
    with pytest.raises(RulesError) as error:
        parse(text, "house.toml")
    assert str(error.value).splitlines() == [f"house.toml: {fault}" for fault in error.value.problems]
    return [str(fault) for fault in error.value.problems]


# Reading


@pytest.mark.parametrize("base", RULESETS.values(), ids=str)
def test_with_no_difference_it_is_the_base_by_another_name(base: Rules) -> None:
    assert custom(base, "") == replace(base, name=f"{base.name}-house")


def test_a_kind_of_round_is_no_plain_text() -> None:
    assert custom(KILL_SPOT, 'special_unchosen = "open"').special_unchosen is RoundKind.OPEN


def test_a_call_can_be_switched_off() -> None:
    assert custom(PERUDO, "calza = false").calza is None


def test_a_call_can_be_switched_on() -> None:
    assert custom(PERUDO, "kill = true").kill == ExactCall()


def test_switching_on_what_is_on_leaves_it_as_it_is() -> None:
    assert custom(PERUDO, "calza = true").calza == PERUDO.calza


def test_a_table_says_what_differs_in_a_call() -> None:
    assert custom(PERUDO, '[calza]\nby = "in-turn"').calza == ExactCall(by="in-turn")


def test_an_empty_table_switches_the_pass_on() -> None:
    assert custom(PERUDO, "[pass]").passing == PassRule()


def test_special_rounds_can_be_switched_off() -> None:
    assert custom(PERUDO, "special = []").special == ()


# Writing


@pytest.mark.parametrize("rules", RULESETS.values(), ids=str)
def test_what_is_shipped_reads_back(rules: Rules) -> None:
    assert parse(to_toml(rules)) == rules
    assert to_toml(rules).count("\n") == 2


KINDS = [[], ["blind"], ["open", "fixed-face-no-wilds-closed"]]


def written(field: RuleField) -> list[str]:
    """Return the lines of a rule file for a field: one for each value, or the tables of a call or the pass."""
    match field.value_type:
        case FieldType.NAME:
            return [r'name = "a \"quoted\" \\ name"']
        case FieldType.SWITCH:
            values: list[Any] = [True, False]
        case FieldType.CHOICE | FieldType.NUMBER:
            values = [*field.choices]
        case FieldType.KINDS:
            values = [*KINDS]
        case FieldType.PART:
            assert field.part is not None
            tables = [f"[{field.key}]\n{line}" for part in fields_of(field.part).values() for line in written(part)]
            return [f"{field.key} = true", f"{field.key} = false", *tables]
    return [f"{field.key} = {toml(value)}" for value in values]


SAMPLES = {field: st.sampled_from(written(field)) for field in fields_of(Rules).values()}
"""Lines for every field, so that a new one is tried without a change here."""
WRITTEN = st.lists(st.sampled_from([*SAMPLES]), unique=True, max_size=5).flatmap(
    lambda fields: st.tuples(*(SAMPLES[field] for field in fields))
)


@given(base=st.sampled_from([*RULESETS.values()]), lines=WRITTEN)
@settings(max_examples=150)
def test_what_an_owner_may_write_reads_back(base: Rules, lines: tuple[str, ...]) -> None:
    try:
        rules = custom(base, "\n".join(sorted(lines, key=lambda line: line.startswith("["))))
    except RulesError:
        return
    assert parse(to_toml(rules)) == rules


@pytest.mark.parametrize("field", fields_of(Rules).values(), ids=lambda field: field.key)
def test_each_value_of_a_field_reads_back_where_it_has_an_effect(field: RuleField) -> None:
    for base, line in product(RULESETS.values(), written(field)):
        try:
            rules = custom(base, line)
        except RulesError:
            continue
        assert parse(to_toml(rules)) == rules


def test_rules_that_contradict_themselves_are_not_written() -> None:
    with pytest.raises(RulesError, match="not among the owner's choices"):
        to_toml(replace(PALO_FIJO, name="x", special_unchosen=RoundKind.BLIND))


# Faults


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", 'based_on: is missing; add based_on = "perudo", or the rule set nearest to this one'),
        ('based_on = "perduo"', 'based_on = "perduo": is not a rule set; did you mean perudo? there is kill-spot,'),
        ("based_on = 3", "based_on = 3: is not a rule set; there is kill-spot,"),
        ('basedon = "perudo"', 'basedon = "perudo": is an unknown key; did you mean based_on?'),
        ('wild_acess = true\nbased_on = "perudo"', "wild_acess = true: is an unknown key; did you mean wild_aces?"),
        ('passing = true\nbased_on = "perudo"', "passing = true: is an unknown key; did you mean pass?"),
        ('x = 1\nbased_on = "perudo"', "x = 1: is an unknown key; take it out; there is name, seating,"),
        ('wild_aces = "yes"\nbased_on = "perudo"', 'wild_aces = "yes": is neither true nor false; write true or false'),
        ('to_aces = "hlaf"\nbased_on = "perudo"', 'to_aces = "hlaf": is not one of its values; did you mean half?'),
        (
            'starting_dice = 6\nbased_on = "perudo"',
            "starting_dice = 6: is not one of its values; write a whole number, 1 to 5",
        ),
        (
            'starting_dice = true\nbased_on = "perudo"',
            "starting_dice = true: is not one of its values; write a whole number, 1 to 5",
        ),
        (
            'starting_dice = "3"\nbased_on = "perudo"',
            'starting_dice = "3": is not one of its values; write a whole number, 1 to 5',
        ),
        ('starting_dice = 0\nbased_on = "perudo"', "starting_dice = 0: is not one of its values;"),
        ('starting_dice = 3.0\nbased_on = "perudo"', "starting_dice = 3.0: is not one of its values;"),
        ('special = "blind"\nbased_on = "perudo"', 'special = "blind": is not a list of kinds of round;'),
        ('special = ["blnd"]\nbased_on = "perudo"', 'special = "blnd": is not one of its values; did you mean blind?'),
        (
            'special = ["normal"]\nbased_on = "perudo"',
            'special = "normal": is not one of its values; there is fixed-face,',
        ),
        ('calza = "no"\nbased_on = "perudo"', 'calza = "no": neither switches it on or off nor says how it goes;'),
        (
            'based_on = "perudo"\n[calza]\nby = "all"',
            'calza.by = "all": is not one of its values; there is in-turn, anyone',
        ),
        ('based_on = "perudo"\n[calza]\nbye = "x"', 'calza.bye = "x": is an unknown key; did you mean by?'),
        ('name = ""\nbased_on = "perudo"', 'name = "": is empty;'),
        ('name = "a\\nb"\nbased_on = "perudo"', 'name = "a\\nb": has blanks at its ends or characters'),
        (f'name = "{"x" * 25}"\nbased_on = "perudo"', 'name = "xxxxx'),
        ('name = "pyrudo"\nbased_on = "perudo"', 'name = "pyrudo": is the name of another rule set;'),
        ("based_on perudo", "line 1: is not TOML: "),
        ('a = 1\na = 2\nbased_on = "perudo"', "line 2: says again what stands further up; keep one of the two: a = 2"),
        (
            'based_on = "perudo"\ncalza = false\n[calza]\nby = "anyone"',
            "line 3: says again what stands further up; keep one of the two: [calza]",
        ),
        ("a = " + "[" * 5000, "has a number too long or tables too deep; take it out"),
    ],
)
def test_what_is_wrong_is_told_with_key_value_and_remedy(text: str, fault: str) -> None:
    (only,) = problems(text)
    assert only.startswith(fault)


def test_all_faults_are_told_at_once() -> None:
    assert len(problems('based_on = "x"\nwild_aces = 1\ncap = 2\nkil = true\n[calza]\nby = 1\nright = ""')) == 6


@pytest.mark.parametrize(
    ("base", "text", "key"),
    [
        (PALO_FIJO, 'special_unchosen = "open"', "special_unchosen"),
        (PALO_FIJO, 'special = ["fixed-face-no-wilds-open", "blind"]', "special_unchosen"),
        (PERUDO, 'special = ["open", "open"]\nspecial_unchosen = "open"', "special"),
        (KILL_SPOT, '[kill]\nright = "caller-gains"', "kill.opener_if_right"),
        (PERUDO, '[calza]\nwrong = "bidder-gains"', "calza.opener_if_wrong"),
        (KILL_SPOT, 'to_aces = "half"', "to_aces"),
        (KILL_SPOT, 'from_aces = "double"', "from_aces"),
        (PERUDO, "halving_without_wilds = true", "halving_without_wilds"),
        (PERUDO, "special = []\nspecial_with_two = true", "special_with_two"),
        (PERUDO, "special = []\nspecial_again = false", "special_again"),
        (PERUDO, "special = []\nspecial_waivable = true", "special_waivable"),
        (PERUDO, 'special = []\nopen_on_aces_in_special = "never"', "open_on_aces_in_special"),
        (PERUDO, 'special_unchosen = "blind"', "special_unchosen"),
        (PERUDO, "special_after_cancel = true", "special_after_cancel"),
        (KILL_SPOT, 'face_change = "one-die"', "face_change"),
        (PERUDO, 'closed_seen_by = "owner"', "closed_seen_by"),
        (KILL_SPOT, 'fixed_face_name = "obliging"', "fixed_face_name"),
        (OBLIGING, "banked_lives = true", "banked_lives"),
        (KILL_SPOT, "[pass]\nwild_aces = true", "pass.wild_aces"),
        (PERUDO, "calza = false\n[pass]\ncalza_after = true", "pass.calza_after"),
        (PERUDO, "starting_dice = 1\nspecial_again = false", "special_again"),
        (PERUDO, 'starting_dice = 1\nspecial = ["blind"]', "special"),
        (PERUDO, "special = []\n[calza]\nin_special = false", "calza.in_special"),
        (PALO_FIJO, "starting_dice = 4\n[pass]\nwith_fewer_dice = false", "pass.with_fewer_dice"),
        (PALO_FIJO, 'starting_dice = 4\n[pass]\ncalled_honest = "nobody-loses"', "pass.called_honest"),
    ],
)
def test_what_contradicts_itself_or_has_no_effect_is_a_fault(base: Rules, text: str, key: str) -> None:
    (only,) = problems(f'based_on = "{base.name}"\n{text}')
    assert only.startswith(key)


def test_what_has_no_effect_is_told_with_its_value() -> None:
    (only,) = problems('based_on = "perudo"\nspecial_unchosen = "blind"')
    assert only.startswith('special_unchosen = "blind": has no effect, as the owner has no choice; ')


def test_an_error_survives_pickling() -> None:
    with pytest.raises(RulesError) as error:
        parse("cap = 2")
    again = pickle.loads(pickle.dumps(error.value))
    assert (str(again), again.problems) == (str(error.value), error.value.problems)


# Every field changes what it says

OVER_FOUR = {"bid": Bid(4, 4)}
PASSED = {"bid": Bid(3, 2), "passed": True}
OBLIGED = {"dice": [1, 1, 3], "kind": RoundKind.FIXED_FACE_NO_WILDS, "bid": Bid(2, 4)}
CLOSED = RoundKind.FIXED_FACE_NO_WILDS_CLOSED
FIXED = RoundKind.FIXED_FACE_NO_WILDS


@pytest.mark.parametrize(
    ("base", "text", "lay", "seat", "action", "legal"),
    [
        (PERUDO, 'higher_face = "same-or-more"', OVER_FOUR, 1, Bid(5, 5), True),
        (PERUDO, 'higher_face = "any"', OVER_FOUR, 1, Bid(1, 5), True),
        (PERUDO, 'lower_face = "more"', OVER_FOUR, 1, Bid(5, 3), True),
        (PERUDO, 'to_aces = "half"', OVER_FOUR, 1, Bid(3, 1), False),
        (PERUDO, 'from_aces = "double"', {"bid": Bid(2, 1)}, 1, Bid(6, 3), False),
        (KILL_SPOT, "wild_aces = true", OVER_FOUR, 1, Bid(2, 1), True),
        (PERUDO, 'open_on_aces = "never"', {}, 0, Bid(1, 1), False),
        (OBLIGING, 'open_on_aces = "one-die"', {"dice": [1, 5, 5]}, 0, Bid(1, 1), True),
        (PERUDO, 'open_on_aces = "one-die"', {"dice": [2, 5, 5]}, 0, Bid(1, 1), False),
        (PERUDO, 'open_on_aces_in_special = "never"', {"kind": RoundKind.FIXED_FACE}, 0, Bid(1, 1), False),
        (PERUDO, 'cap = "dice-in-play"', OVER_FOUR, 1, Bid(16, 4), False),
        (PERUDO, 'dudo_by = "anyone"', OVER_FOUR, 2, DUDO, True),
        (PERUDO, '[calza]\nby = "in-turn"', OVER_FOUR, 2, CALZA, False),
        (PERUDO, '[calza]\nby = "out-of-turn"', OVER_FOUR, 1, CALZA, False),
        (PERUDO, "[calza]\nin_special = false", {**OVER_FOUR, "kind": RoundKind.FIXED_FACE}, 2, CALZA, False),
        (PERUDO, "calza = false", OVER_FOUR, 1, CALZA, False),
        (PERUDO, "kill = true", OVER_FOUR, 1, KILL, True),
        (PERUDO, "spot = true", OVER_FOUR, 1, SPOT, True),
        (PERUDO, "[calza]\nwhile_most_dice_left = true", {"bid": Bid(1, 2), "dice": [3, 2, 2]}, 1, CALZA, False),
        (PERUDO, "pass = true", OVER_FOUR, 1, PASS, True),
        (PALO_FIJO, "pass = false", OVER_FOUR, 1, PASS, False),
        (PALO_FIJO, "[pass]\nraise_after = false", PASSED, 2, Bid(9, 6), False),
        (PALO_FIJO, "[pass]\ncalza_after = true", PASSED, 2, CALZA, True),
        (PALO_FIJO, "[pass]\nwith_fewer_dice = false", {"bid": Bid(1, 2), "dice": [5, 4, 5]}, 1, PASS, False),
        (PERUDO, 'face_change = "one-die"', {**OBLIGED, "kind": RoundKind.FIXED_FACE}, 1, Bid(2, 5), True),
        (OBLIGING, 'face_change = "nobody"', OBLIGED, 1, Bid(2, 5), False),
        (OBLIGING, "halving_without_wilds = true", OBLIGED, 1, Bid(1, 1), True),
        (OBLIGING, "halving_without_wilds = true", {**OBLIGED, "bid": Bid(2, 1)}, 1, Bid(4, 5), False),
    ],
)
def test_a_field_changes_what_is_legal(
    base: Rules, text: str, lay: dict[str, Any], seat: int, action: Action, legal: bool, put: Put
) -> None:
    def may(rules: Rules) -> bool:
        match = put(rules, lay.get("dice", [5, 5, 5]), **{key: lay[key] for key in lay.keys() - {"dice", "passed"}})
        match = match.play(1, PASS) if "passed" in lay else match
        return action in match.legal(seat)

    assert may(custom(base, text)) is legal
    assert may(base) is not legal


@pytest.mark.parametrize(
    ("base", "text", "action", "quantity", "dice", "first"),
    [
        (KILL_SPOT, '[spot]\nwrong = "caller-loses"', SPOT, 4, (3, 3, 2), 2),
        (PERUDO, '[calza]\nright = "nobody-loses"', CALZA, 3, (3, 3, 3), 2),
        (PERUDO, '[calza]\nright = "bidder-loses"', CALZA, 3, (3, 2, 3), 2),
        (PERUDO, '[calza]\nopener_if_right = "bidder"', CALZA, 3, (3, 3, 4), 1),
        (PERUDO, '[calza]\nopener_if_wrong = "bidder"', CALZA, 4, (3, 3, 2), 1),
        (KILL_SPOT, '[kill]\nopener_if_right = "caller"', KILL, 3, (3, 2, 3), 2),
        (KILL_SPOT, "wild_aces = true", DUDO, 4, (3, 3, 2), 2),
    ],
)
def test_a_field_changes_what_a_call_comes_to(
    base: Rules, text: str, action: Action, quantity: int, dice: tuple[int, ...], first: int, put: Put
) -> None:
    def outcome(rules: Rules) -> tuple[tuple[int, ...], int | None]:
        aces = 1 if action is DUDO else 4  # one wild ace more makes four threes
        match = put(rules, [(2, 2, 6), (3, 3, 3), (5, 6, aces)], bid=Bid(quantity, 3), by=1)
        position = match.play(2, action).position
        return position.dice, position.first

    assert outcome(custom(base, text)) == (dice, first)
    assert outcome(base) != (dice, first)


def test_a_banked_life_is_won_at_five_dice_and_lost_first(put: Put) -> None:
    rules = custom(KILL_SPOT, "banked_lives = true")
    won = put(rules, [(2, 2), (2, 4, 5, 6, 6)], bid=Bid(3, 2), banked=(0, 0)).play(1, SPOT).position
    assert (won.dice, won.banked) == ((2, 5), (0, 1))
    lost = put(rules, [(2, 2), (2, 4, 5, 6, 6)], bid=Bid(3, 2), banked=(0, 1)).play(1, DUDO).position
    assert (lost.dice, lost.banked) == ((2, 5), (0, 0))


@pytest.mark.parametrize("dice", [1, 2, 3, 4, 5])
def test_the_starting_dice_may_be_fewer(dice: int) -> None:
    assert Match.start(custom(PERUDO, f"starting_dice = {dice}"), 3).position.dice == (dice,) * 3


def test_lives_are_counted_from_the_start_where_they_can_be_banked() -> None:
    assert Match.start(custom(KILL_SPOT, "banked_lives = true"), 3).position.banked == (0, 0, 0)


def test_an_honest_pass_may_cost_nobody_a_die(put: Put) -> None:
    rules = custom(PALO_FIJO, '[pass]\ncalled_honest = "nobody-loses"')
    match = put(rules, [5, (1, 2, 3, 4, 5), 5], bid=Bid(2, 2)).play(1, PASS).play(2, DUDO)
    assert (match.position.dice, match.position.first) == ((5, 5, 5), 2)


@pytest.mark.parametrize(("kind", "honest"), [(RoundKind.NORMAL, True), (CLOSED, False)])
def test_wild_aces_may_make_a_pass_honest_where_they_are_wild(kind: RoundKind, honest: bool, put: Put) -> None:
    rules = custom(PALO_FIJO, "[pass]\nwild_aces = true")
    match = put(rules, [5, (1, 2, 2, 3, 3), 5], bid=Bid(2, 2), kind=kind).play(1, PASS).play(2, DUDO)
    assert match.position.dice == ((5, 5, 4) if honest else (5, 4, 5))


def fall(rules: Rules, put: Put, others: tuple[int, ...] = (3, 3), used: tuple[int, ...] = ()) -> Match:
    return put(rules, [2, *others], bid=Bid(30, 6), used=used).play(1, DUDO)


def test_a_special_round_may_come_again(put: Put) -> None:
    assert fall(custom(PYRUDO, "special_again = true"), put, used=(0,)).position.owner == 0


def test_a_special_round_may_come_once_only(put: Put) -> None:
    rules = custom(PERUDO, "special_again = false")
    assert fall(rules, put).position.special_used == (0,)
    assert fall(rules, put, used=(0,)).position.owner is None


@pytest.mark.parametrize(("base", "value", "owner"), [(PERUDO, "true", 0), (PYRUDO, "false", None)], ids=str)
def test_whether_there_is_one_with_two_left_may_be_changed(
    base: Rules, value: str, owner: int | None, put: Put
) -> None:
    assert fall(custom(base, f"special_with_two = {value}"), put, others=(3,)).position.owner == owner


def test_a_single_kind_may_be_waived_if_the_rules_say_so(put: Put) -> None:
    match = fall(custom(PERUDO, "special_waivable = true"), put)
    assert list(match.legal(0)) == [RoundKind.FIXED_FACE, RoundKind.NORMAL]


def test_special_rounds_may_be_other_ones(put: Put) -> None:
    assert fall(custom(PERUDO, 'special = ["blind"]'), put).position.kind is RoundKind.BLIND


def test_what_an_idle_owner_gets_may_be_changed() -> None:
    assert custom(PALO_FIJO, 'special_unchosen = "fixed-face-no-wilds-open"').special_unchosen == PALO_FIJO.special[0]


def test_a_cancelled_special_round_may_be_played_again(put: Put) -> None:
    rules = custom(OBLIGING, "special_after_cancel = true")
    position = put(rules, [(3,), (2, 3), 2], bid=Bid(4, 3), kind=FIXED, owner=0).play(1, CALZA).position
    assert (position.kind, position.owner, position.first) == (FIXED, 0, 0)


def test_a_special_round_whose_call_won_a_die_was_not_cancelled(put: Put) -> None:
    rules = replace(PERUDO, special_after_cancel=True)
    match = put(rules, [(3,), (2, 3), 2], bid=Bid(4, 3), kind=RoundKind.FIXED_FACE, owner=0).play(1, CALZA)
    assert match.position.kind is RoundKind.NORMAL


def test_nobody_makes_an_exact_call_on_the_own_bid_after_a_pass(put: Put) -> None:
    rules = custom(PALO_FIJO, "[pass]\ncalza_after = true")
    assert CALZA not in put(rules, [5, 5], bid=Bid(3, 2)).play(1, PASS).legal(0)


def test_only_the_owner_may_look_in_a_closed_round(put: Put) -> None:
    match = put(custom(PALO_FIJO, 'closed_seen_by = "owner"'), [1, 1, 3], kind=CLOSED, owner=0)
    assert [len(match.view(seat).visible) for seat in range(3)] == [1, 0, 0]


@pytest.mark.parametrize(("seating", "phase"), [("fixed", Phase.ROLLING), ("roll-opener", Phase.SEATING)])
def test_how_a_match_is_seated_may_be_changed(seating: str, phase: Phase) -> None:
    assert Match.start(custom(PALO_FIJO, f'seating = "{seating}"'), 3).position.phase is phase


def test_every_field_of_the_rules_is_a_key() -> None:
    problem = problems('based_on = "perudo"\nzzz = 1')[0]
    names = {"pass" if field.name == "passing" else field.name for field in fields(Rules)}
    assert names <= {*problem.replace(",", "").split()}
