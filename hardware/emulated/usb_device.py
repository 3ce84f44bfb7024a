"""The base of emulated cups and seat boards, wherever their program runs: `EmulatedCup` and `CupProcess`."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random

from PIL import Image

from hardware.emulated.chips.controllers import CONTROLLERS, HEIGHT, WIDTH, Controller
from hardware.emulated.hand import EmulatedHand
from hardware.firmware.device_config import DeviceConfig


class EmulatedUsbDevice(ABC):
    """One cup or, where `fitted` has buttons and a panel, one seat board. It is plugged in from the start.

    Motions take time on `loop` and bounce. All chance comes from `seed` and the cup's identity, except in a process.
    With `accelerometer` an LIS3DH feels the cup instead of a tilt switch. `plugged` counts how often it was plugged in.
    """

    def __init__(
        self, fitted: DeviceConfig, loop: asyncio.AbstractEventLoop, *, seed: int, accelerometer: bool = False
    ) -> None:
        self.fitted = fitted
        self.is_plugged = False
        self.plugged = 0
        self.panel: Controller | None = None
        self.lamp = False
        """Whether the board's light is on."""
        self._changed: Callable[[], None] | None = None
        self._loop = loop
        self._rng = Random(f"{seed}/{fitted.identity}")
        self._has_accelerometer = accelerometer
        self.hand = EmulatedHand(loop, self._rng, self._moved, self._carried if accelerometer else None)

    def __repr__(self) -> str:
        state = "plugged in" if self.is_plugged else "unplugged"
        return f"<{type(self).__name__} {self.fitted.identity}, {state}>"

    def picture(self) -> Image.Image:
        """Return the visible picture of the board's panel, 128x64, mode "1"; black without power."""
        return Image.new("1", (WIDTH, HEIGHT)) if self.panel is None else self.panel.picture()

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` whenever the picture or the light may be another."""
        self._changed = changed
        if self.panel is not None:
            self.panel.written = changed

    def plug(self) -> None:
        """Plug the cable in: the cup restarts. No-op if it is plugged in."""
        if self.is_plugged:
            return
        self.plugged += 1
        if self.fitted.panel is not None:
            self.panel = CONTROLLERS[self.fitted.panel](self._rng.getrandbits(32))
            self.panel.written = self._changed
        self._start()
        self.is_plugged = True

    def unplug(self) -> None:
        """Pull the cable: the port fails, and the cup loses its power and all it knew."""
        if not self.is_plugged:
            return
        self.is_plugged = False
        self._stop()
        self.panel = None
        self.lamp = False
        self._has_changed()

    def close(self) -> None:
        """Stop every motion and the program."""
        self.hand.let_go()
        self.unplug()

    @abstractmethod
    def _start(self) -> None:
        """Start the program."""

    @abstractmethod
    def _stop(self) -> None:
        """Stop it and take its port away."""

    @abstractmethod
    def _moved(self, line: str, closed: bool) -> None:
        """Let a contact move."""

    @abstractmethod
    def _carried(self, movement: int) -> None:
        """Begin a movement, for the accelerometer."""

    def _light(self, is_on: bool) -> None:
        self.lamp = is_on
        self._has_changed()

    def _has_changed(self) -> None:
        if self._changed is not None:
            self._changed()
