"""Display brightness, and the picture number in the empty lobby. Pure: times are passed in."""

from drivers.messages import Brightness, Drawn, Found, Introduced, Lost, Message, Opened, Pressed, Released, Replaced
from firmware_host.table.effects import HostMessage
from firmware_host.table.parts.part import Part
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.staff.actions import StaffAction

MINUTE_NS = 60_000_000_000
DIM_AFTER_NS = 2 * MINUTE_NS
"""Time without a touch until displays dim: longer than anybody thinks about a bid."""
DARK_AFTER_NS = 15 * MINUTE_NS
"""Time without a touch until displays go dark outside a match: the people have left."""
DARK_IN_MATCH_AFTER_NS = 30 * MINUTE_NS
"""The same in a match: players who went to eat can still see the position."""
IDLE_FRAME_NS = MINUTE_NS
"""Time for one picture in the empty lobby: each costs a bus a wakeup for every write."""


class ScreenDimmer(Part):
    """One table's brightness, and the picture number in its empty lobby, which stands still in the dark.

    Untouched displays are dimmed, because OLEDs burn in. Any touch wakes a dark table. A waking press does only that:
    the player could not see its meaning.
    """

    def __init__(self) -> None:
        self.brightness = Brightness.BRIGHT
        self.idle_frame = 0
        self._touched_ns = 0
        self._readable_since_ns = 0
        self._is_waking = False  # displays are about to light up again
        self._next_frame_ns: int | None = None
        self._dark_after_ns = DARK_AFTER_NS

    def accepts(self, message: Message | HostMessage, now_ns: int) -> bool:
        """Wake at a press or a moving cup; return False for a press in the dark, which has no further meaning."""
        if isinstance(message, StaffAction):
            self.on_touch(now_ns)
        if isinstance(message, HostMessage | Drawn | Opened | Lost | Found | Introduced | Released | Replaced):
            return True
        counts = not isinstance(message, Pressed) or self._was_readable(message.at_ns)
        self.on_touch(now_ns)
        return counts

    def on_touch(self, now_ns: int) -> None:
        """Note a touch, which makes the displays bright."""
        if self.brightness is Brightness.DARK:
            self._is_waking, self._readable_since_ns = True, now_ns
        self.brightness, self._touched_ns = Brightness.BRIGHT, now_ns

    def on_displayed(self, now_ns: int) -> None:
        """Note that the displays have their latest pictures."""
        if self._is_waking:
            self._is_waking, self._readable_since_ns = False, max(now_ns, self._readable_since_ns)

    def _was_readable(self, at_ns: int) -> bool:
        """Return whether the displays were lit at the moment of a press."""
        return self.brightness is not Brightness.DARK and at_ns >= self._readable_since_ns

    def update(self, scene: Scene, now_ns: int) -> None:
        """Set brightness and idle frame for this scene and moment."""
        self._dark_after_ns = DARK_IN_MATCH_AFTER_NS if scene.is_in_a_match else DARK_AFTER_NS
        idle_ns = now_ns - self._touched_ns
        if idle_ns >= self._dark_after_ns:
            self.brightness = Brightness.DARK
        else:
            self.brightness = Brightness.DIM if idle_ns >= DIM_AFTER_NS else Brightness.BRIGHT
        if not (isinstance(scene, Lobby) and scene.is_empty):
            self.idle_frame, self._next_frame_ns = 0, None
        elif self._next_frame_ns is None:
            self._next_frame_ns = now_ns + IDLE_FRAME_NS
        elif self._next_frame_ns <= now_ns and self.brightness is not Brightness.DARK:
            self.idle_frame, self._next_frame_ns = self.idle_frame + 1, now_ns + IDLE_FRAME_NS

    @property
    def deadline_ns(self) -> int | None:
        """The next moment at which brightness or idle frame changes by itself; None in the dark."""
        if self.brightness is Brightness.DARK:
            return None
        due_ns = self._touched_ns + (DIM_AFTER_NS if self.brightness is Brightness.BRIGHT else self._dark_after_ns)
        return due_ns if self._next_frame_ns is None else min(due_ns, self._next_frame_ns)
