"""What hangs in front of one player: the picture without dice, the one with, and the gate between them.

Both pictures are at hand, so hiding waits for nothing: not for the table, not for a record on its way to the disk.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from PIL import Image

from drivers.messages import Light
from engine import View
from firmware_host.i18n.words import ENGLISH, Words
from firmware_host.screens import dice_boxes, draw, draw_peek, preload
from firmware_host.table.menu import Menu
from firmware_host.table.seat_view import SeatView

Eyes = Callable[[SeatView, Menu, View | None], None]
"""Somebody who looks at a glass: told what is on it, with the dice only while they are on it."""


class Showing(Protocol):
    """A panel, however it is wired."""

    def show(
        self,
        image: Image.Image,
        *,
        first: bool = False,
        dice: Sequence[tuple[int, int, int, int]] = (),
        lamp: bool = False,
    ) -> None:
        """Replace the picture; returns at once. `first` overtakes other panels; dice stand in boxes `dice` alone.

        `lamp` is a seat board's light: the table waits for this seat.
        """

    def light(self, light: Light) -> None:
        """Shine that brightly."""


class Glass:
    """One seat's panel and its peek gate."""

    def __init__(self, panel: Showing, eyes: Sequence[Eyes] = (), words: Words = ENGLISH) -> None:
        self._panel = panel
        self._eyes = eyes
        self._words = words
        self._shown: tuple[SeatView, Menu, View | None] | None = None
        self._covered: Image.Image | None = None
        self._open = False
        self._has_dice = False  # the latest picture
        self._hides_on_their_way = 0
        preload()

    @property
    def is_open(self) -> bool:
        """Whether dice may be on the glass now."""
        return self._open and not self._hides_on_their_way

    @property
    def may_look(self) -> bool:
        """Whether there is something to look at, while the gate is open."""
        return self._shown is not None and self._shown[2] is not None

    def show(self, view: SeatView, menu: Menu, look: View | None) -> None:
        """Put a new view on the glass."""
        self._shown = view, menu, look
        self._panel.light(view.light)
        self._covered = draw(view, menu, self._words)
        self._refresh()

    def set_gate(self, is_open: bool) -> None:
        """The table opens or closes the peek."""
        was_open, self._open = self.is_open, is_open
        self._refresh_if(was_open is not self.is_open)

    def hide_at_once(self) -> None:
        """A hand let go: hide now, and stay hidden until the table has heard of it (`hide_heard`)."""
        was_open = self.is_open
        self._hides_on_their_way += 1
        self._refresh_if(was_open)

    def hide_heard(self) -> None:
        """The table has taken the message that `hide_at_once` was for."""
        was_open = self.is_open
        self._hides_on_their_way = max(0, self._hides_on_their_way - 1)
        self._refresh_if(was_open is not self.is_open)

    def _refresh_if(self, is_new: bool) -> None:
        if is_new:
            self._refresh()

    def _refresh(self) -> None:
        if self._shown is None or self._covered is None:
            return
        view, menu, look = self._shown
        look = look if self.is_open else None
        lamp = view.me is not None and view.me in view.waiting_for
        if look is None:
            self._panel.show(self._covered, first=self._has_dice, lamp=lamp)
        else:
            self._panel.show(draw_peek(view, menu, look, self._words), dice=dice_boxes(view, look), lamp=lamp)
        self._has_dice = look is not None
        for see in self._eyes:
            see(view, menu, look)
