"""A seat's menu: a row of items with a cursor, and the side menu behind it for every player.

The cursor begins at the likeliest item, so OK alone makes the least raise. ▶ climbs the bids by their claim, held by
whole dice; ◀ leads to the calls: without a DUDO button, dudo is one step away. A round's first bid begins amid the
bids, where the odds are good. The row stops at both ends, so one press too many never bids all the dice on the table. A
test counts presses for a whole match.

In a match ▶ at the row's end opens the side menu: play on without players who are away, leave for good, or take the
last action back. Leaving asks for confirmation, so a leant-on button loses no seat. The side menu opens by itself at
seats that must answer an undo request.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

from engine import ACES, DUDO, PASS, Action, Bid, Call, Player, Position, legal_actions
from firmware_host.table.robot_level import RobotLevel

SIDE_MENU_TIMEOUT_NS = 15_000_000_000
"""Time without a press before the side menu closes: long enough to read it and think again."""


class MenuCommand(StrEnum):
    """A menu item other than a match action or a robot's level."""

    JOIN = "join"
    LEARN = "learn"  # begins the lesson
    PHONE = "phone"  # shows the way in for a phone; OK has no effect
    START = "start"
    LEAVE = "leave"
    NAME = "name"  # enter a name
    LANGUAGE = "language"  # the next one, at this display
    QUIETER = "quieter"  # where staff let guests change the volume
    LOUDER = "louder"
    ROLL = "roll"  # in place of a shake, at a seat whose cup is missing
    GO_ON = "go-on"
    WAIT = "wait"  # first item out of turn, so a stray OK makes no call
    AGAIN = "again"
    BACK = "back"  # leaves the side menu
    PLAY_ON = "without"  # without the players who are away
    UNDO = "undo"  # ask the others to take the last action back
    KEEP = "keep"  # refuses the undo
    AGREE = "agree"  # to the undo
    GIVE_UP = "give-up"  # asks for confirmation
    STAY = "stay"
    QUIT = "go"  # the confirmation


MenuItem = Action | MenuCommand | RobotLevel
"""A menu's item. A level, in the lobby, seats a robot of that level here."""
VOLUME_ITEMS = {MenuCommand.QUIETER: -1, MenuCommand.LOUDER: 1}
"""The volume items and their steps."""


class Menu(Struct, frozen=True):
    """A seat's items and cursor. An empty menu offers no choice."""

    items: tuple[MenuItem, ...] = ()
    cursor: int = 0

    @property
    def chosen(self) -> MenuItem | None:
        """The item under the cursor, picked by OK."""
        return self.items[self.cursor] if self.items else None

    def step(self, by: int) -> "Menu":
        """Return the menu with the cursor moved along the row, stopping at its ends."""
        return Menu(self.items, max(0, min(self.cursor + by, len(self.items) - 1)))

    def step_dice(self, by: int) -> "Menu":
        """Return the menu after a held arrow's step: from a bid by one die, to the same face if possible.

        The cursor stops at the last bid; without a bid one die up or down it moves by one item.
        """
        here, stepped = self.chosen, self.step(by)
        if not isinstance(here, Bid):
            return stepped
        ahead = self.items[self.cursor + 1 :] if by > 0 else self.items[: self.cursor]
        bids = [bid for bid in ahead if isinstance(bid, Bid) and bid.quantity == here.quantity + by]
        if bids:
            return Menu(self.items, self.items.index(min(bids, key=lambda bid: abs(bid.face - here.face))))
        return stepped if isinstance(stepped.chosen, Bid) else self


class SideMenu:
    """One seat's side menu: closed, open, or asking for confirmation. `menu` is None while closed."""

    def __init__(self) -> None:
        self.menu: Menu | None = None
        self.since_ns = 0  # when these items were set
        self._until_ns: int | None = None
        self._asks = False
        self._is_asked = False  # the seat must answer an undo request

    @property
    def is_open(self) -> bool:
        """Whether the seat picks from the side menu."""
        return self._until_ns is not None or self._is_asked

    @property
    def deadline_ns(self) -> int | None:
        """The moment at which the menu closes by itself."""
        return self._until_ns

    def open(self, now_ns: int) -> None:
        """Open the menu, or keep it open."""
        self._until_ns = now_ns + SIDE_MENU_TIMEOUT_NS

    def step(self, by: int, now_ns: int) -> None:
        """Move the cursor; where the menu has a back item, a step to the left closes it."""
        if not self._is_asked:
            self.open(now_ns)
        if self.menu is not None:
            self.menu = self.menu.step(by)
            if by < 0 and MenuCommand.BACK in self.menu.items:
                self.close()

    def ask(self, now_ns: int) -> None:
        """Ask the player to confirm leaving."""
        self._asks, self._until_ns = True, now_ns + SIDE_MENU_TIMEOUT_NS

    def close(self) -> None:
        """Return to the seat's own menu."""
        self._asks, self._until_ns = False, None

    def expire(self, now_ns: int) -> None:
        """Close the menu once its deadline has passed."""
        if self._until_ns is not None and self._until_ns <= now_ns:
            self.close()

    def update(self, *, may_agree: bool, may_undo: bool, is_asked: bool, now_ns: int) -> None:
        """Set the present items; the cursor stays while they are the same."""
        if is_asked and not self._is_asked:
            self.close()
        self._is_asked = is_asked
        menu = self._offered(may_agree=may_agree, may_undo=may_undo)
        if menu is None or self.menu is None or menu.items != self.menu.items:
            self.menu, self.since_ns = menu, now_ns

    def _offered(self, *, may_agree: bool, may_undo: bool) -> Menu | None:
        if self._is_asked:
            return Menu((MenuCommand.KEEP, MenuCommand.AGREE))
        if not self.is_open:
            return None
        if self._asks:
            return Menu((MenuCommand.STAY, MenuCommand.QUIT))
        play_on = (MenuCommand.PLAY_ON,) if may_agree else ()
        undo = (MenuCommand.UNDO,) if may_undo else ()
        return Menu((MenuCommand.BACK, *play_on, MenuCommand.GIVE_UP, *undo), 1)


@lru_cache(maxsize=8)  # each seat's: the table asks after every message
def bidding_menu(position: Position, player: Player, *, dudo_button: bool) -> Menu:
    """Return a player's bidding menu: calls and pass with dudo nearest to the bids, then bids from the least.

    Out of turn the cursor stands on `WAIT` behind the calls, so a stray OK makes no call.
    """
    legal = legal_actions(position, player)
    exact = [call for call in reversed(Call) if call in legal and call is not DUDO]
    dudo = [DUDO] if DUDO in legal and not dudo_button else []
    if player != position.turn:
        calls = (*exact, *dudo)
        return Menu((*calls, MenuCommand.WAIT), len(calls)) if calls else Menu()
    before: list[MenuItem] = [*exact, *([PASS] if PASS in legal else []), *dudo]
    bids = ladder(position, player)
    if not bids:  # dudo remains, with a DUDO button too
        before = [item for item in before if item is not DUDO]
        return Menu((*before, DUDO), len(before))
    fair = _fair_opening(position, player)
    start = 0 if position.standing is not None else bids.index(min(bids, key=_distance_to(fair)))
    return Menu((*before, *bids), len(before) + start)


def ladder(position: Position, player: Player) -> list[Bid]:
    """Return a player's legal bids from the least claim up, within the dice in play."""
    bids = legal_actions(position, player).bids
    within = () if bids is None else bids.up_to(position.in_play)
    return _by_claim(within, halving=position.rules.halving_in(position.kind))


def _fair_opening(position: Position, player: Player) -> Bid:
    """Return a bid on a middle face: half the expected number, plus a player's usual holding in their best face.

    That holding is two dice, or one where aces are not wild and the player has one die or two.
    """
    wilds = position.rules.wilds_in(position.kind)
    own = 2 if wilds or position.dice[player] > 2 else 1
    return Bid(own + position.in_play // (6 if wilds else 12), 4)


def _distance_to(fair: Bid) -> Callable[[Bid], tuple[int, int]]:
    return lambda bid: (abs(bid.quantity - fair.quantity), abs(bid.face - fair.face))


def _by_claim(bids: Iterable[Bid], *, halving: bool) -> list[Bid]:
    """Sort bids by claim; where aces are wild, one ace claims as much as two dice showing another face."""

    def claim(bid: Bid) -> tuple[int, int]:
        weight = 4 * bid.quantity - 1 if halving and bid.face == ACES else 2 * bid.quantity
        return weight, bid.face

    return sorted(bids, key=claim)
