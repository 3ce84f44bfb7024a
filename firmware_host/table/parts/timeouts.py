"""Waiting times for people: players who are away, their removal, and the turn clock.

Pure: moments come in, and touches and actions are the only evidence about a player. Seats are layout seats. Times stay
out of records: after a restart all begin again. docs/away.md argues for the figures.
"""

from collections.abc import Callable, Iterable

from drivers.messages import Message, Pressed, Shaken, Tilted
from firmware_host.table.effects import HostMessage
from firmware_host.table.events import LeaveReason
from firmware_host.table.parts.part import Part
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene, SceneContext
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import Away, Back, MatchBrokenOff, Seat

SECOND_NS = 1_000_000_000
MINUTE_NS = 60 * SECOND_NS
AWAY_TIMEOUT_NS = 5 * MINUTE_NS
"""Time without a touch at an awaited seat until its player counts as away."""
STALLING_TIMEOUT_NS = 15 * MINUTE_NS
"""Time without an awaited action until its player counts as away, whatever they touch."""
REMOVAL_TIMEOUT_NS = 10 * MINUTE_NS
"""Time from another player's first touch until an away player is out of the match."""
MIN_NOTICE_NS = 5 * SECOND_NS
"""Shortest time between a player's turn and their removal: the others must first see who is missing."""
DESERTED_TIMEOUT_NS = 60 * MINUTE_NS
"""Time without any player's touch until a match is broken off. A meal is shorter."""
MIN_VOTES = 2
"""Fewest votes for removing a player: one voter alone is not enough."""
TURN_CLOCK_SHOWN_S = 10
"""Last seconds shown on the turn clock. Before them a countdown would hurry players."""

_TIMED = (SceneName.SHAKING, SceneName.CHOOSING, SceneName.BIDDING)
"""Scenes lasting as long as a player takes; a reveal goes on by itself."""


class Timeouts(Part):
    """One table's waiting: turns findings from `Presence` and `TurnClock` into events and scenes."""

    def __init__(
        self, turn_clock_s: float | None, context: SceneContext, is_of_staff: Callable[[Message | HostMessage], bool]
    ) -> None:
        """Wait for players; a press for which `is_of_staff` holds is no sign of its seat's player."""
        self._is_of_staff = is_of_staff
        self.presence = Presence()
        self._clock = TurnClock(turn_clock_s)
        self._context = context
        self._paused_ns: int | None = None  # since when
        self._pauses_ns = 0  # total duration of past pauses

    def set_paused(self, is_paused: bool) -> None:
        """Stop all times while the match is paused; they go on where they stopped."""
        if is_paused and self._paused_ns is None:
            self._paused_ns = self._context.now_ns
        elif not is_paused and self._paused_ns is not None:
            self._pauses_ns += self._context.now_ns - self._paused_ns
            self._paused_ns = None

    @property
    def now_ns(self) -> int:
        """The message's moment on a clock that stands still in pauses; all times here use it."""
        return (self._context.now_ns if self._paused_ns is None else self._paused_ns) - self._pauses_ns

    @property
    def deadline_ns(self) -> int | None:
        """The next moment at which `overrun` has work, or a shown number changes."""
        if self._paused_ns is not None:
            return None
        due = self.presence.deadline_ns(self.now_ns), self._clock.deadline_ns(self.now_ns)
        return min((at_ns + self._pauses_ns for at_ns in due if at_ns is not None), default=None)

    @property
    def clock_s(self) -> int | None:
        """Seconds left on the turn clock; None before the last ones."""
        return self._clock.left_s(self.now_ns)

    def on_message(self, message: Message | HostMessage, scene: Scene) -> None:
        """Note a touch; pulling or replugging a cable does not count."""
        if not isinstance(message, Pressed | Shaken | Tilted) or self._is_of_staff(message):
            return
        if self.presence.on_touch(Seat(message.seat), self.now_ns):
            self._context.announce(Back(Seat(message.seat)))

    def on_handed_over(self, seat: Seat) -> None:
        """Give a seat's new player the whole time."""
        if self.presence.on_handed_over(seat, self.now_ns):
            self._context.announce(Back(seat))

    def update(self, scene: Scene) -> None:
        """Follow the table to this scene and moment."""
        for event in self.presence.update(scene, self.now_ns):
            self._context.announce(event)
        self._clock.update(scene, self.now_ns)

    def overrun(self, scene: Scene) -> Scene:
        """Return the scene after the first overrun time limit."""
        if self._paused_ns is not None:
            return scene
        now_ns = self.now_ns
        if scene.game is not None and self.presence.is_deserted(now_ns):
            self._context.announce(MatchBrokenOff(scene.game.id))
            return Lobby(broken_off=True, last=scene.to_reopen())
        if gone := self.presence.overdue(now_ns) or self.presence.idle_in_lobby(now_ns):
            return scene.leave(gone, LeaveReason.AWAY, self._context)
        return scene.on_time_up(self._context) if self._clock.is_up(now_ns) else scene

    def vote(self, seat: Seat, scene: Scene) -> Scene:
        """Return the scene after a seat's vote to play on without away players."""
        gone = self.presence.vote(seat)
        return scene.leave(gone, LeaveReason.OUTVOTED, self._context) if gone else scene


class Presence:
    """One table's away players, and the others' votes.

    A player is away after a while without a touch, or when stalling: touching things without doing the awaited action.
    """

    def __init__(self) -> None:
        self.away: tuple[Seat, ...] = ()
        self.stalling: tuple[Seat, ...] = ()  # subset of the away players
        self._subject: object = None  # what the table waits for
        self._match: str | None = None
        self._players: tuple[Seat, ...] = ()  # still in the match; in the lobby, joined seats
        self._awaited: tuple[Seat, ...] = ()
        self._awaited_ns: dict[Seat, int] = {}  # start of waiting for this action, by seat
        self._waited_ns: dict[Seat, int] = {}  # start of waiting for the seat, or the seat's last touch
        self._missed_ns: dict[Seat, int] = {}  # another player's first touch after the seat was found away
        self._quiet_ns = 0  # any player's last touch
        self._votes: set[Seat] = set()

    def update(self, scene: Scene, now_ns: int) -> list[Away | Back]:
        """Follow the table to this scene and moment; return players newly away or back."""
        match = scene.game.id if scene.game is not None and scene.is_in_a_match else None
        if match != self._match:
            self._match, self._quiet_ns = match, now_ns
        self._players = _players(scene)
        back = self._follow(scene, now_ns)
        for seat in {*self._waited_ns, *self._votes}.difference(self._players):
            self._forget(seat)
            self._votes.discard(seat)
        found = () if match is None else self._newly_away(now_ns)
        if found:
            self.away, self._votes = (*self.away, *found), set()
            self.stalling += tuple(seat for seat in found if self._has_stalled(seat, now_ns))
        return [*(Back(seat) for seat in back), *(Away(seat) for seat in found)]

    def _follow(self, scene: Scene, now_ns: int) -> tuple[Seat, ...]:
        """Follow the table to its present subject; return the seats that have done the stalled action."""
        subject, self._awaited = _timed_subject(scene), _awaited(scene)
        if subject != self._subject:
            self._subject, self._awaited_ns = subject, {}
        self._awaited_ns = {seat: self._awaited_ns.get(seat, now_ns) for seat in self._awaited}
        done = tuple(seat for seat in self.stalling if self._awaited_ns.get(seat, now_ns) == now_ns)
        for seat in done:
            self._forget(seat)
        waits = {*self._awaited, *self.away}
        self._waited_ns = {seat: at_ns for seat, at_ns in self._waited_ns.items() if seat in waits}
        for seat in self._awaited:
            self._waited_ns.setdefault(seat, now_ns)
        return tuple(seat for seat in done if seat in self._players)

    def on_touch(self, seat: Seat, now_ns: int) -> bool:
        """Note a touch at a seat; return whether its player was away."""
        if seat not in self._players:
            return False
        was_away = seat in self.away and seat not in self.stalling
        self._quiet_ns = now_ns
        if seat not in self.stalling:
            self._forget(seat)
        if was_away:
            self._votes = set()
        for other in self.away:
            self._missed_ns.setdefault(other, now_ns)
        return was_away

    def on_handed_over(self, seat: Seat, now_ns: int) -> bool:
        """Restart a seat's waiting times; return whether its player was away."""
        was_away = seat in self.away
        self.stalling = tuple(other for other in self.stalling if other != seat)
        self._awaited_ns.pop(seat, None)
        self.on_touch(seat, now_ns)
        return was_away

    # Votes to play on without away players

    @property
    def held_up_by(self) -> tuple[Seat, ...]:
        """Seats that are away while the table waits for them."""
        return tuple(seat for seat in self.away if seat in self._awaited)

    @property
    def votes(self) -> int:
        """Number of votes so far."""
        return len(self._votes)

    @property
    def votes_needed(self) -> int:
        """More than half the present players; 0 where they are too few to vote."""
        others = len(self._players) - len(self.away)
        return max(MIN_VOTES, others // 2 + 1) if self.held_up_by and others >= MIN_VOTES else 0

    def may_vote(self, seat: Seat) -> bool:
        """Return whether a seat may vote."""
        is_there = seat in self._players and seat not in self.away
        return bool(self.votes_needed) and is_there and seat not in self._votes

    def vote(self, seat: Seat) -> tuple[Seat, ...]:
        """Count a seat's vote; return the seats removed by it."""
        if self.may_vote(seat):
            self._votes.add(seat)
        return self.held_up_by if self.votes_needed and self.votes >= self.votes_needed else ()

    def out_in_min(self, now_ns: int) -> int | None:
        """Return the minutes until all of them are out, rounded up; None before another player's first touch."""
        leaving_ns = self._leaving_ns()
        if not leaving_ns or len(leaving_ns) < len(self.held_up_by):
            return None
        return max(1, -((now_ns - max(leaving_ns.values())) // MINUTE_NS))

    # Deadlines

    def overdue(self, now_ns: int) -> tuple[Seat, ...]:
        """Return the removed seats, which have kept the others waiting too long."""
        return tuple(seat for seat, due_ns in self._leaving_ns().items() if due_ns <= now_ns)

    def idle_in_lobby(self, now_ns: int) -> tuple[Seat, ...]:
        """Return long untouched lobby seats, whose players may have left."""
        return self._newly_away(now_ns) if self._match is None else ()

    def is_deserted(self, now_ns: int) -> bool:
        """Return whether all players in a match have left."""
        return self._match is not None and now_ns - self._quiet_ns >= DESERTED_TIMEOUT_NS

    def deadline_ns(self, now_ns: int) -> int | None:
        """Return the next moment at which one of these or the shown minutes change."""
        due = [self._away_ns(seat) for seat in self._awaited if seat not in self.away]
        due += [at_ns - max(0, at_ns - now_ns - 1) // MINUTE_NS * MINUTE_NS for at_ns in self._leaving_ns().values()]
        due += [] if self._match is None else [self._quiet_ns + DESERTED_TIMEOUT_NS]
        return min(due, default=None)

    def _newly_away(self, now_ns: int) -> tuple[Seat, ...]:
        waiting = [seat for seat in self._awaited if seat not in self.away]
        return tuple(seat for seat in waiting if self._away_ns(seat) <= now_ns)

    def _away_ns(self, seat: Seat) -> int:
        """Return when an awaited seat is away. In the lobby, where no action is due, only touches count."""
        untouched_ns = self._waited_ns[seat] + AWAY_TIMEOUT_NS
        return untouched_ns if self._match is None else min(untouched_ns, self._awaited_ns[seat] + STALLING_TIMEOUT_NS)

    def _has_stalled(self, seat: Seat, now_ns: int) -> bool:
        return self._waited_ns[seat] + AWAY_TIMEOUT_NS > now_ns

    def _leaving_ns(self) -> dict[Seat, int]:
        """Return when each seat holding up the others is out, as far as known."""
        return {
            seat: max(self._missed_ns[seat] + REMOVAL_TIMEOUT_NS, self._awaited_ns[seat] + MIN_NOTICE_NS)
            for seat in self.held_up_by
            if seat in self._missed_ns
        }

    def _forget(self, seat: Seat) -> None:
        self.away = tuple(other for other in self.away if other != seat)
        self.stalling = tuple(other for other in self.stalling if other != seat)
        self._waited_ns.pop(seat, None)
        self._missed_ns.pop(seat, None)


def _players(scene: Scene) -> tuple[Seat, ...]:
    if isinstance(scene, Lobby):
        return _people(scene, scene.joined)
    if scene.game is None or not scene.is_in_a_match:
        return ()
    return _people(scene, scene.game.seats(scene.game.position.living))


def _people(scene: Scene, seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """Return the seats without robots, which are always present."""
    robots = dict(scene.robots)
    return tuple(seat for seat in seats if seat not in robots)


def _awaited(scene: Scene) -> tuple[Seat, ...]:
    if isinstance(scene, Lobby):
        return () if scene.is_starting else _people(scene, scene.joined)
    if scene.game is None or scene.name not in _TIMED:
        return ()
    return _people(scene, scene.game.seats(scene.waiting_for()))


class TurnClock:
    """The time limit on an awaited action; None never runs out. The layout may set one."""

    def __init__(self, limit_s: float | None) -> None:
        self._limit_ns = None if limit_s is None else round(limit_s * SECOND_NS)
        self._subject: object = None
        self._due_ns: int | None = None

    def update(self, scene: Scene, now_ns: int) -> None:
        """Follow the table to this scene: a new shake, choice or turn has the whole time."""
        subject = _timed_subject(scene)
        if subject != self._subject:
            self._subject = subject
            self._due_ns = None if subject is None or self._limit_ns is None else now_ns + self._limit_ns

    def is_up(self, now_ns: int) -> bool:
        """Return whether the time has run out."""
        return self._due_ns is not None and self._due_ns <= now_ns

    def left_s(self, now_ns: int) -> int | None:
        """Return the remaining seconds, rounded up; None before the last ones."""
        if self._due_ns is None:
            return None
        left_s = max(0, -((now_ns - self._due_ns) // SECOND_NS))
        return left_s if left_s <= TURN_CLOCK_SHOWN_S else None

    def deadline_ns(self, now_ns: int) -> int | None:
        """Return the moment at which the time is up or the shown seconds change."""
        if self._due_ns is None:
            return None
        seconds = min(TURN_CLOCK_SHOWN_S, max(0, self._due_ns - now_ns - 1) // SECOND_NS)
        return self._due_ns - seconds * SECOND_NS


def _timed_subject(scene: Scene) -> object:
    """Return a value identifying the awaited shake, choice or action."""
    if scene.game is None or scene.name not in _TIMED or not scene.waiting_for():
        return None
    position = scene.game.position
    if scene.name is SceneName.SHAKING:
        return scene.name, scene.game.id, scene.game.deals
    return scene.name, scene.game.id, scene.game.deals, position.standing, position.passer, position.turn
