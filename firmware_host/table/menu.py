"""The menu of a seat: items in a row with a cursor, and the side menu that every player reaches from it.

The cursor begins at the likeliest item, so that OK alone makes the least raise. ▶ climbs the bids by how much they
claim, held by whole dice; ◀ leads to the calls: dudo is one step away at a seat without a DUDO button. The first bid of
a round begins amid the bids, where the odds are good. The row ends at both ends, so that a press too many does not bid
all the dice on the table. A test counts the presses that a match takes.

In a match ▶ at the end of the row opens the side menu: play on without players who are away, leave for good, or take
the last action back. It asks before a seat is lost, so nobody leaves by leaning on a button. It opens by itself at the
seats that have to answer whether something is taken back.
"""

from collections.abc import Callable, Iterable
from enum import StrEnum

from msgspec import Struct

from engine import ACES, DUDO, PASS, Action, Bid, Call, Position, legal_actions

SIDE_MENU_TIMEOUT_NS = 15_000_000_000
"""Time without a press after which the side menu closes: long enough to read it and think again."""


class MenuCommand(StrEnum):
    """A menu item that is not an action of the match."""

    JOIN = "join"
    START = "start"
    ROBOT_EASY = "robot-easy"  # a robot takes this seat
    ROBOT_MIDDLE = "robot-middle"
    ROBOT_HARD = "robot-hard"
    LEAVE = "leave"
    NAME = "name"  # enter a name
    QUIETER = "quieter"  # the volume, where staff let guests change it
    LOUDER = "louder"
    ROLL = "roll"  # in place of a shake, at a seat whose cup is missing
    GO_ON = "go-on"
    WAIT = "wait"  # the first item out of turn, so that a stray OK calls nothing
    AGAIN = "again"
    BACK = "back"  # from the side menu
    PLAY_ON = "without"  # without the players who are away
    UNDO = "undo"  # ask the others to take the last action back
    KEEP = "keep"  # refuse that
    AGREE = "agree"  # to that
    GIVE_UP = "give-up"  # asks for confirmation
    STAY = "stay"
    QUIT = "go"  # the confirmation


MenuItem = Action | MenuCommand
VOLUME_ITEMS = {MenuCommand.QUIETER: -1, MenuCommand.LOUDER: 1}
"""The items that change the volume, and by how many steps."""


class Menu(Struct, frozen=True):
    """The items that a seat may pick from and the cursor. An empty menu offers nothing."""

    items: tuple[MenuItem, ...] = ()
    cursor: int = 0

    @property
    def chosen(self) -> MenuItem | None:
        """The item under the cursor, which OK picks."""
        return self.items[self.cursor] if self.items else None

    def step(self, by: int) -> "Menu":
        """Return the menu with the cursor moved along the row, as far as it goes."""
        return Menu(self.items, max(0, min(self.cursor + by, len(self.items) - 1)))

    def step_dice(self, by: int) -> "Menu":
        """Return the menu after the step of a held arrow: on a bid by a die, with the same face if there is one.

        The cursor stops at the last bid; where no bid has a die more or less it moves by one item.
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
    """The side menu of one seat: closed, open, or asking for confirmation. `menu` is None while it is closed."""

    def __init__(self) -> None:
        self.menu: Menu | None = None
        self.since_ns = 0  # of these items
        self._until_ns: int | None = None
        self._asks = False
        self._is_asked = False  # whether the last action is taken back

    @property
    def is_open(self) -> bool:
        """Whether the seat picks from it."""
        return self._until_ns is not None or self._is_asked

    @property
    def deadline_ns(self) -> int | None:
        """The moment at which it closes by itself."""
        return self._until_ns

    def open(self, now_ns: int) -> None:
        """Open it, or keep it open."""
        self._until_ns = now_ns + SIDE_MENU_TIMEOUT_NS

    def step(self, by: int, now_ns: int) -> None:
        """Move the cursor; the item that leads back closes it."""
        if not self._is_asked:
            self.open(now_ns)
        if self.menu is not None:
            self.menu = self.menu.step(by)
            if self.menu.chosen is MenuCommand.BACK:
                self.close()

    def ask(self, now_ns: int) -> None:
        """Ask the player to confirm that they leave."""
        self._asks, self._until_ns = True, now_ns + SIDE_MENU_TIMEOUT_NS

    def close(self) -> None:
        """Return to the seat's own menu."""
        self._asks, self._until_ns = False, None

    def expire(self, now_ns: int) -> None:
        """Close it past its deadline."""
        if self._until_ns is not None and self._until_ns <= now_ns:
            self.close()

    def update(self, *, may_agree: bool, may_undo: bool, is_asked: bool, now_ns: int) -> None:
        """Set the items for this moment; the cursor stays where it is as long as they are the same."""
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


def bidding_menu(position: Position, seat: int, *, dudo_button: bool) -> Menu:
    """Return a player's menu in the bidding: calls and pass with dudo nearest to the bids, then bids from the least.

    Out of turn the cursor stands on `WAIT` behind the calls, so that a stray OK calls nothing.
    """
    legal = legal_actions(position, seat)
    exact = [call for call in reversed(Call) if call in legal and call is not DUDO]
    dudo = [DUDO] if DUDO in legal and not dudo_button else []
    if seat != position.turn:
        calls = (*exact, *dudo)
        return Menu((*calls, MenuCommand.WAIT), len(calls)) if calls else Menu()
    before: list[MenuItem] = [*exact, *([PASS] if PASS in legal else []), *dudo]
    bids = ladder(position, seat)
    if not bids:  # then dudo is what is left, with a DUDO button too
        before = [item for item in before if item is not DUDO]
        return Menu((*before, DUDO), len(before))
    fair = _fair_opening(position, seat)
    start = 0 if position.standing is not None else bids.index(min(bids, key=_distance_to(fair)))
    return Menu((*before, *bids), len(before) + start)


def ladder(position: Position, seat: int) -> list[Bid]:
    """Return a player's legal bids on no more dice than are in play, from the least claim up."""
    bids = legal_actions(position, seat).bids
    within = () if bids is None else bids.up_to(position.in_play)
    return _by_claim(within, halving=position.rules.halving_in(position.kind))


def _fair_opening(position: Position, seat: int) -> Bid:
    """Return a bid on a middle face: half of what the odds give a face, and what a player has of their best face.

    That is two dice, but one where aces are not wild and the player has one die or two.
    """
    wilds = position.rules.wilds_in(position.kind)
    own = 2 if wilds or position.dice[seat] > 2 else 1
    return Bid(own + position.in_play // (6 if wilds else 12), 4)


def _distance_to(fair: Bid) -> Callable[[Bid], tuple[int, int]]:
    return lambda bid: (abs(bid.quantity - fair.quantity), abs(bid.face - fair.face))


def _by_claim(bids: Iterable[Bid], *, halving: bool) -> list[Bid]:
    """Sort bids by how much they claim; where aces are wild one of them claims as much as two of another face."""

    def claim(bid: Bid) -> tuple[int, int]:
        weight = 4 * bid.quantity - 1 if halving and bid.face == ACES else 2 * bid.quantity
        return weight, bid.face

    return sorted(bids, key=claim)
