"""How long the table waits for people: who is away, who is out by that, and what is done for whom the time is up.

`Presence` and the turn clock count; here it is told to the room and becomes the next scene. `Table` has one and asks
it whenever time has passed; docs/away.md says what players may expect.
"""

from drivers.messages import Message, Pressed, Shaken, Tilted
from firmware_host.table.effects import FromHouse
from firmware_host.table.events import Away, Back, Leaving, MatchBrokenOff
from firmware_host.table.lobby import Lobby
from firmware_host.table.presence import Presence
from firmware_host.table.scene import Desk, Scene
from firmware_host.table.turn_clock import TurnClock


class Waiting:
    """One table's."""

    def __init__(self, turn_clock_s: float | None, desk: Desk) -> None:
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

    def heard(self, message: Message | FromHouse) -> None:
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
            return scene.leave(gone, Leaving.AWAY, self._desk)
        return scene.time_up(self._desk) if self._clock.is_up(now_ns) else scene

    def agreed(self, seat: int, scene: Scene) -> Scene:
        """The scene after a seat has agreed to go on without who is away."""
        gone = self.presence.vote(seat)
        return scene.leave(gone, Leaving.OUTVOTED, self._desk) if gone else scene
