"""The pins of this computer. `firmware_host.wires` loads it for a table that has seats on pins."""

import gpiozero


class _NoPins(gpiozero.Factory):  # type: ignore[misc]  # gpiozero is not typed
    """Stands where this computer has no pins: asked for one it says why, and the seats that need it are absent."""

    def __init__(self, why: str) -> None:
        super().__init__()
        self._why = why

    def reserve_pins(self, requester: object, *pins: object) -> None:
        raise gpiozero.BadPinFactory(self._why)

    def release_all(self, reserver: object) -> None:
        """Nothing was ever reserved."""


def kernel_pins() -> gpiozero.Factory:
    """The kernel's pins, through lgpio, which stamps edges with the kernel's time."""
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except ModuleNotFoundError:
        return _NoPins("this computer gives no GPIO pins: lgpio is not installed; it is in the extra pi")
    except Exception as error:  # lgpio's own errors are bare Exceptions
        return _NoPins(f"this computer gives no GPIO pins: {error or type(error).__name__}")
