"""The lobby: seats join with OK, one player starts, and a countdown lets others join."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from engine import Match, Player
from firmware_host.fairness import commitments
from firmware_host.fairness.chain import match_identity, match_line, player_name
from firmware_host.table.events import LeaveReason
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.scenes.scene import Game, Scene, SceneContext
from firmware_host.table.seat.menu import VOLUME_ITEMS, Menu, MenuCommand, MenuItem
from firmware_host.table.seat.view import SceneName, TableReason
from firmware_host.wire import Joined, Left, MatchBegan, Seat

COUNTDOWN_NS = 5_000_000_000
"""Time from START to the match."""
SECOND_NS = 1_000_000_000


@dataclass(frozen=True)
class Lobby(Scene):
    """The joined seats, in layout order; `deadline_ns` is set while the countdown runs."""

    name: ClassVar[SceneName] = SceneName.LOBBY
    joined: tuple[Seat, ...] = ()
    counting: bool = False  # countdown is running; a restart begins it again
    starting: bool = False  # countdown is over, and the seed is awaited
    broken_off: bool = False  # the last match was, and no seat has joined since
    last: Game | None = None  # the last match as staff would reopen it, until the next one begins

    @property
    def ended(self) -> Game | None:
        return self.last

    def menu(self, seat: Seat, context: SceneContext) -> Menu:
        phone = (MenuCommand.PHONE,) if context.has_phones and not context.seats[seat].is_phone else ()
        if seat not in self.joined:
            # Always the same: a press must not hit a different item.
            return Menu((MenuCommand.JOIN, MenuCommand.LEARN, *phone, *RobotLevel))
        if seat in context.robots:
            others = (level for level in RobotLevel if level is not context.robots[seat])
            return Menu((MenuCommand.LEAVE, *others))
        can_start = len(self.joined) > 1 and not self.is_starting
        first = MenuCommand.START if can_start else MenuCommand.WAIT
        if self.is_starting:
            return Menu((first, MenuCommand.LEAVE))
        tells = context.seats[seat].is_phone  # its person's name and language
        name = (MenuCommand.NAME,) if context.asks_names and not tells else ()
        # Both, even at a bound: a press must not hit a different item.
        volume = VOLUME_ITEMS if context.may_change_volume else ()
        language = () if tells else (MenuCommand.LANGUAGE,)
        return Menu((first, MenuCommand.LEAVE, *phone, *name, *volume, *language))

    def act(self, seat: Seat, item: MenuItem, at_ns: int, context: SceneContext) -> Scene:
        match item:
            case MenuCommand.JOIN:
                context.announce(Joined(seat))
                return replace(self, joined=tuple(sorted({*self.joined, seat})), broken_off=False)
            case MenuCommand.LEAVE:
                context.announce(Left(seat))
                return self._without((seat,))
            case RobotLevel():
                if self.may_seat_robots(context):
                    return self.with_robot(seat, item, context)
                context.notify(seat, TableReason.PERSON_FIRST)
                return self
            case MenuCommand.START:
                return replace(self, counting=True, deadline_ns=context.now_ns + COUNTDOWN_NS)
            case _:
                return self

    def may_seat_robots(self, context: SceneContext) -> bool:
        """Return whether a person is present to play with robots, and no match is starting."""
        return not self.starting and any(seat not in context.robots for seat in self.joined)

    def with_robot(self, seat: Seat, level: RobotLevel, context: SceneContext) -> Scene:
        """Seat a robot, or change the seated one's level."""
        context.robots[seat] = level
        context.announce(Joined(seat, level))
        return replace(self, joined=tuple(sorted({*self.joined, seat})), broken_off=False)

    def leave(self, seats: Iterable[Seat], why: LeaveReason, context: SceneContext) -> Scene:
        gone = tuple(seats)
        for seat in gone:
            context.announce(Left(seat, why))
        return self._without(gone)

    @property
    def is_empty(self) -> bool:
        """Whether all seats are free."""
        return not self.joined

    @property
    def is_starting(self) -> bool:
        """Whether a player has pressed START."""
        return self.counting or self.starting

    def countdown_s(self, now_ns: int) -> int | None:
        """Return the seconds to the start, None without a countdown."""
        return None if self.deadline_ns is None else max(0, -((now_ns - self.deadline_ns) // SECOND_NS))

    def next_change_ns(self, now_ns: int) -> int | None:
        """Return the next whole second before the start."""
        if self.deadline_ns is None:
            return None
        return self.deadline_ns - max(0, self.deadline_ns - now_ns - 1) // SECOND_NS * SECOND_NS

    def _without(self, seats: tuple[Seat, ...]) -> Lobby:
        joined = tuple(seat for seat in self.joined if seat not in seats)
        if len(joined) < 2:  # too few for a match, even with the seed on its way
            return Lobby(joined=joined, last=self.last)
        return replace(self, joined=joined)

    def on_deadline(self, context: SceneContext) -> Scene:
        return replace(self, deadline_ns=None, counting=False, starting=True).begin(context)

    def begin(self, context: SceneContext) -> Scene:
        if self.starting:
            context.request_seed()
        if self.counting:
            return replace(self, deadline_ns=context.now_ns + COUNTDOWN_NS)
        return self

    def on_seed(self, seed: bytes, context: SceneContext) -> Scene:
        if not self.starting:
            return self
        first = Player(commitments.pick_number(seed, "first player", len(self.joined)))
        match = Match.start(context.rules, len(self.joined), first)
        levels = tuple(context.robots.get(seat, context.hands.get(seat)) for seat in self.joined)
        places = [context.seats[seat].name for seat in self.joined]
        names = [player_name(place, level) for place, level in zip(places, levels, strict=True)]
        line = match_line(seed, context.rules, match.position.first, names)
        game = Game(
            id=commitments.match_name(seed),
            match=match,
            players=self.joined,
            identity=match_identity(line),
            robots=tuple(sorted(context.robots.items())),
        )
        context.announce(MatchBegan(game.id, context.rules.name, self.joined, levels))
        return context.begin_phase(game.chain_and_publish([line], context))
