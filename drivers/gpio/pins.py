"""A pin factory for gpiozero on the kernel's own GPIO interface, libgpiod's bindings: the default at a real table.
gpiozero's lgpio factory polls two thousand times a second on its own thread. This one sleeps until the kernel has an
edge, and calls back on the loop's thread. `firmware_host.devices.host_io.gpio` makes it. `drivers.gpio.switches`
listens to the lines directly; gpiozero does the rest: reservations, levels, pulls and outputs.
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

from drivers.gpio.lines import GpioLines, OnEdge, OnLost

HEADERS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""Labels of the chip behind the header: up to a Raspberry Pi 3, on a 4, on a 5. Its offsets are BCM numbers."""

_DIRECTIONS = {"input": Direction.INPUT, "output": Direction.OUTPUT}
_BIASES = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
_EDGES = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING, "none": Edge.NONE}


def header_chip(devices: Path = Path("/dev")) -> Chip:
    """Open the GPIO chip behind the header, or the first chip if no label is known. Raises OSError."""
    paths = [path for path in sorted(devices.glob("gpiochip*")) if is_gpiochip_device(str(path))]
    for path in paths:
        with Chip(str(path)) as chip:
            if chip.get_info().label in HEADERS:
                return Chip(str(path))
    return Chip(str(paths[0] if paths else devices / "gpiochip0"))


class GpiodFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero is not typed
    """This computer's pins. `switches` (BCM numbers) are requested together when the first is needed.
    Callbacks come on the thread of `loop`, with the kernel's stamp in seconds of CLOCK_MONOTONIC. Without a loop a pin
    has no edges. Opening a pin opens the chip if necessary, which raises OSError on failure.
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
        self.pins: dict[object, GpiodPin] = {}  # gpiozero's local factories share theirs, even with an unclosed one
        self.lines = GpioLines(open_chip, switches, loop)

    def close(self) -> None:
        """Release all lines."""
        super().close()
        self.lines.close()


class GpiodPin(LocalPiPin):  # type: ignore[misc]  # gpiozero is not typed
    """One header line."""

    factory: GpiodFactory
    _number: int

    def listen(self, on_edge: OnEdge, on_lost: OnLost = lambda why: None) -> None:
        """Call `on_edge(high, at_ns)` for every edge and `on_lost(why)` once the line is gone, see `GpioLines.listen`.
        Raises gpiozero's `PinEdgeDetectUnsupported` without a loop.
        """
        if not self._lines.can_listen:
            raise PinEdgeDetectUnsupported(f"there is no event loop to read the edges of pin {self!r}")
        self._lines.listen(self._number, on_edge, on_lost)

    def close(self) -> None:
        """Stop listening, and release a line requested alone."""
        self.when_changed = None
        self.factory.lines.release(self._number)

    def output_with_state(self, state: bool) -> None:
        """Become an output with this level from its first moment."""
        self._configure(direction=Direction.OUTPUT, edge_detection=Edge.NONE, output_value=_value(state))

    @property
    def _lines(self) -> GpioLines:
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
        self.listen(lambda high, at_ns: self._call_when_changed(at_ns / 1e9, high))

    def _disable_event_detect(self) -> None:
        self._lines.unlisten(self._number)


def _value(high: bool) -> Value:
    return Value.ACTIVE if high else Value.INACTIVE
