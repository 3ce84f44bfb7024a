"""A seat's button test: each is pressed once, and must report one press, alone, and a release."""

import asyncio
from collections.abc import Mapping, Sequence

from drivers.messages import Message, Pressed, Released
from firmware_host.doctor.findings import Finding, wrong
from firmware_host.doctor.interactive.dialogue import Dialogue, TypedLine
from hardware.boards.pi_header import pin_of

NAME = "try"
ANSWER_TIMEOUT_S = 60.0
"""Seconds for a press; then the button counts as dead."""
RELEASE_TIMEOUT_S = 5.0
CHATTER_S = 0.2
"""Seconds after the release in which another press counts as chatter: people press again later."""


class ButtonTest:
    """A seat's button test, each button with its GPIO, or None on a seat board."""

    def __init__(self, dialogue: Dialogue, names: Sequence[str], seat: int, buttons: Mapping[str, int | None]) -> None:
        self._dialogue = dialogue
        self._names = names
        self._seat = seat
        self._buttons = buttons

    async def press(self, button: str) -> list[Finding]:
        """Ask for a press. The same wrong button twice means swapped wires; once may be a slip."""
        self._dialogue.discard()
        self._dialogue.say(f"  Press {button.upper()}.")
        others: list[tuple[int, str]] = []
        while True:
            received = await self._dialogue.next(ANSWER_TIMEOUT_S)
            if received is None or isinstance(received, TypedLine):
                return [self._dead(button)]
            if not isinstance(received, Pressed):
                continue
            came = received.seat, received.button.value
            if came == (self._seat, button):
                return await self._until_released(button)
            self._dialogue.say(f"  that was {self._describe(*came)}.")
            if came in others:
                return [self._swapped(button, *came)]
            others.append(came)
            self._dialogue.say(f"  Press {button.upper()} once more.")

    async def _until_released(self, button: str) -> list[Finding]:
        """Wait for the release after a right press, and for other presses along with it."""
        loop = asyncio.get_running_loop()
        presses, together, is_up = 1, set[tuple[int, str]](), False
        until_s = loop.time() + RELEASE_TIMEOUT_S
        while (rest_s := until_s - loop.time()) > 0:
            received = await self._dialogue.next(rest_s)
            if isinstance(received, TypedLine):
                break
            match self._own(received, button):
                case Released():
                    is_up, until_s = True, loop.time() + CHATTER_S
                case Pressed():
                    presses, is_up, until_s = presses + 1, False, loop.time() + RELEASE_TIMEOUT_S
                case _ if isinstance(received, Pressed) and not is_up:
                    together.add((received.seat, received.button.value))
        return self._verdict(button, presses, together, is_up=is_up)

    def _own(self, received: object, button: str) -> Message | None:
        if isinstance(received, Pressed | Released) and (received.seat, received.button) == (self._seat, button):
            return received
        return None

    def _verdict(self, button: str, presses: int, together: set[tuple[int, str]], *, is_up: bool) -> list[Finding]:
        found = []
        if not is_up:
            found.append(wrong(NAME, f"{self._button(button)} stays down after it is released", _JOINED))
        if presses > 1:
            found.append(wrong(NAME, f"{self._button(button)} came {presses} times for one press", _NOISY))
        if together:
            with_it = ", ".join(self._describe(*other) for other in sorted(together))
            found.append(wrong(NAME, f"{self._button(button)} comes together with {with_it}", _TOUCHING))
        self._dialogue.say("  right." if not found else f"  {found[0].what}.")
        return found

    def _dead(self, button: str) -> Finding:
        self._dialogue.say("  nothing came.")
        return wrong(NAME, f"{self._button(button)} does nothing when it is pressed", self._wire(button))

    def _swapped(self, button: str, seat: int, other: str) -> Finding:
        what = f"{self._button(button)} comes as {self._describe(seat, other)}"
        mine, its = button.upper(), self._describe(seat, other)
        return wrong(NAME, what, f"swap the wires of {mine} and {its}, or their pins in the layout")

    def _button(self, button: str) -> str:
        return f"{self._names[self._seat]}'s {button.upper()}"

    def _describe(self, seat: int, button: str) -> str:
        return button.upper() if seat == self._seat else f"{self._names[seat]}'s {button.upper()}"

    def _wire(self, button: str) -> str:
        pin = self._buttons[button]
        if pin is None:
            return "check its wire on the board: from the Pico's pin to the button, and from there to ground"
        return f"check its wire: from pin {pin_of(pin).number} (GPIO {pin}) to the button, and from there to ground"


_JOINED = "replace the button, or use the leg diagonally across: two of its legs are always joined"
_NOISY = "add 1 kΩ from its pin to 3.3 V at the Pi and twist its wire with ground; or replace the button"
_TOUCHING = "separate the wires of the two buttons: they touch somewhere"
