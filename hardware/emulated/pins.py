"""Emulated GPIO: gpiozero's mock pins on the table's clock, and contacts that bounce.

The drivers get an `EmulatedFactory` where a Raspberry Pi has an lgpio factory. The emulated table closes and opens
`Contact`s, which are switches between a pin and ground.
"""

import asyncio
from random import Random

from gpiozero.pins.mock import MockFactory, MockPin

BOUNCE_S = 0.005
"""How long a contact may bounce: cheap push buttons and ball switches stay below it."""

_PI_4B = "c03111"
_MOST_BOUNCES = 4


class EmulatedPin(MockPin):  # type: ignore[misc]  # gpiozero is not typed
    """A mock pin that a contact can hold to ground whatever its pull says; it keeps no history of its edges."""

    grounded = False
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
        return changed


class EmulatedFactory(MockFactory):  # type: ignore[misc]  # gpiozero is not typed
    """A factory of pins GPIO 0 to 27 whose edges are stamped by `loop.time()`.

    A pin that isn't there raises gpiozero's `PinInvalidPin`. gpiozero's default factory is left alone.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(revision=_PI_4B, pin_class=EmulatedPin)
        self._loop = loop

    def ticks(self) -> float:
        """Return the loop's time in seconds, as lgpio gives the kernel's."""
        return self._loop.time()

    def contact(self, number: int, *, seed: int = 0) -> "Contact":
        """Solder a contact between a pin (BCM number) and ground; `seed` decides how it bounces."""
        return Contact(self.pin(number), self._loop, Random(f"{seed}/{number}"))


class Contact:
    """A switch between a pin and ground. Each change has a first edge at once and bounces for up to 5 ms."""

    def __init__(self, pin: EmulatedPin, loop: asyncio.AbstractEventLoop, rng: Random) -> None:
        self._pin = pin
        self._loop = loop
        self._rng = rng
        self._bounces: list[asyncio.TimerHandle] = []
        self.closed = False

    def __repr__(self) -> str:
        return f"<Contact on {self._pin!r}, {'closed' if self.closed else 'open'}>"

    def close(self) -> None:
        """Let the contact close."""
        self._move(True)

    def open(self) -> None:
        """Let the contact open."""
        self._move(False)

    def _move(self, closed: bool) -> None:
        if closed == self.closed:
            return
        for bounce in self._bounces:
            bounce.cancel()
        self.closed = closed
        self._pin.ground(closed)
        self._bounces = [
            self._loop.call_later(delay_s, self._pin.ground, grounded)
            for delay_s, grounded in zip(self._delays_s(), [not closed, closed] * _MOST_BOUNCES, strict=False)
        ]

    def _delays_s(self) -> list[float]:
        bounces = self._rng.randint(1, _MOST_BOUNCES)
        return sorted(self._rng.uniform(0.0001, BOUNCE_S) for _ in range(2 * bounces))
