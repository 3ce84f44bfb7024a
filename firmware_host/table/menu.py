"""What a menu offers besides the engine's actions: the few things a seat can ask of the table itself.

A seat's menu: a line of items with a cursor, the likeliest under it, so that OK alone is the least raise.

▶ climbs the bids by how much they claim, held by whole dice; ◀ goes to the calls: dudo is one step away at a seat
without a DUDO button. An opening begins amid the bids, where the odds are good. The line ends at both ends, so a thumb
that presses once too often does not bid all the dice on the table. `bench.sections.presses` counts what that comes to.

What a player can ask of the table in the midst of a match: to go on without who is away, and to leave for good.

▶ at the end of whatever a seat is offered leads there, and an OK there asks before anything is lost, so nobody comes
upon it by leaning on a button. `Place` has one for its seat; seconds without a press shut it.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum

from msgspec import Struct

from engine import ACES, DUDO, PASS, Action, Bid, Call, Position, legal_actions


class MenuCommand(StrEnum):
    """A wish that is no move in the match."""

    JOIN = "join"
    START = "start"
    LEAVE = "leave"
    ROLL = "roll"  # in place of a shake, at a seat whose cup is missing
    GO_ON = "go-on"
    WAIT = "wait"  # the first entry out of turn, so that a stray OK calls nothing
    AGAIN = "again"
    BACK = "back"  # from what follows, which ▶ leads to at the end of any menu in a match
    WITHOUT = "without"  # to go on without who is away
    GIVE_UP = "give-up"  # asks whether that is meant
    STAY = "stay"
    GO = "go"  # for good


MenuItem = Action | MenuCommand


class Menu(Struct, frozen=True):
    """The items a seat may pick from and where its cursor stands; an empty menu offers nothing."""

    items: tuple[MenuItem, ...] = ()
    cursor: int = 0

    @property
    def chosen(self) -> MenuItem | None:
        """What OK would do."""
        return self.items[self.cursor] if self.items else None

    def step(self, by: int) -> "Menu":
        """The menu with the cursor moved along the line, as far as it goes."""
        return Menu(self.items, max(0, min(self.cursor + by, len(self.items) - 1)))

    def run(self, by: int) -> "Menu":
        """The menu with the cursor moved as a held arrow moves it: on a bid by a die, the face staying if it can.

        It runs along the bids and stops at their end; where no bid has a die more or less it steps.
        """
        here, stepped = self.chosen, self.step(by)
        if not isinstance(here, Bid):
            return stepped
        ahead = self.items[self.cursor + 1 :] if by > 0 else self.items[: self.cursor]
        bids = [bid for bid in ahead if isinstance(bid, Bid) and bid.quantity == here.quantity + by]
        if bids:
            return Menu(self.items, self.items.index(min(bids, key=lambda bid: abs(bid.face - here.face))))
        return stepped if isinstance(stepped.chosen, Bid) else self


def bidding_menu(position: Position, seat: int, *, dudo_button: bool) -> Menu:
    """What a player may pick in the bidding: the calls and the pass, dudo nearest; then bids from the least up.

    Out of turn the cursor stands on `WAIT`, behind the calls, so that a stray OK calls nothing.
    """
    legal = legal_actions(position, seat)
    exact = [call for call in reversed(Call) if call in legal and call is not DUDO]
    dudo = [DUDO] if DUDO in legal and not dudo_button else []
    if seat != position.turn:
        calls = (*exact, *dudo)
        return Menu((*calls, MenuCommand.WAIT), len(calls)) if calls else Menu()
    aside: list[MenuItem] = [*exact, *([PASS] if PASS in legal else []), *dudo]
    bids = ladder(position, seat)
    if not bids:  # then dudo is what is left, DUDO button or not
        aside = [item for item in aside if item is not DUDO]
        return Menu((*aside, DUDO), len(aside))
    start = 0 if position.standing is not None else bids.index(min(bids, key=_far_from(_fair_opening(position))))
    return Menu((*aside, *bids), len(aside) + start)


def ladder(position: Position, seat: int) -> list[Bid]:
    """The bids that a player may make, no more dice than are in play, from the least claim up."""
    bids = legal_actions(position, seat).bids
    within = () if bids is None else bids.up_to(position.in_play)
    return _by_claim(within, halving=position.rules.halving_in(position.kind))


def _fair_opening(position: Position) -> Bid:
    """Half of what the odds give a face, and two of one's own; in the middle of the faces."""
    sides = 3 if position.rules.wilds_in(position.kind) else 6
    return Bid(2 + position.in_play // (2 * sides), 4)


def _far_from(fair: Bid) -> Callable[[Bid], tuple[int, int]]:
    return lambda bid: (abs(bid.quantity - fair.quantity), abs(bid.face - fair.face))


def _by_claim(bids: Iterable[Bid], *, halving: bool) -> list[Bid]:
    """Bids by how much they claim; where aces are wild one of them claims as much as two of another face."""

    def claim(bid: Bid) -> tuple[int, int]:
        weight = 4 * bid.quantity - 1 if halving and bid.face == ACES else 2 * bid.quantity
        return weight, bid.face

    return sorted(bids, key=claim)


SIDE_MENU_TIMEOUT_NS = 15_000_000_000
"""Long enough to read it and think again."""


class SideMenu:
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
        self._until_ns = now_ns + SIDE_MENU_TIMEOUT_NS

    def step(self, by: int, now_ns: int) -> None:
        """A hand is on its way through it; the way back shuts it."""
        self.open(now_ns)
        if self.menu is not None:
            self.menu = self.menu.step(by)
            if self.menu.chosen is MenuCommand.BACK:
                self.shut()

    def ask(self, now_ns: int) -> None:
        """Leaving was picked: ask whether it is meant."""
        self._asks, self._until_ns = True, now_ns + SIDE_MENU_TIMEOUT_NS

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
            return Menu((MenuCommand.STAY, MenuCommand.GO))
        without = (MenuCommand.WITHOUT,) if may_agree else ()
        return Menu((MenuCommand.BACK, *without, MenuCommand.GIVE_UP), 1)
