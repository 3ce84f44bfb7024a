"""What a hand does with a cup, read from its tilt switch: a pure function of stamped level changes.

The cup's program and the driver of a cup wired to a pin both use it, so a shake is the same shake on every
table. Time comes in with each call, in nanoseconds of whatever clock stamped the edges. Written in the subset
that MicroPython and CPython share.

How the figures were chosen: a hand shakes a cup three to eight times a second, a ball switch that was knocked
rattles for about a tenth of a second, and two knocks in a row are no shake either.
"""

import struct

from hardware.link.messages import LEVELLED, SETTLED, SHAKEN, TILTED

SWING_NS = 40_000_000  # edges closer than this belong to one swing of the hand
SWINGS = 5  # so many swings ...
SHAKE_NS = 800_000_000  # ... within this long are a shake
SETTLE_NS = 400_000_000  # level and quiet for so long after a shake: the dice lie
TILT_NS = 200_000_000  # tilted and quiet for so long: somebody looks under the cup
_LONGEST_STAMPS = 512  # edges of one shake that are kept

_RESTING, _TILTED, _SHAKEN = 0, 1, 2


class Motion:
    """Follows one tilt switch. Each call returns what it decided: (SHAKEN | SETTLED | TILTED | LEVELLED, at_ns) pairs.

    `levelled` is decided by the first edge back to level, because hiding dice must not wait for a switch to
    come to rest. A cup that is shaken while it is looked under is levelled first. `tilted` is the switch's
    level at the start.
    """

    def __init__(self, tilted: bool, now_ns: int) -> None:
        self._tilted = tilted
        self._edge_ns = now_ns
        self._state = _RESTING
        self._swings: list[int] = []
        self._stamps = bytearray()

    def edge(self, at_ns: int, tilted: bool) -> "list[tuple[int, int]]":
        """Take one change of the switch's level. A level that is no change is passed over."""
        moved = self.tick(at_ns)
        if tilted == self._tilted:
            return moved
        self._tilted = tilted
        self._edge_ns = at_ns
        self._stamp(at_ns)
        if self._state == _TILTED:
            self._state = _RESTING
            moved.append((LEVELLED, at_ns))
        if self._state == _RESTING and self._is_shake(at_ns):
            self._state = _SHAKEN
            moved.append((SHAKEN, at_ns))
        return moved

    def tick(self, now_ns: int) -> "list[tuple[int, int]]":
        """Let time pass up to `now_ns`; needed at `due_ns`, harmless at any other moment."""
        due_ns = self.due_ns
        if due_ns is None or now_ns < due_ns:
            return []
        if self._state == _SHAKEN:
            self._state = _RESTING
            self._swings = []
            return [(SETTLED, due_ns)]
        self._state = _TILTED
        return [(TILTED, due_ns)]

    @property
    def due_ns(self) -> "int | None":
        """The moment something will be decided if the switch stays as it is; None when nothing will."""
        if self._state == _SHAKEN and not self._tilted:
            return self._edge_ns + SETTLE_NS
        if self._state == _RESTING and self._tilted:
            return self._edge_ns + TILT_NS
        return None

    @property
    def stamps(self) -> bytes:
        """The stamps of the last shake's edges, eight bytes little-endian each: its entropy. At most the first 512."""
        return bytes(self._stamps)

    def _is_shake(self, at_ns: int) -> bool:
        if not self._swings or at_ns - self._swings[-1] >= SWING_NS:
            self._swings.append(at_ns)
            del self._swings[:-SWINGS]
        return len(self._swings) == SWINGS and at_ns - self._swings[0] <= SHAKE_NS

    def _stamp(self, at_ns: int) -> None:
        if self._state != _SHAKEN and (not self._swings or at_ns - self._swings[-1] > SHAKE_NS):
            self._stamps = bytearray()
        if len(self._stamps) < 8 * _LONGEST_STAMPS:
            self._stamps += struct.pack("<Q", at_ns)
