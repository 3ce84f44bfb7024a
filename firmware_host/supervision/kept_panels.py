"""A seat's panel as its glass knows it, whichever driver serves it by now: `devices.Devices` has one for each seat.

The latest picture is kept, so that a driver that takes another's place shows what the other was to show.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PIL import Image

from drivers.messages import Light
from firmware_host.daemon.seat_display import Showing

if TYPE_CHECKING:
    from drivers.display.bus import PanelWire
    from drivers.display.display import Panel

Ask = Callable[[Callable[[Showing], None]], None]
"""Has whoever is the panel now do something; nobody is while its driver is made anew."""


class KeptPanel:
    """What one seat's panel is to show."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._show: Callable[[Showing], None] | None = None
        self._light: Light | None = None

    def __repr__(self) -> str:
        return f"<KeptPanel, {self._light or 'not lit yet'}>"  # dice may be on it

    def show(
        self,
        image: Image.Image,
        *,
        first: bool = False,
        dice: Sequence[tuple[int, int, int, int]] = (),
        lamp: bool = False,
    ) -> None:
        """Replace the picture, see `Showing`."""
        self._show = lambda panel: panel.show(image, dice=dice, lamp=lamp)
        self._ask(lambda panel: panel.show(image, first=first, dice=dice, lamp=lamp))

    def light(self, light: Light) -> None:
        """Shine that brightly."""
        self._light = light
        self._ask(lambda panel: panel.light(light))

    def show_again(self, panel: Showing) -> None:
        """Have a panel that has just been made show all that."""
        if self._light is not None:
            panel.light(self._light)
        if self._show is not None:
            self._show(panel)


class WiredPanels:
    """A panel wire with the panels of its seats: one driver, because what befalls the wire befalls them all."""

    def __init__(self, wire: "PanelWire", panels: Mapping[int, "Panel"]) -> None:
        self.wire = wire
        self.panels = panels

    def __repr__(self) -> str:
        return repr(self.wire)

    @property
    def is_closed(self) -> bool:
        """Whether nobody touches the wire any more."""
        return self.wire.is_closed

    def abandon(self) -> None:
        """Let nothing more be sent."""
        self.wire.abandon()

    def close(self) -> None:
        """Make the panels dark and give the wire back."""
        self.wire.close()
