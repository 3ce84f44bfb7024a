"""The bidding: bids, passes and calls until a call ends the round.

Where the rules let anyone call at any moment, actions are collected for 30 ms and the earliest stamp wins, so delays on
the table's own wires do not matter. An action without a possible rival, such as an opening bid or any action of two
players, is played at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

from engine import DUDO, Action, Call, DudoError, Player, Position, Reason, Rules, View, legal_actions
from engine.legality import check
from firmware_host.fairness.chain import action_line
from firmware_host.table.events import ActionTaken, LeaveReason, UndoneBy
from firmware_host.table.scenes.called import Called
from firmware_host.table.scenes.scene import MatchScene, Scene, SceneContext
from firmware_host.table.scenes.transitions import after_leaving, after_undo
from firmware_host.table.seat.menu import Menu, MenuItem, bidding_menu, ladder
from firmware_host.table.seat.view import SceneName, TableReason
from firmware_host.wire import Seat, TimeUp

CALL_WINDOW_NS = 30_000_000
"""Time for collecting actions: longer than any wire needs from an edge to the loop, too short to notice."""


class TimedAction(NamedTuple):
    """A player's action and the press's stamp."""

    player: Player
    action: Action
    at_ns: int


class CallWindow:
    """Actions from the last 30 ms; immutable. Each player's first action counts."""

    __slots__ = ("_actions",)

    def __init__(self, actions: tuple[TimedAction, ...] = ()) -> None:
        self._actions = actions

    def __contains__(self, player: object) -> bool:
        return any(timed.player == player for timed in self._actions)

    def joined_by(self, timed: TimedAction) -> CallWindow:
        """Return the window with one more action."""
        if timed.player in self:
            return self
        return CallWindow((*self._actions, timed))

    def result(self, position: Position) -> tuple[TimedAction, ...]:
        """Return all actions, the winner first; among equal stamps the seat next after the bidder comes first."""

        def rank(timed: TimedAction) -> tuple[int, int]:
            order, bidder = position.order, position.bidder
            start = 0 if bidder is None else order.index(bidder) + 1
            return timed.at_ns, (order.index(timed.player) - start) % len(order)

        return tuple(sorted(self._actions, key=rank))

    def __repr__(self) -> str:
        return f"<CallWindow of {len(self._actions)}>"


@dataclass(frozen=True)
class Bidding(MatchScene):
    """A round with dice under the cups, and the actions competing to be the next."""

    name: ClassVar[SceneName] = SceneName.BIDDING
    window: CallWindow = field(default_factory=CallWindow, compare=False)

    def waiting_for(self) -> tuple[Player, ...]:
        turn = self.game.position.turn
        return () if turn is None else (turn,)

    def look(self, seat: Seat) -> View | None:
        player = self.player(seat)
        return None if player is None else self.game.match.view(player)

    def has_pending_action(self, seat: Seat) -> bool:
        return self.game.player(seat) in self.window

    def menu(self, seat: Seat, context: SceneContext) -> Menu:
        player = self.player(seat)
        if player is None:
            return Menu()
        return bidding_menu(self.game.position, player, dudo_button=context.seats[seat].dudo_button)

    def act(self, seat: Seat, item: MenuItem, at_ns: int, context: SceneContext) -> Scene:
        player = self.game.player(seat)
        if not isinstance(item, Action):
            context.notify(seat, Reason.NOT_IN_TURN)
            return self
        if player is None:
            self.explain_ignored_press(seat, context)
            return self
        try:
            check(self.game.position, player, item)
        except DudoError as refused:
            context.notify(seat, refused.reason)
            return self
        timed = TimedAction(player, item, at_ns)
        due_ns = context.now_ns + CALL_WINDOW_NS if self.deadline_ns is None else self.deadline_ns
        held = replace(self, window=self.window.joined_by(timed), deadline_ns=due_ns)
        return held if held._awaits_presses(context) else held.on_deadline(context)

    @property
    def last_action(self) -> tuple[Player, Action] | None:
        match = self.game.match
        return None if match.undo() is match else match.history[-1]

    def undo(self, by: UndoneBy, context: SceneContext) -> Scene:
        if self.deadline_ns is not None:  # earlier presses count: a quick undo must not beat a call
            return self.on_deadline(context)
        undone = self.last_action
        return self if undone is None else after_undo(self.game, self.game.match.undo(), undone, by, context)

    def may_leave(self, seat: Seat) -> bool:
        return self.player(seat) is not None

    def leave(self, seats: Iterable[Seat], why: LeaveReason, context: SceneContext) -> Scene:
        if self.deadline_ns is not None:  # earlier presses count: leaving must not void a call
            return self.on_deadline(context)
        return after_leaving(self.game, map(self.game.player_at, seats), why, context)

    def on_time_up(self, context: SceneContext) -> Scene:
        player = self.game.position.turn
        if player is None or self.deadline_ns is not None:
            return self if player is None else self.on_deadline(context)
        context.announce(TimeUp(self.game.seat(player)))
        return self._play(TimedAction(player, _default_action(self.game.position, player), context.now_ns), context)

    def on_deadline(self, context: SceneContext) -> Scene:
        winner, *late = self.window.result(self.game.position)
        for timed in late:
            context.notify(self.game.seat(timed.player), TableReason.BID_CHANGED)
        return self._play(winner, context)

    def _awaits_presses(self, context: SceneContext) -> bool:
        """Return whether an earlier press of another player may still arrive.

        Only public facts decide, so the delay is independent of the dice. A robot's action has no wire to travel: it is
        stamped when it is queued, behind every press that has arrived.
        """
        position, window = self.game.position, self.window
        return any(
            player not in window and self.game.seat(player) not in context.robots and legal_actions(position, player)
            for player in position.living
        )

    def _play(self, timed: TimedAction, context: SceneContext) -> Scene:
        chained = self.game.chain(action_line(timed.player, timed.action))
        game = replace(chained, match=chained.match.play(timed.player, timed.action))
        context.announce(ActionTaken(game.seat(timed.player), timed.action))
        showdown = game.position.showdown
        if not isinstance(timed.action, Call) or showdown is None:
            return Bidding(game=game)
        outcome = replace(game, fallen=(*game.fallen, *showdown.out))
        return Called(game=chained, caller=timed.player, call=timed.action, outcome=outcome).begin(context)


def _default_action(position: Position, player: Player) -> Action:
    """Return the action for an overdue player: dudo over a standing bid, else the least opening."""
    return DUDO if DUDO in legal_actions(position, player) else ladder(position, player)[0]


def anyone_may_call(rules: Rules) -> bool:
    """Return whether players out of turn may call, so presses can compete."""
    exact = (rules.exact(name) for name in ("calza", "kill", "spot"))
    return rules.dudo_by == "anyone" or any(call is not None and call.by != "in-turn" for call in exact)
