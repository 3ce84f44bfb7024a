"""Where an evening goes on when its table is set up anew: after a restart, or because its layout has changed.

A scene counts seats. It can go on at another layout where each of its seats has the name it had: so people know where
their dice are.
"""

from firmware_host.table.lobby import Lobby
from firmware_host.table.scene import Scene
from firmware_host.table.seat_view import SceneName
from hardware.layout import Layout


def resumed(scene: Scene | None, before: Layout | None, layout: Layout) -> Scene | None:
    """The scene to go on with at `layout`, None to begin anew; `before` is the layout it was played at, if known."""
    if isinstance(scene, Lobby):
        stayed = tuple(seat for seat in scene.joined if _is_there(seat, before, layout))
        return scene if stayed == scene.joined else Lobby(joined=stayed)
    if scene is None or scene.game is None:
        return scene
    return scene if all(_is_there(seat, before, layout) for seat in scene.game.players) else None


def runs_a_match(scene: Scene | None) -> bool:
    """Whether somebody's dice are in it."""
    return scene is not None and scene.game is not None and scene.name is not SceneName.OVER


def layout_for(scene: Scene | None, before: Layout | None, wanted: Layout) -> Layout:
    """`wanted`, but `before` for a match that could go on there alone."""
    if runs_a_match(scene) and before is not None and resumed(scene, before, wanted) is None:
        return wanted if resumed(scene, before, before) is None else before
    return wanted


def _is_there(seat: int, before: Layout | None, layout: Layout) -> bool:
    """Whether a seat is the same one at both."""
    if before is None:
        return seat < len(layout.seats)
    return seat < min(len(before.seats), len(layout.seats)) and before.seats[seat].name == layout.seats[seat].name
