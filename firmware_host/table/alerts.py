"""What ails the house itself, not a seat: its disk, its journal, its configuration, a driver.

The shell says so with `Troubled` and `Mended`, through `Daemon.trouble` and `Daemon.mended`, and a seat's view has what
concerns whoever sits there: `why` is for the owner, in the log and on the socket; the glass has a sentence of its own.
"""

from enum import StrEnum

from msgspec import Struct


class Trouble(StrEnum):
    """What ails the house, the most urgent first."""

    DISK_FULL = "disk-full"  # what is played is in memory alone
    DISK_FAILS = "disk-fails"  # the same, and for another reason
    JOURNAL_ANEW = "journal-anew"  # it could not be read and was set aside: the evening begins anew
    DRIVER = "driver"  # a part of the program fails over and over
    LAYOUT = "layout"  # edited wrong, or to wait for the end of the match: the last good one is in force
    RULES = "rules"  # the same of a house's rules


FOR_THE_OWNER = frozenset({Trouble.DRIVER, Trouble.LAYOUT, Trouble.RULES})
"""What changes nothing for those who play: only the service seat is told."""


class Troubled(Struct, frozen=True):
    """This ails the house from now on; `why` has a line for each thing wrong, and in it what to do."""

    what: Trouble
    why: str


class Mended(Struct, frozen=True):
    """This does not ail it any more."""

    what: Trouble


class Troubles:
    """What ails one table's house now, and why."""

    def __init__(self) -> None:
        self._why: dict[Trouble, str] = {}

    @property
    def all(self) -> tuple[Trouble, ...]:
        """The most urgent first."""
        return tuple(trouble for trouble in Trouble if trouble in self._why)

    def seen_by(self, *, owner: bool) -> tuple[Trouble, ...]:
        """What concerns a seat, or at the service seat the `owner` as well."""
        return tuple(trouble for trouble in self.all if owner or trouble not in FOR_THE_OWNER)

    def take(self, what: Trouble, why: str) -> bool:
        """It ails the house; returns whether that is new, or the reason is."""
        is_new = self._why.get(what) != why
        self._why[what] = why
        return is_new

    def mend(self, what: Trouble) -> bool:
        """It does not any more; returns whether it did."""
        return self._why.pop(what, None) is not None
