"""What everybody in the room may know of where the evening stands: one value, for the socket and whoever reads there.

There is no place for a die in it but the position's, and a `Position` has none before a showdown.
"""

from collections.abc import Iterable

from msgspec import Struct

from drivers.messages import Device
from engine import Call, Position
from firmware_host.fairness.commitments import head_text
from firmware_host.table.alerts import Alert
from firmware_host.table.events import Repeat
from firmware_host.table.presence import Presence
from firmware_host.table.scenes.called import Called
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.scene import Game, Scene, SceneContext
from firmware_host.table.scenes.shaking import Shaking
from firmware_host.table.seat_view import Absence, SceneName, SeatInfo


class PublicState(Struct, frozen=True):
    """The evening at one moment. `waiting_for` and the position count the players of the match, as `SeatView` does."""

    scene: SceneName
    seats: tuple[SeatInfo, ...]  # of the layout
    rules: str  # of the match, or of the next one
    players: tuple[int, ...]  # their seats of the layout; in the lobby who has joined
    match: str | None = None
    head: str | None = None  # of the match's chain, in 52 letters
    deal: int | None = None  # whose house and cups are bound by this head: the number of a deal that is being shaken
    position: Position | None = None  # None in the lobby
    caller: int | None = None  # who has just called, until the cups go up
    call: Call | None = None  # and what
    waiting_for: tuple[int, ...] = ()
    standings: tuple[int, ...] = ()  # once it is over: seats of the layout, from the winner down
    missing: tuple[tuple[int, Device], ...] = ()  # seats of the layout and what does not answer there
    countdown_s: int | None = None  # to the start of the match
    broken_off: bool = False  # the last match was, and nobody has sat down since
    clock_s: int | None = None  # of the turn clock, its last seconds
    away: tuple[int, ...] = ()  # seats of the layout for which the table has waited in vain
    absence: Absence | None = None  # those of them for which it still does
    again: Repeat | None = None  # why the cups are shaken once more
    troubles: tuple[Alert, ...] = ()  # of the house, the most urgent first


def public_state(
    scene: Scene,
    desk: SceneContext,
    missing: Iterable[tuple[int, Device]],
    troubles: tuple[Alert, ...] = (),
    presence: Presence | None = None,
    clock_s: int | None = None,
) -> PublicState:
    """The public side of a scene; `missing` in the order in which they were lost."""
    game = scene.game
    if game is None:
        lobby = scene if isinstance(scene, Lobby) else Lobby()
        return PublicState(
            scene.name,
            desk.seats,
            desk.rules.name,
            lobby.joined,
            missing=tuple(missing),
            countdown_s=lobby.countdown_s(desk.now_ns),
            broken_off=lobby.broken_off,
            troubles=troubles,
        )
    return PublicState(
        scene=scene.name,
        seats=desk.seats,
        rules=game.position.rules.name,
        players=game.players,
        match=game.id,
        head=head_text(game.head),
        deal=scene.bound_deal,
        position=game.position,
        caller=scene.caller if isinstance(scene, Called) else None,
        call=scene.call if isinstance(scene, Called) else None,
        waiting_for=scene.waiting_for(),
        standings=game.standings if scene.name is SceneName.OVER else (),
        missing=tuple(missing),
        clock_s=clock_s,
        away=() if presence is None else presence.away,
        absence=_absence(game, presence, desk.now_ns),
        again=scene.again if isinstance(scene, Shaking) else None,
        troubles=troubles,
    )


def _absence(game: Game, presence: Presence | None, now_ns: int) -> Absence | None:
    if presence is None or not presence.held_up_by:
        return None
    players = tuple(game.players.index(seat) for seat in presence.held_up_by)
    return Absence(players, presence.votes, presence.votes_needed, presence.out_in_min(now_ns))
