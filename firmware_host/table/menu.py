"""A seat's menu: a ring of items with a cursor, the likeliest first, so that OK alone is the least raise.

◀ from the first item reaches the last, where the calls are: dudo is one step away at a seat without a DUDO button.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from engine import ACES, DUDO, PASS, Bid, Call, Position
from firmware_host.table.commands import Command, Item


@dataclass(frozen=True, slots=True)
class Menu:
    """The items a seat may pick from and where its cursor stands; an empty menu offers nothing."""

    items: tuple[Item, ...] = ()
    cursor: int = 0

    @property
    def chosen(self) -> Item | None:
        """What OK would do."""
        return self.items[self.cursor] if self.items else None

    def step(self, by: int) -> Self:
        """The menu with the cursor moved along the ring."""
        if not self.items:
            return self
        return type(self)(self.items, (self.cursor + by) % len(self.items))


def bidding_items(position: Position, seat: int, *, dudo_button: bool) -> tuple[Item, ...]:
    """What a player may pick during the bidding: bids from the least up, then pass, then calls."""
    legal = position.legal(seat)
    calls = [call for call in reversed(Call) if call in legal and not (call is DUDO and dudo_button)]
    if seat != position.turn:
        return (Command.WAIT, *calls) if calls else ()
    bids = legal.bids.up_to(position.in_play) if legal.bids is not None else ()
    passing = [PASS] if PASS in legal else []
    items: tuple[Item, ...] = (*_ladder(bids, halving=position.rules.halving_in(position.kind)), *passing, *calls)
    return items or (DUDO,)  # a menu in turn is never empty, DUDO button or not


def _ladder(bids: Iterable[Bid], *, halving: bool) -> list[Bid]:
    """Bids by how much they claim; where aces are wild one of them claims as much as two of another face."""

    def claim(bid: Bid) -> tuple[int, int]:
        weight = 4 * bid.quantity - 1 if halving and bid.face == ACES else 2 * bid.quantity
        return weight, bid.face

    return sorted(bids, key=claim)
