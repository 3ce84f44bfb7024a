"""Emulated GPIO: gpiozero's mock pins on the table's clock, with contacts to ground.

The drivers get an `EmulatedFactory` where a Raspberry Pi has its kernel's pins. `EmulatedTable` grounds the pins as its
hands move the contacts, bounces included.
"""

import asyncio
from collections.abc import Callable

from gpiozero.pins.mock import MockFactory, MockPin

_PI_4B = "c03111"


class EmulatedPin(MockPin):  # type: ignore[misc]  # gpiozero is not typed
    """A mock pin that a contact can hold to ground whatever its pull says; it keeps no history of its edges.

    `moved`, if set, is told every new level, on the thread that moved it.
    """

    grounded = False
    moved: Callable[[bool], None] | None = None
    _state: bool

    def drive_high(self) -> None:
        """Rise, unless a contact holds the pin to ground."""
        if not self.grounded:
            super().drive_high()

    def ground(self, grounded: bool) -> None:
        """Close or open the contact to ground; opened, the pin follows its pull."""
        self.grounded = grounded
        if grounded:
            self.drive_low()
        elif self._pull == "up":
            self.drive_high()

    def _change_state(self, value: bool) -> bool:
        changed: bool = self._state != value
        if changed:
            self._state = value
            self._last_change = self.factory.ticks()
            if self.moved is not None:
                self.moved(value)
        return changed


class EmulatedFactory(MockFactory):  # type: ignore[misc]  # gpiozero is not typed
    """A factory of pins GPIO 0 to 27 whose edges are stamped by `loop.time()`.

    A pin that isn't there raises gpiozero's `PinInvalidPin`. gpiozero's default factory is left alone.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(revision=_PI_4B, pin_class=EmulatedPin)
        self._loop = loop

    def ticks(self) -> float:
        """Return the loop's time in seconds, as stamps are the kernel's."""
        return self._loop.time()
