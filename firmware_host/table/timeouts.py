"""How long the table waits for people: who is away, who is out by that, and what is done for whom the time is up.

`Presence` and the turn clock count; here it is told to the room and becomes the next scene. `Table` has one and asks
it whenever time has passed; docs/away.md says what players may expect.

The turn clock: how long somebody may take for what the table waits for. None by default; the layout may set one.

Pure: the moments come in. `Table` asks the scene to act in somebody's place when the time is up.
"""

from drivers.messages import Message, Pressed, Shaken, Tilted
from firmware_host.table.effects import HostMessage
from firmware_host.table.events import Away, Back, LeaveReason, MatchBrokenOff
from firmware_host.table.presence import Presence
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene, SceneContext
from firmware_host.table.seat_view import SceneName


class Timeouts:
    """One table's."""

    def __init__(self, turn_clock_s: float | None, desk: SceneContext) -> None:
        self.presence = Presence()
        self._clock = TurnClock(turn_clock_s)
        self._desk = desk

    @property
    def deadline_ns(self) -> int | None:
        """When `tick` next has something to do, or another of the last seconds has gone."""
        due = self.presence.deadline_ns(self._desk.now_ns), self._clock.deadline_ns(self._desk.now_ns)
        return min((at_ns for at_ns in due if at_ns is not None), default=None)

    @property
    def clock_s(self) -> int | None:
        """What is left on the turn clock, None before its last seconds."""
        return self._clock.left_s(self._desk.now_ns)

    def heard(self, message: Message | HostMessage) -> None:
        """Note whose hand that was; a cable that is pulled or put back is none."""
        if isinstance(message, Pressed | Shaken | Tilted) and self.presence.touched(message.seat, self._desk.now_ns):
            self._desk.announce(Back(message.seat))

    def follow(self, scene: Scene) -> None:
        """So the evening stands now."""
        for seat in self.presence.follow(scene, self._desk.now_ns):
            self._desk.announce(Away(seat))
        self._clock.follow(scene, self._desk.now_ns)

    def tick(self, scene: Scene) -> Scene:
        """The scene after whatever has become due: one thing at a time."""
        now_ns = self._desk.now_ns
        if scene.game is not None and self.presence.is_deserted(now_ns):
            self._desk.announce(MatchBrokenOff(scene.game.id))
            return Lobby(broken_off=True)
        if gone := self.presence.overdue(now_ns) or self.presence.idle_in_the_lobby(now_ns):
            return scene.leave(gone, LeaveReason.AWAY, self._desk)
        return scene.time_up(self._desk) if self._clock.is_up(now_ns) else scene

    def agreed(self, seat: int, scene: Scene) -> Scene:
        """The scene after a seat has agreed to go on without who is away."""
        gone = self.presence.vote(seat)
        return scene.leave(gone, LeaveReason.OUTVOTED, self._desk) if gone else scene


SECOND_NS = 1_000_000_000
TURN_CLOCK_SHOWN_S = 10
"""The last seconds are on every glass: before them nobody should be hurried."""

_TIMED = (SceneName.SHAKING, SceneName.CHOOSING, SceneName.BIDDING)


class TurnClock:
    """One table's; `limit_s` of None never runs out. After a restart the time begins anew."""

    def __init__(self, limit_s: float | None) -> None:
        self._limit_ns = None if limit_s is None else round(limit_s * SECOND_NS)
        self._about: object = None
        self._due_ns: int | None = None

    def follow(self, scene: Scene, now_ns: int) -> None:
        """So the evening stands now: what is new has the whole time."""
        about = _timed(scene)
        if about != self._about:
            self._about = about
            self._due_ns = None if about is None or self._limit_ns is None else now_ns + self._limit_ns

    def is_up(self, now_ns: int) -> bool:
        """Whether the table has waited for long enough."""
        return self._due_ns is not None and self._due_ns <= now_ns

    def left_s(self, now_ns: int) -> int | None:
        """Whole seconds that are left, None before the last ten."""
        if self._due_ns is None:
            return None
        left_s = max(0, -((now_ns - self._due_ns) // SECOND_NS))
        return left_s if left_s <= TURN_CLOCK_SHOWN_S else None

    def deadline_ns(self, now_ns: int) -> int | None:
        """When the time is up, or another second of the last ones has gone."""
        if self._due_ns is None:
            return None
        seconds = min(TURN_CLOCK_SHOWN_S, max(0, self._due_ns - now_ns - 1) // SECOND_NS)
        return self._due_ns - seconds * SECOND_NS


def _timed(scene: Scene) -> object:
    """What the table waits for, of which somebody may take so long: a shake, a choice, or the next word."""
    if scene.game is None or scene.name not in _TIMED or not scene.waiting_for():
        return None
    position = scene.game.position
    if scene.name is SceneName.SHAKING:
        return scene.name, scene.game.id, scene.game.deals
    return scene.name, scene.game.id, scene.game.deals, position.standing, position.passer, position.turn
