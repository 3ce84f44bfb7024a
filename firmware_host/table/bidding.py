"""Dice are under the cups: bids, passes and calls, until a call lifts all cups.

Where the rules let anyone call at any moment, every deciding action is held for 30 ms and the earliest stamp wins, so
that the table's own delays decide nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from engine import Action, Bid, DudoError, Rules, View
from firmware_host.table.commands import Command, Item
from firmware_host.table.events import Revealed, Said
from firmware_host.table.menu import bidding_items
from firmware_host.table.reveal import Reveal
from firmware_host.table.scene import Desk, MatchScene, Scene
from firmware_host.table.seat_view import Refusal, SceneName

HOLD_NS = 30_000_000
"""Longer than any wire needs from an edge to the loop, shorter than anybody notices."""


@dataclass(frozen=True, slots=True)
class Held:
    """An action that waits for an earlier one, with the bid it was about."""

    player: int
    action: Action
    at_ns: int
    bid: Bid | None


@dataclass(frozen=True)
class Bidding(MatchScene):
    """A round in progress; `held` has the actions of the last 30 ms."""

    name: ClassVar[SceneName] = SceneName.BIDDING
    held: tuple[Held, ...] = field(default=(), compare=False)

    def waiting_for(self) -> tuple[int, ...]:
        turn = self.game.position.turn
        return () if turn is None else (turn,)

    def look(self, seat: int) -> View | None:
        player = self.player(seat)
        return None if player is None else self.game.match.view(player)

    def items(self, seat: int, desk: Desk) -> tuple[Item, ...]:
        player = self.player(seat)
        if player is None:
            return ()
        return bidding_items(self.game.position, player, dudo_button=desk.seats[seat].dudo_button)

    def act(self, seat: int, item: Item, at_ns: int, desk: Desk) -> Scene:
        player = self.game.player(seat)
        if isinstance(item, Command):
            return self
        if player is None:
            desk.refuse(seat, Refusal.NOT_PLAYING)
            return self
        return self._said(Held(player, item, at_ns, self.game.position.standing), desk)

    def _said(self, said: Held, desk: Desk) -> Scene:
        try:
            self.game.position.check(said.player, said.action)
        except DudoError as refused:
            desk.refuse(self.game.players[said.player], refused.reason)
            return self
        if not anyone_may_call(self.game.position.rules):
            return self._done(said, desk)
        if any(held.player == said.player for held in self.held):
            return self  # the first edge of a seat counts
        due_ns = desk.now_ns + HOLD_NS if self.deadline_ns is None else self.deadline_ns
        return replace(self, held=(*self.held, said), deadline_ns=due_ns)

    def tick(self, desk: Desk) -> Scene:
        """The 30 ms are over: the earliest stamp wins, on equal stamps the seat next after the bidder."""
        first, *late = sorted(self.held, key=lambda held: (held.at_ns, self._distance(held.player)))
        for held in late:
            desk.refuse(self.game.players[held.player], Refusal.BID_CHANGED)
        return self._done(first, desk)

    def _distance(self, player: int) -> int:
        position = self.game.position
        start = player if position.bidder is None else position.bidder
        order = position.order
        return (order.index(player) - order.index(start)) % len(order)

    def _done(self, said: Held, desk: Desk) -> Scene:
        game = replace(self.game, match=self.game.match.play(said.player, said.action))
        desk.announce(Said(game.players[said.player], said.action))
        showdown = game.position.showdown
        if game.position.turn is not None or showdown is None:
            return Bidding(game=game)
        desk.announce(Revealed(showdown, game.players, game.position.dice))
        return Reveal(game=replace(game, fallen=(*game.fallen, *showdown.out))).begin(desk)


def anyone_may_call(rules: Rules) -> bool:
    """Whether a call can come from somebody who is not in turn, so that presses can race."""
    exact = (rules.exact(name) for name in ("calza", "kill", "spot"))
    return rules.dudo_by == "anyone" or any(call is not None and call.by == "anyone" for call in exact)
