"""A Raspberry Pi's and a Pico's pin headers, and the files for a Pico."""

from typing import NamedTuple


class BoardPin(NamedTuple):
    """A pin: its number on the board, its GPIO or supply, and its place.
    `row` counts from the end with pin 1; `column` is 0 on pin 1's side and 1 on the other.
    """

    number: int
    role: int | str
    row: int
    column: int

    @property
    def gpio(self) -> int | None:
        """The GPIO's number, None for a supply."""
        return self.role if isinstance(self.role, int) else None
