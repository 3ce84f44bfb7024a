"""Whether a seat board's panel shows what it is sent, as far as the board says: for `SeatBoard`, which has one."""

import asyncio
from collections.abc import Callable

from drivers.backoff import Backoff

STEADY_S, LONGEST_STEADY_S = 0.2, 5.0
"""For so long a panel that did not answer must answer again before it is found: longer each time it fails anew."""
MOST_OVERDUE = 27
"""Consecutive pictures without an answer after which the display counts as lost. Each takes `seat_board.PROBE_AFTER_S`
and the 8 ms in which a Pico answers a ping: three seconds in all."""

DARK = "the board's panel does not answer; check its four wires"
UNHEARD = "the board takes short messages and no pictures; try another cable"


class BoardPanel:
    """One board's panel, there until the board says otherwise. `lost` is told why it is not, `found` that it is."""

    def __init__(
        self, *, loop: asyncio.AbstractEventLoop, lost: Callable[[str], None], found: Callable[[], None]
    ) -> None:
        self.is_lit = True
        """Whether the board has said last that its panel answers."""
        self._loop = loop
        self._lost = lost
        self._found = found
        self._is_told_there = True
        self._overdue = 0
        self._steady = Backoff(STEADY_S, LONGEST_STEADY_S)
        self._timer: asyncio.Handle | None = None

    def __repr__(self) -> str:
        return f"<BoardPanel {'there' if self._is_told_there else 'lost'}>"

    def says(self, is_lit: bool) -> None:
        """The board says whether its panel answers."""
        if is_lit is not self.is_lit:
            self.is_lit = is_lit
            if is_lit:
                self._comes_back()
            else:
                self._goes(DARK)

    def picture_overdue(self) -> None:
        """A picture was sent, and nothing heard of it."""
        self._overdue += 1
        if self._overdue == MOST_OVERDUE:
            self._goes(UNHEARD)

    def pictures_unheard(self) -> None:
        """For long no answer has come, to a picture or to a ping behind it: what the host sends does not arrive."""
        self._overdue = MOST_OVERDUE
        self._goes(UNHEARD)

    def picture_answered(self) -> None:
        """The board has said what it holds."""
        was_unheard, self._overdue = self._overdue >= MOST_OVERDUE, 0
        if was_unheard and self.is_lit:
            self._comes_back()

    def board_gone(self) -> None:
        """Nothing is known of it until the board is back."""
        self._forget_steadiness()
        self.is_lit = self._is_told_there
        self._overdue = 0

    def _goes(self, why: str) -> None:
        """At once, whatever it was about to be."""
        self._forget_steadiness()
        if self._is_told_there:
            self._is_told_there = False
            self._lost(why)

    def _comes_back(self) -> None:
        """Not before that has lasted."""
        self._forget_steadiness()
        if not self._is_told_there:
            self._timer = self._loop.call_later(self._steady.next_s(), self._is_back)

    def _is_back(self) -> None:
        self._is_told_there = True
        self._found()

    def _forget_steadiness(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
