"""A part of the evening: what each seat may do in it, what the table waits for, and which part comes next.

Scenes are frozen values; a method that changes something returns the next scene. What a scene is made of is what the
journal keeps of the evening, so fields are plain data; moments of the monotonic clock are left out of comparison,
because they mean nothing after a restart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol

from drivers.messages import Device
from engine import DUDO, DudoError, Match, Position, Reason, Rules, View
from engine.legality import check
from firmware_host.fairness.commitments import EMPTY_HEAD, head_text, next_head
from firmware_host.table.events import ChainEntryAdded, LeaveReason, PublicEvent, Repeat
from firmware_host.table.menu import Menu, MenuItem
from firmware_host.table.scenes.deal import Contribution
from firmware_host.table.seat_view import SceneName, SeatInfo, TableReason


class SceneContext(Protocol):
    """What a scene may know and ask of the table while it handles one message."""

    @property
    def now_ns(self) -> int:
        """The moment of the message."""

    @property
    def rules(self) -> Rules:
        """The rule set of the next match."""

    @property
    def seats(self) -> tuple[SeatInfo, ...]:
        """The furniture."""

    def announce(self, event: PublicEvent) -> None:
        """Tell the room."""

    def refuse(self, seat: int, why: Reason | TableReason) -> None:
        """Tell one seat why nothing happened."""

    def want_seed(self) -> None:
        """Ask the shell for a seed; it comes to the scene's `seeded`."""

    def lacks(self, seat: int, *devices: Device) -> bool:
        """Whether one of these does not answer at a seat."""

    def has_cup(self, seat: int) -> bool:
        """Whether a cup with a program of its own answers there, and is trusted."""

    def mistrust(self, seat: int) -> None:
        """A cup did not answer, or not what it was bound to; the second time running it is not asked any more."""

    def trust(self, seat: int) -> None:
        """A cup kept its word."""

    def is_reused(self, seat: int, deal: bytes, entropy: bytes) -> bool:
        """Remember what a cup opens for a deal; return whether one has opened the same elsewhere."""

    def draw(self, seat: int, deal: bytes) -> None:
        """Ask a cup to bind itself for a deal; its answer comes to the scene's `committed`."""

    def open_deal(self, seat: int, deal: bytes, head: bytes) -> None:
        """Ask a cup to open what it was bound to; its answer comes to the scene's `opened`."""

    def follow(self, game: Game, again: Repeat | None = None) -> Scene:
        """Begin the scene that a match's phase asks for; where that is a shake, `again` is why there is another."""

    def shake_again(self, game: Game, again: Repeat, shares: tuple[Contribution, ...] = ()) -> Scene:
        """Begin a repeated deal, to which some have added their shares already."""


@dataclass(frozen=True, slots=True)
class Game:
    """A match and who sits where in it: `players[i]` is the layout's seat of the match's seat i."""

    id: str
    match: Match
    players: tuple[int, ...]
    deals: int = 0  # how often dice were dealt, for the next deal's number
    fallen: tuple[int, ...] = ()  # match seats in the order in which they went out
    left: tuple[int, ...] = ()  # those of them that left for good
    head: bytes = EMPTY_HEAD  # of the chain over all that has happened in the match
    identity: str = ""  # what its deals are bound to; empty where a version before proofs 2 began the match
    to_open: tuple[str, ...] = field(default=(), repr=False)  # what the dice under the cups were made of, as its lines

    @property
    def position(self) -> Position:
        """The match's public state."""
        return self.match.position

    @property
    def standings(self) -> tuple[int, ...]:
        """The layout's seats that play, from the winner, or who still holds dice, down to who was out first."""
        return tuple(self.players[player] for player in (*self.position.living, *reversed(self.fallen)))

    @property
    def bound_identity(self) -> str:
        """The identity that deals are bound to (`lines.match_identity`), which in proofs of version 1 is the name."""
        return self.identity or self.id

    def player(self, seat: int) -> int | None:
        """A layout seat's place in the match, None if it does not play."""
        return self.players.index(seat) if seat in self.players else None

    def linked(self, line: str) -> Game:
        """The game with one more line in its chain."""
        return replace(self, head=next_head(self.head, line))

    def proves(self, lines: Iterable[str], desk: SceneContext) -> Game:
        """The game with some more lines in its chain, each told to the room."""
        game = self
        for line in lines:
            game = game.linked(line)
            desk.announce(ChainEntryAdded(line, head_text(game.head)))
        return game

    def opened(self, desk: SceneContext) -> Game:
        """The game after its last deal was opened to everybody."""
        return replace(self.proves(self.to_open, desk), to_open=())


@dataclass(frozen=True)
class Scene:
    """What all scenes have; by default a seat can do nothing and nothing happens by itself."""

    name: ClassVar[SceneName]
    game: Game | None = field(default=None, kw_only=True)
    deadline_ns: int | None = field(default=None, compare=False, kw_only=True)

    def menu(self, seat: int, desk: SceneContext) -> Menu:
        """What the seat may pick from, the cursor where it begins."""
        return Menu()

    def act(self, seat: int, item: MenuItem, at_ns: int, desk: SceneContext) -> Scene:
        """A seat picked `item`, which is in its `menu` or, in the bidding, the DUDO button's call."""
        return self

    def pressed_in_vain(self, seat: int, desk: SceneContext) -> None:
        """OK where the seat's menu is empty, or DUDO where nothing can be doubted: tell the seat why, if it wonders."""

    def looked_in_vain(self, seat: int, desk: SceneContext) -> None:
        """A cup was tilted or OK held where there is no peeking: tell the seat why, if it wonders."""

    def shaken(self, seat: int, desk: SceneContext) -> Scene:
        """A cup began to be shaken."""
        return self

    def settled(self, seat: int, at_ns: int, entropy: bytes, desk: SceneContext) -> Scene:
        """A shaken cup is down."""
        return self

    def committed(self, seat: int, deal: bytes, commitment: bytes, desk: SceneContext) -> Scene:
        """A cup binds itself to what it adds to a deal."""
        return self

    def opened(self, seat: int, deal: bytes, entropy: bytes, desk: SceneContext) -> Scene:
        """A cup opens what it was bound to."""
        return self

    def seeded(self, seed: bytes, desk: SceneContext) -> Scene:
        """The seed that was wanted is here."""
        return self

    def tick(self, desk: SceneContext) -> Scene:
        """`deadline_ns` has come."""
        return self

    def changes_ns(self, now_ns: int) -> int | None:
        """When something about it changes by itself."""
        return self.deadline_ns

    def lost(self, seat: int, device: Device, desk: SceneContext) -> Scene:
        """A device of a seat does not answer."""
        return self

    def found(self, seat: int, device: Device, desk: SceneContext) -> Scene:
        """It answers again."""
        return self

    def may_leave(self, seat: int) -> bool:
        """Whether a seat plays in a match that it can leave now."""
        return False

    def leave(self, seats: Iterable[int], why: LeaveReason, desk: SceneContext) -> Scene:
        """These seats leave for good."""
        return self

    def time_up(self, desk: SceneContext) -> Scene:
        """The turn clock has run out: what the table waits for is done in somebody's place."""
        return self

    def begin(self, desk: SceneContext) -> Scene:
        """The scene has just begun, or the daemon has just come up in it: ask for what it needs, set its clocks."""
        return self

    def holds(self, seat: int) -> bool:
        """Whether something that was done at a seat counts, but only later."""
        return False

    def waiting_for(self) -> tuple[int, ...]:
        """The match's seats that the table waits for."""
        return ()

    def awaits(self, seat: int) -> bool:
        """Whether the table waits for a seat of the layout."""
        return self.game is not None and self.game.player(seat) in self.waiting_for()

    @property
    def is_in_a_match(self) -> bool:
        """Whether one is being played."""
        return self.game is not None and self.name is not SceneName.OVER

    @property
    def bound_deal(self) -> int | None:
        """The number of the deal that is being shaken, once whoever makes its dice is bound; else None."""
        return None

    def look(self, seat: int) -> View | None:
        """What the seat may see under its cup now, None where there is no peeking."""
        return None

    def deals_soon(self, seat: int) -> bool:
        """Whether the seat has nothing more to do for its dice: a cup it lifts from now on shows them as they fall."""
        return False


@dataclass(frozen=True)
class MatchScene(Scene):
    """A scene in which a match is being played."""

    game: Game = field(kw_only=True)

    def player(self, seat: int) -> int | None:
        """A layout seat's place in the match, None if it does not play or is out."""
        me = self.game.player(seat)
        return me if me is not None and self.game.position.dice[me] else None

    def pressed_in_vain(self, seat: int, desk: SceneContext) -> None:
        me = self.game.player(seat)
        if me is None:
            desk.refuse(seat, TableReason.NOT_PLAYING)
            return
        try:
            check(self.game.position, me, DUDO)  # what keeps a seat from doubting keeps it from everything else
        except DudoError as refused:
            desk.refuse(seat, refused.reason)

    def shaken(self, seat: int, desk: SceneContext) -> Scene:
        if self.player(seat) is None:
            self.pressed_in_vain(seat, desk)
        return self
