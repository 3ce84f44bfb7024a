"""The cables of an emulated seat that end in pins and buses: what can be pulled at it, and put in again.

`EmulatedTable` lays them. A cup or board on USB is its own cable: `EmulatedCup`.
"""

import asyncio
from collections.abc import Callable, Mapping
from random import Random
from typing import TYPE_CHECKING, Protocol

from PIL import Image

from hardware.emulated.controllers import CHIPS, Controller
from hardware.emulated.glass import HEIGHT, WIDTH
from hardware.emulated.hand import Hand
from hardware.layout import Panel, SpiPanel

if TYPE_CHECKING:
    from hardware.emulated.pins import EmulatedFactory


class Cable(Protocol):
    """What can be pulled and put in again; neither does anything twice."""

    def unplug(self) -> None:
        """Pull it."""

    def plug(self) -> None:
        """Put it in."""


class PinCable:
    """The wires from some contacts of a seat to their pins. Pulled, the pins see nothing of what the hand does."""

    def __init__(
        self, lines: Mapping[str, int], factory: "EmulatedFactory", loop: asyncio.AbstractEventLoop, rng: Random
    ) -> None:
        self._pins = {line: factory.pin(number) for line, number in lines.items()}
        self._plugged = True
        self.hand = Hand(loop, rng, self._move)

    def unplug(self) -> None:
        """Pull the wires."""
        self._plugged = False
        for pin in self._pins.values():
            pin.ground(False)

    def plug(self) -> None:
        """Put them in: pins whose contacts are closed see it at once."""
        self._plugged = True
        for line, pin in self._pins.items():
            pin.ground(self.hand.closed(line))

    def _move(self, line: str, closed: bool) -> None:
        if self._plugged:
            self._pins[line].ground(closed)


class PanelBus(Protocol):
    """A bus with a panel at each of its places: an I2C bus's addresses, an SPI bus's chip selects."""

    def panel(self, place: int, /) -> Controller | None:
        """The panel there."""

    def plug(self, place: int, panel: Controller, /) -> None:
        """Connect one there."""

    def unplug(self, place: int, /) -> None:
        """Disconnect it."""


class PanelCable:
    """The wires of a panel at a place of a bus. A panel that is plugged in powers up dark, with noise in its memory."""

    def __init__(self, panel: Panel | SpiPanel, bus: PanelBus, place: int, rng: Random) -> None:
        self._panel = panel
        self._bus = bus
        self._place = place
        self._rng = rng
        self._changed: Callable[[], None] | None = None
        self.plug()

    def unplug(self) -> None:
        """Pull the wires."""
        self._bus.unplug(self._place)
        if self._changed is not None:
            self._changed()

    def plug(self) -> None:
        """Put them in."""
        if self._bus.panel(self._place) is None:
            controller = CHIPS[self._panel.chip](self._rng.getrandbits(32))
            controller.written = self._changed
            self._bus.plug(self._place, controller)

    def picture(self) -> Image.Image:
        """Return what an eye sees, however the panel is mounted."""
        controller = self._bus.panel(self._place)
        if controller is None:
            return Image.new("1", (WIDTH, HEIGHT))
        return controller.picture().rotate(self._panel.rotate)

    @property
    def lamp(self) -> bool:
        """A wired seat has no light."""
        return False

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` whenever the picture may be another, on the thread that owns the bus."""
        self._changed = changed
        controller = self._bus.panel(self._place)
        if controller is not None:
            controller.written = changed
