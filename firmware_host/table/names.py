"""Values of the names that players enter: the options of a table, its effects and messages, and a seat's view.

A name is no part of a scene, an event or the chain, so the journal, the log and a record never hold it: `house.names`
keeps it where one command removes it. It is on the displays, and in the public state only where the owner wants that.
docs/names.md is for owners.
"""

from enum import StrEnum

from msgspec import Struct

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÑÇÁÀÂÄÉÈÊËÍÎÏÓÔÖÚÙÛÜŸÆŒ"
"""The letters that a player can enter: all of English, Spanish and French."""
MAX_LETTERS = 3
MAX_CHARACTERS = 10
"""The characters of a regular's name: as many as a layout's name of a seat may have."""
MAX_REGULARS = 100
NAME_TIMEOUT_NS = 20_000_000_000
"""Time without a press after which the question for a name ends."""


class NameItem(StrEnum):
    """What OK does at a seat that is asked, but for a letter or a regular's name."""

    SPELL = "spell"  # enter letters
    BACK = "back"  # take the last letter back, or return to the regulars
    DONE = "done"
    SKIP = "skip"  # stay without a name


class NameOptions(Struct, frozen=True):
    """Whether a table asks for names, and what it knows of them: by seat, and those who refused, for this evening.

    With `public` the public state has the names, not the displays alone.
    """

    asks: bool = False
    public: bool = False
    names: tuple[str, ...] = ()
    skipped: tuple[int, ...] = ()
    regulars: tuple[str, ...] = ()


NO_NAMES = NameOptions()


class NamesRead(Struct, frozen=True):
    """The host's message that names were changed or removed outside the table."""

    options: NameOptions


class KeepNames(Struct, frozen=True):
    """The effect that has the host keep the names of this evening, by seat, and the seats that refused.

    In a match, and while its winner is shown, the host also keeps them for that match of these `players`.
    """

    names: tuple[str, ...]
    skipped: tuple[int, ...]
    match: str | None = None
    players: tuple[int, ...] = ()


class NameView(Struct, frozen=True):
    """What a seat shows that is asked for a name."""

    letters: str  # that are entered
    choice: str  # the letter or the name that OK takes; empty if `item` says what OK does
    item: NameItem | None = None
    regulars: bool = False  # a name is picked from the list of regulars
