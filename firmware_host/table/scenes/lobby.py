"""Before a match: seats join with OK, somebody starts, and a countdown lets the late ones in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from engine import Match
from firmware_host.fairness import commitments
from firmware_host.fairness.lines import match_identity, match_line
from firmware_host.table.events import Joined, LeaveReason, Left, MatchBegan
from firmware_host.table.menu import Menu, MenuCommand, MenuItem
from firmware_host.table.scenes.scene import Game, Scene, SceneContext
from firmware_host.table.seat_view import SceneName

COUNTDOWN_NS = 5_000_000_000
SECOND_NS = 1_000_000_000


@dataclass(frozen=True)
class Lobby(Scene):
    """Who has joined, in the order of the layout; `deadline_ns` is set while the countdown runs."""

    name: ClassVar[SceneName] = SceneName.LOBBY
    joined: tuple[int, ...] = ()
    counting: bool = False  # the countdown runs; after a restart it runs anew
    starting: bool = False  # the countdown is over and the seed is awaited
    broken_off: bool = False  # the last match was, and nobody has sat down since

    def menu(self, seat: int, desk: SceneContext) -> Menu:
        if seat not in self.joined:
            return Menu((MenuCommand.JOIN,))
        can_start = len(self.joined) > 1 and not self.is_starting
        return Menu((MenuCommand.START if can_start else MenuCommand.WAIT, MenuCommand.LEAVE))

    def act(self, seat: int, item: MenuItem, at_ns: int, desk: SceneContext) -> Scene:
        match item:
            case MenuCommand.JOIN:
                desk.announce(Joined(seat))
                return replace(self, joined=tuple(sorted({*self.joined, seat})), broken_off=False)
            case MenuCommand.LEAVE:
                desk.announce(Left(seat))
                return self._without((seat,))
            case MenuCommand.START:
                return replace(self, counting=True, deadline_ns=desk.now_ns + COUNTDOWN_NS)
            case _:
                return self

    def leave(self, seats: Iterable[int], why: LeaveReason, desk: SceneContext) -> Scene:
        gone = tuple(seats)
        for seat in gone:
            desk.announce(Left(seat, why))
        return self._without(gone)

    @property
    def is_empty(self) -> bool:
        """Whether nobody has joined."""
        return not self.joined

    @property
    def is_starting(self) -> bool:
        """Whether somebody has pressed START."""
        return self.counting or self.starting

    def countdown_s(self, now_ns: int) -> int | None:
        """Seconds to the start, None if none is counted."""
        return None if self.deadline_ns is None else max(0, -((now_ns - self.deadline_ns) // SECOND_NS))

    def changes_ns(self, now_ns: int) -> int | None:
        """The next whole second before the start."""
        if self.deadline_ns is None:
            return None
        return self.deadline_ns - max(0, self.deadline_ns - now_ns - 1) // SECOND_NS * SECOND_NS

    def _without(self, seats: tuple[int, ...]) -> Lobby:
        joined = tuple(seat for seat in self.joined if seat not in seats)
        if len(joined) < 2:  # nobody left to play with, even if the seed is already on its way
            return Lobby(joined=joined)
        return replace(self, joined=joined)

    def tick(self, desk: SceneContext) -> Scene:
        return replace(self, deadline_ns=None, counting=False, starting=True).begin(desk)

    def begin(self, desk: SceneContext) -> Scene:
        if self.starting:
            desk.want_seed()
        if self.counting:
            return replace(self, deadline_ns=desk.now_ns + COUNTDOWN_NS)
        return self

    def seeded(self, seed: bytes, desk: SceneContext) -> Scene:
        if not self.starting:
            return self
        first = commitments.pick_number(seed, "first player", len(self.joined))
        match = Match.start(desk.rules, len(self.joined), first)
        line = match_line(seed, desk.rules, match.position.first, [desk.seats[seat].name for seat in self.joined])
        game = Game(id=commitments.match_name(seed), match=match, players=self.joined, identity=match_identity(line))
        desk.announce(MatchBegan(game.id, desk.rules.name, self.joined))
        return desk.follow(game.proves([line], desk))
