"""All cups are up: everybody sees all dice, the count and its cost, until they go on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from firmware_host.table.menu import Menu, MenuCommand, MenuItem
from firmware_host.table.scenes.scene import MatchScene, Scene, SceneContext
from firmware_host.table.seat_view import SceneName, TableReason

MIN_REVEAL_NS = 2_500_000_000
"""Time before which a shake does not end the reveal."""
MAX_REVEAL_NS = 30_000_000_000
"""Time after which the table goes on by itself."""


@dataclass(frozen=True)
class Reveal(MatchScene):
    """The showdown of `game.position`. It ends when all have pressed OK, when a cup is shaken, or by itself."""

    name: ClassVar[SceneName] = SceneName.REVEAL
    seen: tuple[int, ...] = ()  # players who have pressed OK
    since_ns: int = field(default=0, compare=False)

    def begin(self, context: SceneContext) -> Scene:
        return replace(self, since_ns=context.now_ns, deadline_ns=context.now_ns + MAX_REVEAL_NS)

    def waiting_for(self) -> tuple[int, ...]:
        return tuple(player for player in self.game.position.living if player not in self.seen)

    def menu(self, seat: int, context: SceneContext) -> Menu:
        return Menu((MenuCommand.GO_ON,)) if self.player(seat) in self.waiting_for() else Menu()

    def act(self, seat: int, item: MenuItem, at_ns: int, context: SceneContext) -> Scene:
        player = self.player(seat)
        if item is not MenuCommand.GO_ON or player is None:
            return self
        seen = replace(self, seen=(*self.seen, player))
        return seen if seen.waiting_for() else context.begin_phase(self.game)

    def explain_ignored_press(self, seat: int, context: SceneContext) -> None:
        if self.player(seat) is None:
            super().explain_ignored_press(seat, context)
        # A player's display shows what the table waits for.

    def on_shaken(self, seat: int, context: SceneContext) -> Scene:
        if self.player(seat) is None:
            return super().on_shaken(seat, context)
        if context.now_ns - self.since_ns < MIN_REVEAL_NS:
            context.notify(seat, TableReason.LOOK_FIRST)
            return self
        return context.begin_phase(self.game).on_shaken(seat, context)

    def on_deadline(self, context: SceneContext) -> Scene:
        return context.begin_phase(self.game)
