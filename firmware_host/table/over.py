"""The match is won; anybody's OK takes all of its players back to the lobby for the next one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from firmware_host.table.commands import Command, Item
from firmware_host.table.events import MatchWon
from firmware_host.table.lobby import Lobby
from firmware_host.table.menu import Menu
from firmware_host.table.scene import Desk, MatchScene, Scene
from firmware_host.table.seat_view import SceneName

APPLAUSE_NS = 600_000_000_000


@dataclass(frozen=True)
class Over(MatchScene):
    """The winner and the standing."""

    name: ClassVar[SceneName] = SceneName.OVER

    def begin(self, desk: Desk) -> Scene:
        standings = self.game.standings
        desk.announce(MatchWon(standings[0], standings))
        return replace(self, deadline_ns=desk.now_ns + APPLAUSE_NS)

    def menu(self, seat: int, desk: Desk) -> Menu:
        return Menu((Command.AGAIN,)) if seat in self.game.players else Menu()

    def act(self, seat: int, item: Item, at_ns: int, desk: Desk) -> Scene:
        return Lobby(joined=self.game.players) if item is Command.AGAIN else self

    def tick(self, desk: Desk) -> Scene:
        return Lobby()
