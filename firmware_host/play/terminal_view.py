"""An evening in a terminal: the panels as their controllers hold them, in dots, and the story beneath.

What does not fit is left out: on a small terminal the seat in turn has the stage alone.
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
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatInfo, SeatView
from hardware.emulated.table import EmulatedSeat

FRAME = 2  # characters a frame adds to a panel, either way
STORY_LINES = 6
FRAMES_A_SECOND = 15


class Watch:
    """The terminal as an onlooker; `tell` and `onlooker` feed it, `run` draws until cancelled."""

    def __init__(
        self, console: Console, seats: tuple[SeatInfo, ...], lines: Callable[[PublicEvent], Iterable[str]]
    ) -> None:
        self._console = console
        self._seats = seats
        self._lines = lines
        self._story: deque[str] = deque(maxlen=200)
        self._pictures: dict[int, Callable[[], Image.Image]] = {}
        self._in_turn: set[int] = set()
        self._on_stage: list[int] = []  # the latest to act last
        self._live = Live(console=console, auto_refresh=False, screen=True, vertical_overflow="crop")

    def tell(self, event: PublicEvent) -> None:
        """Hear the public story."""
        self._story.extend(self._lines(event))

    def onlooker(self, number: int, seat: EmulatedSeat) -> FrameListener:
        """Watch a seat's glass."""
        self._pictures[number] = seat.picture

        def see(view: SeatView, menu: Menu, look: View | None) -> None:
            waited_for = view.me is not None and view.me in view.waiting_for
            if waited_for and number not in self._in_turn:
                self._on_stage = [*(seat for seat in self._on_stage if seat != number), number]
            (self._in_turn.add if waited_for else self._in_turn.discard)(number)

        return see

    def last_lines(self) -> list[str]:
        """The end of the story, to leave behind in the terminal."""
        return list(self._story)[-STORY_LINES - len(self._seats) :]

    async def run(self, speed: float) -> None:
        """Draw at a steady pace; `speed` is how many of the loop's seconds pass in a real one."""
        while True:
            self._live.update(self._page(), refresh=True)
            await asyncio.sleep(speed / FRAMES_A_SECOND)

    def _page(self) -> Group:
        width, height = self._console.size
        across = max(1, width // (COLUMNS + FRAME))
        down = max(1, (height - STORY_LINES) // (ROWS + FRAME))
        grid = Grid.grid(padding=0)
        stage = self._stage(across * down)
        for start in range(0, len(stage), across):
            grid.add_row(*(self._panel(seat) for seat in stage[start : start + across]))
        left = height - -(-len(stage) // across) * (ROWS + FRAME)
        story = list(self._story)[-max(1, left) :]
        return Group(grid, Text("\n".join(story), no_wrap=True, overflow="ellipsis"))

    def _stage(self, places: int) -> list[int]:
        """The seats to draw, in the order of the layout: all, or those who acted last."""
        seats = sorted(self._pictures)
        if len(seats) <= places:
            return seats
        recent = [*(seat for seat in seats if seat not in self._on_stage), *self._on_stage]
        return sorted(recent[-places:])

    def _panel(self, seat: int) -> Panel:
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
