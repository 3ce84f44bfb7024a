"""Emulated GPIO: gpiozero's mock pins on the loop's clock, with contacts to ground.

The drivers get an `EmulatedFactory` in place of the kernel's pins of a Raspberry Pi. `EmulatedTable` grounds the pins
as its hands move the contacts, bounces included.
"""

import asyncio
from collections.abc import Callable

from gpiozero.pins.mock import MockFactory, MockPin

_PI_4B = "c03111"


class EmulatedPin(MockPin):  # type: ignore[misc]  # gpiozero is not typed
    """A mock pin that a contact can hold to ground against its pull; it keeps no history of its edges.

    `moved`, if set, is called with every new level, on the changing thread.
    """

    grounded = False
    moved: Callable[[bool], None] | None = None
    _state: bool

    def drive_high(self) -> None:
        """Drive the pin high, unless a contact holds it to ground."""
        if not self.grounded:
            super().drive_high()

    def ground(self, grounded: bool) -> None:
        """Close or open the contact to ground; when it opens, the pin follows its pull."""
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
    """A factory for pins GPIO 0 to 27 with edges stamped by `loop.time()`.

    Other pins raise gpiozero's `PinInvalidPin`. gpiozero's default factory is not replaced.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(revision=_PI_4B, pin_class=EmulatedPin)
        self._loop = loop

    def ticks(self) -> float:
        """Return the loop's time in seconds, in place of the kernel's monotonic time."""
        return self._loop.time()
