"""Faults at the table: missing devices, distrusted cups, and host alerts.

The daemon reports alerts with `AlertRaised` and `AlertCleared`, drivers report devices with `Lost` and `Found`. `Table`
keeps both here and builds the seats' views from them.
"""

from collections import Counter
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from msgspec import Struct

from drivers.messages import WHOLE_SEATS, Device
from firmware_host.wire import Seat

MAX_FAILURES = 2
"""Deals in a row that a cup may spoil before the table stops asking it. An honest cup may spoil one."""
MAX_ENTROPIES = 4096
"""Remembered cup entropies, the newest: enough for several matches with eight seats."""


class AlertRow(NamedTuple):
    """An alert's declaration but for its translated texts, which are in `i18n.phrases` and `public.narration`."""

    finding: str  # the doctor's, after "the running table"
    remedy: str = ""  # with one the doctor reports a fault, else a note
    for_owner: bool = False  # without effect on players: only the service seat shows it
    of_file: bool = False  # raised by reading the configuration; the doctor's layout check names a wrong file


_owner = partial(AlertRow, for_owner=True)


class Alert(StrEnum):
    """A problem with the host rather than a seat, the most urgent first: its name in the public state, and its row."""

    row: AlertRow

    def __new__(cls, name: str, row: AlertRow) -> "Alert":
        """Return a name's alert, with its row."""
        alert = str.__new__(cls, name)
        alert._value_, alert.row = name, row
        return alert

    DISK_FULL = (
        "disk-full",
        AlertRow(
            "has no space left on its disk and continues in memory",
            "sudo journalctl --vacuum-size=50M && sudo apt clean",
        ),
    )
    DISK_FAILS = (
        "disk-fails",
        AlertRow("can't write to its disk and continues in memory", "sudo dmesg --level=err | tail tells why"),
    )
    JOURNAL_RESET = "journal-anew", AlertRow("could not use its journal, set it aside and began a new one")
    DRIVER = (
        "driver",
        _owner("has a driver that fails again and again", "journalctl -b -u dudo-table -p warning -n 20 tells which"),
    )
    LAYOUT = "layout", _owner("takes the new layout when the match is over", of_file=True)
    RULES = "rules", _owner("takes the new rules when the match is over", of_file=True)
    BOARDS = "boards", _owner("has a board that takes no program over its cable; dudo-table boards names it")


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
        return tuple(alert for alert in Alert if alert in self._reasons) if self._reasons else ()

    def seen_by(self, *, owner: bool) -> tuple[Alert, ...]:
        """Return the alerts that a seat shows; the service seat also shows those for the `owner`."""
        return tuple(alert for alert in self.all if owner or not alert.row.for_owner)

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
