"""The wires of a seat: to pins and to a display's bus. `EmulatedTable` makes the cables, which can be unplugged.
A cup or board on USB is its own cable: `EmulatedUsbDevice`.
"""

import asyncio
from collections.abc import Callable, Mapping
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING

from PIL import Image

from hardware.config.layout import I2cDisplay, SpiDisplay
from hardware.emulated.chips.controllers import CONTROLLERS, HEIGHT, WIDTH, Controller, PanelBus
from hardware.emulated.hand import EmulatedHand

if TYPE_CHECKING:
    from hardware.emulated.chips.pins import EmulatedPin


class PinCable:
    """The wires from some contacts at a seat to their pins. While they are unplugged, the pins see no edges."""

    def __init__(
        self,
        lines: Mapping[str, int],
        pin: "Callable[[int], EmulatedPin]",
        loop: asyncio.AbstractEventLoop,
        rng: Random,
    ) -> None:
        self._lines = lines
        self._pin = pin
        self._plugged = True
        self.hand = EmulatedHand(loop, rng, self._move)

    @cached_property
    def _pins(self) -> "Mapping[str, EmulatedPin]":
        """The pins by line, made when a contact first moves: the daemon loads gpiozero after its first pictures."""
        return {line: self._pin(number) for line, number in self._lines.items()}

    def unplug(self) -> None:
        """Unplug the wires."""
        self._plugged = False
        for pin in self._pins.values():
            pin.ground(False)

    def plug(self) -> None:
        """Plug them in: pins with closed contacts see it at once."""
        self._plugged = True
        for line, pin in self._pins.items():
            pin.ground(self.hand.closed(line))

    def _move(self, line: str, closed: bool) -> None:
        if self._plugged:
            self._pins[line].ground(closed)


class EmulatedDisplay:
    """A display as people see it: black without power. It powers up with noise in its memory."""

    def __init__(self, chip: str | None, rng: Random, rotate: int = 0) -> None:
        self.panel: Controller | None = None
        self.lamp = False
        """Whether the light beside it is on."""
        self._controller = chip
        self._rng = rng
        self._rotate = rotate
        self._changed: Callable[[], None] | None = None

    def picture(self) -> Image.Image:
        """Return the visible picture, 128×64, mode "1", upright however the display is mounted."""
        return Image.new("1", (WIDTH, HEIGHT)) if self.panel is None else self.panel.picture().rotate(self._rotate)

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` whenever picture or light may have changed, on the thread that owns the bus."""
        self._changed = changed
        if self.panel is not None:
            self.panel.written = changed

    def _power_up(self) -> Controller | None:
        if self._controller is not None:
            self.panel = CONTROLLERS[self._controller](self._rng.getrandbits(32))
            self.panel.written = self._changed
        return self.panel

    def _power_down(self) -> None:
        self.panel = None
        self.lamp = False
        self._has_changed()

    def _light(self, is_on: bool) -> None:
        self.lamp = is_on
        self._has_changed()

    def _has_changed(self) -> None:
        if self._changed is not None:
            self._changed()


class PanelCable(EmulatedDisplay):
    """The wires of a display at an address of a bus. A wired seat has no light."""

    def __init__(self, display: I2cDisplay | SpiDisplay, bus: PanelBus, place: int, rng: Random) -> None:
        super().__init__(display.chip, rng, display.rotate)
        self._bus = bus
        self._place = place
        self.plug()

    def unplug(self) -> None:
        """Unplug the wires."""
        self._bus.unplug(self._place)
        self._power_down()

    def plug(self) -> None:
        """Put them in."""
        if self.panel is None and (panel := self._power_up()) is not None:
            self._bus.plug(self._place, panel)
