"""The tests of a seat's buttons and cup: the right one must report each motion, alone and once."""

import asyncio
from collections.abc import Mapping, Sequence

from drivers.messages import Levelled, Message, Pressed, Released, Settled, Shaken, Tilted
from firmware_host.doctor.findings import Finding, wrong
from firmware_host.doctor.interactive.dialogue import Dialogue, TypedLine
from hardware.boards.pi_header import pin_of

ANSWER_TIMEOUT_S = 60.0
"""Seconds for a motion; then the part counts as dead."""
RELEASE_TIMEOUT_S = 5.0
CHATTER_S = 0.2
"""Seconds after the release in which another press counts as chatter: people press again later."""
REST_TIMEOUT_S = 5.0
"""Seconds until a cup must be at rest; once put down it settles within half a second."""

Place = tuple[int, str]
"""A part: its seat, and a button's name, empty for the cup."""


class _PartTest:
    """A test of one seat's parts; `names` has all seats' names."""

    def __init__(self, dialogue: Dialogue, names: Sequence[str], seat: int) -> None:
        self._dialogue = dialogue
        self._names = names
        self._seat = seat

    async def _wait_for(
        self, say: str, wanted: type[Pressed] | type[Shaken] | type[Tilted], own: Place, again: str = ""
    ) -> Place | None:
        """Return the moved part, None on a timeout. A wrong one counts the second time: once is a slip."""
        self._dialogue.discard()
        self._dialogue.say(say)
        others: list[Place] = []
        while True:
            received = await self._dialogue.next(ANSWER_TIMEOUT_S)
            if received is None or isinstance(received, TypedLine):
                self._dialogue.say("  nothing came.")
                return None
            if not isinstance(received, wanted):
                continue
            came = received.seat, received.button.value if isinstance(received, Pressed) else ""
            if came == own:
                return came
            self._dialogue.say(f"  that was {self._describe(*came)}.")
            if came in others:
                return came
            others.append(came)
            if again:
                self._dialogue.say(again)

    def _describe(self, seat: int, button: str) -> str:
        if button and seat == self._seat:
            return button.upper()
        return f"{self._names[seat]}'s {button.upper() or 'cup'}"


class ButtonTest(_PartTest):
    """The test of a seat's buttons, each with its GPIO, or None on a seat board."""

    def __init__(self, dialogue: Dialogue, names: Sequence[str], seat: int, buttons: Mapping[str, int | None]) -> None:
        super().__init__(dialogue, names, seat)
        self._buttons = buttons

    async def press(self, button: str) -> list[Finding]:
        """Ask for a press. The same wrong button twice means swapped wires."""
        name, own = button.upper(), f"{self._names[self._seat]}'s {button.upper()}"
        say, again = f"  Press {name}.", f"  Press {name} once more."
        came = await self._wait_for(say, Pressed, (self._seat, button), again)
        if came is None:
            return [wrong(f"{own} does nothing when it is pressed", self._wire(button))]
        if came == (self._seat, button):
            return await self._until_released(button)
        other = self._describe(*came)
        return [wrong(f"{own} comes as {other}", f"swap the wires of {name} and {other}, or their pins in the layout")]

    async def _until_released(self, button: str) -> list[Finding]:
        """Wait for the release after a right press, and for accompanying presses."""
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
        found, own = [], f"{self._names[self._seat]}'s {button.upper()}"
        if not is_up:
            found.append(wrong(f"{own} stays down after it is released", _JOINED))
        if presses > 1:
            found.append(wrong(f"{own} came {presses} times for one press", _NOISY))
        if together:
            with_it = ", ".join(self._describe(*other) for other in sorted(together))
            found.append(wrong(f"{own} comes together with {with_it}", _TOUCHING))
        self._dialogue.say("  right." if not found else f"  {found[0].what}.")
        return found

    def _wire(self, button: str) -> str:
        pin = self._buttons[button]
        if pin is None:
            return "check its wire on the board: from the Pico's pin to the button, and from there to ground"
        return f"check its wire: from pin {pin_of(pin).number} (GPIO {pin}) to the button, and from there to ground"


class CupTest(_PartTest):
    """The test of a seat's cup, on a pin or with its own firmware."""

    def __init__(self, dialogue: Dialogue, names: Sequence[str], seat: int, *, is_on_pin: bool) -> None:
        super().__init__(dialogue, names, seat)
        self._cup = f"{names[seat]}'s cup"
        self._is_on_pin = is_on_pin

    async def shake(self) -> list[Finding]:
        """Ask for a shake, then wait until the cup is at rest."""
        if found := await self._fault(f"  Shake {self._cup} and put it down.", Shaken, "a shake", self._wire):
            return [found]
        if not await self._wait_for_end(Settled):
            return [wrong(f"{self._cup} was shaken and never comes to rest", _STUCK)]
        self._dialogue.say("  right.")
        return []

    async def tip(self) -> list[Finding]:
        """Ask for a tip, as if to look under the cup, then wait until it is level."""
        how = "to look under it, count to two, and put it down. (Enter: it has a vibration switch)"
        if found := await self._fault(f"  Tip {self._cup} {how}", Tilted, "that it is tipped", _TILT):
            return [found]
        if not await self._wait_for_end(Levelled):
            return [wrong(f"{self._cup} was put down and reads as tipped: dice would show", _TURNED)]
        self._dialogue.say("  right.")
        return []

    async def _fault(self, say: str, wanted: type[Shaken] | type[Tilted], what: str, remedy: str) -> Finding | None:
        """Return a finding unless this cup reports the motion."""
        came = await self._wait_for(say, wanted, (self._seat, ""))
        if came is None:
            return wrong(f"{self._cup} does not report {what}", remedy)
        if came[0] == self._seat:
            return None
        other = self._names[came[0]]
        swap = f"swap the cables of {self._names[self._seat]}'s and {other}'s cups"
        return wrong(f"{self._cup} comes as {other}'s", swap)

    async def _wait_for_end(self, wanted: type[Settled] | type[Levelled]) -> bool:
        while (received := await self._dialogue.next(REST_TIMEOUT_S)) is not None:
            if isinstance(received, wanted) and received.seat == self._seat:
                return True
            if isinstance(received, TypedLine):
                return False
        return False

    @property
    def _wire(self) -> str:
        if self._is_on_pin:
            return "check its switch's wires to the pin and to ground; a switch that sticks: a little more upright"
        return "check the switch's wires on its Pico; a switch that sticks: a little more upright"


_JOINED = "replace the button, or use the leg diagonally across: two of its legs are always joined"
_NOISY = "add 1 kΩ from its pin to 3.3 V at the Pi and twist its wire with ground; or replace the button"
_TOUCHING = "separate the wires of the two buttons: they touch somewhere"
_STUCK = "set the switch on its cup a little more upright, so that its ball rolls away when the cup stands"
_TILT = "set the switch on its cup 15° up, legs away from the player, so that it closes when the cup is tipped"
_TURNED = "turn the switch around on its cup, so that it is open while the cup stands"
