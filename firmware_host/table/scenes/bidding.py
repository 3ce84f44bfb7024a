"""Who pressed first: actions of the last 30 ms, of which the earliest stamp wins.

Dice are under the cups: bids, passes and calls, until a call ends the round.

Where the rules let anyone call at any moment, every deciding action is held for 30 ms and the earliest stamp wins, so
that the table's own delays decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

from engine import DUDO, Action, Call, DudoError, Position, Reason, Rules, View, legal_actions
from engine.legality import check
from firmware_host.fairness.lines import action_line
from firmware_host.table.events import ActionTaken, LeaveReason, TimeUp
from firmware_host.table.menu import Menu, MenuCommand, MenuItem, bidding_menu, ladder
from firmware_host.table.scenes.called import Called
from firmware_host.table.scenes.scene import MatchScene, Scene, SceneContext
from firmware_host.table.scenes.transitions import after_leaving
from firmware_host.table.seat_view import SceneName, TableReason


class TimedAction(NamedTuple):
    """An action as a seat of the match decided on it."""

    player: int
    action: Action
    at_ns: int


class CallWindow:
    """The actions held so far; immutable, empty to begin with. A seat's first edge counts, its later ones do not."""

    __slots__ = ("_held",)

    def __init__(self, held: tuple[TimedAction, ...] = ()) -> None:
        self._held = held

    def __contains__(self, player: object) -> bool:
        return any(held.player == player for held in self._held)

    def joined_by(self, claimed: TimedAction) -> CallWindow:
        """The race with one more action in it."""
        if claimed.player in self:
            return self
        return CallWindow((*self._held, claimed))

    def result(self, position: Position) -> tuple[TimedAction, ...]:
        """All that raced, the winner first; on equal stamps the seat next after the bidder is first."""

        def rank(claimed: TimedAction) -> tuple[int, int]:
            order, bidder = position.order, position.bidder
            start = 0 if bidder is None else order.index(bidder) + 1
            return claimed.at_ns, (order.index(claimed.player) - start) % len(order)

        return tuple(sorted(self._held, key=rank))

    def __repr__(self) -> str:
        return f"<Race of {len(self._held)}>"


CALL_WINDOW_NS = 30_000_000
"""Longer than any wire needs from an edge to the loop, shorter than anybody notices."""


@dataclass(frozen=True)
class Bidding(MatchScene):
    """A round in progress, and the actions that race to change it."""

    name: ClassVar[SceneName] = SceneName.BIDDING
    race: CallWindow = field(default_factory=CallWindow, compare=False)

    def waiting_for(self) -> tuple[int, ...]:
        turn = self.game.position.turn
        return () if turn is None else (turn,)

    def look(self, seat: int) -> View | None:
        player = self.player(seat)
        return None if player is None else self.game.match.view(player)

    def holds(self, seat: int) -> bool:
        return self.game.player(seat) in self.race

    def menu(self, seat: int, desk: SceneContext) -> Menu:
        player = self.player(seat)
        if player is None:
            return Menu()
        return bidding_menu(self.game.position, player, dudo_button=desk.seats[seat].dudo_button)

    def act(self, seat: int, item: MenuItem, at_ns: int, desk: SceneContext) -> Scene:
        player = self.game.player(seat)
        if isinstance(item, MenuCommand):
            desk.refuse(seat, Reason.NOT_IN_TURN)
            return self
        if player is None:
            self.pressed_in_vain(seat, desk)
            return self
        try:
            check(self.game.position, player, item)
        except DudoError as refused:
            desk.refuse(seat, refused.reason)
            return self
        claimed = TimedAction(player, item, at_ns)
        if not anyone_may_call(self.game.position.rules):
            return self._done(claimed, desk)
        due_ns = desk.now_ns + CALL_WINDOW_NS if self.deadline_ns is None else self.deadline_ns
        return replace(self, race=self.race.joined_by(claimed), deadline_ns=due_ns)

    def may_leave(self, seat: int) -> bool:
        return self.player(seat) is not None

    def leave(self, seats: Iterable[int], why: LeaveReason, desk: SceneContext) -> Scene:
        if self.deadline_ns is not None:  # what was pressed before counts: nobody voids a call by leaving
            return self.tick(desk)
        return after_leaving(self.game, map(self.game.players.index, seats), why, desk)

    def time_up(self, desk: SceneContext) -> Scene:
        player = self.game.position.turn
        if player is None or self.deadline_ns is not None:
            return self if player is None else self.tick(desk)
        desk.announce(TimeUp(self.game.players[player]))
        return self._done(TimedAction(player, _least(self.game.position, player), desk.now_ns), desk)

    def tick(self, desk: SceneContext) -> Scene:
        winner, *late = self.race.result(self.game.position)
        for claimed in late:
            desk.refuse(self.game.players[claimed.player], TableReason.BID_CHANGED)
        return self._done(winner, desk)

    def _done(self, said: TimedAction, desk: SceneContext) -> Scene:
        told = self.game.linked(action_line(said.player, said.action))
        game = replace(told, match=told.match.play(said.player, said.action))
        desk.announce(ActionTaken(game.players[said.player], said.action))
        showdown = game.position.showdown
        if not isinstance(said.action, Call) or showdown is None:
            return Bidding(game=game)
        outcome = replace(game, fallen=(*game.fallen, *showdown.out))
        return Called(game=told, caller=said.player, call=said.action, outcome=outcome).begin(desk)


def _least(position: Position, player: int) -> Action:
    """What is said for a player whose time is up: dudo where something stands, else the least opening."""
    return DUDO if DUDO in legal_actions(position, player) else ladder(position, player)[0]


def anyone_may_call(rules: Rules) -> bool:
    """Whether a call can come from somebody who is not in turn, so that presses can race."""
    exact = (rules.exact(name) for name in ("calza", "kill", "spot"))
    return rules.dudo_by == "anyone" or any(call is not None and call.by == "anyone" for call in exact)
