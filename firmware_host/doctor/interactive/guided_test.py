"""`dudo-table doctor --try`: the way round the table: every panel, every button, every cup.

It sees what the daemon would see, through the same drivers, and says in the terminal what came. Nothing of it is kept.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from drivers.messages import Button, Device
from firmware_host.daemon.seat_display import DisplayLike
from firmware_host.doctor.findings import Finding, wrong
from firmware_host.doctor.interactive.buttons import ButtonRound
from firmware_host.doctor.interactive.cup import CupRound
from firmware_host.doctor.interactive.dialogue import Ended, Talk
from firmware_host.doctor.interactive.picture import picture
from hardware.config.layout import Layout, Panel, Seat

NAME = "try"
NUMBERS = (1, 2, 3, 4, 5, 7, 8, 0)
"""No 6 and no 9: they are each other upside down."""
ARRIVE_S = 3.0
"""Until every link has said hello, or was found not to."""


class Walk:
    """One way round; `numbers` says what each panel shows."""

    def __init__(self, layout: Layout, talk: Talk, *, rng: Random) -> None:
        self._layout = layout
        self._talk = talk
        self.numbers = tuple(rng.sample(NUMBERS, len(layout.seats)))

    async def go(self, panels: Sequence[DisplayLike]) -> list[Finding]:
        """Go round, and return what is amiss. Who stops typing ends it, and what was not tried is told."""
        found: list[Finding] = []
        say = self._talk.say
        say("Nobody plays now: this only looks and listens. Enter passes over what does not work, Ctrl-C ends it.")
        for number in range(len(panels)):
            self._show(panels, number, "")
        await asyncio.sleep(ARRIVE_S)
        for number, seat in enumerate(self._layout.seats):
            say("")
            say(f"{seat.name} ({seat.color}), seat {number + 1} of {len(panels)}")
            try:
                found += await self._seat(panels, number, seat)
            except Ended:
                return [*found, wrong(NAME, f"from {seat.name} on nothing was tried", "dudo-table doctor --try")]
            self._show(panels, number, "done")
        return found

    async def _seat(self, panels: Sequence[DisplayLike], number: int, seat: Seat) -> list[Finding]:
        found = [*self._missing(number, seat)]
        for finding in found:
            self._talk.say(f"  {finding.what}")
        gone = {device for at, device in self._talk.lost if at == number}
        if not gone & {Device.PANEL, Device.BOARD}:
            found += await self._panel(panels, number, seat)
        names = self._layout.seats
        if not gone & {Device.BUTTONS, Device.BOARD}:
            buttons = ButtonRound(self._talk, [each.name for each in names], number, buttons_of(seat))
            for button in buttons_of(seat):
                self._show(panels, number, f"press {button.upper()}")
                found += await buttons.press(button)
        if not gone & {Device.CUP, Device.BOARD}:
            cup = CupRound(
                self._talk, [each.name for each in names], number, is_on_pin=not (seat.board or _serial(seat))
            )
            self._show(panels, number, "shake the cup")
            found += await cup.shake()
            self._show(panels, number, "tip the cup")
            found += await cup.tip()
        return found

    def _missing(self, number: int, seat: Seat) -> Iterator[Finding]:
        for (at, device), why in self._talk.lost.items():
            if at == number:
                yield wrong(
                    NAME, f"{seat.name}'s {device.value} does not answer: {why}", "dudo-table doctor tells more"
                )

    async def _panel(self, panels: Sequence[DisplayLike], number: int, seat: Seat) -> list[Finding]:
        self._show(panels, number, "which number?")
        question = f"  Which number is on {seat.name}'s panel? (u: upside down, s: snow or shifted, Enter: nothing)"
        for _ in range(2):
            line = (await self._talk.answer(question)).casefold()
            if line == str(self.numbers[number]):
                self._talk.say("  right.")
                return []
            if fault := _FAULTS.get(line):
                return [wrong(NAME, f"{seat.name}'s panel {fault}", _remedy(seat, line))]
            if line.isdecimal() and int(line) in self.numbers:
                other = self._layout.seats[self.numbers.index(int(line))].name
                what = f"in front of {seat.name} is {other}'s panel"
                return [wrong(NAME, what, f"swap the cables of {seat.name}'s and {other}'s {_thing(seat)}")]
        return [wrong(NAME, f"{seat.name}'s panel shows something else", _remedy(seat, "s"))]

    def _show(self, panels: Sequence[DisplayLike], number: int, to_do: str) -> None:
        panels[number].show(picture(self._layout.seats[number].name, self.numbers[number], to_do))


def buttons_of(seat: Seat) -> Mapping[str, int | None]:
    """A seat's buttons, each with its GPIO; a board's has none."""
    return dict(seat.buttons) if seat.buttons is not None else dict.fromkeys(button.value for button in Button)


def _serial(seat: Seat) -> bool:
    return hasattr(seat.cup, "id")


def _thing(seat: Seat) -> str:
    return "boards, or their ids in the layout" if seat.board else "panels"


def _remedy(seat: Seat, line: str) -> str:
    where = "wiring.py of its Pico" if seat.board else "layout"
    match line:
        case "u" if seat.board or (isinstance(seat.panel, Panel) and seat.panel.rotate):
            return "turn the panel the other way up"
        case "u":
            return f"write rotate = 180 for {seat.name}'s panel in the layout"
        case "":
            return f"write its right chip in the {where}: ssd1306, ssd1309 or sh1106"
    return f"write its right chip in the {where}: SH1106 is shifted by two dots where SSD1306 is written"


_FAULTS = {"": "answers, but nothing is on it", "u": "is upside down", "s": "shows snow, or is shifted"}
