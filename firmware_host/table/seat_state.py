"""One seat's state between two messages: held buttons, menu, notice, and the last view on its display.

`SceneChange` tells which presses and notices a new scene has made stale.
"""

from engine import Bid, Reason
from engine.match import visible_seats
from firmware_host.table.effects import SetPeek, Show
from firmware_host.table.health import Alert
from firmware_host.table.parts.part import Part
from firmware_host.table.scenes.scene import Scene, SceneContext
from firmware_host.table.seat.key_input import KeyInterpreter, Step
from firmware_host.table.seat.menu import Menu, SideMenu
from firmware_host.table.seat.view import SceneName, TableReason
from firmware_host.wire import Seat

NOTICE_NS = 3_000_000_000
"""Time for showing why a press was ignored."""
ALERT_NS = 8_000_000_000
"""Time for showing a new alert, unless a press ends it earlier: players were not expecting it."""


class SceneChange:
    """The change between the scenes before and after a message, the same for all seats."""

    def __init__(self, before: Scene, scene: Scene) -> None:
        self.before = before
        self.scene = scene
        self.is_new_part = scene.name is not before.name
        self.is_new_subject = _press_subject(before) != _press_subject(scene)

    def makes_notice_stale(self, seat: Seat) -> bool:
        """Return whether the subject of a seat's notice has changed: the claim, or the awaited player.

        A call and its reveal count as one: a notice from the first holds in the second.
        """
        if self.before.name in _CALLED and self.scene.name in _CALLED:
            return False
        is_wait_over = bool(self.before.waiting_for()) and not self.scene.waiting_for()
        return self.is_new_subject or self.is_new_turn(seat) or is_wait_over

    def is_new_turn(self, seat: Seat) -> bool:
        """Return whether the table has begun or ceased to wait for a seat."""
        return self.before.is_waiting_for(seat) is not self.scene.is_waiting_for(seat)


_CALLED = (SceneName.CALLED, SceneName.REVEAL)


def _press_subject(scene: Scene) -> object:
    """Return a press's subject: the round and its standing claim."""
    if scene.game is None:
        return scene.name
    position = scene.game.position
    return scene.name, scene.game.deals, position.standing, position.passer, scene.paused


class SeatState(Part):
    """One seat's state."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.keys = KeyInterpreter()
        self.side_menu = SideMenu()
        self.wants_peek = False  # OK is held or the cup tilted, with dice to see now or soon
        self.is_peeking = False
        self.peeked_in: str | None = None  # last match in which the seat saw dice before a reveal
        self.page = 0  # of the open hands
        self._own_menu = Menu()  # the scene's items with this seat's cursor
        self._offered = Menu()  # as given by the scene, before any step
        self._stepped_from: Menu | None = None  # before a press that may turn out to be held
        self._menu_since_ns = 0
        self._menu_is_new = False
        self._was_found = False  # the board, in this run of the daemon
        self._notice: tuple[Reason | TableReason | Alert, int] | None = None  # with its end
        self._shown: Show | None = None
        self._peek_is_open = False

    @property
    def deadline_ns(self) -> int | None:
        """The next moment at which time alone changes this state."""
        due = [self.keys.deadline_ns, self.side_menu.deadline_ns, self._notice[1] if self._notice else None]
        return min((at_ns for at_ns in due if at_ns is not None), default=None)

    @property
    def menu(self) -> Menu:
        """The displayed menu: the side menu if open."""
        return self._own_menu if self.side_menu.menu is None else self.side_menu.menu

    @property
    def notice(self) -> Reason | TableReason | Alert | None:
        """The reason for an ignored press or a new alert, while shown."""
        return self._notice[0] if self._notice else None

    def show_notice(self, why: Reason | TableReason, now_ns: int) -> None:
        """Show why a press was ignored."""
        self._notice = why, now_ns + NOTICE_NS

    def show_alert(self, alert: Alert, now_ns: int) -> None:
        """Show a new alert."""
        self._notice = alert, now_ns + ALERT_NS

    def clear_alert(self, alert: Alert) -> None:
        """Take a solved alert off the display."""
        if self.notice is alert:
            self._notice = None

    def clear_notice(self) -> None:
        """Take the notice off the display."""
        self._notice = None

    def tick(self, now_ns: int) -> None:
        """Expire notice and side menu once their deadlines have passed."""
        self.side_menu.expire(now_ns)
        if self._notice is not None and self._notice[1] <= now_ns:
            self._notice = None

    def discard(self) -> None:
        """Treat all keys as released, after a table call raised."""
        self.release_all()

    def release_all(self, *, is_lost: bool = False) -> None:
        """Treat all buttons and the cup as released; with `is_lost` because they don't respond."""
        for _ in self.keys.release_all(is_lost=is_lost):  # it yields as it forgets
            pass
        self.wants_peek = False

    # Cursor and pages

    def step(self, key: Step, now_ns: int, *, may_leave: bool) -> None:
        """Move the cursor; a new press at the row's end opens the side menu if the seat `may_leave`."""
        is_at_the_end = self.menu.cursor >= len(self.menu.items) - 1
        if self.side_menu.is_open:
            self.side_menu.step(key.by, now_ns)
        elif may_leave and is_at_the_end and key.by > 0 and not key.held:
            self.side_menu.open(now_ns)
        else:
            self._step(key)
        self.clear_notice()

    def _step(self, key: Step) -> None:
        """Step at once; if the press turns out to be held, move by whole dice from its start."""
        menu = self._own_menu
        if key.held:
            start = self._stepped_from if self._stepped_from and isinstance(menu.chosen, Bid) else menu
            self._own_menu, self._stepped_from = start.step_dice(key.by), None
        else:
            self._own_menu, self._stepped_from = menu.step(key.by), menu

    def turn_page(self, by: int, pages: int) -> None:
        """Turn the pages of open hands; page 0 before them is the summary."""
        self.page = max(0, min(self.page + by, pages))
        self.clear_notice()

    # From one scene to the next

    def update(
        self, change: SceneChange, context: SceneContext, *, may_agree: bool, may_undo: bool, is_asked: bool
    ) -> None:
        """Follow the table to the next scene: set this seat's view and items."""
        scene = change.scene
        self._update_peek(scene)
        if change.is_new_part or not (self.is_peeking or scene.name is SceneName.REVEAL):
            self.page = 0
        self._offer(scene.menu(self.seat, context), is_new=change.is_new_subject, now_ns=context.now_ns)
        if change.is_new_part or change.is_new_turn(self.seat) or not scene.may_leave(self.seat):
            self.side_menu.close()
        self.side_menu.update(may_agree=may_agree, may_undo=may_undo, is_asked=is_asked, now_ns=context.now_ns)
        if change.makes_notice_stale(self.seat) and not isinstance(self.notice, Alert):
            self._notice = None

    def _update_peek(self, scene: Scene) -> None:
        """Let a player who wants to look do so, or wait for dice that will fall soon; else drop the wish.

        A dropped wish needs the cup put down and tilted again: it may have toppled.
        """
        self.is_peeking = self.wants_peek and scene.look(self.seat) is not None
        self.wants_peek = self.is_peeking or (self.wants_peek and scene.will_have_dice(self.seat))
        if self.is_peeking and (game := scene.game) is not None:
            me = game.player(self.seat)
            if me is not None and visible_seats(game.position, me):
                self.peeked_in = game.id

    def _offer(self, menu: Menu, *, is_new: bool, now_ns: int) -> None:
        """Take the scene's menu; `is_new` if the same items have a new subject.

        The cursor stays while the choice is the same: a call meant for this bid must not hit the next one.
        """
        self._menu_is_new = is_new or menu != self._offered
        if self._menu_is_new:
            self._offered = self._own_menu = menu
            self._stepped_from = None
            self._menu_since_ns = now_ns

    def on_uncovered(self, now_ns: int) -> None:
        """Note that the seat's own menu is uncovered again: earlier presses are void."""
        self.release_all()
        self.side_menu.close()
        self._menu_since_ns, self._menu_is_new = now_ns, True

    # The display

    def on_displayed(self, now_ns: int) -> None:
        """Note that a new menu reached the display only now, after its record was written."""
        if self._menu_is_new:
            self._menu_since_ns = max(now_ns, self._menu_since_ns)

    def on_board_found(self, now_ns: int) -> None:
        """Note a board's first answer: until now it may have shown an earlier run's cursor."""
        if not self._was_found:
            self._was_found, self._menu_since_ns = True, max(now_ns, self._menu_since_ns)

    def had_seen_menu(self, since_ns: int, *, dudo: bool = False) -> bool:
        """Return whether a press found the menu already shown; for DUDO, the standing claim, whatever menu is open."""
        is_own = dudo or self.side_menu.menu is None
        return since_ns >= (self._menu_since_ns if is_own else self.side_menu.since_ns)

    def forget_display(self) -> None:
        """Assume the worst about a display with unknown content: dice."""
        self._peek_is_open, self._shown = True, None

    def peek_change(self) -> SetPeek | None:
        """Return the effect allowing or ending the peek, if changed."""
        if self.is_peeking == self._peek_is_open:
            return None
        self._peek_is_open = self.is_peeking
        return SetPeek(self.seat, self.is_peeking)

    def is_new_frame(self, show: Show) -> bool:
        """Remember the display's picture; return whether it is new."""
        is_new, self._shown = show != self._shown, show
        return is_new
