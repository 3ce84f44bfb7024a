"""A sentence for players about each value of each rules field.

`dudo-table rules` prints a rule set with them, also as a TOML file to edit. docs/rules.md gives each field's source. A
test compares this table with the fields and values in `engine.rules`, whose keys it uses; `call` stands for calza, kill
and spot.
"""

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import NamedTuple

from engine import RULESETS, ExactCall, PassRule, RoundKind, Rules
from engine.rules import FieldType, fields_of
from firmware_host.configuration.rules.consistency import idle_fields
from firmware_host.configuration.rules.custom import differences, toml
from firmware_host.i18n.phrases import N_

SECTIONS: Mapping[str, tuple[str, ...]] = {
    N_("Seats and dice"): ("seating", "starting_dice", "wild_aces"),
    N_("Raising a bid"): (
        *("higher_face", "lower_face", "to_aces", "from_aces", "halving_without_wilds"),
        *("open_on_aces", "open_on_aces_in_special", "cap"),
    ),
    N_("Calls"): ("dudo_by", "calza", "kill", "spot", "pass", "banked_lives"),
    N_("Special rounds"): (
        *("special", "special_waivable", "special_again", "special_with_two", "special_unchosen"),
        *("special_after_cancel", "face_change", "closed_seen_by", "fixed_face_name"),
    ),
}

WORDS: Mapping[str, Mapping[object, str]] = {
    "seating": {
        "fixed": N_("Everybody keeps their seat; a draw decides which player opens the first round."),
        "roll-order": N_("One die each decides the order of play: the highest opens, then the next highest."),
        "roll-opener": N_("One die each decides which player opens; play goes around the table from there."),
    },
    "starting_dice": {
        1: N_("Everybody starts with one die and never holds more."),
        2: N_("Everybody starts with 2 dice and never holds more."),
        3: N_("Everybody starts with 3 dice and never holds more."),
        4: N_("Everybody starts with 4 dice and never holds more."),
        5: N_("Everybody starts with 5 dice and never holds more."),
    },
    "wild_aces": {
        True: N_("Aces count for every face."),
        False: N_("Aces are a face like any other, the lowest."),
    },
    "higher_face": {
        "same": N_("A higher face is bid with the same number of dice."),
        "same-or-more": N_("A higher face is bid with as many dice or more."),
        "any": N_("A higher face is bid with any number of dice."),
    },
    "lower_face": {
        "never": N_("A lower face is not a raise."),
        "more": N_("A lower face may be bid with more dice."),
    },
    "to_aces": {
        "half-or-more": N_("Going to aces takes at least half as many dice, rounded up."),
        "half": N_("Going to aces takes exactly half as many dice, rounded up."),
    },
    "from_aces": {
        "double-or-more": N_("Leaving aces takes at least twice as many dice and one."),
        "double": N_("Leaving aces takes exactly twice as many dice and one."),
    },
    "halving_without_wilds": {
        True: N_("Half and double hold in special rounds without wild aces, too."),
        False: N_("In special rounds without wild aces, aces are simply the lowest face."),
    },
    "open_on_aces": {
        "always": N_("Anybody may open a normal round on aces."),
        "one-die": N_("Only a player with a single die may open a normal round on aces."),
        "never": N_("Nobody may open a normal round on aces."),
    },
    "open_on_aces_in_special": {
        "always": N_("Anybody may open a special round on aces."),
        "one-die": N_("Only a player with a single die may open a special round on aces."),
        "never": N_("Nobody may open a special round on aces."),
    },
    "cap": {
        "none": N_("A bid may name any number of dice."),
        "dice-in-play": N_("A bid may not name more dice than are in play."),
    },
    "dudo_by": {
        "in-turn": N_("The player in turn may doubt the bid."),
        "anyone": N_("Anybody but the bidder may doubt the bid, at any moment."),
    },
    "calza": {
        True: N_("Calza says that there are exactly as many as bid."),
        False: N_("There is no calza."),
    },
    "kill": {
        True: N_("Kill says that there are exactly as many as bid."),
        False: N_("There is no kill."),
    },
    "spot": {
        True: N_("Spot says that there are exactly as many as bid."),
        False: N_("There is no spot."),
    },
    "call.by": {
        "in-turn": N_("The player in turn may call it."),
        "anyone": N_("Anybody but the bidder may call it, at any moment."),
        "out-of-turn": N_("Anybody but the bidder and the player in turn may call it, at any moment."),
    },
    "call.right": {
        "caller-gains": N_("When right, the caller wins a die, up to the starting dice."),
        "bidder-loses": N_("When right, the bidder loses a die."),
        "nobody-loses": N_("When right, nobody loses a die."),
    },
    "call.wrong": {
        "caller-loses": N_("When wrong, the caller loses a die."),
        "bidder-gains": N_("When wrong, the bidder wins a die, up to the starting dice."),
    },
    "call.opener_if_right": {
        "loser": N_("After a right one, the player who lost the die opens."),
        "caller": N_("After a right one, the caller opens."),
        "bidder": N_("After a right one, the bidder opens."),
    },
    "call.opener_if_wrong": {
        "loser": N_("After a wrong one, the player who lost the die opens."),
        "caller": N_("After a wrong one, the caller opens."),
        "bidder": N_("After a wrong one, the bidder opens."),
    },
    "call.while_most_dice_left": {
        True: N_("Only while more than half of the starting dice are left."),
        False: N_("However few dice are left."),
    },
    "call.in_special": {
        True: N_("In special rounds, too."),
        False: N_("Not in special rounds."),
    },
    "pass": {
        True: N_("A pass claims a full house, five of a kind or five different faces."),
        False: N_("Nobody may pass."),
    },
    "pass.raise_after": {
        True: N_("The next player may raise the bid all the same."),
        False: N_("The next player may not raise the bid."),
    },
    "pass.calza_after": {
        True: N_("An exact call may follow it."),
        False: N_("No exact call may follow it."),
    },
    "pass.wild_aces": {
        True: N_("Aces stand for any face in it, where they are wild."),
        False: N_("Its dice are read as they lie."),
    },
    "pass.with_fewer_dice": {
        True: N_("It may be bluffed with fewer than five dice."),
        False: N_("It takes five dice."),
    },
    "pass.called_honest": {
        "caller-loses": N_("Doubting an honest one costs the doubter a die."),
        "nobody-loses": N_("Doubting an honest one costs nobody a die."),
    },
    "banked_lives": {
        True: N_("A die won with all starting dice in the cup is kept aside and lost first."),
        False: N_("A die won with all starting dice in the cup is not kept."),
    },
    "special_waivable": {
        True: N_("The owner may have a normal round instead."),
        False: N_("The owner can't have a normal round instead."),
    },
    "special_again": {
        True: N_("Earned at every fall from two dice to one."),
        False: N_("Earned once in a match, at the first fall from two dice to one."),
    },
    "special_with_two": {
        True: N_("Also played when only two players are left."),
        False: N_("Not played when only two players are left."),
    },
    "special_unchosen": {kind: f"If a clock runs out before the owner has chosen, it is {kind}." for kind in RoundKind},
    "special_after_cancel": {
        True: N_("One that a right call cancels is played again."),
        False: N_("One that a right call cancels is used up."),
    },
    "face_change": {
        "nobody": N_("Where the face is fixed, nobody may change it."),
        "one-die": N_("Where the face is fixed, a player with a single die may change it."),
    },
    "closed_seen_by": {
        "one-die": N_("In a closed round, a player with a single die sees it."),
        "owner": N_("In a closed round, the owner sees the own dice."),
    },
    "fixed_face_name": {
        "palifico": N_("A fixed-face round that is neither open nor closed is called palifico."),
        "obliging": N_("A fixed-face round that is neither open nor closed is called obliging."),
    },
}
_COLUMNS = 100
KINDS: Mapping[RoundKind, str] = {
    RoundKind.NORMAL: N_("a round like any other"),
    RoundKind.FIXED_FACE: N_("the opening bid's face stays"),
    RoundKind.FIXED_FACE_NO_WILDS: N_("the opening bid's face stays and aces are not wild"),
    RoundKind.FIXED_FACE_NO_WILDS_OPEN: N_(
        "the opening bid's face stays and aces are not wild, everybody sees all dice but the own"
    ),
    RoundKind.FIXED_FACE_NO_WILDS_CLOSED: N_(
        "the opening bid's face stays and aces are not wild, dice are seen as closed_seen_by says"
    ),
    RoundKind.BLIND: N_("only the owner sees dice, the own"),
    RoundKind.OPEN: N_("everybody sees all dice but the own"),
}
"""Description of each kind of round."""
CLOSED_IN_A_QUESTION = N_(
    "the opening bid's face stays and aces are not wild, and hardly anybody sees dice: a closed round"
)
"""The same for a closed round, where another question asks which dice are seen."""


PARTS = tuple(key for key, field in fields_of(Rules).items() if field.value_type is FieldType.PART)
"""Keys that are a table of their own where they are switched on."""


class Description(NamedTuple):
    """One field: its key and value as TOML, their meaning, and the other possible values."""

    section: str
    key: str
    value: str
    words: str
    others: tuple[str, ...]


def describe(rules: Rules) -> Iterator[Description]:
    """Yield every field except the name, section by section; a call's own fields follow it."""
    idle = idle_fields(rules)
    for line in _fields(rules):
        why = idle.get(line.key)
        yield line._replace(words=f"Has no effect here, as {why}.") if why else line


def _fields(rules: Rules) -> Iterator[Description]:
    fields = fields_of(rules)
    for section, keys in SECTIONS.items():
        for key in keys:
            field = fields[key]
            value = field.get(rules)
            if field.value_type is FieldType.PART:
                yield _describe(section, key, value is not None, key)
                yield from _parts(section, key, value)
            elif field.value_type is FieldType.KINDS:
                others = tuple(toml([kind]) for kind in field.choices if kind != RoundKind.NORMAL)
                yield Description(section, key, toml(value), _special(rules), others)
            else:
                yield _describe(section, key, value, key)


def _parts(section: str, key: str, part: ExactCall | PassRule | None) -> Iterator[Description]:
    words = "pass" if key == "pass" else "call"
    if part is None:
        return
    for field in fields_of(part).values():
        yield _describe(section, f"{key}.{field.key}", field.get(part), f"{words}.{field.key}")


def _describe(section: str, key: str, value: object, words: str) -> Description:
    others = tuple(toml(other) for other in WORDS[words] if other != value)
    return Description(section, key, toml(value), WORDS[words][value], others)


def _special(rules: Rules) -> str:
    if not rules.special:
        return "There are no special rounds."
    chooses = " and chooses it" if len(rules.special) > 1 else ""
    kinds = "; ".join(f"{kind}: {KINDS[kind]}" for kind in rules.special)
    return f"The player who falls to one die owns the next round{chooses}. {kinds[0].upper()}{kinds[1:]}."


def summarise(rules: Rules) -> str:
    """Summarise a rule set in a sentence or two, made from its fields."""
    return " ".join((_aces(rules), _calls(rules), _specials(rules)))


def _aces(rules: Rules) -> str:
    return "Aces are wild." if rules.wild_aces else "No wild aces."


def _calls(rules: Rules) -> str:
    by = {"dudo": rules.dudo_by} | {name: call.by for name in ("calza", "kill", "spot") if (call := rules.exact(name))}
    parts = []
    for who, words in (("in-turn", "in turn"), ("anyone", "by anybody"), ("out-of-turn", "by anybody out of turn")):
        if names := [name for name, may in by.items() if may == who]:
            parts.append(f"{_listed(names, 'and')} {words}")
    text = f"{', '.join(parts)}{', and passes' if rules.passing else ''}."
    return text[0].upper() + text[1:]


def _specials(rules: Rules) -> str:
    if not rules.special:
        return "No special rounds."
    when = "at every fall to one die" if rules.special_again else "once each, at one die"
    choices = _listed([kind.value for kind in rules.special], "or")
    return f"Special rounds: {choices}, {when}{', if wanted' if rules.special_waivable else ''}."


def _listed(names: list[str], word: str) -> str:
    *most, last = names
    return f"{', '.join(most)} {word} {last}" if most else last


def to_commented_toml(rules: Rules) -> str:
    """Return a TOML file for the rules' owner to edit: every field, with a sentence above it."""
    lines = [*describe(rules)]
    base, _ = differences(rules)
    return "\n".join([*_head(rules, base), *_plain_fields(lines), *_tables(lines), ""])


def _head(rules: Rules, base: str) -> Iterator[str]:
    yield from _comment(f"{rules.name}: {summarise(rules)}")
    yield "# Change what you like and take out what you don't: a field that is missing is as in based_on."
    yield "# dudo-table check FILE finds what is wrong with it."
    if rules.name in RULESETS:
        yield "# Give it a name of your own first."
    yield f"name = {toml(rules.name)}"
    yield f"based_on = {toml(base)}"


def _plain_fields(lines: list[Description]) -> Iterator[str]:
    """Yield the fields outside calls; an enabled call becomes a table below."""
    section = ""
    for line in lines:
        switched_on = line.key in PARTS and line.value == "true"
        if "." in line.key or switched_on:
            continue
        if line.section != section:
            section = line.section
            yield from ("", f"# {section}")
        yield from _toml_field(line, line.key)


def _tables(lines: list[Description]) -> Iterator[str]:
    for line in lines:
        table, _, key = line.key.rpartition(".")
        if key in PARTS and line.value == "true":
            yield ""
            yield from _comment(f"{line.words} To switch it off: {key} = false above, in place of this table.")
            yield f"[{key}]"
        elif table:
            yield from _toml_field(line, key)


def _toml_field(line: Description, key: str) -> Iterator[str]:
    others = f" Or {', '.join(line.others)}."
    yield from _comment(line.words + others)
    yield f"{key} = {line.value}"


def _comment(words: str) -> Iterator[str]:
    yield from (f"# {row}" for row in wrap(words, _COLUMNS, break_on_hyphens=False))
