"""A rule set as one frozen value, with a field for every difference between the texts, and the kinds of round.
The shipped rule sets are values of `Rules` in `engine.rulesets`; the host reads custom ones from files. Code asks the
fields and never the name.

A field's annotation also describes it: `fields_of` returns key, type and allowed values. Each text form of a rule set
is derived from it: the word in a position (`engine.rulesets`), a custom rule set's TOML file and the sentences for
players (both in the host).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

FACES = (1, 2, 3, 4, 5, 6)
ACES = 1
DICE: Final = 5
"""Dice in a full cup, and the most that a rule set may let a player hold."""


class Visibility(StrEnum):
    """The dice visible to a living player before the reveal."""

    OWN = "own"  # every player sees the own dice
    OWNER = "owner"  # the round's owner sees the own dice, the others see no dice
    OTHERS = "others"  # every player sees all dice except the own
    ONE_DIE = "one-die"  # a player with a single die sees it, the others see no dice


class RoundKind(StrEnum):
    """A kind of round, named as in the rule cases: it changes the face, the wild aces and the visibility."""

    fixed_face: bool  # whether the opening bid's face stays for the round
    wilds: bool  # whether aces may be wild in it, if the rule set has wild aces at all
    visibility: Visibility  # whose dice each player sees in it

    NORMAL = "normal"
    FIXED_FACE = "fixed-face", True
    FIXED_FACE_NO_WILDS = "fixed-face-no-wilds", True, False
    FIXED_FACE_NO_WILDS_OPEN = "fixed-face-no-wilds-open", True, False, Visibility.OTHERS
    FIXED_FACE_NO_WILDS_CLOSED = "fixed-face-no-wilds-closed", True, False, Visibility.ONE_DIE
    BLIND = "blind", False, True, Visibility.OWNER
    OPEN = "open", False, True, Visibility.OTHERS

    def __new__(
        cls, name: str, fixed_face: bool = False, wilds: bool = True, visibility: Visibility = Visibility.OWN
    ) -> "RoundKind":
        """Make the member of this name, with its attributes."""
        kind = str.__new__(cls, name)
        kind._value_ = name
        kind.fixed_face, kind.wilds, kind.visibility = fixed_face, wilds, visibility
        return kind

    __hash__ = str.__hash__  # an enum's own is written in Python: legality looks kinds up at every press


_NAMED_KINDS = {"palifico": RoundKind.FIXED_FACE, "obliging": RoundKind.FIXED_FACE_NO_WILDS}
"""The kinds of round covered by `Rules.fixed_face_name`, by their usual name."""

MayCall = Literal["in-turn", "anyone"]
MayCallExact = Literal[MayCall, "out-of-turn"]
StartingDice = Literal[1, 2, 3, 4, 5]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactCall:
    """An exact call: its permitted callers, its effect when right and when wrong, the next round's opener."""

    by: MayCallExact = "in-turn"
    right: Literal["caller-gains", "bidder-loses", "nobody-loses"] = "caller-gains"
    wrong: Literal["caller-loses", "bidder-gains"] = "caller-loses"
    opener_if_right: Literal["loser", "caller", "bidder"] = "caller"
    opener_if_wrong: Literal["loser", "caller", "bidder"] = "loser"
    while_most_dice_left: bool = False
    """Only while more than half the starting dice are on the table."""
    in_special: bool = True
    """Whether it may be made in a special round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassRule:
    """A pass: the permitted responses, the honest hands, and the cost of calling an honest one."""

    raise_after: bool = True
    calza_after: bool = False
    wild_aces: bool = False
    with_fewer_dice: bool = True
    """Whether it may be bluffed with fewer than five dice."""
    called_honest: Literal["caller-loses", "nobody-loses"] = "caller-loses"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A rule set. Defaults are the most common reading; `docs/rules.md` gives the sentence behind each."""

    name: str
    seating: Literal["fixed", "roll-order", "roll-opener"] = "fixed"
    starting_dice: StartingDice = DICE
    """Each player's starting dice, and the most that a player may hold."""
    wild_aces: bool = True
    """Aces count for every face in a normal round; a special round may still switch that off."""

    # Raising a bid of q dice on a face, neither bid on wild aces
    higher_face: Literal["same", "same-or-more", "any"] = "same"
    """Quantity for a bid on a higher face: exactly q, at least q, or any from one up."""
    lower_face: Literal["never", "more"] = "never"
    """Whether a lower face may be bid with more dice."""
    to_aces: Literal["half-or-more", "half"] = "half-or-more"
    """From a face to wild aces: at least, or exactly, half of q rounded up."""
    from_aces: Literal["double-or-more", "double"] = "double-or-more"
    """From wild aces to a face: at least, or exactly, 2q + 1."""
    halving_without_wilds: bool = False
    """Whether half and double apply in special rounds without wild aces."""
    open_on_aces: Literal["always", "one-die", "never"] = "always"
    """Players who may open a round on aces: always, with a single die, or never."""
    open_on_aces_in_special: Literal["always", "one-die", "never"] = "always"
    """The same in every special round."""
    cap: Literal["none", "dice-in-play"] = "none"
    """The most dice a bid may name."""

    # Calls
    dudo_by: MayCall = "in-turn"
    calza: ExactCall | None = None
    kill: ExactCall | None = None
    spot: ExactCall | None = None
    passing: PassRule | None = None
    banked_lives: bool = False
    """A die won while holding the starting dice is kept aside and lost first."""

    # Special rounds
    special: tuple[RoundKind, ...] = ()
    """The kinds the owner chooses from; a single one is played without asking; an empty tuple disables special
    rounds."""
    special_waivable: bool = False
    """Whether the owner may play a normal round instead; the special one is then used up."""
    special_again: bool = False
    """Earned at every fall from two dice to one, not only at a player's first."""
    special_with_two: bool = True
    """Whether one is played with only two players left."""
    special_unchosen: RoundKind = RoundKind.NORMAL
    """The kind played when a turn clock runs out before the owner has chosen."""
    special_after_cancel: bool = False
    """A special round cancelled by a right exact call is replayed as the same special round."""
    face_change: Literal["nobody", "one-die"] = "nobody"
    """Players who may change the face in a fixed-face round."""
    closed_seen_by: Literal["one-die", "owner"] = "one-die"
    """Players who see the own dice in a closed round."""
    fixed_face_name: Literal["palifico", "obliging"] = "palifico"
    """The players' name for a fixed-face round in which everybody sees the own dice."""

    def __str__(self) -> str:
        return self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def wilds_in(self, kind: RoundKind) -> bool:
        """Return whether aces count for every face in a round of this kind."""
        return self.wild_aces and kind.wilds

    def called_like(self, kind: RoundKind) -> RoundKind:
        """Return the kind with the players' name for a round of `kind`, see `fixed_face_name`.

        Where the owner may choose both kinds with that name, each keeps its own.
        """
        named = frozenset(_NAMED_KINDS.values())
        return _NAMED_KINDS[self.fixed_face_name] if kind in named and not named.issubset(self.special) else kind

    def halving_in(self, kind: RoundKind) -> bool:
        """Return whether going to aces halves and leaving them doubles; else aces are simply the lowest face."""
        return self.wilds_in(kind) or (self.wild_aces and self.halving_without_wilds)

    def exact(self, call: str) -> ExactCall | None:
        """Return the exact call with this name, or None if the rule set lacks it."""
        match call:
            case "calza":
                return self.calza
            case "kill":
                return self.kill
            case "spot":
                return self.spot
        return None

    @property
    def choices(self) -> tuple[RoundKind, ...]:
        """The kinds open to a special round's owner; `NORMAL` waives it."""
        return (*self.special, RoundKind.NORMAL) if self.special_waivable else self.special


# Field descriptions

Part: TypeAlias = Rules | ExactCall | PassRule


class FieldType(Enum):
    """A field's kind of value."""

    NAME = auto()  # the name of the rule set
    SWITCH = auto()  # true or false
    CHOICE = auto()  # one of a few words
    NUMBER = auto()  # one of a few whole numbers
    KINDS = auto()  # kinds of round, in order
    PART = auto()  # an `ExactCall` or a `PassRule`, or None where it is switched off


@dataclass(frozen=True, slots=True)
class RuleField:
    """One field's description."""

    name: str
    """Attribute name."""
    key: str
    """Name in texts: the key for `passing` is `pass`, a Python keyword."""
    value_type: FieldType
    choices: tuple[Any, ...] = ()
    """Allowed words for a `CHOICE`, numbers for a `NUMBER`, kinds of round for `KINDS`."""
    part: type[Any] | None = None
    """Class of a `PART`: `ExactCall` or `PassRule`."""

    def get(self, owner: Part) -> Any:
        """Return this field's value."""
        return getattr(owner, self.name)


def _described(name: str, hint: Any) -> RuleField:
    key = "pass" if name == "passing" else name
    if hint is str:
        return RuleField(name, key, FieldType.NAME)
    if hint is bool:
        return RuleField(name, key, FieldType.SWITCH)
    if hint in (ExactCall | None, PassRule | None):
        return RuleField(name, key, FieldType.PART, part=get_args(hint)[0])
    if get_origin(hint) is tuple and RoundKind in get_args(hint):
        return RuleField(name, key, FieldType.KINDS, tuple(RoundKind))
    if hint is RoundKind:
        return RuleField(name, key, FieldType.CHOICE, tuple(RoundKind))
    if get_origin(hint) is Literal:
        choices = get_args(hint)
        return RuleField(name, key, FieldType.NUMBER if isinstance(choices[0], int) else FieldType.CHOICE, choices)
    raise TypeError(f"no FieldType describes {hint}, the type of the rule field {name}")


_FIELDS: Mapping[type, Mapping[str, RuleField]] = {
    owner: {field.key: field for field in (_described(name, hint) for name, hint in get_type_hints(owner).items())}
    for owner in (Rules, ExactCall, PassRule)
}


def fields_of(owner: Part | type[Part]) -> Mapping[str, RuleField]:
    """Return the fields of a rule set or part by key, in declaration order."""
    return _FIELDS[owner if isinstance(owner, type) else type(owner)]


def changed_fields(new: Part, old: Part) -> Iterator[RuleField]:
    """Yield the differing fields of two values of one class."""
    return (field for field in fields_of(new).values() if field.get(new) != field.get(old))


def value_at(rules: Rules, path: str) -> Any:
    """Return the value at a dotted path of keys, such as `pass.wild_aces`. Its parts must be switched on."""
    value: Any = rules
    for key in path.split("."):
        value = fields_of(value)[key].get(value)
    return value
