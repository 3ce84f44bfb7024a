"""Values for player names: a table's options, effects and messages, and a seat's view.

Scenes, events and the chain leave names out, so journal, log and records never hold one: `house.names` keeps them where
one command removes them. Displays show names; the public state has them only if the owner wants it. docs/names.md is
for owners.
"""

from enum import StrEnum

from msgspec import Struct

from firmware_host.wire import Seat

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÑÇÁÀÂÄÉÈÊËÍÎÏÓÔÖÚÙÛÜŸÆŒ"
"""Letters for entering a name: all of English, Spanish and French."""
MAX_LETTERS = 3
MAX_CHARACTERS = 10
"""Longest name of a regular in characters, the same as for a seat name in a layout."""
MARKS = " -'’."
"""Marks in a name, besides letters and digits."""
MAX_REGULARS = 100
NAME_TIMEOUT_NS = 20_000_000_000
"""Time without a press after which the question for a name ends."""


def is_spellable(name: str) -> bool:
    """Return whether a name has letters or digits, and nothing else but `MARKS`."""
    return any(map(str.isalnum, name)) and all(letter.isalnum() or letter in MARKS for letter in name)


class NameItem(StrEnum):
    """OK's meaning at a seat entering a name, other than a letter or a regular's name."""

    SPELL = "spell"  # enter letters
    BACK = "back"  # take the last letter back, or return to the regulars
    DONE = "done"
    SKIP = "skip"  # stay without a name


class NameOptions(Struct, frozen=True):
    """Whether a table asks for names, with tonight's names and refusals by seat.

    With `public`, names appear in the public state as well as on displays.
    """

    asks: bool = False
    public: bool = False
    names: tuple[str, ...] = ()
    skipped: tuple[Seat, ...] = ()
    regulars: tuple[str, ...] = ()


NO_NAMES = NameOptions()


class NamesRead(Struct, frozen=True):
    """Host message: names were changed or removed outside the table."""

    options: NameOptions


class KeepNames(Struct, frozen=True):
    """Effect: the host keeps tonight's names by seat, and the seats that refused.

    During a match and its winner screen, the host also keeps them for that match with these `players`.
    """

    names: tuple[str, ...]
    skipped: tuple[Seat, ...]
    match: str | None = None
    players: tuple[Seat, ...] = ()


class NameView(Struct, frozen=True):
    """Picture of a seat entering a name."""

    letters: str  # entered so far
    choice: str  # the letter or name that OK takes; empty if `item` decides
    item: NameItem | None = None
    regulars: bool = False  # picking from the list of regulars
