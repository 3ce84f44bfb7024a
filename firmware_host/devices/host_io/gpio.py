"""This computer's GPIO pins. `ports` beside it imports the module only for a layout with seats on pins."""

import asyncio
import os
from collections.abc import Iterable

import gpiozero

_REMEDY = "install gpiod: it is in the extra pi, in Debian it is python3-libgpiod"


class _NoPins(gpiozero.Factory):  # type: ignore[misc]  # gpiozero is not typed
    """A stand-in on a computer without pins: it raises an error with the reason, and seats on pins are missing."""

    def __init__(self, why: str) -> None:
        super().__init__()
        self._why = why

    def reserve_pins(self, requester: object, *pins: object) -> None:
        raise gpiozero.BadPinFactory(self._why)

    def release_all(self, reserver: object) -> None:
        """No-op: pins were never reserved."""


def pin_factory(switches: Iterable[int], loop: asyncio.AbstractEventLoop | None) -> gpiozero.Factory:
    """Return a factory on libgpiod, or else on lgpio, which polls.

    `switches` are all pins with switches (BCM numbers); `loop` gets their edges. lgpio serves where libgpiod is not
    installed, or the environment has gpiozero's GPIOZERO_PIN_FACTORY=lgpio.
    """
    if os.environ.get("GPIOZERO_PIN_FACTORY") == "lgpio":
        return _lgpio_factory("is not installed")
    try:
        from drivers.gpio.pins import GpiodFactory
    except ImportError:  # also raised by the bindings of libgpiod 1
        return _lgpio_factory(f"and gpiod are not installed; {_REMEDY}")
    return GpiodFactory(switches, loop=loop)


def _lgpio_factory(missing: str) -> gpiozero.Factory:
    """Return a factory polling for edges; these have the kernel's timestamps too."""
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except ModuleNotFoundError:
        return _NoPins(f"this computer gives no GPIO pins: lgpio {missing}")
    except Exception as error:  # lgpio's own errors are bare Exceptions
        return _NoPins(f"this computer gives no GPIO pins: {error or type(error).__name__}")
