"""The turn clock: how long somebody may take for what the table waits for. None by default; the layout may set one.

Pure: the moments come in. `Table` asks the scene to act in somebody's place when the time is up.
"""

from firmware_host.table.scene import Scene
from firmware_host.table.seat_view import SceneName

SECOND_NS = 1_000_000_000
SHOWN_S = 10
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
        return left_s if left_s <= SHOWN_S else None

    def deadline_ns(self, now_ns: int) -> int | None:
        """When the time is up, or another second of the last ones has gone."""
        if self._due_ns is None:
            return None
        seconds = min(SHOWN_S, max(0, self._due_ns - now_ns - 1) // SECOND_NS)
        return self._due_ns - seconds * SECOND_NS


def _timed(scene: Scene) -> object:
    """What the table waits for, of which somebody may take so long: a shake, a choice, or the next word."""
    if scene.game is None or scene.name not in _TIMED or not scene.waiting_for():
        return None
    position = scene.game.position
    if scene.name is SceneName.SHAKING:
        return scene.name, scene.game.id, scene.game.deals
    return scene.name, scene.game.id, scene.game.deals, position.standing, position.passer, position.turn
