"""A seat of an emulated table and the hands at it: the same motions however the seat is wired.

Robots, tests and people at a page play through it; `EmulatedTable` makes them.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Literal

from PIL import Image, ImageChops

from hardware.emulated.cables import EmulatedDisplay, PanelCable, PinCable
from hardware.emulated.hand import EmulatedHand
from hardware.emulated.usb_device import EmulatedUsbDevice

MARGIN = 4
"""Empty columns and rows at a picture's edges; pixel shift moves it by up to one less."""

REST_S = 0.6
"""Seconds after a shake until a gesture detector has found the cup at rest, with its `SETTLE_NS`."""

KEY = "key"
"""The line of the service key at a board."""

CupIs = Literal["down", "up", "shaking", "settling"]


class EmulatedSeat:
    """A seat and its hands. Motions begin now and take virtual time; buttons are "left", "right", "ok" and "dudo".

    A button the seat hasn't got raises ValueError. `moved`, if set, is called after every motion. `has_key` is for a
    seat with the service key.
    """

    def __init__(
        self,
        name: str,
        loop: asyncio.AbstractEventLoop,
        *,
        buttons: tuple[str, ...],
        fingers: EmulatedHand,
        cup_hand: EmulatedHand,
        display: EmulatedDisplay,
        cables: Mapping[str, PinCable | PanelCable | EmulatedUsbDevice],
        has_key: bool = False,
    ) -> None:
        self.name = name
        self.has_key = has_key
        self.buttons = buttons
        self.moved: Callable[[], None] | None = None
        self._loop = loop
        self._fingers = fingers
        self._cup_hand = cup_hand
        self._display = display
        self._cables = cables
        self._pressed: dict[str, asyncio.TimerHandle | None] = {}  # with the end of a tap
        self.cup: CupIs = "down"
        """The present movement of the cup."""
        self._shaken: asyncio.TimerHandle | None = None
        self._rests_s = loop.time()
        self._unplugged: set[str] = set()

    @property
    def devices(self) -> tuple[str, ...]:
        """This seat's pluggable cables."""
        return tuple(self._cables)

    @property
    def pressed(self) -> tuple[str, ...]:
        """The buttons held down."""
        return tuple(button for button in self.buttons if button in self._pressed)

    @property
    def is_at_rest(self) -> bool:
        """Whether the last shake is over: another one before that would begin it again."""
        return self._loop.time() >= self._rests_s

    @property
    def unplugged(self) -> tuple[str, ...]:
        """The devices with a pulled cable."""
        return tuple(device for device in self._cables if device in self._unplugged)

    def __repr__(self) -> str:
        return f"<EmulatedSeat {self.name} with {', '.join(self._cables)}>"

    def press(self, button: str) -> None:
        """Put a finger down on a button and leave it there."""
        button = self._fitted(button)
        self._finger(button, None)
        self._fingers.press(button)
        self._has_moved()

    def release(self, button: str) -> None:
        """Take the finger off."""
        button = self._fitted(button)
        self._finger(button, None)
        del self._pressed[button]
        self._fingers.release(button)
        self._has_moved()

    @property
    def is_key_on(self) -> bool:
        """Whether the service key is turned."""
        return self._fingers.closed(KEY)

    def turn_key(self, *, on: bool) -> None:
        """Turn the service key, which stays as it is left."""
        if not self.has_key:
            raise ValueError(f"{self.name} has no service key")
        (self._fingers.press if on else self._fingers.release)(KEY)
        self._has_moved()

    def tap(self, button: str, for_s: float = 0.08) -> None:
        """Press a button for a time."""
        self.press(button)
        self._finger(button, self._loop.call_later(for_s, self.release, button))

    def shake(self, for_s: float = 0.8) -> None:
        """Shake the cup for a time and put it down."""
        self._cup_hand.shake(for_s)
        self._hold_cup("shaking")
        self._shaken = self._loop.call_later(for_s, self._settle)
        self._rests_s = self._loop.time() + for_s + REST_S

    def tilt(self) -> None:
        """Lift the cup to look under it."""
        self._cup_hand.tilt()
        self._hold_cup("up")

    def level(self) -> None:
        """Put the cup down."""
        self._cup_hand.level()
        self._hold_cup("down")

    def let_go(self) -> None:
        """Take every finger off and put the cup down."""
        for button in self.pressed:
            self.release(button)
        if self.cup in ("up", "shaking"):
            self.level()
        elif self.cup == "settling":  # it lies already
            self._hold_cup("down")

    def unplug(self, device: str) -> None:
        """Pull a cable: "buttons", "cup" or "panel", and "board" at a seat with a board."""
        self._cable(device).unplug()
        self._unplugged.add(device)
        self._has_moved()

    def plug(self, device: str) -> None:
        """Plug it in."""
        self._cable(device).plug()
        self._unplugged.discard(device)
        self._has_moved()

    def picture(self) -> Image.Image:
        """Return the visible picture of the seat's panel: 128×64, mode "1"."""
        return self._display.picture()

    @property
    def lamp(self) -> bool:
        """Whether the seat's light is on; False without a light."""
        return self._display.lamp

    def shows(self, picture: Image.Image) -> bool:
        """Return whether an eye sees this picture, wherever in its margin it has wandered."""
        seen, wanted = self.picture(), picture.tobytes()
        places = ((column, row) for column in range(MARGIN) for row in range(MARGIN))
        return any(ImageChops.offset(seen, -column, -row).tobytes() == wanted for column, row in places)

    def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` whenever picture or light may be others; on any thread, and often more than once for one."""
        self._display.watch(changed)

    def _finger(self, button: str, until: asyncio.TimerHandle | None) -> None:
        """Put a finger on a button until it is released, by `until` at the latest."""
        tap = self._pressed.get(button)
        if tap is not None:
            tap.cancel()
        self._pressed[button] = until

    def _settle(self) -> None:
        self._hold_cup("settling")
        self._shaken = self._loop.call_later(REST_S, self._hold_cup, "down")

    def _hold_cup(self, cup_is: CupIs) -> None:
        if self._shaken is not None:
            self._shaken.cancel()
            self._shaken = None
        self.cup = cup_is
        self._has_moved()

    def _has_moved(self) -> None:
        if self.moved is not None:
            self.moved()

    def _fitted(self, button: str) -> str:
        if button not in self.buttons:
            raise ValueError(f"{self.name} has no button {button!r}; it has {', '.join(self.buttons)}")
        return str(button)

    def _cable(self, device: str) -> PinCable | PanelCable | EmulatedUsbDevice:
        if device not in self._cables:
            raise ValueError(f"{self.name} has no {device!r} to pull; it has {', '.join(self._cables)}")
        return self._cables[device]
