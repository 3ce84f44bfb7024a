"""One seat's panel on a wire: what it should show and what it shows. `PanelWire` makes it and sends the difference."""

from collections.abc import Callable
from dataclasses import replace

from PIL import Image

from drivers.display.bus_io import IS_OFF, BusName, Question, place
from drivers.display.frame import Boxes, Place, Shown, Sight
from drivers.display.oled import PanelChip
from drivers.display.spi import Select
from drivers.messages import Light
from drivers.timing import Backoff

SILENT_S = 2.0
"""How long a panel goes unasked whether it is still there and still on.

Shorter than it takes to pull a cable and put it back: a panel that was away unnoticed is off.
"""

SET_UP_S = 10.0
"""How often it is set up again: a supply that failed for a moment leaves it dark for no longer."""


class Panel:
    """One seat's panel; made by `PanelWire.panel`. `changed` is told when there is something to send."""

    def __init__(
        self, seat: int, bus: BusName, address: int, chip: PanelChip, changed: Callable[["Panel", bool], None]
    ) -> None:
        self.seat = seat
        self.bus = bus
        self.address = address
        self.chip = chip
        self.lost = False
        self.wanted = Sight()
        self.shown: Shown | None = None
        """What is on the glass; None when nobody knows, and it must be set up anew."""
        self.asked_s = 0.0
        self.set_up_s = 0.0
        self._tells = False
        self.backoff = Backoff()
        self._changed = changed

    def __repr__(self) -> str:
        state = "lost" if self.lost else "there"
        return f"<Panel of seat {self.seat} {place(self.bus, self.address)}, {state}>"

    @property
    def answers(self) -> bool:
        """Whether anybody can know that it is there: on SPI nothing ever answers, and a missing panel isn't missed."""
        return not isinstance(self.bus, Select)

    @property
    def is_looked_at(self) -> bool:
        """Whether somebody may be there to see it: it shines as brightly as it can."""
        return self.wanted.light is Light.BRIGHT

    @property
    def is_right(self) -> bool:
        """Whether it shows what it should and nothing need be sent."""
        return self.shown is not None and self.shown.is_of(self.wanted)

    def show(self, image: Image.Image, *, first: bool = False, dice: Boxes = (), lamp: bool = False) -> None:
        """Replace the picture (128×64, mode "1", ValueError for others) and return at once.

        A picture that is on the glass already isn't sent again, and of another only what differs. With `first` it goes
        before those of the wire's other panels, which is for hiding. `dice` are the boxes (left, top, width, height)
        in which dice may stand: these are always sent, when they come and when they go, because how many dots differ
        in them would tell of the dice to the panels that wait for the wire. A wired seat has no lamp.
        """
        self._want(replace(self.wanted, dots=self.chip.dots(image), dice=self.chip.boxes(dice)), first=first)

    def light(self, light: Light) -> None:
        """Shine that brightly; a dark panel is switched off, and keeps its picture for when it is on again."""
        if light is not self.wanted.light:
            self._want(replace(self.wanted, light=light))

    def move(self, to: Place) -> None:
        """Let the picture stand elsewhere on the glass, at most three columns and rows from its corner."""
        hung = self.chip.place(to)
        if hung != self.wanted.place:
            self._want(replace(self.wanted, place=hung))

    def is_due(self, now_s: float) -> bool:
        """Whether it was not asked for long."""
        return self.shown is not None and now_s - self.asked_s >= SILENT_S

    def question(self, now_s: float) -> Question:
        """What to ask it: its status; from time to time it is set up again, where nothing answers with its picture.

        A panel that is to be dark is not: it is set up when it is switched on.
        """
        self.asked_s = now_s
        payloads: list[bytes] = []
        if self.shown is not None and self._is_lit and (now_s - self.set_up_s >= SET_UP_S or not self.answers):
            self.set_up_s = now_s
            payloads = self.chip.reminder(self.shown, whole=not self.answers)
        return Question(self.bus, self.address, payloads, stays_on=self._tells and self._is_lit)

    def has_forgotten(self, status: int | None) -> bool:
        """Whether its answer says that it lost its supply: a panel that nobody switched off is off then.

        One whose status never says that it is on is not believed; not every module can be read.
        """
        if status is not None and not status & IS_OFF:
            self._tells = True
        return status is not None and bool(status & IS_OFF) and self._tells and self._is_lit

    @property
    def was_dark(self) -> bool:
        """Whether it is to be switched on again: nobody could know whether it kept its memory."""
        return self.shown is not None and not self._is_lit and self.wanted.light is not Light.DARK

    @property
    def _is_lit(self) -> bool:
        return self.shown is not None and self.shown.sight.light is not Light.DARK

    def _want(self, sight: Sight, *, first: bool = False) -> None:
        if sight.looks_like(self.wanted):
            return
        self.wanted = sight
        self._changed(self, first)
