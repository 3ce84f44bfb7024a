"""What the room and every glass have been shown of the evening: only what is new goes out to them. `Table` has one.

From what everybody may know and what a seat's place remembers to what is on that seat's glass.
"""

from collections.abc import Sequence

from firmware_host.table.alerts import ActiveAlerts
from firmware_host.table.brightness import ScreenDimmer
from firmware_host.table.effects import Publish, Show
from firmware_host.table.public_state import PublicState, public_state
from firmware_host.table.scenes.context import SceneContext
from firmware_host.table.scenes.scene import Scene
from firmware_host.table.seat_state import SeatState
from firmware_host.table.seat_view import Missing, SceneName, SeatView
from firmware_host.table.timeouts import Timeouts


class Outputs:
    """One table's; `picked_up` as long as it should be said that the evening was resumed."""

    def __init__(
        self,
        desk: SceneContext,
        places: Sequence[SeatState],
        lights: ScreenDimmer,
        waiting: Timeouts,
        *,
        picked_up: bool,
    ) -> None:
        self.picked_up = picked_up
        self._desk = desk
        self._places = places
        self._lights = lights
        self._waiting = waiting
        self._published: PublicState | None = None

    def forget(self) -> None:
        """What was to go out may not have: it all goes out anew, and every gate is shut first."""
        self._published = None
        for place in self._places:
            place.forget_glass()

    def public(self, scene: Scene) -> PublicState:
        """What everybody may know of a scene."""
        desk, waiting = self._desk, self._waiting
        return public_state(scene, desk, desk.absent.missing, desk.troubles.all, waiting.presence, waiting.clock_s)

    def room(self, public: PublicState) -> list[Publish]:
        """That, if it is new to the room."""
        is_new, self._published = public != self._published, public
        return [Publish(public)] if is_new else []

    def glasses(self, public: PublicState, scene: Scene) -> list[Show]:
        """What is new on each seat's glass."""
        return [show for place in self._places if (show := place.news(self._show(place, public, scene)))]

    def _show(self, place: SeatState, public: PublicState, scene: Scene) -> Show:
        may_agree = self._waiting.presence.may_vote(place.seat)
        troubles, picked_up = self._desk.troubles, self.picked_up
        view = seat_view(place, public, self._lights, troubles, picked_up=picked_up, may_agree=may_agree)
        return Show(place.seat, view, place.menu, scene.look(place.seat))


BOUND_LETTERS, FINAL_LETTERS = 11, 16
"""How much of a match's chain is on the glass: what the shortest line for it holds; at last, what one writes down."""


def seat_view(
    place: SeatState,
    public: PublicState,
    lights: ScreenDimmer,
    troubles: ActiveAlerts,
    *,
    picked_up: bool,
    may_agree: bool,
) -> SeatView:
    """One seat's public picture of the evening."""
    seat, seats, players = place.seat, public.seats, public.players
    return SeatView(
        scene=public.scene,
        name=seats[seat].name,
        names=tuple(seats[player].name for player in players),
        me=players.index(seat) if seat in players else None,
        position=public.position,
        caller=public.caller,
        call=public.call,
        waiting_for=public.waiting_for,
        countdown_s=public.countdown_s,
        broken_off=public.broken_off,
        clock_s=public.clock_s,
        absence=public.absence,
        may_agree=may_agree,
        again=public.again,
        missing=tuple(Missing(seats[lost].name, device) for lost, device in public.missing),
        troubles=troubles.seen_by(owner=seats[seat].is_service),
        takes_new_cup=seats[seat].takes_new_cup,
        notice=place.notice,
        picked_up=picked_up,
        has_looked=public.match is not None and place.looked_in == public.match,
        leaf=place.leaf,
        light=lights.light,
        head=_head(public),
        beat=lights.beat,
    )


def _head(public: PublicState) -> str:
    """The first letters of the chain's head while they bind somebody: the makers of a deal, and the whole match."""
    if public.head is None:
        return ""
    if public.deal is not None:
        return public.head[:BOUND_LETTERS]
    return public.head[:FINAL_LETTERS] if public.scene is SceneName.OVER else ""
