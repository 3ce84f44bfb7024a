"""Common base for scenes: the match (`Game`), a scene's requests (`SceneContext`), and the methods called by `Table`
(`Scene`, `MatchScene`).

Scenes are frozen values; a changing method returns the next scene. The journal stores a scene's fields, so they are
plain data. Moments on the monotonic clock stay out of comparison and journal: a restart makes them meaningless.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol

from drivers.messages import Device
from engine import DUDO, Action, DudoError, Match, Phase, Player, Position, Reason, Rules, View
from engine.legality import check
from firmware_host.fairness.chain import EMPTY_HEAD, head_text, next_head
from firmware_host.table.events import LeaveReason, PublicEvent, Repeat, UndoneBy
from firmware_host.table.health import DeviceHealth
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.scenes.deal import Contribution, Request, RequestCommitment, RequestEntropy, RequestSeed
from firmware_host.table.seat.menu import Menu, MenuItem
from firmware_host.table.seat.view import SceneName, SeatInfo, TableReason
from firmware_host.wire import ChainEntryAdded, Seat


@dataclass(frozen=True, slots=True)
class Game:
    """A match and its seats: `players[i]` is player i's layout seat."""

    id: str
    match: Match
    players: tuple[Seat, ...]
    deals: int = 0  # number of the last deal
    fallen: tuple[Player, ...] = ()  # players in the order in which they went out
    left: tuple[Player, ...] = ()  # players among them who left for good
    head: bytes = EMPTY_HEAD  # chain hash over the whole match so far
    identity: str = ""  # deals commit to it; empty in a match begun by a version before proofs 2
    robots: tuple[tuple[Seat, RobotLevel], ...] = ()  # by seat, as at the start
    to_open: tuple[str, ...] = field(default=(), repr=False)  # lines revealing the dice under the cups
    before_end: Match | None = field(default=None, repr=False)  # where a finished match goes on if reopened

    @property
    def position(self) -> Position:
        """The match's public state."""
        return self.match.position

    @property
    def standings(self) -> tuple[Seat, ...]:
        """Layout seats from the winner, or from the players still holding dice, down to the first one out."""
        return self.seats((*self.position.living, *reversed(self.fallen)))

    @property
    def deal_identity(self) -> str:
        """The identity for deal commitments (`lines.match_identity`); in proofs of version 1 the match name."""
        return self.identity or self.id

    @property
    def reopened(self) -> Game | None:
        """The game as it goes on after reopening, without dice under the cups. None where unknown.

        The ending action is dropped. Its round is void, because all players have seen dice, or some dice are gone.
        """
        over = self.position.phase is Phase.OVER
        match = self.before_end if over else self.match.void()
        if match is None:
            return None
        fallen, left = (
            tuple(player for player in gone if not match.position.dice[player]) for gone in (self.fallen, self.left)
        )
        return replace(self, match=match, fallen=fallen, left=left, to_open=(), before_end=None)

    def player(self, seat: Seat) -> Player | None:
        """Return a layout seat's player index, None if it does not play."""
        return self.player_at(seat) if seat in self.players else None

    def player_at(self, seat: Seat) -> Player:
        """Return a playing seat's player index. Raises `ValueError` for another seat."""
        return Player(self.players.index(seat))

    def seat(self, player: Player) -> Seat:
        """Return a player's layout seat."""
        return self.players[player]

    def seats(self, players: Iterable[Player]) -> tuple[Seat, ...]:
        """Return the layout seats of these players."""
        return tuple(map(self.seat, players))

    def chain(self, line: str) -> Game:
        """Return the game with one more chained line."""
        return replace(self, head=next_head(self.head, line))

    def chain_and_publish(self, lines: Iterable[str], context: SceneContext) -> Game:
        """Return the game with more chained lines, and publish each."""
        game = self
        for line in lines:
            game = game.chain(line)
            context.announce(ChainEntryAdded(line, head_text(game.head)))
        return game

    def reveal_deal(self, context: SceneContext) -> Game:
        """Return the game after publishing the lines that reveal its last deal."""
        return replace(self.chain_and_publish(self.to_open, context), to_open=())


class BeginPhase(Protocol):
    """Function that begins the scene for a match's phase. `Table` provides it, since scenes lead in a circle."""

    def __call__(
        self, game: Game, context: SceneContext, repeat: Repeat | None, contributions: tuple[Contribution, ...] | None
    ) -> Scene: ...


class SceneContext:
    """A scene's facts and requests. `Table` turns each message's requests into effects."""

    def __init__(self, rules: Rules, seats: tuple[SeatInfo, ...], begin_phase: BeginPhase) -> None:
        self.rules = rules  # for the next match
        self.seats = seats
        self.has_phones = any(seat.is_phone for seat in seats)  # has seats for guests' phones
        self.asks_names = False  # whether players may enter a name
        self.may_change_volume = False  # whether guests may
        self.now_ns = 0  # the message's moment
        self.devices = DeviceHealth()
        self.robots: dict[Seat, RobotLevel] = {}  # by seat
        self.hands: Mapping[Seat, RobotLevel] = {}  # programs in people's places, by seat
        self._begin_phase = begin_phase
        self._events: list[PublicEvent] = []
        self._requests: list[Request] = []
        self._notices: list[tuple[Seat, Reason | TableReason]] = []

    def announce(self, event: PublicEvent) -> None:
        """Publish an event."""
        self._events.append(event)

    def notify(self, seat: Seat, why: Reason | TableReason) -> None:
        """Show a seat for a few seconds why a press had no effect."""
        self._notices.append((seat, why))

    def request_seed(self) -> None:
        """Request a seed from the daemon; it arrives at the scene's `on_seed`."""
        self._requests.append(RequestSeed())

    def request_commitment(self, seat: Seat, deal: bytes) -> None:
        """Request a cup's commitment for a deal; it arrives at the scene's `on_committed`."""
        self._requests.append(RequestCommitment(seat, deal))

    def request_entropy(self, seat: Seat, deal: bytes, head: bytes) -> None:
        """Request a cup's entropy; it arrives at the scene's `on_revealed`."""
        self._requests.append(RequestEntropy(seat, deal, head))

    def has_cup(self, seat: Seat) -> bool:
        """Return whether a seat has a responding, trusted cup able to commit. A robot can't shake one."""
        return seat not in self.robots and self.seats[seat].commits and self.devices.has_trusted_cup(seat)

    def begin_phase(self, game: Game, repeat: Repeat | None = None) -> Scene:
        """Begin the scene for the match's phase; `repeat` gives the reason for a repeated shake."""
        return self._begin_phase(game, self, repeat, None)

    def repeat_deal(self, game: Game, repeat: Repeat, contributions: tuple[Contribution, ...] = ()) -> Scene:
        """Begin a repeated deal with the `contributions` already present."""
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

    def take_notices(self) -> list[tuple[Seat, Reason | TableReason]]:
        """Return the notices since the last call, with their seats."""
        notices, self._notices = self._notices, []
        return notices

    def discard(self) -> None:
        """Forget everything collected since the last effects."""
        self._events, self._requests, self._notices = [], [], []


@dataclass(frozen=True)
class Scene:
    """A part of a session. By default seats have no options, and time has no effect."""

    name: ClassVar[SceneName]
    game: Game | None = field(default=None, kw_only=True)
    paused: bool = field(default=False, kw_only=True)  # by staff; `Table` sets it
    robots: tuple[tuple[Seat, RobotLevel], ...] = field(default=(), kw_only=True)  # by seat; `Table` sets them
    deadline_ns: int | None = field(default=None, compare=False, kw_only=True)

    # Actions of seats

    def menu(self, seat: Seat, context: SceneContext) -> Menu:
        """Return a seat's items, with the cursor at its first place."""
        return Menu()

    def act(self, seat: Seat, item: MenuItem, at_ns: int, context: SceneContext) -> Scene:
        """Handle a pick: an item of the seat's `menu` or, in the bidding, the DUDO button's call."""
        return self

    def explain_ignored_press(self, seat: Seat, context: SceneContext) -> None:
        """Explain to a seat, if it may wonder, why OK met an empty menu or DUDO had nothing to doubt."""

    def explain_ignored_peek(self, seat: Seat, context: SceneContext) -> None:
        """Explain to a seat, if it may wonder, why its cup shows no dice now."""

    @property
    def last_action(self) -> tuple[Player, Action] | None:
        """The action that `undo` takes back now and its player, None without one or once dice rest on it."""
        return None

    def undo(self, by: UndoneBy, context: SceneContext) -> Scene:
        """Take back the last action."""
        return self

    @property
    def ended(self) -> Game | None:
        """The ended match as it would go on, or None."""
        return None

    def to_reopen(self) -> Game | None:
        """Return the match as it would go on if broken off now."""
        return None if self.game is None else self.game.reopened

    def may_leave(self, seat: Seat) -> bool:
        """Return whether a seat plays in a match and can leave it now."""
        return False

    def leave(self, seats: Iterable[Seat], why: LeaveReason, context: SceneContext) -> Scene:
        """Handle seats leaving for good."""
        return self

    # Devices, daemon and time

    def begin(self, context: SceneContext) -> Scene:
        """Request the scene's needs and set its deadline, at its beginning and after a restart in it."""
        return self

    def on_shaken(self, seat: Seat, context: SceneContext) -> Scene:
        """Handle the beginning of a shake."""
        return self

    def on_settled(self, seat: Seat, at_ns: int, entropy: bytes, context: SceneContext) -> Scene:
        """Handle the end of a shake: the cup is down."""
        return self

    def on_committed(self, seat: Seat, deal: bytes, commitment: bytes, context: SceneContext) -> Scene:
        """Handle a cup's commitment."""
        return self

    def on_revealed(self, seat: Seat, deal: bytes, entropy: bytes, context: SceneContext) -> Scene:
        """Handle a cup's revealed entropy."""
        return self

    def on_seed(self, seed: bytes, context: SceneContext) -> Scene:
        """Handle the requested seed."""
        return self

    def on_lost(self, seat: Seat, device: Device, context: SceneContext) -> Scene:
        """Handle a device that stopped responding."""
        return self

    def on_found(self, seat: Seat, device: Device, context: SceneContext) -> Scene:
        """Handle a device that responds again."""
        return self

    def on_deadline(self, context: SceneContext) -> Scene:
        """Handle the moment `deadline_ns`."""
        return self

    def on_time_up(self, context: SceneContext) -> Scene:
        """Do the awaited action for players whose turn clock has run out."""
        return self

    # Questions from the table

    def next_change_ns(self, now_ns: int) -> int | None:
        """Return the next moment at which the scene or a shown number changes by itself."""
        return self.deadline_ns

    def has_pending_action(self, seat: Seat) -> bool:
        """Return whether a seat has acted, but with later effect."""
        return False

    def waiting_for(self) -> tuple[Player, ...]:
        """Return the awaited players."""
        return ()

    def is_waiting_for(self, seat: Seat) -> bool:
        """Return whether the table waits for a layout seat."""
        return self.game is not None and self.game.player(seat) in self.waiting_for()

    def look(self, seat: Seat) -> View | None:
        """Return a seat's permitted view under its cup now, None without peeking."""
        return None

    def will_have_dice(self, seat: Seat) -> bool:
        """Return whether a seat's dice will fall without any action there: a cup tilted now shows them then."""
        return False

    @property
    def is_in_a_match(self) -> bool:
        """Whether a match is being played."""
        return self.game is not None and self.name is not SceneName.OVER

    @property
    def committed_deal(self) -> int | None:
        """The number of the deal being shaken, once host and cups have committed to it; else None."""
        return None


@dataclass(frozen=True)
class MatchScene(Scene):
    """A scene during a match."""

    game: Game = field(kw_only=True)

    def player(self, seat: Seat) -> Player | None:
        """Return a layout seat's player index, None if it does not play or is out."""
        me = self.game.player(seat)
        return me if me is not None and self.game.position.dice[me] else None

    def explain_ignored_press(self, seat: Seat, context: SceneContext) -> None:
        me = self.game.player(seat)
        if me is None:
            context.notify(seat, TableReason.NOT_PLAYING)
            return
        try:
            check(self.game.position, me, DUDO)  # a ban on dudo applies to all other actions too
        except DudoError as refused:
            context.notify(seat, refused.reason)

    def on_shaken(self, seat: Seat, context: SceneContext) -> Scene:
        if self.player(seat) is None:
            self.explain_ignored_press(seat, context)
        return self
