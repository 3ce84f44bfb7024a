"""A player has earned a special round and says which, before the cups are shaken."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from drivers.messages import Device
from engine import RoundKind, Ruling
from firmware_host.fairness.lines import action_line, ruling_line
from firmware_host.table.events import ActionTaken, ChoiceAwaited, LeaveReason, TimeUp
from firmware_host.table.menu import Menu, MenuItem
from firmware_host.table.scenes.scene import MatchScene, Scene, SceneContext
from firmware_host.table.scenes.transitions import after_leaving
from firmware_host.table.seat_view import SceneName, TableReason

OWNER_TIMEOUT_NS = 10_000_000_000
"""How long the owner's buttons may be gone before the special round is given up: a cable put back costs nothing."""


@dataclass(frozen=True)
class Choosing(MatchScene):
    """The owner's choice; everybody else waits, however long it takes."""

    name: ClassVar[SceneName] = SceneName.CHOOSING

    @property
    def owner(self) -> int:
        """The layout's seat of who chooses."""
        assert self.game.position.owner is not None
        return self.game.players[self.game.position.owner]

    def waiting_for(self) -> tuple[int, ...]:
        return () if self.game.position.owner is None else (self.game.position.owner,)

    def begin(self, desk: SceneContext) -> Scene:
        desk.announce(ChoiceAwaited(self.owner, self.game.position.choices))
        return self._if_owner_is_gone(desk)

    def menu(self, seat: int, desk: SceneContext) -> Menu:
        return Menu(self.game.position.choices) if seat == self.owner else Menu()

    def act(self, seat: int, item: MenuItem, at_ns: int, desk: SceneContext) -> Scene:
        player = self.player(seat)
        if player is None or not isinstance(item, RoundKind):
            return self
        desk.announce(ActionTaken(seat, item))
        told = self.game.linked(action_line(player, item))
        return desk.follow(replace(told, match=told.match.play(player, item)))

    def may_leave(self, seat: int) -> bool:
        return self.player(seat) is not None

    def leave(self, seats: Iterable[int], why: LeaveReason, desk: SceneContext) -> Scene:
        return after_leaving(self.game, map(self.game.players.index, seats), why, desk)

    def time_up(self, desk: SceneContext) -> Scene:
        """The round that the rules have for who does not choose; as if forgone where they have none."""
        desk.announce(TimeUp(self.owner))
        unchosen = self.game.position.rules.special_unchosen
        if unchosen not in self.game.position.choices:
            return self.tick(desk)
        return self.act(self.owner, unchosen, desk.now_ns, desk)

    def shaken(self, seat: int, desk: SceneContext) -> Scene:
        if self.player(seat) is None:
            return super().shaken(seat, desk)
        desk.refuse(seat, TableReason.CHOICE_FIRST)
        return self

    def lost(self, seat: int, device: Device, desk: SceneContext) -> Scene:
        return self._if_owner_is_gone(desk)

    def found(self, seat: int, device: Device, desk: SceneContext) -> Scene:
        return self._if_owner_is_gone(desk)

    def tick(self, desk: SceneContext) -> Scene:
        told = self.game.linked(ruling_line(Ruling.FORGO))
        return desk.follow(replace(told, match=told.match.forgo()))

    def _if_owner_is_gone(self, desk: SceneContext) -> Choosing:
        if not desk.lacks(self.owner, Device.BUTTONS, Device.BOARD):
            return replace(self, deadline_ns=None)
        return self if self.deadline_ns is not None else replace(self, deadline_ns=desk.now_ns + OWNER_TIMEOUT_NS)
