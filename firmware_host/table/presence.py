"""Who is still at the table, by the touches of hands alone: who is away, who leaves, when everybody has gone.

Pure bookkeeping of `Table`'s, seats are the layout's; docs/away.md argues for the figures. Nothing of it is in a
record: after a restart everybody's time begins anew.
"""

from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat_view import SceneName

MINUTE_NS = 60_000_000_000
AWAY_TIMEOUT_NS = 5 * MINUTE_NS
"""The table has waited for a seat for so long, and nobody has touched it: whoever sat there is away."""
REMOVAL_TIMEOUT_NS = 10 * MINUTE_NS
"""So long after another player has come upon a seat that is away, it is out of the match."""
MIN_NOTICE_NS = 5_000_000_000
"""Nobody leaves just as their turn comes: that they are missed is to be seen."""
DESERTED_TIMEOUT_NS = 60 * MINUTE_NS
"""No player has touched anything for so long: they have gone home, a meal does not take longer."""
MIN_VOTES = 2
"""Nobody decides alone that another one is out."""

_WAITING = (SceneName.SHAKING, SceneName.CHOOSING, SceneName.BIDDING)
"""Where the table waits for as long as it takes; a reveal goes on by itself."""


class Presence:
    """One table's."""

    def __init__(self) -> None:
        self.away: tuple[int, ...] = ()
        self._match: str | None = None
        self._players: tuple[int, ...] = ()  # who still plays; in the lobby who has joined
        self._awaited: tuple[int, ...] = ()
        self._awaited_ns: dict[int, int] = {}  # since when it waits now
        self._waited_ns: dict[int, int] = {}  # since when the table waits, first after the seat was touched
        self._missed_ns: dict[int, int] = {}  # when another player first came upon a seat that is away
        self._quiet_ns = 0  # since when no player has touched anything
        self._votes: set[int] = set()

    def follow(self, scene: Scene, now_ns: int) -> tuple[int, ...]:
        """So the evening stands now; returns who has just been found to be away."""
        match = scene.game.id if scene.game is not None and scene.is_in_a_match else None
        if match != self._match:
            self._match, self._quiet_ns = match, now_ns
        self._players, self._awaited = _players(scene), _awaited(scene)
        self._awaited_ns = {seat: self._awaited_ns.get(seat, now_ns) for seat in self._awaited}
        for seat in self._awaited:
            self._waited_ns.setdefault(seat, now_ns)
        for seat in {*self._waited_ns, *self._votes}.difference(self._players):
            self._forget(seat)
            self._votes.discard(seat)
        found = () if match is None else self._overdue(now_ns)
        if found:
            self.away, self._votes = (*self.away, *found), set()
        return found

    def touched(self, seat: int, now_ns: int) -> bool:
        """A hand is at a seat; returns whether somebody who was away is back by that."""
        if seat not in self._players:
            return False
        was_away = seat in self.away
        self._quiet_ns = now_ns
        self._forget(seat)
        if was_away:
            self._votes = set()
        for other in self.away:
            self._missed_ns.setdefault(other, now_ns)
        return was_away

    # To go on without who is away

    @property
    def held_up_by(self) -> tuple[int, ...]:
        """Who is away while the table waits for them."""
        return tuple(seat for seat in self.away if seat in self._awaited)

    @property
    def votes(self) -> int:
        """How many have agreed to go on without them."""
        return len(self._votes)

    @property
    def votes_needed(self) -> int:
        """More than half of those who are not away; 0 where they are too few to decide it."""
        others = len(self._players) - len(self.away)
        return max(MIN_VOTES, others // 2 + 1) if self.held_up_by and others >= MIN_VOTES else 0

    def may_vote(self, seat: int) -> bool:
        """Whether a seat is asked."""
        is_there = seat in self._players and seat not in self.away
        return bool(self.votes_needed) and is_there and seat not in self._votes

    def vote(self, seat: int) -> tuple[int, ...]:
        """A seat would go on without them; returns who leaves by that."""
        if self.may_vote(seat):
            self._votes.add(seat)
        return self.held_up_by if self.votes_needed and self.votes >= self.votes_needed else ()

    def out_in_min(self, now_ns: int) -> int | None:
        """Minutes until all of them are out, the one that has begun counted; None as long as nobody came upon them."""
        leaving_ns = self._leaving_ns()
        if not leaving_ns or len(leaving_ns) < len(self.held_up_by):
            return None
        return max(1, -((now_ns - max(leaving_ns.values())) // MINUTE_NS))

    # What time alone brings

    def overdue(self, now_ns: int) -> tuple[int, ...]:
        """Who has kept the others waiting for too long, and leaves."""
        return tuple(seat for seat, due_ns in self._leaving_ns().items() if due_ns <= now_ns)

    def idle_in_the_lobby(self, now_ns: int) -> tuple[int, ...]:
        """Who has joined and touched nothing for so long that they may have gone: they can join again."""
        return self._overdue(now_ns) if self._match is None else ()

    def is_deserted(self, now_ns: int) -> bool:
        """Whether the players of a match have all gone."""
        return self._match is not None and now_ns - self._quiet_ns >= DESERTED_TIMEOUT_NS

    def deadline_ns(self, now_ns: int) -> int | None:
        """When one of these changes by itself, or another minute has gone."""
        due = [self._waited_ns[seat] + AWAY_TIMEOUT_NS for seat in self._awaited if seat not in self.away]
        due += [at_ns - max(0, at_ns - now_ns - 1) // MINUTE_NS * MINUTE_NS for at_ns in self._leaving_ns().values()]
        due += [] if self._match is None else [self._quiet_ns + DESERTED_TIMEOUT_NS]
        return min(due, default=None)

    def _overdue(self, now_ns: int) -> tuple[int, ...]:
        waiting = [seat for seat in self._awaited if seat not in self.away]
        return tuple(seat for seat in waiting if now_ns - self._waited_ns[seat] >= AWAY_TIMEOUT_NS)

    def _leaving_ns(self) -> dict[int, int]:
        """Who of those who hold everybody up leaves when, as far as that is known."""
        return {
            seat: max(self._missed_ns[seat] + REMOVAL_TIMEOUT_NS, self._awaited_ns[seat] + MIN_NOTICE_NS)
            for seat in self.held_up_by
            if seat in self._missed_ns
        }

    def _forget(self, seat: int) -> None:
        """Nothing is held against a seat any more."""
        self.away = tuple(other for other in self.away if other != seat)
        self._waited_ns.pop(seat, None)
        self._missed_ns.pop(seat, None)


def _players(scene: Scene) -> tuple[int, ...]:
    if isinstance(scene, Lobby):
        return scene.joined
    if scene.game is None or not scene.is_in_a_match:
        return ()
    return tuple(scene.game.players[player] for player in scene.game.position.living)


def _awaited(scene: Scene) -> tuple[int, ...]:
    if isinstance(scene, Lobby):
        return () if scene.is_starting else scene.joined
    if scene.game is None or scene.name not in _WAITING:
        return ()
    return tuple(scene.game.players[player] for player in scene.waiting_for())
