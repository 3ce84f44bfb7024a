"""Faults at the table: missing devices, distrusted cups, and host alerts.

The daemon reports alerts with `AlertRaised` and `AlertCleared`, drivers report devices with `Lost` and `Found`. `Table`
keeps both here and builds the seats' views from them.
"""

from collections import Counter
from enum import StrEnum

from msgspec import Struct

from drivers.messages import WHOLE_SEATS, Device
from firmware_host.wire import Seat

MAX_FAILURES = 2
"""Deals in a row that a cup may spoil before the table stops asking it. An honest cup may spoil one."""
MAX_ENTROPIES = 4096
"""Remembered cup entropies, the newest: enough for several matches with eight seats."""


class Alert(StrEnum):
    """A problem with the host rather than a seat, the most urgent first."""

    DISK_FULL = "disk-full"  # the match is in memory alone
    DISK_FAILS = "disk-fails"  # the same for another reason
    JOURNAL_RESET = "journal-anew"  # the journal could not be read and was set aside
    DRIVER = "driver"  # a driver fails again and again
    LAYOUT = "layout"  # the edited file is wrong, or waits for the match to end
    RULES = "rules"  # the same for a rules file
    BOARDS = "boards"  # a cup or board can get its program by the paper clip only


OWNER_ALERTS = frozenset({Alert.DRIVER, Alert.LAYOUT, Alert.RULES, Alert.BOARDS})
"""Alerts without effect on players: only the service seat shows them."""


class AlertRaised(Struct, frozen=True):
    """An alert begins; `why` has a line for each problem with its remedy. It goes to log and socket, for the owner."""

    what: Alert
    why: str


class AlertCleared(Struct, frozen=True):
    """An alert is over."""

    what: Alert


class ActiveAlerts:
    """One host's alerts and their reasons."""

    def __init__(self) -> None:
        self._reasons: dict[Alert, str] = {}

    @property
    def all(self) -> tuple[Alert, ...]:
        """The active alerts, the most urgent first."""
        return tuple(alert for alert in Alert if alert in self._reasons)

    def seen_by(self, *, owner: bool) -> tuple[Alert, ...]:
        """Return the alerts that a seat shows; the service seat also shows those for the `owner`."""
        return tuple(alert for alert in self.all if owner or alert not in OWNER_ALERTS)

    def add(self, alert: Alert, why: str) -> bool:
        """Raise an alert; return whether it or its reason is new."""
        is_new = self._reasons.get(alert) != why
        self._reasons[alert] = why
        return is_new

    def clear(self, alert: Alert) -> bool:
        """End an alert; return whether it was active."""
        return self._reasons.pop(alert, None) is not None


class DeviceHealth:
    """Each seat's missing devices in the order of their loss, and each committing cup's record."""

    def __init__(self) -> None:
        self._missing: dict[tuple[Seat, Device], str] = {}  # with the reason
        self._failures: Counter[Seat] = Counter()  # spoiled deals in a row, by seat
        self._entropies: dict[bytes, tuple[Seat, bytes]] = {}  # revealed by cups, with the seat and the deal

    @property
    def missing(self) -> tuple[tuple[Seat, Device], ...]:
        """Seats and their missing devices."""
        return tuple(self._missing)

    def is_missing(self, seat: Seat, *devices: Device) -> bool:
        """Return whether any of these devices is missing at a seat."""
        return any((seat, device) in self._missing for device in devices)

    def mark_lost(self, seat: Seat, device: Device, why: str) -> bool:
        """Note a missing device; return whether it or its reason is new."""
        is_new = self._missing.get((seat, device)) != why
        self._missing[seat, device] = why
        return is_new

    def mark_found(self, seat: Seat, device: Device) -> bool:
        """Note a responding device; return whether it was missing.

        A distrusted cup gets one more chance: its cable may have been loose.
        """
        is_new = self.is_missing(seat, device)
        self._missing.pop((seat, device), None)
        if device in (Device.CUP, *WHOLE_SEATS):
            self._failures[seat] = min(self._failures[seat], MAX_FAILURES - 1)
        return is_new

    def distrust(self, seat: Seat) -> None:
        """Note a seat's cup that revealed the wrong entropy, or failed to reveal."""
        self._failures[seat] += 1

    def trust(self, seat: Seat) -> None:
        """Note a seat's cup that revealed its committed entropy."""
        del self._failures[seat]

    def has_trusted_cup(self, seat: Seat) -> bool:
        """Return whether a seat's cup responds and has not spoiled too many deals."""
        return not self.is_missing(seat, Device.CUP, *WHOLE_SEATS) and self._failures[seat] < MAX_FAILURES

    def is_reused(self, seat: Seat, deal: bytes, entropy: bytes) -> bool:
        """Remember a cup's revealed entropy; return whether it appeared before for another deal or seat.

        The same cup may reveal the same deal twice, as after a restart.
        """
        reused = self._entropies.setdefault(entropy, (seat, deal)) != (seat, deal)
        if len(self._entropies) > MAX_ENTROPIES:
            del self._entropies[next(iter(self._entropies))]
        return reused
