"""A seat of an emulated table and the hands at it: the same motions however the seat is wired.

Robots, tests and people at a terminal play through it; `EmulatedTable` makes them.
"""

import asyncio
from collections.abc import Mapping
from typing import Protocol

from PIL import Image

from hardware.emulated.cables import Cable


class Fingers(Protocol):
    """What moves buttons."""

    def press(self, button: str) -> None:
        """Put a finger down."""

    def release(self, button: str) -> None:
        """Take it off."""


class Wrist(Protocol):
    """What moves a cup."""

    def shake(self, for_s: float) -> None:
        """Shake it and put it down."""

    def tilt(self) -> None:
        """Lift it."""

    def level(self) -> None:
        """Put it down."""


class Glass(Protocol):
    """What can be looked at."""

    def picture(self) -> Image.Image:
        """Return what an eye sees."""


class EmulatedSeat:
    """A seat and its hands. Motions begin now and take virtual time; buttons are "left", "right", "ok" and "dudo".

    A button the seat hasn't got raises ValueError.
    """

    def __init__(
        self,
        name: str,
        loop: asyncio.AbstractEventLoop,
        *,
        buttons: tuple[str, ...],
        fingers: Fingers,
        cup: Wrist,
        glass: Glass,
        cables: Mapping[str, Cable],
    ) -> None:
        self.name = name
        self.buttons = buttons
        self._loop = loop
        self._fingers = fingers
        self._cup = cup
        self._glass = glass
        self._cables = cables

    @property
    def devices(self) -> tuple[str, ...]:
        """What can be unplugged at this seat."""
        return tuple(self._cables)

    def __repr__(self) -> str:
        return f"<EmulatedSeat {self.name} with {', '.join(self._cables)}>"

    def press(self, button: str) -> None:
        """Put a finger down on a button and leave it there."""
        self._fingers.press(self._fitted(button))

    def release(self, button: str) -> None:
        """Take the finger off."""
        self._fingers.release(self._fitted(button))

    def tap(self, button: str, for_s: float = 0.08) -> None:
        """Press a button for so long."""
        self.press(button)
        self._loop.call_later(for_s, self.release, button)

    def shake(self, for_s: float = 0.8) -> None:
        """Shake the cup for so long and put it down."""
        self._cup.shake(for_s)

    def tilt(self) -> None:
        """Lift the cup to look under it."""
        self._cup.tilt()

    def level(self) -> None:
        """Put the cup down again."""
        self._cup.level()

    def unplug(self, device: str) -> None:
        """Pull a cable: "buttons", "cup" or "panel", and "board" at a seat with a board."""
        self._cable(device).unplug()

    def plug(self, device: str) -> None:
        """Put it in again."""
        self._cable(device).plug()

    def picture(self) -> Image.Image:
        """Return what an eye sees on the seat's panel: 128×64, mode "1"."""
        return self._glass.picture()

    def _fitted(self, button: str) -> str:
        if button not in self.buttons:
            raise ValueError(f"{self.name} has no button {button!r}; it has {', '.join(self.buttons)}")
        return str(button)

    def _cable(self, device: str) -> Cable:
        if device not in self._cables:
            raise ValueError(f"{self.name} has no {device!r} to pull; it has {', '.join(self._cables)}")
        return self._cables[device]
