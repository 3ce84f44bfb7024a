"""A special round's owner chooses its kind before the cups are shaken."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from drivers.messages import WHOLE_SEATS, Device
from engine import Player, RoundKind, Ruling
from firmware_host.fairness.chain import action_line, ruling_line
from firmware_host.table.events import ActionTaken, LeaveReason
from firmware_host.table.scenes.scene import MatchScene, Scene, SceneContext
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.scenes.transitions import after_leaving
from firmware_host.table.seat.menu import Menu, MenuItem
from firmware_host.table.seat.view import SceneName, TableReason
from firmware_host.wire import ChoiceAwaited, Seat, TimeUp

OWNER_TIMEOUT_NS = 10_000_000_000
"""Time without the owner's buttons before the special round is forgone: a cable put back sooner has no effect."""


@dataclass(frozen=True)
class Choosing(MatchScene):
    """The owner's choice. The others wait, however long it takes."""

    name: ClassVar[SceneName] = SceneName.CHOOSING

    @property
    def owner(self) -> Seat:
        """The owner's layout seat."""
        assert self.game.position.owner is not None
        return self.game.seat(self.game.position.owner)

    def waiting_for(self) -> tuple[Player, ...]:
        return () if self.game.position.owner is None else (self.game.position.owner,)

    def begin(self, context: SceneContext) -> Scene:
        context.announce(ChoiceAwaited(self.owner, self.game.position.choices))
        return self._with_deadline(context)

    def menu(self, seat: Seat, context: SceneContext) -> Menu:
        return Menu(self.game.position.choices) if seat == self.owner else Menu()

    def act(self, seat: Seat, item: MenuItem, at_ns: int, context: SceneContext) -> Scene:
        player = self.player(seat)
        if player is None or not isinstance(item, RoundKind):
            return self
        context.announce(ActionTaken(seat, item))
        chained = self.game.chain(action_line(player, item))
        scene = context.begin_phase(replace(chained, match=chained.match.play(player, item)))
        return replace(scene, unchosen=self.game) if isinstance(scene, Shaking) else scene

    def may_leave(self, seat: Seat) -> bool:
        return self.player(seat) is not None

    def leave(self, seats: Iterable[Seat], why: LeaveReason, context: SceneContext) -> Scene:
        return after_leaving(self.game, map(self.game.player_at, seats), why, context)

    def on_time_up(self, context: SceneContext) -> Scene:
        """Choose the round named by the rules for this case, or forgo it."""
        context.announce(TimeUp(self.owner))
        unchosen = self.game.position.rules.special_unchosen
        if unchosen not in self.game.position.choices:
            return self.on_deadline(context)
        return self.act(self.owner, unchosen, context.now_ns, context)

    def on_shaken(self, seat: Seat, context: SceneContext) -> Scene:
        if self.player(seat) is None:
            return super().on_shaken(seat, context)
        context.notify(seat, TableReason.CHOICE_FIRST)
        return self

    def on_lost(self, seat: Seat, device: Device, context: SceneContext) -> Scene:
        return self._with_deadline(context)

    def on_found(self, seat: Seat, device: Device, context: SceneContext) -> Scene:
        return self._with_deadline(context)

    def on_deadline(self, context: SceneContext) -> Scene:
        chained = self.game.chain(ruling_line(Ruling.FORGO))
        return context.begin_phase(replace(chained, match=chained.match.forgo()))

    def _with_deadline(self, context: SceneContext) -> Choosing:
        """Return the scene with a deadline while the owner's buttons are missing."""
        if not context.devices.is_missing(self.owner, Device.BUTTONS, *WHOLE_SEATS):
            return replace(self, deadline_ns=None)
        return self if self.deadline_ns is not None else replace(self, deadline_ns=context.now_ns + OWNER_TIMEOUT_NS)
