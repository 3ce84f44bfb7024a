"""The displays whose players have chosen a language, from joining to leaving."""

from collections.abc import Collection

from firmware_host.table.effects import ChangeLanguage
from firmware_host.table.parts.part import Part
from firmware_host.wire import Seat


class Languages(Part):
    """One table's seats with a language of their player's choice. The daemon knows the languages."""

    def __init__(self) -> None:
        self._chosen: set[Seat] = set()
        self._changes: list[ChangeLanguage] = []

    def step(self, seat: Seat) -> None:
        """Choose the next language for a seat's display."""
        self._chosen.add(seat)
        self._changes.append(ChangeLanguage(seat))

    def follow(self, players: Collection[Seat]) -> None:
        """Give the displays of seats outside `players` their own language back."""
        left = self._chosen.difference(players)
        self._chosen -= left
        self._changes += (ChangeLanguage(seat, is_own=True) for seat in sorted(left))

    def discard(self) -> None:
        """Forget the last changes, after a table call raised."""
        self._changes = []

    def take_effects(self) -> list[ChangeLanguage]:
        """Return the changes since the last call."""
        changes, self._changes = self._changes, []
        return changes
