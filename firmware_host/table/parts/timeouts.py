"""How long the table waits for people: players who are away, those who are out because of it, and the turn clock.

Pure: the moments come in, and touches and actions are all that is known of a player. Seats are those of the layout.
Nothing of it is recorded: after a restart all times begin again. docs/away.md argues for the figures.
"""

from collections.abc import Callable, Iterable

from drivers.messages import Message, Pressed, Shaken, Tilted
from firmware_host.table.effects import HostMessage
from firmware_host.table.events import Away, Back, LeaveReason, MatchBrokenOff
from firmware_host.table.parts.part import Part
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene, SceneContext
from firmware_host.table.seat_view import SceneName

SECOND_NS = 1_000_000_000
MINUTE_NS = 60 * SECOND_NS
AWAY_TIMEOUT_NS = 5 * MINUTE_NS
"""Time for which the table waits for an untouched seat until its player counts as away."""
STALLING_TIMEOUT_NS = 15 * MINUTE_NS
"""Time for which the table waits for one action until its player counts as away, whatever is touched there."""
REMOVAL_TIMEOUT_NS = 10 * MINUTE_NS
"""Time from another player's first touch until a player who is away is out of the match."""
MIN_NOTICE_NS = 5 * SECOND_NS
"""Shortest time between a player's turn and their removal: the others must see first who is missing."""
DESERTED_TIMEOUT_NS = 60 * MINUTE_NS
"""Time without a touch of any player after which a match is broken off. A meal does not take longer."""
MIN_VOTES = 2
"""Fewest votes that remove a player: nobody decides it alone."""
TURN_CLOCK_SHOWN_S = 10
"""Last seconds of the turn clock that are shown. Before them nobody should be hurried."""

_TIMED = (SceneName.SHAKING, SceneName.CHOOSING, SceneName.BIDDING)
"""Scenes that last as long as a player takes; a reveal goes on by itself."""


class Timeouts(Part):
    """The waiting of one table: turns what `Presence` and `TurnClock` find into events and scenes."""

    def __init__(
        self, turn_clock_s: float | None, context: SceneContext, is_of_staff: Callable[[Message | HostMessage], bool]
    ) -> None:
        """Wait for players; a press that `is_of_staff` does not mean that the player of its seat is there."""
        self._is_of_staff = is_of_staff
        self.presence = Presence()
        self._clock = TurnClock(turn_clock_s)
        self._context = context
        self._paused_ns: int | None = None  # since when
        self._pauses_ns = 0  # the duration of all pauses that are over

    def set_paused(self, is_paused: bool) -> None:
        """Stop all times while the match is paused; they go on where they stopped."""
        if is_paused and self._paused_ns is None:
            self._paused_ns = self._context.now_ns
        elif not is_paused and self._paused_ns is not None:
            self._pauses_ns += self._context.now_ns - self._paused_ns
            self._paused_ns = None

    @property
    def now_ns(self) -> int:
        """The moment of the message on a clock that stands still in pauses; all times here are its."""
        return (self._context.now_ns if self._paused_ns is None else self._paused_ns) - self._pauses_ns

    @property
    def deadline_ns(self) -> int | None:
        """The next moment at which `overrun` has something to do, or a shown number changes."""
        if self._paused_ns is not None:
            return None
        due = self.presence.deadline_ns(self.now_ns), self._clock.deadline_ns(self.now_ns)
        return min((at_ns + self._pauses_ns for at_ns in due if at_ns is not None), default=None)

    @property
    def clock_s(self) -> int | None:
        """Seconds that are left on the turn clock; None before the last ones."""
        return self._clock.left_s(self.now_ns)

    def on_message(self, message: Message | HostMessage, scene: Scene) -> None:
        """Note a touch; a cable that is pulled or put back is none."""
        if not isinstance(message, Pressed | Shaken | Tilted) or self._is_of_staff(message):
            return
        if self.presence.on_touch(message.seat, self.now_ns):
            self._context.announce(Back(message.seat))

    def on_handed_over(self, seat: int) -> None:
        """Give the person who takes a seat over their whole time."""
        if self.presence.on_handed_over(seat, self.now_ns):
            self._context.announce(Back(seat))

    def update(self, scene: Scene) -> None:
        """Follow the table to this scene and moment."""
        for event in self.presence.update(scene, self.now_ns):
            self._context.announce(event)
        self._clock.update(scene, self.now_ns)

    def overrun(self, scene: Scene) -> Scene:
        """Return the scene after the first time limit that has run out."""
        if self._paused_ns is not None:
            return scene
        now_ns = self.now_ns
        if scene.game is not None and self.presence.is_deserted(now_ns):
            self._context.announce(MatchBrokenOff(scene.game.id))
            return Lobby(broken_off=True, last=scene.to_reopen())
        if gone := self.presence.overdue(now_ns) or self.presence.idle_in_lobby(now_ns):
            return scene.leave(gone, LeaveReason.AWAY, self._context)
        return scene.on_time_up(self._context) if self._clock.is_up(now_ns) else scene

    def vote(self, seat: int, scene: Scene) -> Scene:
        """Return the scene after a seat has voted to play on without the players who are away."""
        gone = self.presence.vote(seat)
        return scene.leave(gone, LeaveReason.OUTVOTED, self._context) if gone else scene


class Presence:
    """The players of one table who are away, and the votes of the others.

    A player is away whom nobody has seen touch anything for a while, or who is stalling: touches things, but does not
    do what the table waits for.
    """

    def __init__(self) -> None:
        self.away: tuple[int, ...] = ()
        self.stalling: tuple[int, ...] = ()  # of those who are away
        self._subject: object = None  # what the table waits for
        self._match: str | None = None
        self._players: tuple[int, ...] = ()  # still in the match; in the lobby those who have joined
        self._awaited: tuple[int, ...] = ()
        self._awaited_ns: dict[int, int] = {}  # since when the table waits for this action of the seat
        self._waited_ns: dict[int, int] = {}  # since when it waits for the seat, or since the seat's last touch
        self._missed_ns: dict[int, int] = {}  # another player's first touch after the seat was found away
        self._quiet_ns = 0  # the last touch of any player
        self._votes: set[int] = set()

    def update(self, scene: Scene, now_ns: int) -> list[Away | Back]:
        """Follow the table to this scene and moment; return who is away now and who is back."""
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

    def _follow(self, scene: Scene, now_ns: int) -> tuple[int, ...]:
        """Follow the table to what it waits for now; return the seats that have done what they were stalling."""
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

    def on_touch(self, seat: int, now_ns: int) -> bool:
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

    def on_handed_over(self, seat: int, now_ns: int) -> bool:
        """Forget how long the table has waited for a seat; return whether its player was away."""
        was_away = seat in self.away
        self.stalling = tuple(other for other in self.stalling if other != seat)
        self._awaited_ns.pop(seat, None)
        self.on_touch(seat, now_ns)
        return was_away

    # Votes to play on without the players who are away

    @property
    def held_up_by(self) -> tuple[int, ...]:
        """Seats that are away while the table waits for them."""
        return tuple(seat for seat in self.away if seat in self._awaited)

    @property
    def votes(self) -> int:
        """Number of votes so far."""
        return len(self._votes)

    @property
    def votes_needed(self) -> int:
        """More than half of the players who are there; 0 where they are too few to vote."""
        others = len(self._players) - len(self.away)
        return max(MIN_VOTES, others // 2 + 1) if self.held_up_by and others >= MIN_VOTES else 0

    def may_vote(self, seat: int) -> bool:
        """Whether a seat is asked to vote."""
        is_there = seat in self._players and seat not in self.away
        return bool(self.votes_needed) and is_there and seat not in self._votes

    def vote(self, seat: int) -> tuple[int, ...]:
        """Count a seat's vote; return the seats that are out because of it."""
        if self.may_vote(seat):
            self._votes.add(seat)
        return self.held_up_by if self.votes_needed and self.votes >= self.votes_needed else ()

    def out_in_min(self, now_ns: int) -> int | None:
        """Return the minutes until all of them are out, rounded up; None until another player has touched anything."""
        leaving_ns = self._leaving_ns()
        if not leaving_ns or len(leaving_ns) < len(self.held_up_by):
            return None
        return max(1, -((now_ns - max(leaving_ns.values())) // MINUTE_NS))

    # Deadlines

    def overdue(self, now_ns: int) -> tuple[int, ...]:
        """Return the seats that have kept the others waiting for too long and are out."""
        return tuple(seat for seat, due_ns in self._leaving_ns().items() if due_ns <= now_ns)

    def idle_in_lobby(self, now_ns: int) -> tuple[int, ...]:
        """Return the seats in the lobby that nobody has touched for so long that their players may have left."""
        return self._newly_away(now_ns) if self._match is None else ()

    def is_deserted(self, now_ns: int) -> bool:
        """Whether all players of a match have left."""
        return self._match is not None and now_ns - self._quiet_ns >= DESERTED_TIMEOUT_NS

    def deadline_ns(self, now_ns: int) -> int | None:
        """Return the next moment at which one of these or the shown minutes change."""
        due = [self._away_ns(seat) for seat in self._awaited if seat not in self.away]
        due += [at_ns - max(0, at_ns - now_ns - 1) // MINUTE_NS * MINUTE_NS for at_ns in self._leaving_ns().values()]
        due += [] if self._match is None else [self._quiet_ns + DESERTED_TIMEOUT_NS]
        return min(due, default=None)

    def _newly_away(self, now_ns: int) -> tuple[int, ...]:
        waiting = [seat for seat in self._awaited if seat not in self.away]
        return tuple(seat for seat in waiting if self._away_ns(seat) <= now_ns)

    def _away_ns(self, seat: int) -> int:
        """Return when an awaited seat is away. In the lobby only touches count: there is nothing that it has to do."""
        untouched_ns = self._waited_ns[seat] + AWAY_TIMEOUT_NS
        return untouched_ns if self._match is None else min(untouched_ns, self._awaited_ns[seat] + STALLING_TIMEOUT_NS)

    def _has_stalled(self, seat: int, now_ns: int) -> bool:
        return self._waited_ns[seat] + AWAY_TIMEOUT_NS > now_ns

    def _leaving_ns(self) -> dict[int, int]:
        """Return when each seat that holds the others up is out, as far as that is known."""
        return {
            seat: max(self._missed_ns[seat] + REMOVAL_TIMEOUT_NS, self._awaited_ns[seat] + MIN_NOTICE_NS)
            for seat in self.held_up_by
            if seat in self._missed_ns
        }

    def _forget(self, seat: int) -> None:
        self.away = tuple(other for other in self.away if other != seat)
        self.stalling = tuple(other for other in self.stalling if other != seat)
        self._waited_ns.pop(seat, None)
        self._missed_ns.pop(seat, None)


def _players(scene: Scene) -> tuple[int, ...]:
    if isinstance(scene, Lobby):
        return _people(scene, scene.joined)
    if scene.game is None or not scene.is_in_a_match:
        return ()
    return _people(scene, (scene.game.players[player] for player in scene.game.position.living))


def _people(scene: Scene, seats: Iterable[int]) -> tuple[int, ...]:
    """Return the seats without those of robots, which are always there."""
    robots = dict(scene.robots)
    return tuple(seat for seat in seats if seat not in robots)


def _awaited(scene: Scene) -> tuple[int, ...]:
    if isinstance(scene, Lobby):
        return () if scene.is_starting else _people(scene, scene.joined)
    if scene.game is None or scene.name not in _TIMED:
        return ()
    return _people(scene, (scene.game.players[player] for player in scene.waiting_for()))


class TurnClock:
    """The time limit for what the table waits for; None never runs out. The layout may set one."""

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
        """Whether the time has run out."""
        return self._due_ns is not None and self._due_ns <= now_ns

    def left_s(self, now_ns: int) -> int | None:
        """Return the seconds that are left, rounded up; None before the last ones."""
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
    """Return a value for what the table waits for: a shake, a choice or the next action."""
    if scene.game is None or scene.name not in _TIMED or not scene.waiting_for():
        return None
    position = scene.game.position
    if scene.name is SceneName.SHAKING:
        return scene.name, scene.game.id, scene.game.deals
    return scene.name, scene.game.id, scene.game.deals, position.standing, position.passer, position.turn
