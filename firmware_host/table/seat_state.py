"""One seat's side of the table: the hand on its buttons, its menu, its notice, and what is on its glass.

What presses and refusals are about: `Table` sees by this when what stands has moved on and they are stale.
"""

from engine import Bid, Reason
from engine.view import visible_seats
from firmware_host.table.alerts import Alert
from firmware_host.table.effects import SetPeek, Show
from firmware_host.table.key_input import KeyInterpreter, Peek, Step
from firmware_host.table.menu import Menu, SideMenu
from firmware_host.table.scenes.scene import Scene, SceneContext
from firmware_host.table.seat_view import SceneName, TableReason

NOTICE_NS = 3_000_000_000
"""How long a refusal stays on the glass."""
ALERT_NS = 8_000_000_000
"""How long what befalls the house does, or until a button is pressed: nobody was looking for it."""


class SeatState:
    """What `Table` remembers of one seat between two messages."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.keys = KeyInterpreter()
        self.aside = SideMenu()
        self.wants_look = False  # OK is held or the cup is tilted, where there is or will be something to see
        self.looks = False  # and there is
        self.looked_in: str | None = None  # the last match in which it has seen dice before a reveal
        self.leaf = 0  # of the hands that lie open before it
        self._scenes = Menu()  # the scene's menu
        self._offered = Menu()  # as the scene gave it, before any step
        self._stepped_from: Menu | None = None  # where the press came down that may yet turn out to be held
        self._menu_since_ns = 0
        self._is_lit = False  # by this table, not by one of an earlier run
        self._menu_is_new = False
        self._notice: tuple[Reason | TableReason | Alert, int] | None = None  # and until when
        self._notice_is_new = False  # told about the message that is being handled
        self._shown: Show | None = None
        self._gate_is_open = False

    @property
    def deadline_ns(self) -> int | None:
        """When time alone changes something here."""
        due = [self.keys.deadline_ns, self.aside.deadline_ns, self._notice[1] if self._notice else None]
        return min((at_ns for at_ns in due if at_ns is not None), default=None)

    @property
    def menu(self) -> Menu:
        """What is on the glass to pick from."""
        return self._scenes if self.aside.menu is None else self.aside.menu

    @property
    def notice(self) -> Reason | TableReason | Alert | None:
        """Why the last press did nothing, or what has befallen the house, as long as that is on the glass."""
        return self._notice[0] if self._notice else None

    def tell(self, why: Reason | TableReason, now_ns: int) -> None:
        """Put a notice on the glass."""
        self._notice, self._notice_is_new = (why, now_ns + NOTICE_NS), True

    def warn(self, what: Alert, now_ns: int) -> None:
        """Put on the glass what has befallen the house."""
        self._notice = what, now_ns + ALERT_NS

    def forget_trouble(self, what: Alert) -> None:
        """It is mended."""
        if self.notice is what:
            self._notice = None

    def forget_notice(self) -> None:
        """Take the notice away."""
        self._notice = None

    def pass_time(self, now_ns: int) -> None:
        """So late is it."""
        self.aside.pass_time(now_ns)
        if self._notice is not None and self._notice[1] <= now_ns:
            self._notice = None

    def let_go(self) -> None:
        """Whatever is held here is held by no hand any more."""
        for key in self.keys.let_go():
            if isinstance(key, Peek):
                self.wants_look = key.open

    # The hand's way through the menu

    def step(self, key: Step, now_ns: int, *, may_leave: bool) -> None:
        """Move the cursor; another press at its end leads aside, where one `may_leave`."""
        is_at_the_end = self.menu.cursor >= len(self.menu.items) - 1
        if self.aside.is_open:
            self.aside.step(key.by, now_ns)
        elif may_leave and is_at_the_end and key.by > 0 and not key.held:
            self.aside.open(now_ns)
        else:
            self._step(key)
        self.forget_notice()

    def _step(self, key: Step) -> None:
        """A press steps at once; if it turns out to be held it runs instead, from where it began."""
        menu = self._scenes
        if key.held:
            start = self._stepped_from if self._stepped_from and isinstance(menu.chosen, Bid) else menu
            self._scenes, self._stepped_from = start.run(key.by), None
        else:
            self._scenes, self._stepped_from = menu.step(key.by), menu

    def turn_leaf(self, by: int, leaves: int) -> None:
        """Leaf through so many hands, and the summary before them."""
        self.leaf = max(0, min(self.leaf + by, leaves))
        self.forget_notice()

    # What the evening holds for the seat

    def follow(self, scene: Scene, before: Scene, desk: SceneContext, *, may_agree: bool) -> None:
        """The evening has come from `before` to `scene`: what there is to see and to pick here now."""
        self._look(scene)
        if scene.name is not before.name or not (self.looks or scene.name is SceneName.REVEAL):
            self.leaf = 0
        anew = press_context(before) != press_context(scene)
        self._offer(scene.menu(self.seat, desk), anew=anew, now_ns=desk.now_ns)
        if scene.name is not before.name or scene.awaits(self.seat) is not before.awaits(self.seat):
            self.aside.shut()
        self.aside.offer(may_agree=may_agree, now_ns=desk.now_ns)
        if notice_context(before, self.seat) != notice_context(scene, self.seat):
            self._outlive_notice()
        self._notice_is_new = False

    def _look(self, scene: Scene) -> None:
        """Let who wants to look do so, or go on wanting to if it will be possible soon; else forget the wish.

        A cup that was lifted when nothing was to come of it has to be put down and lifted again: it may have toppled.
        """
        may_look = scene.look(self.seat) is not None
        self.wants_look = self.wants_look and (may_look or scene.deals_soon(self.seat))
        self.looks = self.wants_look and may_look
        me = None if scene.game is None else scene.game.player(self.seat)
        if self.looks and scene.game is not None and me is not None and visible_seats(scene.game.position, me):
            self.looked_in = scene.game.id

    def _outlive_notice(self) -> None:
        """What a notice is about has changed: one from before the message is true no more."""
        if not (self._notice_is_new or isinstance(self.notice, Alert)):
            self._notice = None

    def _offer(self, menu: Menu, *, anew: bool, now_ns: int) -> None:
        """Take what the scene offers; `anew` where the same words are about something else now.

        The cursor stays where it is as long as it is the same choice: a call that was about to be made is not made on
        the next bid.
        """
        self._menu_is_new = anew or menu != self._offered
        if self._menu_is_new:
            self._offered = self._scenes = menu
            self._stepped_from = None
            self._menu_since_ns = now_ns

    def on_glass(self, now_ns: int) -> None:
        """A new menu has reached the glass only now: a record kept it waiting."""
        if self._menu_is_new:
            self._menu_since_ns = max(now_ns, self._menu_since_ns)

    def light_up(self, now_ns: int) -> None:
        """A board answers for the first time: until now it may have shown where an earlier run had the cursor."""
        if not self._is_lit:
            self._is_lit, self._menu_since_ns = True, max(now_ns, self._menu_since_ns)

    def had_seen(self, since_ns: int) -> bool:
        """Whether the menu was already there when a finger came down."""
        return since_ns >= (self._menu_since_ns if self.aside.menu is None else self.aside.since_ns)

    def forget_glass(self) -> None:
        """Nobody knows what the glass has: for all it is worth, dice that are seen."""
        self._gate_is_open, self._shown = True, None

    def gate(self) -> SetPeek | None:
        """The gate's change, if it is to change."""
        if self.looks == self._gate_is_open:
            return None
        self._gate_is_open = self.looks
        return SetPeek(self.seat, self.looks)

    def news(self, show: Show) -> Show | None:
        """`show`, unless just that is on the glass."""
        if show == self._shown:
            return None
        self._shown = show
        return show


def press_context(scene: Scene) -> object:
    """What a press is about: the round and the claim that stands in it."""
    if scene.game is None:
        return scene.name
    position = scene.game.position
    return scene.name, scene.game.deals, position.standing, position.passer


def notice_context(scene: Scene, seat: int) -> object:
    """What a refusal at a seat is about: what stands, and whether the table waits for that seat.

    A call and its reveal are one: what is told of the one holds in the other.
    """
    if scene.name in (SceneName.CALLED, SceneName.REVEAL):
        return SceneName.REVEAL
    return press_context(scene), scene.awaits(seat)
