"""All cups are up: everybody sees all dice, the count and what it cost, until everybody has seen enough."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from firmware_host.table.menu import Menu, MenuCommand, MenuItem
from firmware_host.table.scenes.scene import MatchScene, Scene, SceneContext
from firmware_host.table.seat_view import SceneName, TableReason

MIN_REVEAL_NS = 2_500_000_000
"""Before this nobody can shake the next round in."""
MAX_REVEAL_NS = 30_000_000_000
"""After this the table goes on by itself."""


@dataclass(frozen=True)
class Reveal(MatchScene):
    """The showdown of `game.position`. It ends when all have pressed OK, when somebody shakes, or after a while."""

    name: ClassVar[SceneName] = SceneName.REVEAL
    seen: tuple[int, ...] = ()  # match seats that have pressed OK
    since_ns: int = field(default=0, compare=False)

    def begin(self, desk: SceneContext) -> Scene:
        return replace(self, since_ns=desk.now_ns, deadline_ns=desk.now_ns + MAX_REVEAL_NS)

    def waiting_for(self) -> tuple[int, ...]:
        return tuple(player for player in self.game.position.living if player not in self.seen)

    def menu(self, seat: int, desk: SceneContext) -> Menu:
        return Menu((MenuCommand.GO_ON,)) if self.player(seat) in self.waiting_for() else Menu()

    def act(self, seat: int, item: MenuItem, at_ns: int, desk: SceneContext) -> Scene:
        player = self.player(seat)
        if item is not MenuCommand.GO_ON or player is None:
            return self
        seen = replace(self, seen=(*self.seen, player))
        return seen if seen.waiting_for() else desk.follow(self.game)

    def pressed_in_vain(self, seat: int, desk: SceneContext) -> None:
        if self.player(seat) is None:
            super().pressed_in_vain(seat, desk)
        # To who plays on, the glass itself says what the table waits for.

    def shaken(self, seat: int, desk: SceneContext) -> Scene:
        if self.player(seat) is None:
            return super().shaken(seat, desk)
        if desk.now_ns - self.since_ns < MIN_REVEAL_NS:
            desk.refuse(seat, TableReason.LOOK_FIRST)
            return self
        return desk.follow(self.game).shaken(seat, desk)

    def tick(self, desk: SceneContext) -> Scene:
        return desk.follow(self.game)
