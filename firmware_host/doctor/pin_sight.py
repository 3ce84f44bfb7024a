"""Who has which GPIO, asked of the kernel by libgpiod: reading who has a line touches nothing."""

from collections.abc import Callable
from functools import cached_property
from typing import Any


def header() -> Any:
    """The chip behind the header, None where libgpiod's bindings are not installed. Raises OSError."""
    try:
        from drivers.gpiod_pins import header_chip
    except ImportError:
        return None  # nobody knows who has a pin; who opens it is told
    return header_chip()


class KernelPins:
    """The lines of a chip."""

    def __init__(self, open_chip: Callable[[], Any] = header) -> None:
        self._open_chip = open_chip

    def holder(self, pin: int) -> str | None:
        """Who has a pin (BCM number), None where it is free. Raises OSError where there is no such pin."""
        if self._chip is None:
            return None
        line = self._chip.get_line_info(pin)
        return (line.consumer or "the kernel") if line.used else None

    @cached_property
    def _chip(self) -> Any:
        return self._open_chip()
