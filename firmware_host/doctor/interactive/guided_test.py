"""The interactive test of `dudo-table doctor --try`: every display, every button and every cup, seat by seat.

It uses the daemon's drivers, prints each input in the terminal, and stores none.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from PIL import Image

from drivers.messages import Button, Device
from firmware_host.devices.displays import DisplayDriver
from firmware_host.doctor.findings import Finding, wrong
from firmware_host.doctor.interactive.dialogue import Dialogue, EndOfInput
from firmware_host.doctor.interactive.parts import ButtonTest, CupTest
from firmware_host.screens.graphics.canvas import Box, Canvas
from firmware_host.screens.graphics.text import BOLD, HEAD, HUGE, SMALL, TEXT
from firmware_host.screens.widgets import TITLE_BAR
from hardware.chips import CHIPS
from hardware.config.layout import I2cDisplay, Layout, LayoutSeat

NUMBERS = (1, 2, 3, 4, 5, 7, 8, 0)
"""Numbers for the displays, without 6 and 9, because each is the other upside down."""
CONNECT_S = 3.0
"""Seconds until every device has said hello or counts as missing."""


class GuidedTest:
    """One test of all seats, with `tries_lights` also of their lights; `numbers` has the number on each display."""

    def __init__(self, layout: Layout, dialogue: Dialogue, *, rng: Random, tries_lights: bool = False) -> None:
        self._layout = layout
        self._dialogue = dialogue
        self._tries_lights = tries_lights
        self.numbers = tuple(rng.sample(NUMBERS, len(layout.seats)))

    async def run(self, displays: Sequence[DisplayDriver]) -> list[Finding]:
        """Test all seats and return the faults. If the input ends, a finding lists the untested parts."""
        found: list[Finding] = []
        say = self._dialogue.say
        say("No match is running: this only reads and shows. Enter skips what does not work, Ctrl-C ends the test.")
        for number in range(len(displays)):
            self._show(displays, number, "")
        await asyncio.sleep(CONNECT_S)
        for number, seat in enumerate(self._layout.seats):
            if seat.phone is not None:
                continue
            say("")
            say(f"{seat.name} ({seat.color}), seat {number + 1} of {len(displays)}")
            try:
                found += await self._seat(displays, number, seat)
            except EndOfInput:
                return [*found, wrong(f"from {seat.name} on nothing was tested", "dudo-table doctor --try")]
            self._show(displays, number, "done")
        return found

    async def _seat(self, displays: Sequence[DisplayDriver], number: int, seat: LayoutSeat) -> list[Finding]:
        found = [*self._missing(number, seat)]
        for finding in found:
            self._dialogue.say(f"  {finding.what}")
        lost = {device for at, device in self._dialogue.lost if at == number}
        if not lost & {Device.PANEL, Device.BOARD}:
            found += await self._display(displays, number, seat)
            if self._tries_lights:
                found += await self._light(displays, number, seat)
        names = [each.name for each in self._layout.seats]
        if not lost & {Device.BUTTONS, Device.BOARD}:
            buttons = ButtonTest(self._dialogue, names, number, buttons_of(seat))
            for button in buttons_of(seat):
                self._show(displays, number, f"press {button.upper()}")
                found += await buttons.press(button)
        if not lost & {Device.CUP, Device.BOARD}:
            cup = CupTest(self._dialogue, names, number, is_on_pin=not (seat.board or _serial(seat)))
            self._show(displays, number, "shake the cup")
            found += await cup.shake()
            self._show(displays, number, "tip the cup")
            found += await cup.tip()
        return found

    def _missing(self, number: int, seat: LayoutSeat) -> Iterator[Finding]:
        for (at, device), why in self._dialogue.lost.items():
            if at == number:
                yield wrong(f"{seat.name}'s {_name_of(device)} does not answer: {why}", "dudo-table doctor tells more")

    async def _display(self, displays: Sequence[DisplayDriver], number: int, seat: LayoutSeat) -> list[Finding]:
        self._show(displays, number, "which number?")
        question = f"  Which number is on {seat.name}'s display? (u: upside down, s: snow or shifted, Enter: nothing)"
        for _ in range(2):
            line = (await self._dialogue.answer(question)).casefold()
            if line == str(self.numbers[number]):
                self._dialogue.say("  right.")
                return []
            if fault := _FAULTS.get(line):
                return [wrong(f"{seat.name}'s display {fault}", _remedy(seat, line))]
            if line.isdecimal() and int(line) in self.numbers:
                other = self._layout.seats[self.numbers.index(int(line))].name
                what = f"in front of {seat.name} is {other}'s display"
                return [wrong(what, f"swap the cables of {seat.name}'s and {other}'s {_thing(seat)}")]
        return [wrong(f"{seat.name}'s display shows something else", _remedy(seat, "s"))]

    async def _light(self, displays: Sequence[DisplayDriver], number: int, seat: LayoutSeat) -> list[Finding]:
        self._show(displays, number, "is the light on?", lamp=True)
        line = await self._dialogue.answer(f"  Is {seat.name}'s light on? (Enter: yes, n: no)")
        if not line.casefold().startswith("n"):
            self._dialogue.say("  right.")
            return []
        return [wrong(f"{seat.name}'s light is dark", "turn the LED around: its long leg goes to the resistor")]

    def _show(self, displays: Sequence[DisplayDriver], number: int, to_do: str, *, lamp: bool = False) -> None:
        displays[number].show(picture(self._layout.seats[number].name, self.numbers[number], to_do), lamp=lamp)


def buttons_of(seat: LayoutSeat) -> Mapping[str, int | None]:
    """Return a seat's buttons, each with its GPIO, or None on a seat board."""
    return dict(seat.buttons) if seat.buttons is not None else dict.fromkeys(button.value for button in Button)


def _name_of(device: Device) -> str:
    return "display" if device is Device.PANEL else device.value


def _serial(seat: LayoutSeat) -> bool:
    return hasattr(seat.cup, "id")


def _thing(seat: LayoutSeat) -> str:
    return "boards, or their ids in the layout" if seat.board else "displays"


def _remedy(seat: LayoutSeat, line: str) -> str:
    where = "wiring.py of its Pico" if seat.board else "layout"
    match line:
        case "u" if seat.board or (isinstance(seat.display, I2cDisplay) and seat.display.rotate):
            return "turn the display the other way up"
        case "u":
            return f"write rotate = 180 for {seat.name}'s display in the layout"
        case "":
            return f"write its right chip in the {where}: {', '.join(CHIPS)}"
    shifts = " and ".join(f"{chip.name} by {chip.first_column} pixels" for chip in CHIPS.values() if chip.first_column)
    return f"write its right chip in the {where}: under another name the picture is shifted, on {shifts}"


_FAULTS = {"": "answers, but nothing is on it", "u": "is upside down", "s": "shows snow, or is shifted"}


_NUMBER = Box(0, 16, 40, 44)
_TO_DO = Box(44, 18, 78, 40)


def picture(name: str, number: int, to_do: str) -> Image.Image:
    """Return a seat's display picture with name, number and instruction; 128×64 pixels, mode "1"."""
    canvas = Canvas()
    canvas.text(name, TITLE_BAR, HEAD, BOLD, TEXT, SMALL, align="center")
    canvas.text(str(number), _NUMBER, HUGE, align="center")
    canvas.lines(to_do, _TO_DO, 3, BOLD, TEXT, SMALL)
    return canvas.image
