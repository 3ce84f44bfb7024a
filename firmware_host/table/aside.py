"""What a player can ask of the table in the midst of a match: to go on without who is away, and to leave for good.

▶ at the end of whatever a seat is offered leads there, and an OK there asks before anything is lost, so nobody comes
upon it by leaning on a button. `Place` has one for its seat; seconds without a press shut it.
"""

from firmware_host.table.commands import Command
from firmware_host.table.menu import Menu

OPEN_NS = 15_000_000_000
"""Long enough to read it and think again."""


class Aside:
    """One seat's: shut, open, or asking whether leaving is meant. `menu` lies over the seat's own, None while shut."""

    def __init__(self) -> None:
        self.menu: Menu | None = None
        self.since_ns = 0  # the menu's words
        self._until_ns: int | None = None
        self._asks = False

    @property
    def is_open(self) -> bool:
        """Whether the seat picks from it."""
        return self._until_ns is not None

    @property
    def deadline_ns(self) -> int | None:
        """When it shuts by itself."""
        return self._until_ns

    def open(self, now_ns: int) -> None:
        """A hand is on its way into it."""
        self._until_ns = now_ns + OPEN_NS

    def step(self, by: int, now_ns: int) -> None:
        """A hand is on its way through it; the way back shuts it."""
        self.open(now_ns)
        if self.menu is not None:
            self.menu = self.menu.step(by)
            if self.menu.chosen is Command.BACK:
                self.shut()

    def ask(self, now_ns: int) -> None:
        """Leaving was picked: ask whether it is meant."""
        self._asks, self._until_ns = True, now_ns + OPEN_NS

    def shut(self) -> None:
        """Back to the match."""
        self._asks, self._until_ns = False, None

    def pass_time(self, now_ns: int) -> None:
        """So late is it."""
        if self._until_ns is not None and self._until_ns <= now_ns:
            self.shut()

    def offer(self, *, may_agree: bool, now_ns: int) -> None:
        """What it offers now; the cursor stays where it is among the same words."""
        menu = self._offered(may_agree=may_agree)
        if menu is None or self.menu is None or menu.items != self.menu.items:
            self.menu, self.since_ns = menu, now_ns

    def _offered(self, *, may_agree: bool) -> Menu | None:
        """Going on comes first where the seat is asked to."""
        if not self.is_open:
            return None
        if self._asks:
            return Menu((Command.STAY, Command.GO))
        without = (Command.WITHOUT,) if may_agree else ()
        return Menu((Command.BACK, *without, Command.GIVE_UP), 1)
