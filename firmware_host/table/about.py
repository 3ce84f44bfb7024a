"""What presses and refusals are about: `Table` sees by this when what stands has moved on and they are stale."""

from firmware_host.table.scene import Scene
from firmware_host.table.seat_view import SceneName


def pressed_about(scene: Scene) -> object:
    """What a press is about: the round and the claim that stands in it."""
    if scene.game is None:
        return scene.name
    position = scene.game.position
    return scene.name, scene.game.deals, position.standing, position.passer


def told_about(scene: Scene, seat: int) -> object:
    """What a refusal at a seat is about: what stands, and whether the table waits for that seat.

    A call and its reveal are one: what is told of the one holds in the other.
    """
    if scene.name in (SceneName.CALLED, SceneName.REVEAL):
        return SceneName.REVEAL
    return pressed_about(scene), scene.awaits(seat)
