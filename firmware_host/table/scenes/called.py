"""A call has been made: everybody reads who called what on which bid, before the cups go up.

What came of it is settled and in the record, so that a restart settles nothing anew, but nobody hears of it before the
reveal: `game` is still the round that was called.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from engine import Call
from firmware_host.table.events import Revealed
from firmware_host.table.scenes.reveal import Reveal
from firmware_host.table.scenes.scene import Game, MatchScene, Scene, SceneContext
from firmware_host.table.seat_view import SceneName, TableReason

CALL_SHOWN_NS = 1_300_000_000
"""Long enough to look up and read a name and a word, too short to press anything in impatience."""


@dataclass(frozen=True)
class Called(MatchScene):
    """The match's seat `caller` made `call`; `outcome` is the game after it. Nobody can do anything about it."""

    name: ClassVar[SceneName] = SceneName.CALLED
    caller: int
    call: Call
    outcome: Game = field(repr=False)  # the showdown's dice are in it

    def begin(self, desk: SceneContext) -> Scene:
        return replace(self, deadline_ns=desk.now_ns + CALL_SHOWN_NS)

    def pressed_in_vain(self, seat: int, desk: SceneContext) -> None:
        if self.player(seat) is None:
            super().pressed_in_vain(seat, desk)
        # To a player the glass itself says what has just happened: no words over the dice that are about to be shown.

    def shaken(self, seat: int, desk: SceneContext) -> Scene:
        if self.player(seat) is None:
            return super().shaken(seat, desk)
        desk.refuse(seat, TableReason.LOOK_FIRST)
        return self

    def tick(self, desk: SceneContext) -> Scene:
        position = self.outcome.position
        assert position.showdown is not None
        desk.announce(Revealed(position.showdown, self.outcome.players, position.dice))
        return Reveal(game=self.outcome.opened(desk)).begin(desk)
