"""The pins of this computer. `firmware_host.host_io.ports` loads it for a table that has seats on pins."""

import asyncio
import os
from collections.abc import Iterable

import gpiozero

_REMEDY = "install gpiod: it is in the extra pi, in Debian it is python3-libgpiod"


class _NoPins(gpiozero.Factory):  # type: ignore[misc]  # gpiozero is not typed
    """Stands where this computer has no pins: asked for one it says why, and the seats that need it are absent."""

    def __init__(self, why: str) -> None:
        super().__init__()
        self._why = why

    def reserve_pins(self, requester: object, *pins: object) -> None:
        raise gpiozero.BadPinFactory(self._why)

    def release_all(self, reserver: object) -> None:
        """Nothing was ever reserved."""


def kernel_pins(switches: Iterable[int], loop: asyncio.AbstractEventLoop | None) -> gpiozero.Factory:
    """The kernel's pins through libgpiod, which polls nothing; where that is missing, or asked not to be, lgpio's.

    `switches` are all that a table has on pins (BCM numbers), `loop` is told of their edges. gpiozero's own
    GPIOZERO_PIN_FACTORY=lgpio asks for the other one.
    """
    if os.environ.get("GPIOZERO_PIN_FACTORY") == "lgpio":
        return _through_lgpio("is not installed")
    try:
        from drivers.gpio.pins import GpiodFactory
    except ImportError:  # also of the bindings as they were before libgpiod 2
        return _through_lgpio(f"and gpiod are not installed; {_REMEDY}")
    return GpiodFactory(switches, loop=loop)


def _through_lgpio(missing: str) -> gpiozero.Factory:
    """Pins whose edges have the kernel's stamps too, but are polled for."""
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except ModuleNotFoundError:
        return _NoPins(f"this computer gives no GPIO pins: lgpio {missing}")
    except Exception as error:  # lgpio's own errors are bare Exceptions
        return _NoPins(f"this computer gives no GPIO pins: {error or type(error).__name__}")
