"""A hand at a seat: the resulting edges on the seat's contacts, and its movements for an accelerometer."""

import asyncio
from collections.abc import Callable
from random import Random

from hardware.emulated import cup_physics

BOUNCE_S = 0.005
"""How long a contact may bounce: cheap push buttons and ball switches stay below it."""

SWING_S = (0.055, 0.110)
"""How long a shaken ball switch stays on one side."""

RATTLE_S = 0.1
"""How long a ball switch rattles when the table is knocked on."""

_MOST_BOUNCES = 4
_TILT = "tilt"


class EmulatedHand:
    """A hand moving one seat's contacts: `move(line, closed)` is called for every edge, bounces included.

    Lines are "tilt" and the names of buttons; a closed tilt switch is a lifted cup. Everything takes time on
    `loop`, and `rng` decides how contacts bounce and how long a swing takes. `carry`, if given, is called with the
    movement of `hardware.emulated.cup_physics` that begins with the cup; it is for a cup with an accelerometer.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        rng: Random,
        move: Callable[[str, bool], None],
        carry: Callable[[int], None] | None = None,
    ) -> None:
        self._loop = loop
        self._rng = rng
        self._move = move
        self._carry = carry or (lambda movement: None)
        self._closed: dict[str, bool] = {}
        self._bounces: dict[str, list[asyncio.TimerHandle]] = {}
        self._swings: list[asyncio.TimerHandle] = []
        self.do_buttons_bounce = True
        """False in real time, where a bounce that a busy machine delays is another press."""

    def closed(self, line: str) -> bool:
        """Tell where a contact has been put, whatever its bounces do."""
        return self._closed.get(line, False)

    def press(self, button: str) -> None:
        """Put a finger down."""
        self._put(button, True)

    def release(self, button: str) -> None:
        """Take it off."""
        self._put(button, False)

    def shake(self, for_s: float = 0.8) -> None:
        """Shake the cup for a time and put it down."""
        self._stop_shaking()
        self._carry(cup_physics.SHAKE)
        at_s, closed = 0.0, False
        while at_s < for_s:
            closed = not closed
            self._swings.append(self._loop.call_later(at_s, self._put, _TILT, closed))
            at_s += self._rng.uniform(*SWING_S)
        self._swings.append(self._loop.call_later(for_s, self.level))

    def slam(self) -> None:
        """Bang the cup down, mouth first."""
        self._move_cup(cup_physics.SLAM, lifted=False)

    def tilt(self) -> None:
        """Lift the cup to look under it."""
        self._move_cup(cup_physics.TILT, lifted=True)

    def level(self) -> None:
        """Put it down."""
        self._move_cup(cup_physics.LEVEL, lifted=False)

    def knock(self) -> None:
        """Knock on the table beside the cup: a contact that is put down rattles."""
        self._carry(cup_physics.KNOCK)
        if self.closed(_TILT):
            return
        at_s = 0.0
        rattle: list[asyncio.TimerHandle] = []
        while at_s < RATTLE_S:
            rattle.append(self._loop.call_later(at_s, self._move, _TILT, len(rattle) % 2 == 0))
            at_s += self._rng.uniform(0.001, 0.02)
        rattle.append(self._loop.call_later(RATTLE_S, self._move, _TILT, False))
        self._bounces[_TILT] = rattle

    def let_go(self) -> None:
        """Stop every motion where it is."""
        self._stop_shaking()
        for bounces in self._bounces.values():
            for bounce in bounces:
                bounce.cancel()

    def _move_cup(self, movement: int, *, lifted: bool) -> None:
        self._stop_shaking()
        self._carry(movement)
        self._put(_TILT, lifted)

    def _stop_shaking(self) -> None:
        for swing in self._swings:
            swing.cancel()
        self._swings.clear()

    def _put(self, line: str, closed: bool) -> None:
        if closed == self.closed(line):
            return
        for bounce in self._bounces.get(line, []):
            bounce.cancel()
        self._closed[line] = closed
        self._move(line, closed)
        levels = [not closed, closed] * self._rng.randint(1, _MOST_BOUNCES)
        delays_s = sorted(self._rng.uniform(0.0001, BOUNCE_S) for _ in levels)
        if self.do_buttons_bounce or line == _TILT:
            self._bounces[line] = [
                self._loop.call_later(delay_s, self._move, line, level)
                for delay_s, level in zip(delays_s, levels, strict=True)
            ]
