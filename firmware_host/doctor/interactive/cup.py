"""A seat's cup test: the person shakes it, puts it down, tips it and puts it down; that cup must report each motion."""

from collections.abc import Sequence

from drivers.messages import Levelled, Settled, Shaken, Tilted
from firmware_host.doctor.findings import Finding, wrong
from firmware_host.doctor.interactive.dialogue import Dialogue, Input, TypedLine

NAME = "try"
ANSWER_TIMEOUT_S = 60.0
"""Seconds for a shake or a tip; then the cup counts as dead."""
REST_TIMEOUT_S = 5.0
"""Seconds until a cup must be at rest; once put down it settles within half a second."""


class CupTest:
    """A seat's cup test; the cup is on a pin or has its own firmware."""

    def __init__(self, dialogue: Dialogue, names: Sequence[str], seat: int, *, is_on_pin: bool) -> None:
        self._dialogue = dialogue
        self._names = names
        self._seat = seat
        self._is_on_pin = is_on_pin

    async def shake(self) -> list[Finding]:
        """Ask for a shake, then wait until the cup is at rest."""
        cup = f"{self._names[self._seat]}'s cup"
        if found := await self._wait_for_start(f"  Shake {cup} and put it down.", Shaken):
            what, remedy = found
            return [wrong(NAME, what or f"{cup} does not report a shake", remedy or self._wire)]
        if not await self._wait_for_end(Settled):
            return [wrong(NAME, f"{cup} was shaken and never comes to rest", _STUCK)]
        self._dialogue.say("  right.")
        return []

    async def tip(self) -> list[Finding]:
        """Ask for a tip, as if to look under the cup, then wait until it is level."""
        cup = f"{self._names[self._seat]}'s cup"
        say = f"  Tip {cup} to look under it, count to two, and put it down. (Enter: it has a vibration switch)"
        if found := await self._wait_for_start(say, Tilted):
            what, remedy = found
            return [wrong(NAME, what or f"{cup} does not report that it is tipped", remedy or _TILT)]
        if not await self._wait_for_end(Levelled):
            return [wrong(NAME, f"{cup} was put down and reads as tipped: dice would show", _TURNED)]
        self._dialogue.say("  right.")
        return []

    async def _wait_for_start(self, say: str, wanted: type[Shaken] | type[Tilted]) -> tuple[str, str] | None:
        """Return None when the right motion came, else the actual motion, if any, and the remedy."""
        self._dialogue.discard()
        self._dialogue.say(say)
        others: list[int] = []
        while True:
            received = await self._dialogue.next(ANSWER_TIMEOUT_S)
            if received is None or isinstance(received, TypedLine):
                self._dialogue.say("  nothing came.")
                return "", ""
            if not isinstance(received, wanted):
                continue
            if received.seat == self._seat:
                return None
            mine, other = self._names[self._seat], self._names[received.seat]
            self._dialogue.say(f"  that was {other}'s cup.")
            if received.seat in others:
                return f"{mine}'s cup comes as {other}'s", f"swap the cables of {mine}'s and {other}'s cups"
            others.append(received.seat)

    async def _wait_for_end(self, wanted: type[Settled] | type[Levelled]) -> bool:
        while (received := await self._dialogue.next(REST_TIMEOUT_S)) is not None:
            if self._is_own(received, wanted):
                return True
            if isinstance(received, TypedLine):
                return False
        return False

    def _is_own(self, received: Input, wanted: type[Settled] | type[Levelled]) -> bool:
        return isinstance(received, wanted) and received.seat == self._seat

    @property
    def _wire(self) -> str:
        if self._is_on_pin:
            return "check its switch's wires to the pin and to ground; a switch that sticks: a little more upright"
        return "check the switch's wires on its Pico; a switch that sticks: a little more upright"


_STUCK = "set the switch on its cup a little more upright, so that its ball rolls away when the cup stands"
_TILT = "set the switch on its cup 15° up, legs away from the player, so that it closes when the cup is tipped"
_TURNED = "turn the switch around on its cup, so that it is open while the cup stands"
