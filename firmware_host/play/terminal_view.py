"""A table in a terminal: the displays in braille, from their controllers' memory, and the public events beneath.

A small terminal shows only the seats with the latest actions, above all the seat in turn.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self

from PIL import Image
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text

from engine import View
from firmware_host.daemon.seat_display import FrameListener
from firmware_host.play.braille import COLUMNS, ROWS, dots
from firmware_host.table.events import PublicEvent
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SeatInfo, SeatView
from firmware_host.wire import Seat
from hardware.emulated.table import EmulatedSeat

FRAME = 2  # characters that a frame adds in each direction
EVENT_LINES = 6
FRAMES_A_SECOND = 15


class TerminalView:
    """The view in the terminal; `publish` and `watch_seat` feed it, `run` draws until cancelled."""

    def __init__(
        self, console: Console, seats: tuple[SeatInfo, ...], lines: Callable[[PublicEvent], Iterable[str]]
    ) -> None:
        self._console = console
        self._seats = seats
        self._lines = lines
        self._text: deque[str] = deque(maxlen=200)
        self._pictures: dict[Seat, Callable[[], Image.Image]] = {}
        self._in_turn: set[Seat] = set()
        self._by_turn: list[Seat] = []  # seats, the latest to act last
        self._live = Live(console=console, auto_refresh=False, screen=True, vertical_overflow="crop")

    def publish(self, event: PublicEvent) -> None:
        """Add a public event."""
        self._text.extend(self._lines(event))

    def add_line(self, line: str) -> None:
        """Add a line about the opponents."""
        self._text.append(line)

    def watch_seat(self, seat: Seat, emulated: EmulatedSeat) -> FrameListener:
        """Add a seat's display to the view."""
        self._pictures[seat] = emulated.picture

        def see(view: SeatView, menu: Menu, look: View | None) -> None:
            waited_for = view.me is not None and view.me in view.waiting_for
            if waited_for and seat not in self._in_turn:
                self._by_turn = [*(other for other in self._by_turn if other != seat), seat]
            (self._in_turn.add if waited_for else self._in_turn.discard)(seat)

        return see

    def last_lines(self) -> list[str]:
        """Return the last public events, to leave in the terminal."""
        return list(self._text)[-EVENT_LINES - len(self._seats) :]

    async def run(self, speed: float) -> None:
        """Draw at a steady rate; `speed` is in loop seconds per real second."""
        while True:
            self._live.update(self._page(), refresh=True)
            await asyncio.sleep(speed / FRAMES_A_SECOND)

    def _page(self) -> Group:
        width, height = self._console.size
        across = max(1, width // (COLUMNS + FRAME))
        down = max(1, (height - EVENT_LINES) // (ROWS + FRAME))
        grid = Grid.grid(padding=0)
        drawn = self._visible(across * down)
        for start in range(0, len(drawn), across):
            grid.add_row(*(self._panel(seat) for seat in drawn[start : start + across]))
        left = height - -(-len(drawn) // across) * (ROWS + FRAME)
        story = list(self._text)[-max(1, left) :]
        return Group(grid, Text("\n".join(story), no_wrap=True, overflow="ellipsis"))

    def _visible(self, places: int) -> list[Seat]:
        """Return the seats to draw, in layout order: all, or the latest to act."""
        seats = sorted(self._pictures)
        if len(seats) <= places:
            return seats
        recent = [*(seat for seat in seats if seat not in self._by_turn), *self._by_turn]
        return sorted(recent[-places:])

    def _panel(self, seat: Seat) -> Panel:
        info = self._seats[seat]
        style = Style.parse("bold reverse" if seat in self._in_turn else "bold")
        return Panel(
            Text(dots(self._pictures[seat]()), style="bright_white"),
            title=Text(f" {info.name} ", style=style),
            padding=0,
            width=COLUMNS + FRAME,
        )

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._live.stop()
