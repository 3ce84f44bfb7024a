"""One player's display: the picture without dice, the one with, and the gate between them.

Both pictures are at hand, so hiding waits for neither the table nor a record on its way to the disk.
"""

from collections.abc import Callable, Sequence

from PIL import Image

from drivers.messages import Brightness
from engine import View
from firmware_host.devices.displays import DisplayDriver, DisplayProxy
from firmware_host.i18n.catalogues import translation_for
from firmware_host.i18n.words import ENGLISH, Words
from firmware_host.screens import dice_boxes, draw, draw_peek, preload
from firmware_host.screens.spoken import sentence
from firmware_host.table.seat.lamp import lamp_is_on
from firmware_host.table.seat.menu import Menu
from firmware_host.table.seat.view import SeatView

FrameListener = Callable[[SeatView, Menu, View | None], None]
"""A callback for a display's content, with dice only while they are on it."""


class SeatDisplay:
    """One seat's display and its peek gate."""

    def __init__(self, display: DisplayDriver, listeners: Sequence[FrameListener] = (), words: Words = ENGLISH) -> None:
        self._display = display
        self._say = display.say if isinstance(display, DisplayProxy) and display.speaks else None
        self._listeners = listeners
        self._own_words = self._words = words
        self._shown: tuple[SeatView, Menu, View | None] | None = None
        self._covered: Image.Image | None = None
        self._is_dimmed = False
        self._open = False
        self._has_dice = False  # the latest picture
        self._pending_hides = 0
        preload()

    @property
    def is_open(self) -> bool:
        """Whether dice may be on the display now."""
        return self._open and not self._pending_hides

    @property
    def may_look(self) -> bool:
        """Whether there are dice to look at, while the gate is open."""
        return self._shown is not None and self._shown[2] is not None

    def show(self, view: SeatView, menu: Menu, look: View | None) -> None:
        """Show a view, and the dice in `look` while permitted. The picture without them is drawn once a view."""
        if self._covered is None or self._shown is None or (view, menu) != self._shown[:2]:
            self._covered = draw(view, menu, self._words)
        self._shown = view, menu, look
        self._display.set_brightness(self._brightness(view))
        look = look if self.is_open else None
        lamp = lamp_is_on(view)
        if look is None:
            self._display.show(self._covered, first=self._has_dice, lamp=lamp)
        else:
            self._display.show(draw_peek(view, menu, look, self._words), dice=dice_boxes(view, look), lamp=lamp)
        self._has_dice = look is not None
        if self._say is not None:
            self._say(sentence(view, menu, look, self._words), dice=self._has_dice)
        for listener in self._listeners:
            listener(view, menu, look)

    def speak(self, words: Words) -> None:
        """Show everything in another language from now on."""
        self._words, self._covered = words, None
        if self._shown is not None:
            self.show(*self._shown)

    def change_language(self, *, is_own: bool) -> None:
        """Show everything in the next language, or in the layout's."""
        self.speak(self._own_words if is_own else Words(translation_for(self._words.next_language)))

    def set_dimmed(self, is_dimmed: bool) -> None:
        """Limit brightness to dim, the staff setting for dark rooms, or follow the table's brightness."""
        self._is_dimmed = is_dimmed
        if self._shown is not None:
            self._display.set_brightness(self._brightness(self._shown[0]))

    def _brightness(self, view: SeatView) -> Brightness:
        return Brightness.DIM if self._is_dimmed and view.brightness is Brightness.BRIGHT else view.brightness

    def set_gate(self, is_open: bool) -> None:
        """Open or close the peek, for the table."""
        was_open, self._open = self.is_open, is_open
        self._show_again_if(was_open is not self.is_open)

    def hide_now(self) -> None:
        """Hide the dice until the table has taken the hiding message (`hide_processed`)."""
        was_open = self.is_open
        self._pending_hides += 1
        self._show_again_if(was_open)

    def hide_processed(self) -> None:
        """End the effect of `hide_now`: the table has taken the message."""
        was_open = self.is_open
        self._pending_hides = max(0, self._pending_hides - 1)
        self._show_again_if(was_open is not self.is_open)

    def _show_again_if(self, gate_has_changed: bool) -> None:
        if gate_has_changed and self._shown is not None:
            self.show(*self._shown)
