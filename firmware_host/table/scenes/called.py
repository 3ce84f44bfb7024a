"""The scene after a call: everybody reads caller, call and bid before the cups go up.

The round is settled at once and the result recorded, so a restart settles nothing again. The result is published only
with the reveal: until then `game` holds the called round.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from engine import Action, Call, Player
from firmware_host.table.events import Revealed, UndoneBy
from firmware_host.table.scenes.reveal import Reveal
from firmware_host.table.scenes.scene import Game, MatchScene, Scene, SceneContext
from firmware_host.table.scenes.transitions import after_undo, before_end
from firmware_host.table.seat.view import SceneName, TableReason
from firmware_host.wire import Seat

CALL_SHOWN_NS = 1_300_000_000
"""Time for showing the call: enough to read a name and a word, too short for impatient presses."""


@dataclass(frozen=True)
class Called(MatchScene):
    """Player `caller`'s call; `outcome` is the game after it. Presses have no effect, but staff can undo the call."""

    name: ClassVar[SceneName] = SceneName.CALLED
    caller: Player
    call: Call
    outcome: Game = field(repr=False)  # with the dice of the showdown

    def begin(self, context: SceneContext) -> Scene:
        return replace(self, deadline_ns=context.now_ns + CALL_SHOWN_NS)

    def explain_ignored_press(self, seat: Seat, context: SceneContext) -> None:
        if self.player(seat) is None:
            super().explain_ignored_press(seat, context)
        # A player's display shows the call itself, and a notice would cover the dice about to appear.

    @property
    def last_action(self) -> tuple[Player, Action] | None:
        return self.caller, self.call

    def undo(self, by: UndoneBy, context: SceneContext) -> Scene:
        return after_undo(self.game, self.game.match, (self.caller, self.call), by, context)

    def on_shaken(self, seat: Seat, context: SceneContext) -> Scene:
        if self.player(seat) is None:
            return super().on_shaken(seat, context)
        context.notify(seat, TableReason.LOOK_FIRST)
        return self

    def on_deadline(self, context: SceneContext) -> Scene:
        position = self.outcome.position
        assert position.showdown is not None
        context.announce(Revealed(position.showdown, self.outcome.players, position.dice))
        shown = replace(self.outcome.reveal_deal(context), before_end=before_end(self.game.match, self.outcome.match))
        return Reveal(game=shown).begin(context)
