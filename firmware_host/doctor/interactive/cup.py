"""One seat's cup: shake it, put it down, tip it, put it down, and hear whether that very one felt it."""

from collections.abc import Sequence

from drivers.messages import Levelled, Settled, Shaken, Tilted
from firmware_host.doctor.findings import Finding, wrong
from firmware_host.doctor.interactive.dialogue import Happening, Talk, Typed

NAME = "try"
PATIENCE_S = 60.0
REST_S = 5.0
"""A cup that was put down has settled within half a second."""


class CupRound:
    """A seat's cup, on a pin or with a program of its own."""

    def __init__(self, talk: Talk, names: Sequence[str], seat: int, *, is_on_pin: bool) -> None:
        self._talk = talk
        self._names = names
        self._seat = seat
        self._is_on_pin = is_on_pin

    async def shake(self) -> list[Finding]:
        """Have it shaken and put down."""
        cup = f"{self._names[self._seat]}'s cup"
        if found := await self._begin(f"  Shake {cup} and put it down.", Shaken):
            what, remedy = found
            return [wrong(NAME, what or f"{cup} feels no shake", remedy or self._wire)]
        if not await self._ends(Settled):
            return [wrong(NAME, f"{cup} was shaken and never comes to rest", _STUCK)]
        self._talk.say("  right.")
        return []

    async def tip(self) -> list[Finding]:
        """Have it tipped, as to look under it, and put down."""
        cup = f"{self._names[self._seat]}'s cup"
        say = f"  Tip {cup} to look under it, count to two, and put it down. (Enter: it has a vibration switch)"
        if found := await self._begin(say, Tilted):
            what, remedy = found
            return [wrong(NAME, what or f"{cup} does not feel that it is tipped", remedy or _TILT)]
        if not await self._ends(Levelled):
            return [wrong(NAME, f"{cup} was put down and reads as tipped: dice would show", _TURNED)]
        self._talk.say("  right.")
        return []

    async def _begin(self, say: str, wanted: type[Shaken] | type[Tilted]) -> tuple[str, str] | None:
        """None when it came; else what came instead of it, if anything, and what mends that."""
        self._talk.forget()
        self._talk.say(say)
        others: list[int] = []
        while True:
            happening = await self._talk.next(PATIENCE_S)
            if happening is None or isinstance(happening, Typed):
                self._talk.say("  nothing came.")
                return "", ""
            if not isinstance(happening, wanted):
                continue
            if happening.seat == self._seat:
                return None
            mine, other = self._names[self._seat], self._names[happening.seat]
            self._talk.say(f"  that was {other}'s cup.")
            if happening.seat in others:
                return f"{mine}'s cup comes as {other}'s", f"swap the cables of {mine}'s and {other}'s cups"
            others.append(happening.seat)

    async def _ends(self, wanted: type[Settled] | type[Levelled]) -> bool:
        while (happening := await self._talk.next(REST_S)) is not None:
            if self._is_own(happening, wanted):
                return True
            if isinstance(happening, Typed):
                return False
        return False

    def _is_own(self, happening: Happening, wanted: type[Settled] | type[Levelled]) -> bool:
        return isinstance(happening, wanted) and happening.seat == self._seat

    @property
    def _wire(self) -> str:
        if self._is_on_pin:
            return "check its switch's wires to the pin and to ground; a switch that sticks: a little more upright"
        return "check the switch's wires on its Pico; a switch that sticks: a little more upright"


_STUCK = "set the switch on its cup a little more upright, so that its ball rolls away when the cup stands"
_TILT = "set the switch on its cup 15° up, legs away from the player, so that it closes when the cup is tipped"
_TURNED = "turn the switch round on its cup, so that it is open while the cup stands"
