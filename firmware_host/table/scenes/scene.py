"""The base of all scenes: the match that is played (`Game`), the requests that a scene can make (`SceneContext`), and
the methods that `Table` calls (`Scene`, `MatchScene`).

Scenes are frozen values; a method that changes something returns the next scene. The journal stores the fields of a
scene, so they are plain data. Moments of the monotonic clock are left out of comparison and of the journal: they mean
nothing after a restart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol

from drivers.messages import Device
from engine import DUDO, Action, DudoError, Match, Phase, Position, Reason, Rules, View
from engine.legality import check
from firmware_host.fairness.chain import EMPTY_HEAD, head_text, next_head
from firmware_host.table.events import ChainEntryAdded, LeaveReason, PublicEvent, Repeat, UndoneBy
from firmware_host.table.health import DeviceHealth
from firmware_host.table.menu import Menu, MenuItem
from firmware_host.table.robots import RobotLevel
from firmware_host.table.scenes.deal import Contribution, Request, RequestCommitment, RequestEntropy, RequestSeed
from firmware_host.table.seat_view import SceneName, SeatInfo, TableReason


@dataclass(frozen=True, slots=True)
class Game:
    """A match and its seats: `players[i]` is the seat of the layout at which player i of the match sits."""

    id: str
    match: Match
    players: tuple[int, ...]
    deals: int = 0  # number of the last deal
    fallen: tuple[int, ...] = ()  # players in the order in which they went out
    left: tuple[int, ...] = ()  # those of them that left for good
    head: bytes = EMPTY_HEAD  # of the chain over all that has happened in the match
    identity: str = ""  # deals commit to it; empty in a match that a version before proofs 2 began
    robots: tuple[tuple[int, RobotLevel], ...] = ()  # by seat, as the match began
    to_open: tuple[str, ...] = field(default=(), repr=False)  # the lines that reveal the dice under the cups
    before_end: Match | None = field(default=None, repr=False)  # where a match that is over goes on, if it is reopened

    @property
    def position(self) -> Position:
        """The public state of the match."""
        return self.match.position

    @property
    def standings(self) -> tuple[int, ...]:
        """Seats of the layout from the winner, or those who still hold dice, down to the first that was out."""
        return tuple(self.players[player] for player in (*self.position.living, *reversed(self.fallen)))

    @property
    def deal_identity(self) -> str:
        """The identity that deals commit to (`lines.match_identity`); in proofs of version 1 the name of the match."""
        return self.identity or self.id

    @property
    def reopened(self) -> Game | None:
        """The game as it goes on if its end does not stand: no dice are under the cups. None where that is unknown.

        What ended it does not count. Its round is void, because all have seen its dice, or some of them are gone.
        """
        over = self.position.phase is Phase.OVER
        match = self.before_end if over else self.match.void()
        if match is None:
            return None
        fallen, left = (
            tuple(player for player in gone if not match.position.dice[player]) for gone in (self.fallen, self.left)
        )
        return replace(self, match=match, fallen=fallen, left=left, to_open=(), before_end=None)

    def player(self, seat: int) -> int | None:
        """Return the player index of a seat of the layout, None if it does not play."""
        return self.players.index(seat) if seat in self.players else None

    def chain(self, line: str) -> Game:
        """Return the game with one more line in its chain."""
        return replace(self, head=next_head(self.head, line))

    def chain_and_publish(self, lines: Iterable[str], context: SceneContext) -> Game:
        """Return the game with more lines in its chain, and publish each."""
        game = self
        for line in lines:
            game = game.chain(line)
            context.announce(ChainEntryAdded(line, head_text(game.head)))
        return game

    def reveal_deal(self, context: SceneContext) -> Game:
        """Return the game after the lines that reveal its last deal were published."""
        return replace(self.chain_and_publish(self.to_open, context), to_open=())


class BeginPhase(Protocol):
    """The function that begins the scene for a match's phase. `Table` has it, since scenes lead in a circle."""

    def __call__(
        self, game: Game, context: SceneContext, repeat: Repeat | None, contributions: tuple[Contribution, ...] | None
    ) -> Scene: ...


class SceneContext:
    """The facts and requests of a scene. `Table` turns the requests of each message into effects."""

    def __init__(self, rules: Rules, seats: tuple[SeatInfo, ...], begin_phase: BeginPhase) -> None:
        self.rules = rules  # of the next match
        self.seats = seats
        self.asks_names = False  # whether players may enter a name
        self.may_change_volume = False  # whether guests may
        self.now_ns = 0  # the moment of the message
        self.devices = DeviceHealth()
        self.robots: dict[int, RobotLevel] = {}  # by seat
        self._begin_phase = begin_phase
        self._events: list[PublicEvent] = []
        self._requests: list[Request] = []
        self._notices: list[tuple[int, Reason | TableReason]] = []

    def announce(self, event: PublicEvent) -> None:
        """Publish an event."""
        self._events.append(event)

    def notify(self, seat: int, why: Reason | TableReason) -> None:
        """Show at a seat, for a few seconds, why nothing happened."""
        self._notices.append((seat, why))

    def request_seed(self) -> None:
        """Ask the daemon for a seed, which comes to the scene's `on_seed`."""
        self._requests.append(RequestSeed())

    def request_commitment(self, seat: int, deal: bytes) -> None:
        """Ask a cup to commit for a deal; its answer comes to the scene's `on_committed`."""
        self._requests.append(RequestCommitment(seat, deal))

    def request_entropy(self, seat: int, deal: bytes, head: bytes) -> None:
        """Ask a cup to reveal its entropy; its answer comes to the scene's `on_revealed`."""
        self._requests.append(RequestEntropy(seat, deal, head))

    def has_cup(self, seat: int) -> bool:
        """Whether a cup that commits responds at a seat and is trusted. A robot can't shake one."""
        return seat not in self.robots and self.seats[seat].commits and self.devices.has_trusted_cup(seat)

    def begin_phase(self, game: Game, repeat: Repeat | None = None) -> Scene:
        """Begin the scene for the match's phase; `repeat` is the reason if the cups are shaken again."""
        return self._begin_phase(game, self, repeat, None)

    def repeat_deal(self, game: Game, repeat: Repeat, contributions: tuple[Contribution, ...] = ()) -> Scene:
        """Begin a repeated deal with the `contributions` that are already there."""
        return self._begin_phase(game, self, repeat, contributions)

    # For `Table`

    def take_events(self) -> list[PublicEvent]:
        """Return the events since the last call."""
        events, self._events = self._events, []
        return events

    def take_requests(self) -> list[Request]:
        """Return the requests since the last call."""
        requests, self._requests = self._requests, []
        return requests

    def take_notices(self) -> list[tuple[int, Reason | TableReason]]:
        """Return the notices since the last call, with their seats."""
        notices, self._notices = self._notices, []
        return notices

    def discard(self) -> None:
        """Forget all that was collected since the last effects."""
        self._events, self._requests, self._notices = [], [], []


@dataclass(frozen=True)
class Scene:
    """A part of a session. By default a seat can do nothing and nothing happens by itself."""

    name: ClassVar[SceneName]
    game: Game | None = field(default=None, kw_only=True)
    paused: bool = field(default=False, kw_only=True)  # by staff; `Table` sets it
    robots: tuple[tuple[int, RobotLevel], ...] = field(default=(), kw_only=True)  # by seat; `Table` sets them
    deadline_ns: int | None = field(default=None, compare=False, kw_only=True)

    # Actions of seats

    def menu(self, seat: int, context: SceneContext) -> Menu:
        """Return the items that a seat may pick from, with the cursor at its first place."""
        return Menu()

    def act(self, seat: int, item: MenuItem, at_ns: int, context: SceneContext) -> Scene:
        """Handle a pick: an item of the seat's `menu` or, in the bidding, the DUDO button's call."""
        return self

    def explain_ignored_press(self, seat: int, context: SceneContext) -> None:
        """Notify a seat, if it may wonder, of OK with an empty menu, or DUDO where nothing can be doubted."""

    def explain_ignored_peek(self, seat: int, context: SceneContext) -> None:
        """Notify a seat, if it may wonder, that there is nothing to see under its cup now."""

    @property
    def last_action(self) -> tuple[int, Action] | None:
        """The action that `undo` takes back now and its player, None where there is none, or dice rest on it."""
        return None

    def undo(self, by: UndoneBy, context: SceneContext) -> Scene:
        """Take back the last action."""
        return self

    @property
    def ended(self) -> Game | None:
        """The match that has ended and can go on, as it would; None where there is none."""
        return None

    def to_reopen(self) -> Game | None:
        """Return the match as it can go on after it is broken off now."""
        return None if self.game is None else self.game.reopened

    def may_leave(self, seat: int) -> bool:
        """Whether a seat plays in a match that it can leave now."""
        return False

    def leave(self, seats: Iterable[int], why: LeaveReason, context: SceneContext) -> Scene:
        """Handle seats that leave for good."""
        return self

    # Devices, daemon and time

    def begin(self, context: SceneContext) -> Scene:
        """Ask for what the scene needs and set its deadline, at its beginning and after a restart in it."""
        return self

    def on_shaken(self, seat: int, context: SceneContext) -> Scene:
        """Handle the beginning of a shake."""
        return self

    def on_settled(self, seat: int, at_ns: int, entropy: bytes, context: SceneContext) -> Scene:
        """Handle the end of a shake: the cup is down."""
        return self

    def on_committed(self, seat: int, deal: bytes, commitment: bytes, context: SceneContext) -> Scene:
        """Handle a cup's commitment."""
        return self

    def on_revealed(self, seat: int, deal: bytes, entropy: bytes, context: SceneContext) -> Scene:
        """Handle the entropy that a cup reveals."""
        return self

    def on_seed(self, seed: bytes, context: SceneContext) -> Scene:
        """Handle the seed that was requested."""
        return self

    def on_lost(self, seat: int, device: Device, context: SceneContext) -> Scene:
        """Handle a device that does not respond any more."""
        return self

    def on_found(self, seat: int, device: Device, context: SceneContext) -> Scene:
        """Handle a device that responds again."""
        return self

    def on_deadline(self, context: SceneContext) -> Scene:
        """Handle the moment `deadline_ns`."""
        return self

    def on_time_up(self, context: SceneContext) -> Scene:
        """Do what the table waits for in the place of players whose turn clock has run out."""
        return self

    # Questions of the table

    def next_change_ns(self, now_ns: int) -> int | None:
        """Return the next moment at which the scene or a shown number changes by itself."""
        return self.deadline_ns

    def has_pending_action(self, seat: int) -> bool:
        """Whether something that was done at a seat counts, but only later."""
        return False

    def waiting_for(self) -> tuple[int, ...]:
        """Return the players that the table waits for."""
        return ()

    def is_waiting_for(self, seat: int) -> bool:
        """Whether the table waits for a seat of the layout."""
        return self.game is not None and self.game.player(seat) in self.waiting_for()

    def look(self, seat: int) -> View | None:
        """Return what a seat may see under its cup now, None where there is no peeking."""
        return None

    def will_have_dice(self, seat: int) -> bool:
        """Whether a seat's dice will fall without any action of its own: a cup tilted now shows them then."""
        return False

    @property
    def is_in_a_match(self) -> bool:
        """Whether a match is being played."""
        return self.game is not None and self.name is not SceneName.OVER

    @property
    def committed_deal(self) -> int | None:
        """The number of the deal that is being shaken, once host and cups have committed to it; else None."""
        return None


@dataclass(frozen=True)
class MatchScene(Scene):
    """A scene in which a match is being played."""

    game: Game = field(kw_only=True)

    def player(self, seat: int) -> int | None:
        """Return the player index of a seat of the layout, None if it does not play or is out."""
        me = self.game.player(seat)
        return me if me is not None and self.game.position.dice[me] else None

    def explain_ignored_press(self, seat: int, context: SceneContext) -> None:
        me = self.game.player(seat)
        if me is None:
            context.notify(seat, TableReason.NOT_PLAYING)
            return
        try:
            check(self.game.position, me, DUDO)  # the reason that forbids dudo forbids everything else too
        except DudoError as refused:
            context.notify(seat, refused.reason)

    def on_shaken(self, seat: int, context: SceneContext) -> Scene:
        if self.player(seat) is None:
            self.explain_ignored_press(seat, context)
        return self
