"""One seat's buttons: press each, and hear whether that very one came, once, and went again."""

import asyncio
from collections.abc import Mapping, Sequence

from drivers.messages import Message, Pressed, Released
from firmware_host.doctor.findings import Finding, wrong
from firmware_host.doctor.interactive.dialogue import Talk, Typed
from hardware.boards.pi_header import pin_of

NAME = "try"
PATIENCE_S = 60.0
RELEASE_S = 5.0
AFTER_S = 0.2
"""How long a button is listened to once it is up: nobody presses again so soon."""


class ButtonRound:
    """The buttons of a seat, each with its GPIO, or None at a board."""

    def __init__(self, talk: Talk, names: Sequence[str], seat: int, buttons: Mapping[str, int | None]) -> None:
        self._talk = talk
        self._names = names
        self._seat = seat
        self._buttons = buttons

    async def press(self, button: str) -> list[Finding]:
        """Have one pressed. The same other one twice is taken for its wire; once may be a finger's mistake."""
        self._talk.forget()
        self._talk.say(f"  Press {button.upper()}.")
        others: list[tuple[int, str]] = []
        while True:
            happening = await self._talk.next(PATIENCE_S)
            if happening is None or isinstance(happening, Typed):
                return [self._dead(button)]
            if not isinstance(happening, Pressed):
                continue
            came = happening.seat, happening.button.value
            if came == (self._seat, button):
                return await self._held(button)
            self._talk.say(f"  that was {self._called(*came)}.")
            if came in others:
                return [self._swapped(button, *came)]
            others.append(came)
            self._talk.say(f"  Press {button.upper()} once more.")

    async def _held(self, button: str) -> list[Finding]:
        """It came: now it must go, alone, and stay away."""
        loop = asyncio.get_running_loop()
        presses, together, is_up = 1, set[tuple[int, str]](), False
        until_s = loop.time() + RELEASE_S
        while (rest_s := until_s - loop.time()) > 0:
            happening = await self._talk.next(rest_s)
            if isinstance(happening, Typed):
                break
            match self._own(happening, button):
                case Released():
                    is_up, until_s = True, loop.time() + AFTER_S
                case Pressed():
                    presses, is_up, until_s = presses + 1, False, loop.time() + RELEASE_S
                case _ if isinstance(happening, Pressed) and not is_up:
                    together.add((happening.seat, happening.button.value))
        return self._verdict(button, presses, together, is_up=is_up)

    def _own(self, happening: object, button: str) -> Message | None:
        if isinstance(happening, Pressed | Released) and (happening.seat, happening.button) == (self._seat, button):
            return happening
        return None

    def _verdict(self, button: str, presses: int, together: set[tuple[int, str]], *, is_up: bool) -> list[Finding]:
        found = []
        if not is_up:
            found.append(wrong(NAME, f"{self._named(button)} stays down when it is let go", _JOINED))
        if presses > 1:
            found.append(wrong(NAME, f"{self._named(button)} came {presses} times for one press", _NOISY))
        if together:
            with_it = ", ".join(self._called(*other) for other in sorted(together))
            found.append(wrong(NAME, f"{self._named(button)} comes together with {with_it}", _TOUCH))
        self._talk.say("  right." if not found else f"  {found[0].what}.")
        return found

    def _dead(self, button: str) -> Finding:
        self._talk.say("  nothing came.")
        return wrong(NAME, f"{self._named(button)} does nothing when it is pressed", self._wire(button))

    def _swapped(self, button: str, seat: int, other: str) -> Finding:
        what = f"{self._named(button)} comes as {self._called(seat, other)}"
        mine, its = button.upper(), self._called(seat, other)
        return wrong(NAME, what, f"swap the wires of {mine} and {its}, or their pins in the layout")

    def _named(self, button: str) -> str:
        return f"{self._names[self._seat]}'s {button.upper()}"

    def _called(self, seat: int, button: str) -> str:
        return button.upper() if seat == self._seat else f"{self._names[seat]}'s {button.upper()}"

    def _wire(self, button: str) -> str:
        pin = self._buttons[button]
        if pin is None:
            return "check its wire on the board: from the Pico's pin to the button, and from there to ground"
        return f"check its wire: from pin {pin_of(pin).number} (GPIO {pin}) to the button, and from there to ground"


_JOINED = "take a new button, or the leg diagonally across: two of its legs are always joined"
_NOISY = "put 1 kΩ from its pin to 3.3 V at the Pi, and its wire twisted with ground; or a new button"
_TOUCH = "part the wires of the two, which touch somewhere"
