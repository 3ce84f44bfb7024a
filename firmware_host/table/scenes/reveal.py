"""The reveal: displays go through the showdown's cues and keep the cups open until players go on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from engine import Player
from firmware_host.table.cues import moments_ms, reveal_cues, told_ms
from firmware_host.table.scenes.scene import MatchScene, Scene, SceneContext
from firmware_host.table.seat.menu import Menu, MenuCommand, MenuItem
from firmware_host.table.seat.view import SceneName, TableReason
from firmware_host.wire import Seat

MS = 1_000_000
MIN_REVEAL_NS = 2_500_000_000
"""Time before a shake can end the reveal."""
MAX_REVEAL_NS = 30_000_000_000
"""Time from the last cue until the table goes on by itself."""
MIN_TOLD_NS = 700_000_000
"""Shortest time for showing the outcome if all press OK during the cues, each to skip them."""


@dataclass(frozen=True)
class Reveal(MatchScene):
    """The showdown in `game.position`. It ends when all have pressed OK, when a cup is shaken, or by itself.

    The first OK ends the cues. After a restart the cues run again unless somebody has pressed OK: a display's progress
    is not worth a record, and a player who has seen enough presses OK.
    """

    name: ClassVar[SceneName] = SceneName.REVEAL
    seen: tuple[Player, ...] = ()  # players who have pressed OK
    since_ns: int = field(default=0, compare=False)
    told_ns: int = field(default=0, compare=False)  # when the cues end
    moments_ms: tuple[int, ...] = field(default=(), compare=False)  # when displays change before that

    def begin(self, context: SceneContext) -> Scene:
        position, now_ns = self.game.position, context.now_ns
        assert position.showdown is not None
        cues = reveal_cues(position.showdown, position.showdown.bid, position.order)
        told_ns = now_ns if self.seen else now_ns + told_ms(cues) * MS
        return replace(self, since_ns=now_ns, moments_ms=moments_ms(cues))._told_at(told_ns)

    def _told_at(self, told_ns: int) -> Reveal:
        """Return the reveal with its cues' end set, and its own end, if all have already agreed."""
        shown_ns = MAX_REVEAL_NS if self.waiting_for() else MIN_TOLD_NS
        return replace(self, told_ns=told_ns, deadline_ns=told_ns + shown_ns)

    def cue_ms(self, now_ns: int) -> int | None:
        """Return the last change's moment in milliseconds since the beginning; None after the cues."""
        if now_ns >= self.told_ns:
            return None
        return max((at_ms for at_ms in self.moments_ms if self.since_ns + at_ms * MS <= now_ns), default=0)

    def with_whole_time(self, now_ns: int) -> Reveal:
        """Return the reveal with its full time to go on, after a pause."""
        return replace(self, deadline_ns=max(self.told_ns, now_ns) + MAX_REVEAL_NS)

    def next_change_ns(self, now_ns: int) -> int | None:
        if now_ns >= self.told_ns:
            return self.deadline_ns
        changes_ns = (self.since_ns + at_ms * MS for at_ms in self.moments_ms)
        return min((at_ns for at_ns in changes_ns if at_ns > now_ns), default=self.told_ns)

    def waiting_for(self) -> tuple[Player, ...]:
        return tuple(player for player in self.game.position.living if player not in self.seen)

    def menu(self, seat: Seat, context: SceneContext) -> Menu:
        return Menu((MenuCommand.GO_ON,)) if self.player(seat) in self.waiting_for() else Menu()

    def act(self, seat: Seat, item: MenuItem, at_ns: int, context: SceneContext) -> Scene:
        player, now_ns = self.player(seat), context.now_ns
        if item is not MenuCommand.GO_ON or player is None:
            return self
        seen = replace(self, seen=(*self.seen, player))._told_at(min(self.told_ns, now_ns))
        return seen if seen.waiting_for() or now_ns < seen.told_ns + MIN_TOLD_NS else context.begin_phase(self.game)

    def explain_ignored_press(self, seat: Seat, context: SceneContext) -> None:
        if self.player(seat) is None:
            super().explain_ignored_press(seat, context)
        # A player's display shows what the table waits for.

    def on_shaken(self, seat: Seat, context: SceneContext) -> Scene:
        if self.player(seat) is None:
            return super().on_shaken(seat, context)
        if context.now_ns - self.since_ns < MIN_REVEAL_NS:
            context.notify(seat, TableReason.LOOK_FIRST)
            return self
        return context.begin_phase(self.game).on_shaken(seat, context)

    def on_deadline(self, context: SceneContext) -> Scene:
        return context.begin_phase(self.game)
