"""The base of emulated cups and seat boards, wherever their program runs: `EmulatedCup` and `CupProcess`."""

import asyncio
from abc import ABC, abstractmethod
from random import Random

from hardware.emulated.cables import EmulatedDisplay
from hardware.emulated.hand import EmulatedHand
from hardware.firmware.device_config import DeviceConfig


class EmulatedUsbDevice(EmulatedDisplay, ABC):
    """One cup or, where `fitted` has buttons and a panel, one seat board. It is plugged in from the start.

    Motions take time on `loop` and bounce. All chance comes from `seed` and the cup's identity, except in a process.
    With `accelerometer` an LIS3DH feels the cup instead of a tilt switch. `plugged` counts how often it was plugged in.
    """

    def __init__(
        self, fitted: DeviceConfig, loop: asyncio.AbstractEventLoop, *, seed: int, accelerometer: bool = False
    ) -> None:
        super().__init__(fitted.panel, Random(f"{seed}/{fitted.identity}"))
        self.fitted = fitted
        self.is_plugged = False
        self.plugged = 0
        self._loop = loop
        self._has_accelerometer = accelerometer
        self.hand = EmulatedHand(loop, self._rng, self._moved, self._carried if accelerometer else None)

    def __repr__(self) -> str:
        state = "plugged in" if self.is_plugged else "unplugged"
        return f"<{type(self).__name__} {self.fitted.identity}, {state}>"

    def plug(self) -> None:
        """Plug the cable in: the cup restarts. No-op if it is plugged in."""
        if self.is_plugged:
            return
        self.plugged += 1
        self._power_up()
        self._start()
        self.is_plugged = True

    def unplug(self) -> None:
        """Pull the cable: the port fails, and the cup loses its power and all it knew."""
        if not self.is_plugged:
            return
        self.is_plugged = False
        self._stop()
        self._power_down()

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
