"""How brightly the panels shine: less where nobody has touched anything for a while, because OLEDs burn in.

Pure: the moments come in. A table that is dark wakes at any touch, and a press that wakes it does nothing else: nobody
saw what it would have done.
"""

from drivers.messages import Drawn, Found, Light, Lost, Message, Opened, Pressed, Released, Replaced
from firmware_host.table.effects import HostMessage
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene

MINUTE_NS = 60_000_000_000
DIM_AFTER_NS = 2 * MINUTE_NS
"""Longer than anybody thinks about a bid with the hands off the table."""
DARK_AFTER_NS = 15 * MINUTE_NS
"""The people have gone."""
DARK_IN_MATCH_AFTER_NS = 30 * MINUTE_NS
"""They have gone to eat: where a match stands should still be seen from the kitchen."""
IDLE_FRAME_NS = 10_000_000_000
"""How long a picture of the empty lobby stands still."""


class ScreenDimmer:
    """One table's lights, and the beat of its empty lobby: it counts up every ten seconds, but not in the dark."""

    def __init__(self) -> None:
        self.light = Light.BRIGHT
        self.beat = 0
        self._touched_ns = 0
        self._readable_since_ns = 0
        self._wakes = False  # the glasses are about to shine again
        self._beat_at_ns: int | None = None  # the next one
        self._dark_ns = DARK_AFTER_NS  # after the last touch

    def let_through(self, message: Message | HostMessage, now_ns: int) -> bool:
        """Wake at a press and at a cup that moves; False for a press in the dark, which means nothing more."""
        if isinstance(message, HostMessage | Drawn | Opened | Lost | Found | Released | Replaced):
            return True
        counts = not isinstance(message, Pressed) or self._could_be_read(message.at_ns)
        self.touched(now_ns)
        return counts

    def touched(self, now_ns: int) -> None:
        """A hand is at the table."""
        if self.light is Light.DARK:
            self._wakes, self._readable_since_ns = True, now_ns
        self.light, self._touched_ns = Light.BRIGHT, now_ns

    def on_glass(self, now_ns: int) -> None:
        """What was to be shown is on the glasses."""
        if self._wakes:
            self._wakes, self._readable_since_ns = False, max(now_ns, self._readable_since_ns)

    def _could_be_read(self, at_ns: int) -> bool:
        """Whether the glasses shone when a finger came down."""
        return self.light is not Light.DARK and at_ns >= self._readable_since_ns

    def follow(self, scene: Scene, now_ns: int) -> None:
        """So the evening stands now."""
        self._dark_ns = DARK_IN_MATCH_AFTER_NS if scene.is_in_a_match else DARK_AFTER_NS
        idle_ns = now_ns - self._touched_ns
        if idle_ns >= self._dark_ns:
            self.light = Light.DARK
        else:
            self.light = Light.DIM if idle_ns >= DIM_AFTER_NS else Light.BRIGHT
        if not (isinstance(scene, Lobby) and scene.is_empty):
            self.beat, self._beat_at_ns = 0, None
        elif self._beat_at_ns is None:
            self._beat_at_ns = now_ns + IDLE_FRAME_NS
        elif self._beat_at_ns <= now_ns and self.light is not Light.DARK:
            self.beat, self._beat_at_ns = self.beat + 1, now_ns + IDLE_FRAME_NS

    @property
    def deadline_ns(self) -> int | None:
        """When light or beat next change by themselves; never in the dark."""
        if self.light is Light.DARK:
            return None
        due_ns = self._touched_ns + (DIM_AFTER_NS if self.light is Light.BRIGHT else self._dark_ns)
        return due_ns if self._beat_at_ns is None else min(due_ns, self._beat_at_ns)
