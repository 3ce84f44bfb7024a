"""A seat's menu: a line of items with a cursor, the likeliest under it, so that OK alone is the least raise.

▶ climbs the bids, ◀ goes to the calls: dudo is one step away at a seat without a DUDO button. The line ends at both
ends, so a thumb that presses once too often does not bid all the dice on the table.
"""

from collections.abc import Iterable

from msgspec import Struct

from engine import ACES, DUDO, PASS, Bid, Call, Position
from firmware_host.table.commands import Command, Item


class Menu(Struct, frozen=True):
    """The items a seat may pick from and where its cursor stands; an empty menu offers nothing."""

    items: tuple[Item, ...] = ()
    cursor: int = 0

    @property
    def chosen(self) -> Item | None:
        """What OK would do."""
        return self.items[self.cursor] if self.items else None

    def step(self, by: int) -> "Menu":
        """The menu with the cursor moved along the line, as far as it goes."""
        return Menu(self.items, max(0, min(self.cursor + by, len(self.items) - 1)))


def bidding_menu(position: Position, seat: int, *, dudo_button: bool) -> Menu:
    """What a player may pick during the bidding: the calls, nearest the cursor dudo; then bids from the least up.

    Out of turn the cursor stands on `WAIT`, behind the calls, so that a stray OK calls nothing.
    """
    legal = position.legal(seat)
    calls = [call for call in reversed(Call) if call in legal and not (call is DUDO and dudo_button)]
    if seat != position.turn:
        return Menu((*calls, Command.WAIT), len(calls)) if calls else Menu()
    aside: list[Item] = [*([PASS] if PASS in legal else []), *calls]
    bids = legal.bids.up_to(position.in_play) if legal.bids is not None else ()
    ladder = _ladder(bids, halving=position.rules.halving_in(position.kind))
    if not ladder:  # then dudo is what is left, DUDO button or not
        aside = [item for item in aside if item is not DUDO]
        return Menu((*aside, DUDO), len(aside))
    return Menu((*aside, *ladder), len(aside))


def _ladder(bids: Iterable[Bid], *, halving: bool) -> list[Bid]:
    """Bids by how much they claim; where aces are wild one of them claims as much as two of another face."""

    def claim(bid: Bid) -> tuple[int, int]:
        weight = 4 * bid.quantity - 1 if halving and bid.face == ACES else 2 * bid.quantity
        return weight, bid.face

    return sorted(bids, key=claim)
