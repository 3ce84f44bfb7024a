"""A pin factory for gpiozero on the kernel's own GPIO interface, libgpiod's bindings: the default at a real table.

Where gpiozero's lgpio factory polls two thousand times a second on a thread of its own, this one sleeps until the
kernel has an edge, and calls on the loop's thread. `firmware_host.host_io.gpio` makes it.
"""

import asyncio
from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

from gpiod import Chip, LineSettings, is_gpiochip_device
from gpiod.line import Bias, Direction, Edge, Value
from gpiozero import PinEdgeDetectUnsupported, PinFixedPull, PinInvalidFunction, PinInvalidPull, PinSetInput
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from drivers.gpio.lines import Lines

HEADERS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""What the chip behind the header is called, up to a Raspberry Pi 3, on a 4, on a 5; its offsets are BCM numbers."""

_DIRECTIONS = {"input": Direction.INPUT, "output": Direction.OUTPUT}
_BIASES = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
_EDGES = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING, "none": Edge.NONE}


def header_chip(devices: Path = Path("/dev")) -> Chip:
    """The GPIO chip behind the header, the first there is where none is known by its name. Raises OSError."""
    paths = [path for path in sorted(devices.glob("gpiochip*")) if is_gpiochip_device(str(path))]
    for path in paths:
        with Chip(str(path)) as chip:
            if chip.get_info().label in HEADERS:
                return Chip(str(path))
    return Chip(str(paths[0] if paths else devices / "gpiochip0"))


class GpiodFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero is not typed
    """Pins of this computer. `switches` (BCM numbers) are requested together when the first of them is needed.

    Callbacks come on the thread of `loop`, with the kernel's stamp in seconds of CLOCK_MONOTONIC. Without a loop a pin
    can't tell of its edges. Nothing is opened before a pin is; what can't be raises OSError, now or at the next try.
    """

    def __init__(
        self,
        switches: Iterable[int] = (),
        *,
        loop: asyncio.AbstractEventLoop | None = None,
        open_chip: Callable[[], Chip] = header_chip,
    ) -> None:
        super().__init__()
        self.pin_class = GpiodPin
        self.pins: dict[
            object, GpiodPin
        ] = {}  # gpiozero's local factories share theirs, also with one that was not closed
        self.lines = Lines(open_chip, switches, loop)

    def close(self) -> None:
        """Give all lines back."""
        super().close()
        self.lines.close()


class GpiodPin(LocalPiPin):  # type: ignore[misc]  # gpiozero is not typed
    """One line of the header."""

    factory: GpiodFactory
    _number: int
    when_gone: Callable[[str], None] | None = None
    """Told why, once the kernel has no such line any more: no edge can come until the pin is opened anew."""

    def close(self) -> None:
        """Tell nothing any more; a line that was requested alone is given back."""
        self.when_changed = self.when_gone = None
        self.factory.lines.release(self._number)

    def output_with_state(self, state: bool) -> None:
        """Become an output that has this level from its first moment."""
        self._configure(direction=Direction.OUTPUT, edge_detection=Edge.NONE, output_value=_value(state))

    @property
    def _lines(self) -> Lines:
        return self.factory.lines

    @property
    def _settings(self) -> LineSettings:
        return self._lines.settings(self._number)

    def _configure(self, **changes: Any) -> None:
        self._lines.configure(self._number, **changes)

    def _get_function(self) -> str:
        return "output" if self._settings.direction is Direction.OUTPUT else "input"

    def _set_function(self, value: str) -> None:
        if value not in _DIRECTIONS:
            raise PinInvalidFunction(f"invalid function {value!r} for pin {self!r}")
        edges = Edge.BOTH if value == "input" else Edge.NONE
        self._configure(direction=_DIRECTIONS[value], edge_detection=edges)

    def _get_state(self) -> bool:
        return self._lines.level(self._number)

    def _set_state(self, value: float) -> None:
        if self._get_function() == "input":
            raise PinSetInput(f"cannot set state of pin {self!r}")
        self._lines.drive(self._number, bool(value))

    def _get_pull(self) -> str:
        pulls = {bias: pull for pull, bias in _BIASES.items()}
        return pulls.get(self._settings.bias, "floating")

    def _set_pull(self, value: str) -> None:
        if self._get_function() != "input":
            raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        if self.info.pull not in (value, ""):
            raise PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")
        if value not in _BIASES:
            raise PinInvalidPull(f"invalid pull {value!r} for pin {self!r}")
        self._configure(bias=_BIASES[value])

    def _get_bounce(self) -> float | None:
        return self._settings.debounce_period.total_seconds() or None

    def _set_bounce(self, value: float | None) -> None:
        self._configure(debounce_period=timedelta(seconds=value or 0))

    def _get_edges(self) -> str:
        edges = {edge: name for name, edge in _EDGES.items()}
        return edges[self._settings.edge_detection]

    def _set_edges(self, value: str) -> None:
        self._configure(edge_detection=_EDGES[value])

    def _enable_event_detect(self) -> None:
        if not self._lines.can_listen:
            raise PinEdgeDetectUnsupported(f"there is no event loop to tell of edges on pin {self!r}")
        self._lines.listen(self._number, self._tell, self._gone)

    def _disable_event_detect(self) -> None:
        self._lines.deafen(self._number)

    def _tell(self, high: bool, at_ns: int) -> None:
        self._call_when_changed(at_ns / 1e9, high)

    def _gone(self, why: str) -> None:
        if self.when_gone is not None:
            self.when_gone(why)


def _value(high: bool) -> Value:
    return Value.ACTIVE if high else Value.INACTIVE
