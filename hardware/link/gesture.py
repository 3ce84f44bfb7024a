"""A cup's gestures: shaken, settled, tilted, levelled. A pure function of its sensor's readings and their times.
The cup's program and the driver for a cup wired to a pin both use it, so a shake is the same on every table. Its input
is (time, tilted, jolted): `edge` makes that from a tilt switch, `hardware.link.accelerometer_gesture` from an
accelerometer. The caller passes the time in nanoseconds, from the clock that stamped the samples. Written in the common
subset of MicroPython and CPython.

A hand shakes a cup two and a half to eight times a second, so the cup is jolted five to sixteen times a second. A knock
rattles a ball switch, and a table under an accelerometer, for about a tenth of a second; however often it rattles
meanwhile, it is one swing. So neither four knocks in a second nor walking (two steps a second) is a shake.
"""

import struct

from hardware.link.messages import LEVELLED, SETTLED, SHAKEN, TILTED

PAUSE_NS = 60_000_000  # jolts closer than this belong to one swing of the hand ...
SWING_NS = 120_000_000  # ... but after so long, longer than a knock rattles, another swing begins
SWINGS = 5  # swings ...
SHAKE_NS = 1_000_000_000  # ... that begin within this long are a shake,
LEANING_SWINGS = 4  # and so are four of a cup that leans, as one does that is shaken mouth up: there a ball leaves its
LEANING_NS = 1_300_000_000  # contacts but once to and fro, and no knock on the table makes it. Steps are slower
SETTLE_NS = 400_000_000  # level and quiet for so long after a shake: the dice lie. A hand changes its grip in 0.3 s
SLAM_NS = 100_000_000  # the same after a slam: a cup that hit the table has stopped
RING_NS = 150_000_000  # a slam rings and hops for so long; a jolt that comes later shows that it was none
TILT_NS = 200_000_000  # tilted and quiet for so long: somebody looks under the cup,
RESTLESS_NS = 400_000_000  # or for so long if it was jolted twice in a second: a gentle shake is often quiet for 0.2 s
HELD_NS = 2_000_000_000  # a shake that ends with the cup in the air or on its side is over after so long without a jolt
MAX_SHAKE_NS = 60_000_000_000  # people shake, or look under a cup, for less: else the sensor is broken, or the cup
MAX_TILT_NS = 60_000_000_000  # lies on its side. A table must neither wait for it nor leave dice open
_LONGEST_STAMPS = 4096  # bytes of one shake's stamps that are kept

_RESTING, _LIFTED, _SHAKEN, _BROKEN = 0, 1, 2, 3


class GestureDetector:
    """One cup's detector. Each call returns its decisions: (SHAKEN | SETTLED | TILTED | LEVELLED, at_ns) pairs.
    They come in stamp order; SHAKEN and SETTLED alternate, TILTED and LEVELLED do, and neither pair begins within the
    other. `tilted` is the cup's state at the start. A late sample, with a stamp before an earlier sample's, is treated
    as if it had that stamp.

    - `levelled` is decided by the first sign of coming back, a jolt or a level sample, because hiding dice must not
      wait for the cup to come to rest. If somebody shakes a cup while looking under it, it is levelled first.
    - A cup lifted between the shake and its settling is not settled until it stands again, or until it was held still
      for HELD_NS. A lift that began before the dice lay is never reported: the cup must stand once first.
    - After MAX_SHAKE_NS a shake is settled and reports stop until SETTLE_NS without a jolt; after MAX_TILT_NS a tilt is
      levelled, and not reported again until the cup has stood.
    """

    def __init__(self, tilted: bool, now_ns: int) -> None:
        self._tilted = tilted
        self._ignores_tilt = False  # this lift is not reported (any more)
        self._state = _RESTING
        self._since_ns = now_ns  # when the state began
        self._moved_ns = now_ns  # the last jolt or change of level
        self._jolt_ns = now_ns
        self._last_ns = now_ns
        self._slam_ns: int | None = None
        self._swings: list[int] = []
        self._leaning: list[int] = []  # those that began while the cup was tilted
        self._jolt_stamps = bytearray()
        self._stamps = b""

    def edge(self, at_ns: int, tilted: bool) -> "list[tuple[int, int]]":
        """Take the level of a tilt switch. Each change counts as a jolt; the same level again does not."""
        return self.sample(at_ns, tilted, tilted != self._tilted)

    def sample(self, at_ns: int, tilted: bool, jolt: bool, slam: bool = False) -> "list[tuple[int, int]]":
        """Take any sensor's sample: whether the cup is tilted, is jolted, and was banged down just now."""
        at_ns = max(at_ns, self._last_ns)
        moved = self.tick(at_ns)
        if slam:
            self._slam_ns = at_ns
        if not jolt and tilted == self._tilted:
            return moved
        leant = self._tilted
        self._tilted = tilted
        self._ignores_tilt = self._ignores_tilt and tilted
        self._last_ns = self._moved_ns = at_ns
        if self._state == _LIFTED:
            self._enter(_RESTING, at_ns)
            moved.append((LEVELLED, at_ns))
        if jolt:
            self._jolted(at_ns, leant)
        if self._state == _RESTING and self._is_shake():
            self._enter(_SHAKEN, at_ns)
            moved.append((SHAKEN, at_ns))
        return moved

    def tick(self, now_ns: int) -> "list[tuple[int, int]]":
        """Let time pass up to `now_ns`; needed at `due_ns`, harmless at any other moment."""
        moved: list[tuple[int, int]] = []
        due_ns = self.due_ns
        while due_ns is not None and due_ns <= now_ns:
            self._last_ns = due_ns
            self._fall_due(due_ns, moved)
            due_ns = self.due_ns
        return moved

    @property
    def due_ns(self) -> "int | None":
        """The next change's time if the sensor stays quiet; None without one."""
        if self._state == _SHAKEN:
            return min(self._moved_ns + self._rest_ns(), self._since_ns + MAX_SHAKE_NS)
        if self._state == _LIFTED:
            return self._since_ns + MAX_TILT_NS
        if self._state == _BROKEN:
            return self._moved_ns + SETTLE_NS
        if self._tilted and not self._ignores_tilt:
            return self._moved_ns + (RESTLESS_NS if self._is_restless() else TILT_NS)
        return None

    @property
    def is_tilted(self) -> bool:
        """The cup's last known tilt."""
        return self._tilted

    @property
    def is_shaken(self) -> bool:
        """Whether the cup is still being shaken."""
        return self._state == _SHAKEN

    @property
    def is_lifted(self) -> bool:
        """Whether somebody looks under the cup: between TILTED and LEVELLED."""
        return self._state == _LIFTED

    def is_calm(self, now_ns: int) -> bool:
        """Return whether the cup stands without any jolt that could become a shake."""
        return self._state == _RESTING and not self._tilted and now_ns - self._moved_ns > SHAKE_NS

    @property
    def stamps(self) -> bytes:
        """Jolt times from the last settled shake, at most 4096 bytes: a source of entropy.
        Each stamp is eight bytes, little-endian; an accelerometer's is followed by the sample.
        """
        return self._stamps

    def _rest_ns(self) -> int:
        if self._tilted:
            return HELD_NS
        return SETTLE_NS if self._slam_ns is None else SLAM_NS

    def _is_restless(self) -> bool:
        return len(self._swings) > 1 and self._moved_ns - self._swings[-2] <= SHAKE_NS

    def _fall_due(self, due_ns: int, moved: "list[tuple[int, int]]") -> None:
        if self._state == _SHAKEN:
            self._stamps = bytes(self._jolt_stamps)
            self._jolt_stamps = bytearray()
            self._swings = []
            self._leaning = []
            self._ignores_tilt = self._tilted
            is_endless = due_ns - self._since_ns >= MAX_SHAKE_NS
            self._enter(_BROKEN if is_endless else _RESTING, due_ns)
            moved.append((SETTLED, due_ns))
        elif self._state == _LIFTED:
            self._ignores_tilt = True
            self._enter(_RESTING, due_ns)
            moved.append((LEVELLED, due_ns))
        elif self._state == _BROKEN:
            self._swings = []
            self._leaning = []
            self._ignores_tilt = self._tilted
            self._enter(_RESTING, due_ns)
        else:
            self._enter(_LIFTED, due_ns)
            moved.append((TILTED, due_ns))

    def _enter(self, state: int, at_ns: int) -> None:
        self._state = state
        self._since_ns = at_ns

    def _jolted(self, at_ns: int, leant: bool) -> None:
        if self._slam_ns is not None and at_ns - self._slam_ns > RING_NS:
            self._slam_ns = None
        if self._state != _SHAKEN and at_ns - self._jolt_ns > SHAKE_NS:
            self._jolt_stamps = bytearray()
        if not self._swings or at_ns - self._jolt_ns >= PAUSE_NS or at_ns - self._swings[-1] >= SWING_NS:
            self._swings.append(at_ns)
            del self._swings[:-SWINGS]
            if leant:
                self._leaning.append(at_ns)
                del self._leaning[:-LEANING_SWINGS]
        self._jolt_ns = at_ns
        if len(self._jolt_stamps) < _LONGEST_STAMPS:
            self._jolt_stamps += self._mark(at_ns)

    def _mark(self, at_ns: int) -> bytes:
        """Return the stored stamp for a jolt."""
        return struct.pack("<Q", at_ns)

    def _is_shake(self) -> bool:
        swings, leaning = self._swings, self._leaning
        if len(swings) == SWINGS and swings[-1] - swings[0] <= SHAKE_NS:
            return True
        return len(leaning) == LEANING_SWINGS and leaning[-1] - leaning[0] <= LEANING_NS
