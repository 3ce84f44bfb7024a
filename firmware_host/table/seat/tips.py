"""Tips: a line about a rule on a seat's display, at the moment when it first matters to a new player.

Each depends on public facts, the own menu and whether the player has looked, so no tip depends on a die.
"""

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from engine import ACES, DUDO, Bid, Call, Player, Position, RoundKind
from firmware_host.table.seat.menu import Menu

TIP_NS = 8_000_000_000
"""Time for showing a tip: as long as an alert, since players were not expecting it."""


class Tip(StrEnum):
    """A tip, the most urgent first."""

    SPECIAL = "special"  # why this round is a special one
    HALF = "half"  # the choice jumps to aces
    DOUBLE = "double"  # it leaves them
    BID = "bid"  # what the first bid says, or the one that its player is about to make
    DOUBT = "doubt"  # the first bid that may be doubted
    WILD = "wild"  # aces count as every face
    EXACT = "exact"  # there is an exact call
    BIDDER_PAYS = "bidder-pays"  # after the first doubt
    DOUBTER_PAYS = "doubter-pays"


class TipView(Struct, frozen=True):
    """A tip on a display, with the bids or the call that it names."""

    tip: Tip
    choice: Bid | None = None
    standing: Bid | None = None
    call: Call | None = None
    has_dudo_button: bool = True

    @property
    def is_about_bid(self) -> bool:
        """Whether the next bid makes it pointless."""
        return self.tip in (Tip.HALF, Tip.DOUBLE, Tip.BID, Tip.DOUBT)


def tips_in_bidding(
    position: Position, me: Player, menu: Menu, *, has_looked: bool, has_dudo_button: bool
) -> Iterator[TipView]:
    """Yield the tips that matter to a player now, during the bidding, the most urgent first."""
    rules, standing, chosen = position.rules, position.standing, menu.chosen
    if position.kind is not RoundKind.NORMAL and position.owner is not None:
        yield TipView(Tip.SPECIAL)
    if standing is not None and isinstance(chosen, Bid) and rules.halving_in(position.kind):
        if chosen.face == ACES and standing.face != ACES:
            yield TipView(Tip.HALF, chosen, standing)
        elif chosen.face != ACES and standing.face == ACES and rules.from_aces == "double-or-more":
            yield TipView(Tip.DOUBLE, chosen, standing)
    bid = standing or (chosen if position.turn == me else None)
    if isinstance(bid, Bid):
        yield TipView(Tip.BID, standing=bid)
    if position.turn == me and standing is not None:
        yield TipView(Tip.DOUBT, has_dudo_button=has_dudo_button)
    if has_looked and rules.wilds_in(position.kind):
        yield TipView(Tip.WILD)
    for item in menu.items:
        if isinstance(item, Call) and item is not DUDO:
            yield TipView(Tip.EXACT, call=item)


def tips_after_call(position: Position, me: Player) -> Iterator[TipView]:
    """Yield the tip about a doubt's cost, once all is told. The payer's own display has the payment instead."""
    showdown = position.showdown
    if showdown is not None and showdown.call is DUDO and not showdown.was_pass and not showdown.change[me]:
        yield TipView(Tip.BIDDER_PAYS if showdown.right else Tip.DOUBTER_PAYS)
