"""The scene after a won match; OK at any seat returns its players to the lobby, except those who have left."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Game, MatchScene, Scene, SceneContext
from firmware_host.table.seat.menu import Menu, MenuCommand, MenuItem
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import Joined, MatchWon, Seat

MATCH_OVER_TIMEOUT_NS = 600_000_000_000
"""Longest time for showing the winner."""


@dataclass(frozen=True)
class MatchOver(MatchScene):
    """The winner and the standings."""

    name: ClassVar[SceneName] = SceneName.OVER
    gone: tuple[Seat, ...] = ()  # layout seats without a place in the next match

    @property
    def stays(self) -> tuple[Seat, ...]:
        """The layout seats that will also play the next match, as things stand."""
        left = self.game.seats(self.game.left)
        return tuple(seat for seat in self.game.players if seat not in left and seat not in self.gone)

    @property
    def ended(self) -> Game | None:
        return self.game.reopened

    def begin(self, context: SceneContext) -> Scene:
        standings = self.game.standings
        context.announce(MatchWon(standings[0], standings))
        return replace(self, deadline_ns=context.now_ns + MATCH_OVER_TIMEOUT_NS)

    def menu(self, seat: Seat, context: SceneContext) -> Menu:
        return Menu((MenuCommand.AGAIN, MenuCommand.LEAVE) if seat in self.stays else (MenuCommand.JOIN,))

    def act(self, seat: Seat, item: MenuItem, at_ns: int, context: SceneContext) -> Scene:
        match item:
            case MenuCommand.AGAIN:
                return Lobby(joined=self.stays, last=self.ended)
            case MenuCommand.JOIN:
                context.announce(Joined(seat))
                return Lobby(joined=tuple(sorted({*self.stays, seat})), last=self.ended)
            case MenuCommand.LEAVE:
                return replace(self, gone=(*self.gone, seat))
            case _:
                return self

    def on_deadline(self, context: SceneContext) -> Scene:
        return Lobby(last=self.ended)
