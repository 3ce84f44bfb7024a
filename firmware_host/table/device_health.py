"""What does not answer at the table: devices that are lost, and cups that are there but do not keep their word."""

from collections import Counter

from drivers.messages import Device

MAX_FAILURES = 2
"""So often running a cup may fail to keep its word: once can befall an honest one."""
MAX_ENTROPIES = 4096
"""Entropies of cups that are remembered, the newest: those of several matches of eight."""


class DeviceHealth:
    """What is missing at each seat, in the order in which it was lost."""

    def __init__(self) -> None:
        self._missing: dict[tuple[int, Device], str] = {}  # and why
        self._broken_words: Counter[int] = Counter()  # by seat
        self._entropies: dict[bytes, tuple[int, bytes]] = {}  # that cups opened, with the seat and the deal of each

    @property
    def missing(self) -> tuple[tuple[int, Device], ...]:
        """Seats and devices that do not answer."""
        return tuple(self._missing)

    def lacks(self, seat: int, *devices: Device) -> bool:
        """Whether one of these does not answer at a seat."""
        return any((seat, device) in self._missing for device in devices)

    def lose(self, seat: int, device: Device, why: str) -> bool:
        """It does not answer; returns whether that is new, or the reason is: it is there, but can't be used."""
        is_new = self._missing.get((seat, device)) != why
        self._missing[seat, device] = why
        return is_new

    def find(self, seat: int, device: Device) -> bool:
        """It answers; returns whether that is new.

        A cup that was not trusted has another chance, but no more than one: its cable may be loose.
        """
        is_new = self.lacks(seat, device)
        self._missing.pop((seat, device), None)
        if device in (Device.CUP, Device.BOARD):
            self._broken_words[seat] = min(self._broken_words[seat], MAX_FAILURES - 1)
        return is_new

    def mistrust(self, seat: int) -> None:
        """A seat's cup broke its word."""
        self._broken_words[seat] += 1

    def trust(self, seat: int) -> None:
        """It kept it."""
        del self._broken_words[seat]

    def is_reused(self, seat: int, deal: bytes, entropy: bytes) -> bool:
        """Remember what a cup opens for a deal; return whether one has opened the same elsewhere.

        The same cup may open the same deal again, as after a restart.
        """
        reused = self._entropies.setdefault(entropy, (seat, deal)) != (seat, deal)
        if len(self._entropies) > MAX_ENTROPIES:
            del self._entropies[next(iter(self._entropies))]
        return reused

    def has_trusted_cup(self, seat: int) -> bool:
        """Whether a cup answers there, and may be taken at its word."""
        return not self.lacks(seat, Device.CUP, Device.BOARD) and self._broken_words[seat] < MAX_FAILURES
