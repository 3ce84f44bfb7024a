"""What ails the house itself, not a seat: its disk, its journal, its configuration, a driver.

The daemon reports them with `AlertRaised` and `AlertCleared`. A seat view has those that
concerns whoever sits there: `why` is for the owner, in the log and on the socket; the glass has a sentence of its own.
"""

from enum import StrEnum

from msgspec import Struct


class Alert(StrEnum):
    """What ails the house, the most urgent first."""

    DISK_FULL = "disk-full"  # what is played is in memory alone
    DISK_FAILS = "disk-fails"  # the same, and for another reason
    JOURNAL_ANEW = "journal-anew"  # it could not be read and was set aside: the evening begins anew
    DRIVER = "driver"  # a part of the program fails over and over
    LAYOUT = "layout"  # edited wrong, or to wait for the end of the match: the last good one is in force
    RULES = "rules"  # the same of a house's rules


OWNER_ALERTS = frozenset({Alert.DRIVER, Alert.LAYOUT, Alert.RULES})
"""What changes nothing for those who play: only the service seat is told."""


class AlertRaised(Struct, frozen=True):
    """This ails the house from now on; `why` has a line for each thing wrong, and in it what to do."""

    what: Alert
    why: str


class AlertCleared(Struct, frozen=True):
    """This does not ail it any more."""

    what: Alert


class ActiveAlerts:
    """What ails one table's house now, and why."""

    def __init__(self) -> None:
        self._why: dict[Alert, str] = {}

    @property
    def all(self) -> tuple[Alert, ...]:
        """The most urgent first."""
        return tuple(trouble for trouble in Alert if trouble in self._why)

    def seen_by(self, *, owner: bool) -> tuple[Alert, ...]:
        """What concerns a seat, or at the service seat the `owner` as well."""
        return tuple(trouble for trouble in self.all if owner or trouble not in OWNER_ALERTS)

    def take(self, what: Alert, why: str) -> bool:
        """It ails the house; returns whether that is new, or the reason is."""
        is_new = self._why.get(what) != why
        self._why[what] = why
        return is_new

    def mend(self, what: Alert) -> bool:
        """It does not any more; returns whether it did."""
        return self._why.pop(what, None) is not None
